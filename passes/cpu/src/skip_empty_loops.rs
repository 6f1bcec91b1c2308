//! `comb-skip-empty-loops`: a loop whose iterations all do nothing is not run.
//!
//! An array of shape `[10000000000, 0]` has no elements, yet the loop over its rows would run. What
//! an iteration does often depends on values from outside of the loop alone, such as whether an
//! inner loop has iterations. So, for each loop around loops without results:
//!
//! 1. [`Need`] is the condition under which an iteration does anything.
//! 2. Unless that is known to hold, or implied by the condition of a loop around, the loop's end
//!    becomes its start where the condition does not hold.
//!
//! What is nothing: computing, reading, fetching ahead, and memory that comes and goes.
//!
//! Cost: linear in the number of ops, times the depth of loops; in compiled code a comparison for
//! each size, outside of the loop.

use comb_fuse::fuse::effects::has_effects;
use comb_kit::{
    checks::facts::constant,
    pass_error::PassError,
    switches::{self, Switches},
    transformations::Transformation,
    walk::{ancestors, blocks, first_blocks, in_block_from},
};
use melior::{
    Error,
    ir::{BlockLike, OperationRef, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate},
    cast::Parts,
    view::{OpView, argument_of, definition, op_name, set_operand},
};

/// Ops with effects that nobody sees when the iteration is over.
const NOTHING: &[&str] = &[
    "memref.alloc",
    "memref.alloca",
    "memref.dealloc",
    "memref.load",
    "memref.prefetch",
    "vector.load",
    "vector.maskedload",
    "vector.gather",
    "vector.transfer_read",
];

/// Ops that may be computed where they were not before. Divisions only by constants.
const COMPUTED_AHEAD: &[&str] = &[
    "arith.addi",
    "arith.andi",
    "arith.cmpi",
    "arith.constant",
    "arith.index_cast",
    "arith.maxsi",
    "arith.minsi",
    "arith.muli",
    "arith.ori",
    "arith.select",
    "arith.subi",
    "arith.xori",
    "memref.dim",
];
const DIVISIONS: &[&str] = &[
    "arith.ceildivsi",
    "arith.divsi",
    "arith.divui",
    "arith.floordivsi",
    "arith.remsi",
    "arith.remui",
];

/// When something is done.
#[derive(Clone, Debug, PartialEq)]
enum Need<'c, 'a> {
    /// It is, as far as is known.
    Yes,
    /// It is not.
    No,
    /// If the first value is less than the second one.
    Less(Value<'c, 'a>, Value<'c, 'a>),
    /// If the value is true.
    True(Value<'c, 'a>),
    /// If it is not.
    False(Value<'c, 'a>),
    /// If all of these hold.
    All(Vec<Need<'c, 'a>>),
    /// If one of these holds.
    Any(Vec<Need<'c, 'a>>),
}

/// The numbers of which a condition says that the first one is less.
fn compared<'c: 'a, 'a>(condition: Value<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    let op = definition(condition).filter(|&op| op_name(op) == "arith.cmpi")?;
    let [left, right] = [op.operand_at(0)?, op.operand_at(1)?];
    match OpView::of(op).integer("predicate")? {
        predicate if predicate == Predicate::Slt as i64 => Some([left, right]),
        predicate if predicate == Predicate::Sgt as i64 => Some([right, left]),
        _ => None,
    }
}

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    switches::with(module, |switches| {
        guard_inside(module, switches, &mut vec![])
    })
}

/// Guards the loops inside an op, which is run only if all that is known holds.
fn guard_inside<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    switches: &Switches,
    known: &mut Vec<Need<'c, 'a>>,
) -> Result<(), PassError<'c>> {
    for inner in ops_in(op) {
        let depth = known.len();
        guard(inner, switches, known)?;
        guard_inside(inner, switches, known)?;
        known.truncate(depth);
    }
    Ok(())
}

/// The ops in an op's regions, without those inside them.
fn ops_in<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    blocks(op)
        .into_iter()
        .flat_map(|block| in_block_from(block.first_operation()))
        .collect()
}

/// Guards an op if it is a loop that needs it; what then holds inside is known.
fn guard<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    switches: &Switches,
    known: &mut Vec<Need<'c, 'a>>,
) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let (start, end) = match view.name {
        "scf.for" if op.result_count() == 0 => (0, 1),
        "scf.parallel" if op.result_count() == 0 => (0, view.group(1).start),
        _ => return Ok(()),
    };
    let need = Loop(op).need_inside(op);
    if !need.minds_inner_loops() || known.iter().any(|known| known.implies(&need)) {
        return Ok(());
    }
    if !switches.applies(Transformation::SkipEmptyLoops, op.location()) {
        return Ok(());
    }
    let mut ahead = Ahead {
        r#loop: Loop(op),
        builder: Builder::before(op).ok_or(Error::OperationBuild)?,
        computed: vec![],
    };
    let needed = ahead.condition(&need)?;
    let [start, old_end] = [start, end].map(|operand| view.operands[operand]);
    let new_end = ahead.builder.select(needed, old_end, start)?;
    set_operand(op, end, new_end);
    known.push(need);
    Ok(())
}

impl<'c: 'a, 'a> Need<'c, 'a> {
    fn all(needs: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<Self> = vec![];
        for need in needs {
            match need {
                Need::Yes => {}
                Need::No => return Need::No,
                need if all.contains(&need) => {}
                need => all.push(need),
            }
        }
        match all.len() {
            0 => Need::Yes,
            1 => all.remove(0),
            _ => Need::All(all),
        }
    }

    fn any(needs: impl IntoIterator<Item = Self>) -> Self {
        let mut any: Vec<Self> = vec![];
        for need in needs {
            match need {
                Need::No => {}
                Need::Yes => return Need::Yes,
                need if any.contains(&need) => {}
                need => any.push(need),
            }
        }
        match any.len() {
            0 => Need::No,
            1 => any.remove(0),
            _ => Need::Any(any),
        }
    }

    fn minds_inner_loops(&self) -> bool {
        match self {
            Need::Less(..) => true,
            Need::All(needs) | Need::Any(needs) => needs.iter().any(Self::minds_inner_loops),
            Need::Yes | Need::No | Need::True(_) | Need::False(_) => false,
        }
    }

    fn implies(&self, other: &Self) -> bool {
        if self == other {
            return true;
        }
        match (self, other) {
            (Need::All(needs), _) if needs.iter().any(|need| need.implies(other)) => true,
            (_, Need::All(others)) => others.iter().all(|other| self.implies(other)),
            (_, Need::Any(others)) => others.iter().any(|other| self.implies(other)),
            _ => false,
        }
    }
}

/// A loop, in front of which something is to be known.
#[derive(Clone, Copy)]
struct Loop<'c, 'a>(OperationRef<'c, 'a>);

impl<'c: 'a, 'a> Loop<'c, 'a> {
    /// When what is in an op does anything.
    fn need_inside(self, op: OperationRef<'c, 'a>) -> Need<'c, 'a> {
        Need::any(ops_in(op).into_iter().map(|op| self.need(op)))
    }

    fn need(self, op: OperationRef<'c, 'a>) -> Need<'c, 'a> {
        let view = OpView::of(op);
        match view.name {
            "scf.for" if !view.flag("unsignedCmp") => Need::all([
                self.less(view.operands[0], view.operands[1]),
                self.need_inside(op),
            ]),
            "scf.parallel" => {
                let bounds = view.group(0).zip(view.group(1));
                let runs =
                    bounds.map(|(start, end)| self.less(view.operands[start], view.operands[end]));
                Need::all(runs.chain([self.need_inside(op)]))
            }
            "scf.if" => self.need_of_branches(op, view.operands[0]),
            name if NOTHING.contains(&name) => Need::No,
            _ if has_effects(op) => Need::Yes,
            _ => Need::No,
        }
    }

    fn need_of_branches(
        self,
        branch: OperationRef<'c, 'a>,
        condition: Value<'c, 'a>,
    ) -> Need<'c, 'a> {
        let branches = first_blocks(branch).into_iter().map(|block| {
            let first = block.and_then(|block| block.first_operation());
            Need::any(in_block_from(first).map(|op| self.need(op)))
        });
        let mut branches = branches.chain([Need::No]);
        let [Some(then), Some(otherwise)] = [branches.next(), branches.next()] else {
            return Need::Yes;
        };
        if then == otherwise || !self.is_known_ahead(condition) {
            return Need::any([then, otherwise]);
        }
        Need::any([
            Need::all([self.holds(condition), then]),
            Need::all([Need::False(condition), otherwise]),
        ])
    }

    /// When a condition holds that is known before the loop.
    fn holds(self, condition: Value<'c, 'a>) -> Need<'c, 'a> {
        let Some([left, right]) = compared(condition) else {
            return Need::True(condition);
        };
        match self.less(left, right) {
            Need::Yes => Need::True(condition),
            need => need,
        }
    }

    fn less(self, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Need<'c, 'a> {
        if let (Some(left), Some(right)) = (constant(left), constant(right)) {
            return match left < right {
                true => Need::Yes,
                false => Need::No,
            };
        }
        match self.is_known_ahead(left) && self.is_known_ahead(right) {
            true => Need::Less(left, right),
            false => Need::Yes,
        }
    }

    /// Whether a value is from outside of the loop.
    fn is_from_outside(self, value: Value<'c, 'a>) -> bool {
        let op = match argument_of(value) {
            Some((op, _)) if op == self.0 => return false,
            Some((op, _)) => Some(op),
            None => definition(value),
        };
        op.is_some_and(|op| !ancestors(op).any(|around| around == self.0))
    }

    /// Whether a value is from outside of the loop, or can be computed in front of it.
    fn is_known_ahead(self, value: Value<'c, 'a>) -> bool {
        self.is_from_outside(value)
            || definition(value).is_some_and(|op| {
                can_be_computed_ahead(op) && op.operands().all(|value| self.is_known_ahead(value))
            })
    }
}

fn can_be_computed_ahead(op: OperationRef) -> bool {
    let second = || op.operand_at(1).and_then(constant);
    let never_overflows = || {
        op.attribute("overflowFlags")
            .map_or(true, |flags| flags.to_string().contains("none"))
    };
    match op_name(op) {
        "memref.dim" => second().is_some(),
        name if DIVISIONS.contains(&name) => second().is_some_and(|divisor| divisor > 0),
        name => COMPUTED_AHEAD.contains(&name) && never_overflows(),
    }
}

/// Computes in front of a loop.
struct Ahead<'c, 'a> {
    r#loop: Loop<'c, 'a>,
    builder: Builder<'c, 'a>,
    /// Values of the loop, and what they are in front of it.
    computed: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Ahead<'c, 'a> {
    fn condition(&mut self, need: &Need<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        match need {
            Need::Yes | Need::No => {
                let truth = self.builder.integer_type(1);
                self.builder.integer((*need == Need::Yes).into(), truth)
            }
            Need::Less(left, right) => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                self.builder.compare(Predicate::Slt, left, right)
            }
            Need::True(value) => self.value(*value),
            Need::False(value) => {
                let value = self.value(*value)?;
                let yes = self.condition(&Need::Yes)?;
                self.builder.arithmetic("arith.xori", &[value, yes])
            }
            Need::All(needs) => self.combined("arith.andi", needs),
            Need::Any(needs) => self.combined("arith.ori", needs),
        }
    }

    fn combined(&mut self, op: &str, needs: &[Need<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let mut all = None;
        for need in needs {
            let condition = self.condition(need)?;
            all = Some(match all {
                None => condition,
                Some(all) => self.builder.arithmetic(op, &[all, condition])?,
            });
        }
        all.ok_or(Error::OperationBuild)
    }

    fn value(&mut self, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        if self.r#loop.is_from_outside(value) {
            return Ok(value);
        }
        if let Some(&(_, ahead)) = self.computed.iter().find(|(inside, _)| *inside == value) {
            return Ok(ahead);
        }
        let op = definition(value).ok_or(Error::OperationBuild)?;
        let operands = op
            .operands()
            .map(|operand| self.value(operand))
            .collect::<Result<Vec<_>, _>>()?;
        let copy = self
            .builder
            .op_like(op, &operands, &[value.r#type()], vec![])?;
        let ahead = copy.result(0)?.into();
        self.computed.push((value, ahead));
        Ok(ahead)
    }
}
