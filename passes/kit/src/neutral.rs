//! The neutral elements of ops that are functions of two numbers.

use melior::{
    Error,
    ir::{Type, Value, ValueLike, attribute::FloatAttribute, operation::OperationLike},
};
use soac_dialect::{
    builder::Builder,
    view::{definition, op_name},
};

use crate::{checks::facts::constant, element_types::bits};

/// A number that changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Neutral {
    /// A floating-point number.
    Float(f64),
    /// An integer, with the bits of its type.
    Integer(i64),
}

impl Neutral {
    /// The neutral element of an op on numbers of a type; nothing of an op that is not known to be
    /// associative, or to have one.
    pub fn of(op: &str, r#type: Type) -> Option<Self> {
        let width = match bits(r#type) {
            0 => 64,
            bits => bits,
        };
        let (least, greatest) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
        Some(match op {
            // -0 + x is x for all x; 0 + -0 is not.
            "arith.addf" => Self::Float(-0.0),
            "arith.mulf" => Self::Float(1.0),
            "arith.maximumf" => Self::Float(f64::NEG_INFINITY),
            "arith.minimumf" => Self::Float(f64::INFINITY),
            "arith.maxnumf" | "arith.minnumf" => Self::Float(f64::NAN),
            "arith.addi" | "arith.ori" | "arith.xori" | "arith.maxui" => Self::Integer(0),
            "arith.muli" => Self::Integer(1),
            "arith.andi" | "arith.minui" => Self::Integer(-1),
            "arith.maxsi" => Self::Integer(least),
            "arith.minsi" => Self::Integer(greatest),
            _ => return None,
        })
    }

    /// The number as a value.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn build<'c, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        r#type: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        match self {
            Self::Float(value) => builder.float(value, r#type),
            Self::Integer(value) => builder.integer(value, r#type),
        }
    }
}

/// Whether a fold by an op gives the same if it starts with this number as if each of its parts
/// did.
pub fn may_start_parts(op: &str, number: Value) -> bool {
    match float(number) {
        Some(float) => match op {
            "arith.addf" => float == 0.0,
            "arith.mulf" => float == 1.0,
            "arith.maximumf" => float == f64::NEG_INFINITY,
            "arith.minimumf" => float == f64::INFINITY,
            "arith.maxnumf" => float.is_nan() || float == f64::NEG_INFINITY,
            "arith.minnumf" => float.is_nan() || float == f64::INFINITY,
            _ => false,
        },
        None => {
            let neutral = Neutral::of(op, number.r#type());
            let given = constant(number).map(Neutral::Integer);
            given.is_some() && given == neutral
        }
    }
}

/// A floating-point constant.
fn float(number: Value) -> Option<f64> {
    let op = definition(number).filter(|&op| op_name(op) == "arith.constant")?;
    let value = op.attribute("value").ok()?;
    Some(FloatAttribute::try_from(value).ok()?.value())
}
