//! A function's type, and what attributes of its parameters and results say.

use melior::ir::{
    Attribute, OperationRef,
    attribute::{ArrayAttribute, DictionaryAttribute, StringAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};

use crate::{cast::cast, text::string_bytes};

/// What a parameter or result is called by those who call the function.
pub const NAME: &str = "soac.name";

/// How integers are read: without a value or with `true`, without sign; with `false`, with one.
pub const UNSIGNED: &str = "soac.unsigned";

/// How large a parameter usually is.
pub const EXTENT: &str = "soac.extent";

/// Which of a function's values are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its parameters.
    Parameters,
    /// Its results.
    Results,
}

/// An attribute of a function's parameter or result, if it has one.
pub fn attribute<'c>(
    function: OperationRef<'c, '_>,
    side: Side,
    index: usize,
    name: &str,
) -> Option<Attribute<'c>> {
    attributes(function, side, index)?.element_by_name(name)
}

fn attributes<'c>(
    function: OperationRef<'c, '_>,
    side: Side,
    index: usize,
) -> Option<DictionaryAttribute<'c>> {
    let list = match side {
        Side::Parameters => "arg_attrs",
        Side::Results => "res_attrs",
    };
    let all = ArrayAttribute::try_from(function.attribute(list).ok()?).ok()?;
    DictionaryAttribute::try_from(all.element(index).ok()?).ok()
}

/// The name that the attribute `soac.name` gives a parameter or result.
pub fn explicit_name(function: OperationRef, side: Side, index: usize) -> Option<Vec<u8>> {
    let name = attribute(function, side, index, NAME)?;
    let name = StringAttribute::try_from(name).ok()?;
    Some(string_bytes(name).to_owned())
}

/// The type of a function.
pub fn function_type<'c>(function: OperationRef<'c, '_>) -> Option<FunctionType<'c>> {
    let attribute = function.attribute("function_type").ok()?;
    cast::<FunctionType>(TypeAttribute::try_from(attribute).ok()?.value())
}
