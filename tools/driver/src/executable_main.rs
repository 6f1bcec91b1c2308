//! Adds `main` to a program: a call of the runtime library's
//! `comb_executable_main` with the signatures and the entry points.

use comb_runtime::Signature;
use melior::{Context, Error, ir::Module};

use crate::{
    compile::Compiled,
    entry_point::{Types, add_string, declare, define},
};

const RUNTIME_MAIN: &str = "comb_executable_main";
const SIGNATURES: &str = "comb.signatures";

/// Adds `int main(int argc, char **argv)`.
pub fn add<'c>(context: &'c Context, compiled: &Compiled<'c>) -> Result<(), Error> {
    let module: &Module = &compiled.module;
    let types = Types::new(context);
    let (int, pointer) = (types.integer(32), types.pointer());
    let signatures: Vec<&Signature> = compiled
        .entries
        .iter()
        .map(|entry| &entry.signature)
        .collect();
    let json = serde_json::json!(signatures).to_string();
    add_string(context, module, SIGNATURES, &json)?;
    let parameters = [int, pointer, pointer, pointer];
    declare(context, module, RUNTIME_MAIN, int, &parameters)?;
    define(
        context,
        module,
        "main",
        int,
        &[int, pointer],
        |writer, arguments| {
            let table = types.pointers(compiled.entries.len());
            let entries = writer.allocate(table)?;
            for (index, entry) in compiled.entries.iter().enumerate() {
                let slot = writer.address_of(entries, table, &[0, index as i32])?;
                writer.store(writer.symbol(&entry.symbol)?, slot)?;
            }
            let signatures = writer.symbol(SIGNATURES)?;
            writer.call(
                RUNTIME_MAIN,
                &[arguments[0], arguments[1], signatures, entries],
                Some(int),
            )
        },
    )
}
