//! Programs in StableHLO's generic form, which are made combinators when they are read.

use std::rc::Rc;

use comb_passes::create;
use melior::{
    Context,
    ir::{Module, operation::OperationLike},
    pass::PassManager,
};

use crate::{
    Compiler, Diagnostics,
    bridge::{self, Verification},
    source::Source,
};

/// How an op of StableHLO begins in generic form.
const MARKS: [&str; 2] = ["\"stablehlo.", "\"chlo."];

/// Whether a program is text with ops of StableHLO in generic form.
pub fn is_in(source: &Source) -> bool {
    let text = std::str::from_utf8(source.bytes()).unwrap_or_default();
    MARKS.iter().any(|mark| text.contains(mark))
}

/// Parses a program, and makes combinators of its ops of StableHLO. The context knows no such
/// dialect, and takes unknown ops only for the time being.
pub(crate) fn parse<'c>(
    compiler: &'c Compiler,
    source: &Rc<Source>,
) -> Result<(Module<'c>, Diagnostics), Diagnostics> {
    let context = compiler.context();
    let converted = compiler.captured(source, || {
        context.set_allow_unregistered_dialects(true);
        // MLIR does not find functions that are called in regions of unknown ops.
        let parsed = bridge::parse(context, source, Verification::Later);
        let module = parsed.and_then(|module| convert(context, module));
        context.set_allow_unregistered_dialects(false);
        module
    })?;
    let (module, warnings) = converted;
    let (module, _) =
        compiler.captured(source, || module.as_operation().verify().then_some(module))?;
    Ok((module, warnings))
}

fn convert<'c>(context: &'c Context, mut module: Module<'c>) -> Option<Module<'c>> {
    let passes = PassManager::new(context);
    passes.enable_verifier(false);
    passes.add_pass(create::convert_stablehlo_to_soac());
    passes.run(&mut module).ok()?;
    Some(module)
}
