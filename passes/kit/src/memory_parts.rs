//! Types of memory that is a part of other memory, and how much of them is known when
//! the program is compiled.
//!
//! Cost: linear in the number of dimensions.

use melior::ir::{Type, r#type::MemRefType};
use soac_dialect::builder::{Builder, Size, mixed_list};

use crate::pass_error::PassError;

/// A number, if it is known when the program is compiled.
pub type Known = Option<i64>;

/// A size, if it is known when the program is compiled.
pub fn known(size: &Size) -> Known {
    match size {
        Size::Static(size) => Some(*size),
        Size::Dynamic(_) => None,
    }
}

/// The type of a part, by its sizes, how far apart neighbours are, and where it begins.
pub fn part_type<'c>(
    builder: &Builder<'c, '_>,
    element: Type<'c>,
    sizes: &[Size],
    strides: &[Known],
    offset: Known,
) -> Result<Type<'c>, PassError<'c>> {
    let text = |number: &Known| number.map_or("?".to_owned(), |number| number.to_string());
    let list: Vec<String> = strides.iter().map(text).collect();
    let layout = format!("strided<[{}], offset: {}>", list.join(", "), text(&offset));
    let layout = builder.attribute(&layout)?;
    let (sizes, _) = mixed_list(sizes);
    Ok(MemRefType::new(element, &sizes, Some(layout), None).into())
}
