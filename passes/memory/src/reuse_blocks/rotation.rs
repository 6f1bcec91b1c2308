//! Blocks that an `scf.for` goes round: what each iteration allocates and hands on, it has in one of a few blocks that are
//! allocated in front of the loop, and in another one of them in the next iteration. So a loop whose iterations need
//! the whole of the old array has two blocks, one with two time levels three.
//!
//! A *spare* block is what an iteration computes in. In the next iteration, what was carried in some place and is not
//! handed on is the spare block. So each iteration permutes blocks. The loop carries how often it has done so, as a *phase*
//! of each cycle of that permutation, and no block: which block is where is chosen by the phase. So it is
//! known who frees them, and a loop that does not run gives what it was given. What is copied to a block for the first
//! iteration is [read where it was](super::first_copy).
//!
//! Cost: quadratic in what the loop carries.

use comb_kit::pass_error::PassError;
use comb_lmad::Polynomial;
use comb_nest::elements::{
    names::Names,
    numbers::{Leaf, Numbers},
};
use melior::ir::{
    BlockLike, OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    cast::cast,
    view::definition,
};

use super::first_copy::FirstCopy;
use crate::{
    carry_blocks::own::{BOUNDS, Carried},
    short_circuit::aliases::Aliases,
};

/// The most blocks that a loop goes round.
const MOST_BLOCKS: usize = 4;

/// A block, by where it is in the first iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// In a place that is carried.
    Carried(usize),
    /// What the iteration hands on in a place is computed there.
    Spare(usize),
}

/// Blocks each of which is, in the next iteration, where the one before it is.
type Cycle = Vec<Node>;

/// Which blocks a loop goes round.
pub(super) struct Rotation<'c, 'a> {
    carried: Carried<'c, 'a>,
    /// What iterations allocate, for each place.
    new: Vec<Option<OperationRef<'c, 'a>>>,
    cycles: Vec<Cycle>,
    copies: Vec<FirstCopy<'c, 'a>>,
}

impl<'c: 'a, 'a> Rotation<'c, 'a> {
    /// That of a loop in a function; nothing if there is none.
    pub fn of(r#loop: OperationRef<'c, 'a>, function: OperationRef<'c, 'a>) -> Option<Self> {
        let carried = Carried::of(r#loop)?;
        let new = |place: usize| definition(carried.new_memory(place)?.0);
        let new: Vec<Option<OperationRef>> = (0..carried.inits.len()).map(new).collect();
        let mut places = carried.own();
        let mut sizes = Sizes::of(&carried)?;
        loop {
            let before = places.len();
            let all = places.clone();
            places.retain(|&place| {
                let source = carried.arguments.iter();
                let mut source = source
                    .zip(0..)
                    .filter(|(argument, _)| **argument == carried.handed_on[place]);
                let is_handed_on = source.next().is_some_and(|(_, other)| {
                    all.contains(&other)
                        && sizes.are_equal(carried.inits[other], carried.inits[place])
                });
                let is_new = new[place].is_some()
                    && sizes.are_equal(carried.handed_on[place], carried.inits[place]);
                is_handed_on || is_new
            });
            if places.len() == before {
                break;
            }
        }
        let cycles = cycles(&carried, &places, &new, &mut sizes)?;
        if cycles.is_empty() {
            return None;
        }
        let aliases = Aliases::of(function);
        let nodes = cycles.iter().flatten();
        let copies = nodes.filter_map(|&node| match node {
            Node::Carried(place) => FirstCopy::of(&carried, place, &aliases),
            Node::Spare(_) => None,
        });
        Some(Self {
            copies: copies.collect(),
            carried,
            new,
            cycles,
        })
    }

    /// Makes a loop that goes round its blocks.
    ///
    /// # Errors
    ///
    /// If MLIR rejects what was built.
    pub fn apply(self) -> Result<(), PassError<'c>> {
        let Self {
            carried,
            new,
            cycles,
            copies,
        } = self;
        let r#loop = carried.r#loop;
        let Some(front) = Builder::before(r#loop) else {
            return Ok(());
        };
        let mut blocks = vec![];
        for cycle in &cycles {
            let block = |&node: &Node| match node {
                Node::Carried(place) => Ok(carried.inits[place]),
                Node::Spare(place) => spare(&front, carried.inits[place], new[place]),
            };
            blocks.push(
                cycle
                    .iter()
                    .map(block)
                    .collect::<Result<Vec<_>, PassError>>()?,
            );
        }
        let is_kept = |place: &usize| {
            !cycles
                .iter()
                .flatten()
                .any(|&node| node == Node::Carried(*place))
        };
        let kept: Vec<usize> = (0..carried.inits.len()).filter(is_kept).collect();
        let pick = |values: &[Value<'c, 'a>]| -> Values<'c, 'a> {
            kept.iter().map(|&place| values[place]).collect()
        };
        let zero = front.index(0)?;
        let inits = [pick(&carried.inits), vec![zero; cycles.len()]].concat();
        let types: Vec<Type> = inits.iter().map(|value| value.r#type()).collect();
        let bounds: Values = r#loop.operands().take(BOUNDS).collect();
        let arguments = [&[bounds[0].r#type()], types.as_slice()].concat();
        let places = Places {
            cycles: &cycles,
            blocks: &blocks,
            kept: &kept,
            count: carried.inits.len(),
        };
        let region = front.region(&arguments, "scf.yield", |builder, arguments| {
            let (others, phases) = arguments[1..].split_at(kept.len());
            let (mut values, spares) = places.at(builder, others, phases)?;
            for copy in &copies {
                let value = &mut values[copy.place];
                *value = copy.read(builder, [arguments[0], bounds[0]], *value)?;
            }
            for &(place, block) in &spares {
                if let Some(new) = new[place] {
                    builder.replace(new, &[block]);
                }
            }
            let yielded = builder.inline(carried.body, &[&arguments[..1], &values].concat())?;
            let mut next = pick(&yielded).to_vec();
            for (cycle, &phase) in cycles.iter().zip(phases) {
                next.push(after(builder, phase, cycle.len())?);
            }
            Ok::<_, PassError>(next)
        })?;
        for copy in &copies {
            copy.make_rare(&front, [bounds[0], bounds[1]])?;
        }
        let operands = [&bounds[..], &inits].concat();
        let new_loop = front.op_like(r#loop, &operands, &types, vec![region])?;
        let results: Values = new_loop.results().map(Into::into).collect();
        let (others, phases) = results.split_at(kept.len());
        let (values, _) = places.at(&front, others, phases)?;
        front.replace(r#loop, &values);
        Ok(())
    }
}

/// The cycles of the permutation of blocks, but for those that stay where they are; nothing if one is too long.
fn cycles<'c: 'a, 'a>(
    carried: &Carried<'c, 'a>,
    places: &[usize],
    new: &[Option<OperationRef<'c, 'a>>],
    sizes: &mut Sizes<'c, 'a>,
) -> Option<Vec<Cycle>> {
    let source = |place: usize| {
        let value = carried.handed_on[place];
        carried
            .arguments
            .iter()
            .position(|&argument| argument == value)
    };
    let handed_on: Vec<usize> = places.iter().filter_map(|&place| source(place)).collect();
    let mut dead: Vec<usize> = places.to_vec();
    dead.retain(|&place| {
        let names = Names::of(carried.arguments[place]);
        !handed_on.contains(&place) && names.is_some_and(|names| !names.is_given)
    });
    let mut next: Vec<(Node, Node)> = vec![];
    for &place in places {
        if let Some(other) = source(place) {
            next.push((Node::Carried(place), Node::Carried(other)));
            continue;
        }
        new[place]?;
        let same = |&other: &usize| sizes.are_equal(carried.inits[other], carried.inits[place]);
        let own = dead.iter().position(|&other| other == place);
        let found = own.or_else(|| dead.iter().position(same))?;
        let other = dead.remove(found);
        next.push((Node::Carried(place), Node::Spare(place)));
        next.push((Node::Spare(place), Node::Carried(other)));
    }
    let mut cycles: Vec<Cycle> = vec![];
    for &(start, _) in &next {
        if cycles.iter().flatten().any(|&node| node == start) {
            continue;
        }
        let mut cycle = vec![start];
        loop {
            let last = *cycle.last()?;
            let (_, node) = *next.iter().find(|(node, _)| *node == last)?;
            if node == start {
                break;
            }
            cycle.push(node);
        }
        cycles.push(cycle);
    }
    cycles.retain(|cycle| cycle.len() > 1);
    cycles
        .iter()
        .all(|cycle| cycle.len() <= MOST_BLOCKS)
        .then_some(cycles)
}

/// A block like another one, with the attributes of the allocation for which it is.
fn spare<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    other: Value<'c, 'a>,
    new: Option<OperationRef<'c, 'a>>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let model = new
        .or_else(|| definition(other))
        .ok_or(melior::Error::OperationBuild)?;
    let memory = MemRefType::try_from(other.r#type())?;
    let mut sizes = vec![];
    for dimension in 0..memory.rank() {
        if memory.dim_size(dimension)? == DimSize::Dynamic {
            sizes.push(front.size_value(front.size(other, dimension)?)?);
        }
    }
    let block = front.op_like(model, &sizes, &[other.r#type()], vec![])?;
    Ok(block.result(0)?.into())
}

/// The phase behind another one.
fn after<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    phase: Value<'c, 'a>,
    length: usize,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let one = builder.index(1)?;
    let next = builder.arithmetic("arith.addi", &[phase, one])?;
    let is_last = builder.compare(Predicate::Eq, next, builder.index(length as i64)?)?;
    Ok(builder.select(is_last, builder.index(0)?, next)?)
}

/// Where blocks are.
struct Places<'s, 'c, 'a> {
    cycles: &'s [Cycle],
    blocks: &'s [Vec<Value<'c, 'a>>],
    /// The places that are carried as before.
    kept: &'s [usize],
    count: usize,
}

/// What is carried, by place, and the spare blocks.
type Placed<'c, 'a> = (Vec<Value<'c, 'a>>, Vec<(usize, Value<'c, 'a>)>);

impl<'c: 'a, 'a> Places<'_, 'c, 'a> {
    /// All that was carried, and the spare blocks, given what still is.
    fn at(
        &self,
        builder: &Builder<'c, 'a>,
        others: &[Value<'c, 'a>],
        phases: &[Value<'c, 'a>],
    ) -> Result<Placed<'c, 'a>, PassError<'c>> {
        let mut values: Vec<Option<Value>> = vec![None; self.count];
        for (&place, &value) in self.kept.iter().zip(others) {
            values[place] = Some(value);
        }
        let mut spares = vec![];
        for ((cycle, blocks), &phase) in self.cycles.iter().zip(self.blocks).zip(phases) {
            for (position, &node) in cycle.iter().enumerate() {
                let block = chosen(builder, blocks, position, phase)?;
                match node {
                    Node::Carried(place) => values[place] = Some(block),
                    Node::Spare(place) => spares.push((place, block)),
                }
            }
        }
        let values: Option<Vec<Value>> = values.into_iter().collect();
        Ok((values.ok_or(melior::Error::OperationBuild)?, spares))
    }
}

/// The block that is in a position of a cycle, in a phase.
fn chosen<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    blocks: &[Value<'c, 'a>],
    position: usize,
    phase: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let count = blocks.len();
    let mut block = blocks[(position + count - 1) % count];
    for number in (0..count - 1).rev() {
        let is_now = builder.compare(Predicate::Eq, phase, builder.index(number as i64)?)?;
        block = builder.select(is_now, blocks[(position + number) % count], block)?;
    }
    Ok(block)
}

/// How large blocks are. What is carried has the size of what the loop is given if what is handed on has that size, taken
/// that it was so one iteration before; what may have another size one iteration later is left out until that holds
/// for all that is left.
struct Sizes<'c, 'a> {
    numbers: Numbers<'c, 'a>,
    /// What is carried and never changes its size, and what the loop is given for it.
    carried: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    /// Numbers that are equal, as checks say.
    equal: Vec<(Polynomial, Polynomial)>,
}

impl<'c: 'a, 'a> Sizes<'c, 'a> {
    fn of(carried: &Carried<'c, 'a>) -> Option<Self> {
        let end = carried.body.terminator()?;
        let pairs = carried.arguments.iter().copied();
        let mut sizes = Self {
            numbers: Numbers::at(end),
            carried: pairs.zip(carried.inits.iter().copied()).collect(),
            equal: vec![],
        };
        let mut pairs: Vec<_> = sizes
            .carried
            .iter()
            .copied()
            .zip(carried.handed_on.iter().copied())
            .collect();
        loop {
            sizes.equal = sizes.checked();
            let before = pairs.len();
            pairs.retain(|&((_, init), handed_on)| sizes.are_equal(handed_on, init));
            if pairs.len() == before {
                return Some(sizes);
            }
            sizes.carried = pairs.iter().map(|&(pair, _)| pair).collect();
        }
    }

    /// Numbers that are equal, as checks say.
    fn checked(&mut self) -> Vec<(Polynomial, Polynomial)> {
        let equal = self.numbers.equal_indices().into_iter();
        equal
            .map(|(one, other)| (self.at_first(one), self.at_first(other)))
            .collect()
    }

    /// A number where what is carried is what the loop is given.
    fn at_first(&mut self, number: Polynomial) -> Polynomial {
        let mut number = number;
        for symbol in number.clone().symbols() {
            let Leaf::Size(memory, dimension) = self.numbers.leaf(symbol) else {
                continue;
            };
            let init = self
                .carried
                .iter()
                .find(|(argument, _)| *argument == memory);
            if let Some(&(_, init)) = init {
                let size = self.numbers.size(init, dimension);
                number = number.checked_replace(symbol, &size).unwrap_or(number);
            }
        }
        number
    }

    /// Whether two blocks have the same type and size.
    fn are_equal(&mut self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
        if one.r#type() != other.r#type() {
            return false;
        }
        let rank = cast::<MemRefType>(one.r#type()).map_or(0, |memory| memory.rank());
        (0..rank).all(|dimension| {
            let [one, other] = [one, other].map(|block| {
                let size = self.numbers.size(block, dimension);
                self.at_first(size)
            });
            one == other || self.are_checked(&one, &other)
        })
    }

    /// Whether checks say that two numbers are equal.
    fn are_checked(&self, one: &Polynomial, other: &Polynomial) -> bool {
        self.equal.iter().any(|(left, right)| {
            let pairs = [(one, other), (other, one)];
            pairs.contains(&(left, right))
        })
    }
}
