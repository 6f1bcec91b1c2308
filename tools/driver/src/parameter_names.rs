//! Parameters get the attribute `soac.name` with the name that they have in the text, so
//! that passes know it.

use comb_passes::fuse::SourceText;
use melior::ir::attribute::StringAttribute;
use soac_dialect::parameters::{NAME, Side, explicit_name};

use crate::{
    Compiler, bridge, entry::defined_functions, load::Program, signature::arguments,
    source_names::ProgramText,
};

/// Writes the names of all parameters of all functions into the program.
pub fn write(compiler: &Compiler, program: &Program) {
    let text = ProgramText(&program.source);
    for function in defined_functions(program) {
        for (index, &argument) in arguments(function).iter().enumerate() {
            if explicit_name(function, Side::Parameters, index).is_some() {
                continue;
            }
            let Some(name) = text.argument(argument) else {
                continue;
            };
            let name = StringAttribute::new(compiler.context(), &name);
            bridge::set_argument_attribute(function, index, NAME, name.into());
        }
    }
}
