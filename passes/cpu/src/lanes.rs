//! Values of several iterations at once.
//!
//! Code is made for one iteration at a time, or for as many as a vector has
//! lanes. A value is the same in all lanes, or goes up from lane to lane by a
//! constant (an index, mostly), or differs: then it is a vector. With one lane,
//! all values are of the first kind.
//!
//! Code that is made from clusters and from loop nests shares what is here: functions of combinators
//! ([`lambda`]), operators of folds and scans ([`operator`]), and vectors in memory ([`memory`]).

pub mod ends;
pub mod gathers;
mod gathers_by_lane;
pub mod interleaved;
pub mod lambda;
pub mod memory;
pub mod operator;
pub mod transposed;
mod while_loop;

use comb_kit::{checks::facts::constant, pass_error::PassError};
use ends::Ends;
use melior::ir::{Location, Type, Value, ValueLike};
use soac_dialect::{
    builder::Builder,
    view::{as_argument, op_name},
};

/// What makes code, unless MLIR rejects it.
pub type Emitted<'c, T> = Result<T, PassError<'c>>;

/// A value in every lane.
#[derive(Clone, Copy, Debug)]
pub enum Lanes<'c, 'a> {
    /// The same in all.
    Uniform(Value<'c, 'a>),
    /// An index, which is `first + lane · step`.
    Steps {
        /// The number of the first lane.
        first: Value<'c, 'a>,
        /// From one lane to the next.
        step: i64,
    },
    /// A vector. If it is `guided`, it was computed from the index of the
    /// iteration without reading memory, and may be steps after all; `ends` can tell.
    Vector {
        /// The vector.
        value: Value<'c, 'a>,
        /// Whether it was computed from the index.
        guided: bool,
        /// What tells whether it is steps.
        ends: Option<Ends<'c, 'a>>,
    },
}

/// How many lanes there are, and which of them count.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'c, 'a> {
    /// 1, or the width of vectors.
    pub width: u64,
    /// A truth value, or a vector of them; nothing if all lanes count.
    pub mask: Option<Value<'c, 'a>>,
}

type Single<'c, 'a> = Result<Value<'c, 'a>, PassError<'c>>;

impl<'c, 'a> Lanes<'c, 'a> {
    /// The value of all lanes, if it is one.
    pub fn uniform(self) -> Option<Value<'c, 'a>> {
        match self {
            Self::Uniform(value) => Some(value),
            _ => None,
        }
    }

    /// The same value, of whose ends more may be known.
    pub fn with_ends(self, known: Option<Ends<'c, 'a>>) -> Self {
        match self {
            Self::Vector { value, guided, .. } => Self::Vector {
                value,
                guided,
                ends: known,
            },
            other => other,
        }
    }

    /// Whether the value depends on nothing but the iteration's index.
    pub fn is_guided(self) -> bool {
        match self {
            Self::Uniform(_) | Self::Steps { .. } => true,
            Self::Vector { guided, .. } => guided,
        }
    }
}

impl<'c, 'a> Scope<'c, 'a> {
    /// One lane.
    pub fn single() -> Self {
        Self {
            width: 1,
            mask: None,
        }
    }

    /// So many lanes, of which the first few count.
    pub fn of_first(
        builder: &Builder<'c, 'a>,
        width: u64,
        count: Value<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        let mask = builder.vector_type(width, builder.integer_type(1));
        let mask = builder.value("vector.create_mask", &[count], mask, &[])?;
        Ok(Self {
            width,
            mask: Some(mask),
        })
    }

    /// Whether values may differ between lanes.
    pub fn is_vector(&self) -> bool {
        self.width > 1
    }

    /// The type that a number has in all lanes.
    pub fn r#type(&self, builder: &Builder<'c, 'a>, number: Type<'c>) -> Type<'c> {
        match self.is_vector() {
            true => builder.vector_type(self.width, number),
            false => number,
        }
    }

    /// What is in all lanes, as one value: a vector if there are several.
    pub fn whole(&self, builder: &Builder<'c, 'a>, lanes: Lanes<'c, 'a>) -> Single<'c, 'a> {
        Ok(match lanes {
            Lanes::Uniform(value) if self.is_vector() => builder.broadcast(value, self.width)?,
            Lanes::Uniform(value) | Lanes::Vector { value, .. } => value,
            Lanes::Steps { first, step } => {
                let steps: Vec<i64> = (0..self.width as i64).map(|lane| lane * step).collect();
                let steps = builder.index_vector(&steps)?;
                let numbers = [builder.broadcast(first, self.width)?, steps];
                match step == 1 && as_argument(first).is_some() {
                    true => loop_indices(builder, numbers)?,
                    false => builder.arithmetic("arith.addi", &numbers)?,
                }
            }
        })
    }

    /// A value that was computed in all lanes.
    pub fn lanes(&self, value: Value<'c, 'a>, guided: bool) -> Lanes<'c, 'a> {
        match self.is_vector() {
            true => Lanes::Vector {
                value,
                guided,
                ends: None,
            },
            false => Lanes::Uniform(value),
        }
    }

    /// The lanes of a mask that count here as well.
    pub fn and(
        &self,
        builder: &Builder<'c, 'a>,
        mask: Value<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        let mask = match self.mask {
            Some(outer) => builder.arithmetic("arith.andi", &[outer, mask])?,
            None => mask,
        };
        Ok(Self {
            mask: Some(mask),
            ..*self
        })
    }

    /// The mask, which is all true if all lanes count.
    pub fn mask_value(&self, builder: &Builder<'c, 'a>) -> Single<'c, 'a> {
        match self.mask {
            Some(mask) => Ok(mask),
            None => {
                let truth = builder.integer(1, builder.integer_type(1))?;
                self.whole(builder, Lanes::Uniform(truth))
            }
        }
    }
}

/// The indices of a loop's iterations from one on, as many as there are lanes. No array has so many
/// elements that the sums wrap around; so the loops over arrays end long before, even if some of the
/// last lanes are behind their ends.
fn loop_indices<'c, 'a>(
    builder: &Builder<'c, 'a>,
    first_and_lanes: [Value<'c, 'a>; 2],
) -> Single<'c, 'a> {
    let r#type = first_and_lanes[0].r#type();
    let flags = builder.attribute("#arith.overflow<nsw>")?;
    let flags = [("overflowFlags", flags)];
    Ok(builder.value("arith.addi", &first_and_lanes, r#type, &flags)?)
}

/// Arithmetic on indices that go up in steps: the result goes up in steps, too.
/// Nothing if it does not, or that is not known.
pub fn stepping<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    operands: &[Lanes<'c, 'a>],
) -> Result<Option<Lanes<'c, 'a>>, PassError<'c>> {
    let &[left, right] = operands else {
        return Ok(None);
    };
    let parts = |lanes: Lanes<'c, 'a>| match lanes {
        Lanes::Uniform(value) => Some((value, 0)),
        Lanes::Steps { first, step } => Some((first, step)),
        Lanes::Vector { .. } => None,
    };
    let (Some((left, left_step)), Some((right, right_step))) = (parts(left), parts(right)) else {
        return Ok(None);
    };
    if left.r#type() != builder.index_type() {
        return Ok(None);
    }
    let step = match name {
        "arith.addi" => left_step.checked_add(right_step),
        "arith.subi" => left_step.checked_sub(right_step),
        "arith.muli" => match (left_step, right_step) {
            (step, 0) => constant(right).and_then(|factor| step.checked_mul(factor)),
            (0, step) => constant(left).and_then(|factor| step.checked_mul(factor)),
            _ => None,
        },
        _ => None,
    };
    let Some(step) = step else {
        return Ok(None);
    };
    let first = builder.arithmetic(name, &[left, right])?;
    Ok(Some(match step {
        0 => Lanes::Uniform(first),
        _ => Lanes::Steps { first, step },
    }))
}

/// Whether an op computes numbers from numbers, each lane for itself.
pub fn is_elementwise(name: &str) -> bool {
    name.starts_with("arith.") || name.starts_with("math.")
}

/// Whether an op may trap on what is in lanes that do not count.
pub fn divides(op: melior::ir::OperationRef) -> bool {
    let name = op_name(op);
    let divisions = ["arith.div", "arith.rem", "arith.ceildiv", "arith.floordiv"];
    divisions.iter().any(|division| name.starts_with(division)) && !name.ends_with('f')
}

/// A mistake of code generation.
pub fn internal<'c>(location: Location<'c>, what: &str) -> PassError<'c> {
    PassError::Unsupported {
        location,
        message: format!("internal error of code generation, please report it: {what}"),
    }
}
