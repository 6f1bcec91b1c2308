//! Attributes and types that are part of themselves, at which MLIR's reader does not come to an end.

use crate::{
    error::{Error, Fault},
    file::{AttributeId, File, TypeId},
    model::{self, Attribute, Location, Part, Type},
};

/// How far a walk over what entries consist of is with an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Looks for entries that are part of themselves. Those that cannot be decoded have no parts.
///
/// # Errors
/// Names the place of such an entry.
pub(crate) fn check(file: &File) -> Result<(), Error> {
    let attributes = file.attribute_count();
    let mut states = vec![State::New; attributes + file.type_count()];
    let index = |node| match node {
        Part::Attribute(id) => id.0,
        Part::Type(id) => attributes + id.0,
    };
    let all = (0..attributes).map(|id| Part::Attribute(AttributeId(id)));
    let all = all.chain((0..file.type_count()).map(|id| Part::Type(TypeId(id))));
    for start in all {
        let mut stack = vec![start];
        while let Some(&node) = stack.last() {
            if states[index(node)] != State::New {
                states[index(node)] = State::Done;
                stack.pop();
                continue;
            }
            states[index(node)] = State::Open;
            for part in parts(file, node) {
                match states[index(part)] {
                    State::New => stack.push(part),
                    State::Open => return Err(itself(file, part)),
                    State::Done => {}
                }
            }
        }
    }
    Ok(())
}

fn itself(file: &File, node: Part) -> Error {
    let data = match node {
        Part::Attribute(id) => file.attribute(id).data,
        Part::Type(id) => file.r#type(id).data,
    };
    Fault::Damaged("an attribute or type is part of itself".into()).at(data.at())
}

fn parts(file: &File, node: Part) -> Vec<Part> {
    match node {
        Part::Attribute(id) => model::attribute(file, id).map_or(vec![], parts_of_attribute),
        Part::Type(id) => model::r#type(file, id).map_or(vec![], parts_of_type),
    }
}

fn parts_of_attribute(attribute: Attribute) -> Vec<Part> {
    let parts_in = |ids: Vec<AttributeId>| ids.into_iter().map(Part::Attribute).collect();
    match attribute {
        Attribute::Array(items) => parts_in(items),
        Attribute::Dictionary(entries) => {
            parts_in(entries.into_iter().flat_map(<[_; 2]>::from).collect())
        }
        Attribute::Symbol(root, nested) => parts_in([vec![root], nested].concat()),
        Attribute::Type(r#type)
        | Attribute::Number { r#type, .. }
        | Attribute::Elements { r#type, .. }
        | Attribute::Resource { r#type, .. }
        | Attribute::List {
            element: r#type, ..
        } => vec![Part::Type(r#type)],
        Attribute::Location(location) => match location {
            Location::Unknown => vec![],
            Location::File { name, .. } => parts_in(vec![name]),
            Location::Name(name, child) => parts_in(vec![name, child]),
            Location::CallSite { callee, caller } => parts_in(vec![callee, caller]),
            Location::Fused(places, said) => parts_in([places, Vec::from_iter(said)].concat()),
        },
        Attribute::Other(_, parts) => parts,
        Attribute::Text(_)
        | Attribute::String(_)
        | Attribute::Unit
        | Attribute::Bool(_)
        | Attribute::Case { .. }
        | Attribute::Bounds(_)
        | Attribute::OperandAlias { .. }
        | Attribute::Unread(_) => vec![],
    }
}

fn parts_of_type(r#type: Type) -> Vec<Part> {
    let parts_in = |ids: Vec<TypeId>| ids.into_iter().map(Part::Type).collect();
    match r#type {
        Type::Complex(element) | Type::UnrankedTensor(element) => parts_in(vec![element]),
        Type::Tensor {
            element, encoding, ..
        } => {
            let encoding = encoding.map(Part::Attribute);
            encoding.into_iter().chain([Part::Type(element)]).collect()
        }
        Type::Tuple(types) => parts_in(types),
        Type::Function(inputs, results) => parts_in([inputs, results].concat()),
        Type::Other(_, parts) => parts,
        Type::Text(_)
        | Type::Integer(..)
        | Type::Float(..)
        | Type::Index
        | Type::None
        | Type::Unread(_) => vec![],
    }
}
