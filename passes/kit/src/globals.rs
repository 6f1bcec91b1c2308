//! Constants and words of a module in the LLVM dialect.

use melior::{
    Error,
    ir::{Attribute, Region, Type, attribute::TypeAttribute},
};
use soac_dialect::builder::Builder;

/// Defines a constant of bytes that others cannot link to.
///
/// # Errors
///
/// If MLIR rejects it.
pub fn define_bytes(start: &Builder, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let r#type = start.r#type(&format!("!llvm.array<{} x i8>", bytes.len()))?;
    define(start, name, r#type, start.bytes(bytes), true)
}

/// Defines a word that is 0 at first.
///
/// # Errors
///
/// If MLIR rejects it.
pub fn define_word(start: &Builder, name: &str) -> Result<(), Error> {
    define(start, name, start.integer_type(64), start.number(0), false)
}

fn define<'c>(
    start: &Builder<'c, '_>,
    name: &str,
    r#type: Type<'c>,
    value: Attribute<'c>,
    is_constant: bool,
) -> Result<(), Error> {
    let mut attributes = vec![
        ("sym_name", start.string(name)),
        ("global_type", TypeAttribute::new(r#type).into()),
        ("linkage", start.attribute("#llvm.linkage<private>")?),
        ("value", value),
        ("addr_space", start.attribute("0 : i32")?),
        ("dso_local", start.unit()),
    ];
    if is_constant {
        attributes.push(("constant", start.unit()));
    }
    start.op(
        "llvm.mlir.global",
        &[],
        &[],
        &attributes,
        vec![Region::new()],
    )?;
    Ok(())
}
