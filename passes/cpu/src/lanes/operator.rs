//! Operators of folds and scans, on the lanes of vectors.
//!
//! If an operator is commutative, every lane of a loop folds its own elements, and the
//! lanes are folded in the end. If not, the lanes of each vector are folded with
//! their neighbours, which keeps the order. A scan of a vector is that of Hillis
//! and Steele: at each step, every lane is combined with the one 1, 2, 4, … lanes
//! before it.
//!
//! Cost: a use of the operator for each step, which are as many as a vector's number of lanes can
//! be halved.

use comb_machine::tuning::fold::SHUFFLE;
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{builder::Builder, view::OpView};

use super::{
    Emitted, Lanes, Scope,
    lambda::{InLanes, Local},
};
use comb_fuse::fuse::work::instructions;
use comb_kit::{
    commutativity::{is_commutative, is_exact},
    walk::operations,
};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// What combines elements, and the elements that change nothing.
#[derive(Clone)]
pub struct Operator<'c, 'a> {
    op: OperationRef<'c, 'a>,
    view: OpView<'c, 'a>,
    /// The elements that change nothing.
    pub neutrals: Values<'c, 'a>,
    /// Whether it takes later elements first.
    is_right: bool,
    /// The values from outside that it uses, if they are others in the code that is made.
    captured: Local<'c, 'a>,
}

/// How a vector is scanned.
#[derive(Clone, Copy, Debug)]
pub struct ScanForm {
    /// Whether it gives what was there before each element.
    pub exclusive: bool,
    /// Whether what goes on to the next vector is computed for itself, of the last lane.
    pub last_lane_apart: bool,
}

impl<'c: 'a, 'a> Operator<'c, 'a> {
    /// The operator that is an op's lambda.
    pub fn of(op: OperationRef<'c, 'a>, neutrals: Values<'c, 'a>, is_right: bool) -> Self {
        Self {
            op,
            view: OpView::of(op),
            neutrals,
            is_right,
            captured: Local::new(),
        }
    }

    /// The same operator, with what the values from outside have become.
    pub fn capturing(self, captured: Local<'c, 'a>) -> Self {
        Self { captured, ..self }
    }

    /// The op whose lambda it is.
    pub fn op(&self) -> OperationRef<'c, 'a> {
        self.op
    }

    /// Whether the order of elements does not matter.
    pub fn is_commutative(&self) -> bool {
        is_commutative(&self.view)
    }

    /// Whether it gives the same bits however elements that are next to each other are put together.
    pub fn is_exact(&self) -> bool {
        let ops = operations(self.op).into_iter();
        let computed = ops.flat_map(|op| op.results().collect::<Vec<_>>());
        let mut types = computed
            .map(|result| result.r#type())
            .chain(self.elements());
        is_exact(&self.view) || !types.any(|r#type| r#type.is_float())
    }

    /// Whether it takes no longer than a shuffle.
    pub fn is_short(&self) -> bool {
        let ops = operations(self.op).into_iter();
        ops.map(instructions).sum::<f64>() <= SHUFFLE
    }

    /// The types of its elements.
    pub fn elements(&self) -> impl Iterator<Item = Type<'c>> {
        self.neutrals.iter().map(|value| value.r#type())
    }

    /// What it makes of two values per accumulator, in lanes.
    pub fn in_lanes(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        scope: Scope<'c, 'a>,
        earlier: &[Lanes<'c, 'a>],
        later: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let arguments = match self.is_right {
            true => [later, earlier].concat(),
            false => [earlier, later].concat(),
        };
        let outer = code.set_scope(scope);
        let captured = self.captured.clone();
        let yielded = code.lambda_with(builder, &self.view, &arguments, captured);
        code.set_scope(outer);
        yielded
    }

    /// What it makes of two values per accumulator, the first of which is of earlier iterations.
    pub fn combined(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        earlier: &[Value<'c, 'a>],
        later: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        self.combined_lanes(code, builder, 1, [earlier, later])
    }

    /// The same of vectors with so many lanes, lane by lane.
    pub fn combined_lanes(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        width: u64,
        values: [&[Value<'c, 'a>]; 2],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let scope = Scope { width, mask: None };
        let [earlier, later] = values.map(|values| {
            let lanes = values.iter().map(|&value| match width {
                1 => Lanes::Uniform(value),
                _ => scope.lanes(value, false),
            });
            lanes.collect::<Vec<_>>()
        });
        let combined = self.in_lanes(code, builder, scope, &earlier, &later)?;
        combined
            .into_iter()
            .map(|lanes| scope.whole(builder, lanes))
            .collect()
    }

    /// Elements as vectors, neutral in the lanes that do not count.
    pub fn counting(
        &self,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        elements
            .iter()
            .zip(&self.neutrals)
            .map(|(&element, &neutral)| {
                let neutral = scope.whole(builder, Lanes::Uniform(neutral))?;
                kept_where_it_counts(builder, scope, element, neutral)
            })
            .collect()
    }

    /// One element of the lanes' elements, in their order.
    pub fn fold_neighbours(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        mut vectors: Values<'c, 'a>,
        mut width: u64,
    ) -> Emitted<'c, Values<'c, 'a>> {
        while width > 1 {
            let half = width as i64 / 2;
            let even: Vec<i64> = (0..half).map(|lane| 2 * lane).collect();
            let odd: Vec<i64> = (0..half).map(|lane| 2 * lane + 1).collect();
            vectors = self.fold_parts(code, builder, &vectors, &even, &odd)?;
            width /= 2;
        }
        Ok(vectors)
    }

    /// Fewer lanes of accumulators that fold elements in any order: `wide` of them become
    /// `narrow`.
    pub fn fold_lanes(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        mut vectors: Values<'c, 'a>,
        [wide, narrow]: [u64; 2],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut width = wide;
        while width > narrow {
            let half = width as i64 / 2;
            let low: Vec<i64> = (0..half).collect();
            let high: Vec<i64> = (half..2 * half).collect();
            vectors = self.fold_parts(code, builder, &vectors, &low, &high)?;
            width /= 2;
        }
        Ok(vectors)
    }

    /// Folds some lanes of vectors with others.
    fn fold_parts(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        vectors: &[Value<'c, 'a>],
        left: &[i64],
        right: &[i64],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let scope = Scope {
            width: left.len() as u64,
            mask: None,
        };
        let part = |lanes: &[i64]| {
            vectors
                .iter()
                .zip(self.elements())
                .map(|(&vector, r#type)| match lanes {
                    &[lane] => Ok(Lanes::Uniform(builder.lane(vector, lane, r#type)?)),
                    _ => {
                        let value = builder.shuffle(vector, vector, lanes, r#type)?;
                        Ok(scope.lanes(value, false))
                    }
                })
                .collect::<Emitted<Vec<Lanes>>>()
        };
        let (left, right) = (part(left)?, part(right)?);
        let folded = self.in_lanes(code, builder, scope, &left, &right)?;
        folded
            .into_iter()
            .map(|lanes| scope.whole(builder, lanes))
            .collect()
    }

    /// Takes one element per lane into a scan: gives what the scan gives there, and what it
    /// carries on. What it carries is in all lanes.
    pub fn scan(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        carried: &[Value<'c, 'a>],
        elements: &[Lanes<'c, 'a>],
        form: ScanForm,
    ) -> Emitted<'c, (Vec<Lanes<'c, 'a>>, Values<'c, 'a>)> {
        let scope = code.scope();
        let before: Vec<Lanes> = carried
            .iter()
            .map(|&value| scope.lanes(value, false))
            .collect();
        if !scope.is_vector() {
            let combined = self.in_lanes(code, builder, scope, &before, elements)?;
            let state = combined
                .iter()
                .zip(carried)
                .map(|(&new, &old)| kept_where_it_counts(builder, &scope, new, old))
                .collect::<Emitted<Values>>()?;
            return Ok((if form.exclusive { before } else { combined }, state));
        }
        let whole = Scope {
            mask: None,
            ..scope
        };
        let elements = self.counting(builder, &scope, elements)?;
        let local = self.scan_lanes(code, builder, whole, elements)?;
        let scanned = self.in_lanes(code, builder, whole, &before, &local)?;
        let state = match form.last_lane_apart {
            true => {
                let last = self.last_lane(builder, whole, &local)?;
                self.in_lanes(code, builder, whole, &before, &last)?
            }
            false => self.last_lane(builder, whole, &scanned)?,
        };
        let state = state.into_iter().map(|lanes| whole.whole(builder, lanes));
        let state = state.collect::<Emitted<Values>>()?;
        let given = match form.exclusive {
            true => self.moved_up(builder, whole, carried, &scanned)?,
            false => scanned,
        };
        Ok((given, state))
    }

    /// The scan of a vector.
    fn scan_lanes(
        &self,
        code: &mut impl InLanes<'c, 'a>,
        builder: &Builder<'c, 'a>,
        scope: Scope<'c, 'a>,
        elements: Values<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let width = scope.width as i64;
        let mut lanes: Vec<Lanes> = elements
            .into_iter()
            .map(|value| scope.lanes(value, false))
            .collect();
        let mut distance = 1;
        while distance < width {
            let positions = moved_by(width, distance);
            let shifted = lanes
                .iter()
                .zip(&self.neutrals)
                .map(|(&lanes, &neutral)| {
                    let value = scope.whole(builder, lanes)?;
                    let none = scope.whole(builder, Lanes::Uniform(neutral))?;
                    let value = builder.shuffle(none, value, &positions, neutral.r#type())?;
                    Ok(scope.lanes(value, false))
                })
                .collect::<Emitted<Vec<Lanes>>>()?;
            lanes = self.in_lanes(code, builder, scope, &shifted, &lanes)?;
            distance *= 2;
        }
        Ok(lanes)
    }

    /// The last lane of each vector, in all lanes.
    fn last_lane(
        &self,
        builder: &Builder<'c, 'a>,
        scope: Scope<'c, 'a>,
        vectors: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let last = vec![scope.width as i64 - 1; scope.width as usize];
        self.elements()
            .zip(vectors)
            .map(|(element, &vector)| {
                let value = scope.whole(builder, vector)?;
                let value = builder.shuffle(value, value, &last, element)?;
                Ok(scope.lanes(value, false))
            })
            .collect()
    }

    /// What was carried in the first lane, and then each vector without its last lane.
    fn moved_up(
        &self,
        builder: &Builder<'c, 'a>,
        scope: Scope<'c, 'a>,
        carried: &[Value<'c, 'a>],
        scanned: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let width = scope.width as i64;
        let positions = moved_by(width, 1);
        self.elements()
            .zip(carried.iter().zip(scanned))
            .map(|(element, (&before, &lanes))| {
                let value = scope.whole(builder, lanes)?;
                let value = builder.shuffle(before, value, &positions, element)?;
                Ok(scope.lanes(value, false))
            })
            .collect()
    }
}

/// The lanes of two vectors, one behind the other, from so many before the end of the first one
/// on: CPUs have instructions for just that.
fn moved_by(width: i64, distance: i64) -> Vec<i64> {
    (width - distance..2 * width - distance).collect()
}

/// A new value in the lanes that count, an old one in the others.
pub fn kept_where_it_counts<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    new: Lanes<'c, 'a>,
    old: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let new = scope.whole(builder, new)?;
    match scope.mask {
        None => Ok(new),
        Some(mask) => Ok(builder.select(mask, new, old)?),
    }
}
