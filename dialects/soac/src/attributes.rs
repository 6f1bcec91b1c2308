//! The attributes `soac.…` that ops of any dialect, and parameters and results of functions,
//! may have.
//!
//! One that is misspelt would say nothing, in silence. So the dialect's verifier knows all of
//! them, and of which form they are. What depends on the type of a value is looked at by those
//! who read them.

use melior::ir::{
    Attribute,
    attribute::{AttributeLike, BoolAttribute, DenseI64ArrayAttribute, StringAttribute},
};

use crate::parameters::{EXTENT, NAME, UNSIGNED};

/// Combinators with this attribute and the same string share their outermost loop.
pub const TOGETHER: &str = "soac.together";

/// No two combinators with this attribute and the same string share a loop.
pub const APART: &str = "soac.apart";

/// A combinator with this attribute is fused with nothing.
pub const ALONE: &str = "soac.alone";

/// A function with this attribute has the run-time checks of its ops.
pub const HAS_CHECKS: &str = "soac.has_checks";

/// A function with this attribute has the run-time checks of the ops in its clusters.
pub const CLUSTERS_HAVE_CHECKS: &str = "soac.clusters_have_checks";

/// How threads share a scatter: see the book's page on CPU code.
pub const SCATTER: &str = "soac.scatter";

/// In which orders an op of a cluster computes its elements: see the book's page on clusters.
pub const ORDERS: &str = "soac.orders";

/// Where an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Function,
    Scatter,
    Op,
    Parameter(usize),
    Result(usize),
}

/// What an attribute's value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Nothing: that it is there says all.
    Unit,
    String,
    Integers,
    /// Nothing, or `true` or `false`.
    Flag,
    /// Looked at by who reads it.
    Any,
}

impl Holder {
    /// The attributes that it may have.
    fn known(self) -> &'static [(&'static str, Form)] {
        const SCATTER_OP: &[(&str, Form)] = &[
            (TOGETHER, Form::String),
            (APART, Form::String),
            (ALONE, Form::Unit),
            (ORDERS, Form::Integers),
            (SCATTER, Form::Any),
        ];
        const PARAMETER: &[(&str, Form)] = &[
            (NAME, Form::String),
            (UNSIGNED, Form::Flag),
            (EXTENT, Form::Any),
        ];
        match self {
            Holder::Function => &[(HAS_CHECKS, Form::Unit), (CLUSTERS_HAVE_CHECKS, Form::Unit)],
            Holder::Scatter => SCATTER_OP,
            Holder::Op => &SCATTER_OP[..4],
            Holder::Parameter(_) => PARAMETER,
            Holder::Result(_) => &PARAMETER[..2],
        }
    }

    /// Itself in a sentence that begins with the op's name.
    fn text(self) -> String {
        match self {
            Holder::Function | Holder::Scatter | Holder::Op => "op".to_owned(),
            Holder::Parameter(index) => format!("op parameter {index}"),
            Holder::Result(index) => format!("op result {index}"),
        }
    }
}

impl Form {
    fn fits(self, value: Attribute) -> bool {
        match self {
            Form::Unit => value.is_unit(),
            Form::String => StringAttribute::try_from(value).is_ok(),
            Form::Integers => DenseI64ArrayAttribute::try_from(value).is_ok(),
            Form::Flag => value.is_unit() || BoolAttribute::try_from(value).is_ok(),
            Form::Any => true,
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Form::Unit => "it has no value",
            Form::String => "a string in quotes is expected",
            Form::Integers => "array<i64: …> is expected",
            Form::Flag => "it has no value, or true or false",
            Form::Any => "any value is expected",
        }
    }
}

/// What is wrong with an attribute of the dialect, behind the op's name.
pub(crate) fn violation(holder: Holder, name: &str, value: Attribute) -> Option<String> {
    let known = holder.known();
    let text = holder.text();
    match known.iter().find(|(other, _)| *other == name) {
        Some((_, form)) if form.fits(value) => None,
        Some((_, form)) => Some(format!("{text} has {name} = {value}; {}", form.expected())),
        None => {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            Some(format!(
                "{text} has the attribute {name}, which is unknown; known are {}",
                names.join(", ")
            ))
        }
    }
}
