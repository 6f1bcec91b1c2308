//! Memory that an `scf.for` carries and that nobody else knows: the loop may overwrite it, and hand it on in another
//! place.
//!
//! Cost: linear in the uses of what is carried, and quadratic in how much that is.

use melior::ir::{
    BlockLike, BlockRef, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    cast::Arguments,
    view::{definition, op_name, stands_before},
};

use super::casts::uncast;
use comb_kit::walk::{ancestors, first_block};
use comb_nest::elements::names::Names;

/// The bounds and the step of an `scf.for`.
pub const BOUNDS: usize = 3;

/// What a loop carries.
pub struct Carried<'c, 'a> {
    /// The loop.
    pub r#loop: OperationRef<'c, 'a>,
    /// Its body.
    pub body: BlockRef<'c, 'a>,
    /// What the loop is given first.
    pub inits: Vec<Value<'c, 'a>>,
    /// What it is in an iteration.
    pub arguments: Vec<Value<'c, 'a>>,
    /// What an iteration hands on, without casts.
    pub handed_on: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Carried<'c, 'a> {
    /// That of an `scf.for`.
    pub fn of(r#loop: OperationRef<'c, 'a>) -> Option<Self> {
        let body = first_block(r#loop)?;
        let end = body.terminator()?;
        let inits: Vec<Value> = r#loop.operands().skip(BOUNDS).collect();
        let arguments = (0..inits.len()).map(|number| Some(body.argument_at(number + 1)?.into()));
        Some(Self {
            r#loop,
            body,
            arguments: arguments.collect::<Option<_>>()?,
            handed_on: end.operands().map(uncast).collect(),
            inits,
        })
    }

    /// How often memory is handed on, by one of its names.
    pub fn times(&self, names: &Names<'c, 'a>) -> usize {
        let end = self.body.terminator();
        let given = end.into_iter().flat_map(|end| {
            let given: Vec<Value> = end.operands().collect();
            given
        });
        given.filter(|&value| names.has(value)).count()
    }

    /// Where memory is carried that is nobody else's: it is new when the loop begins, and each iteration hands on
    /// what is new, or such memory from another place. So no two of these are the same.
    pub fn own(&self) -> Vec<usize> {
        let mut own: Vec<usize> = (0..self.inits.len())
            .filter(|&place| self.is_new(place) && self.is_known(place))
            .collect();
        loop {
            let before = own.len();
            let all = own.clone();
            own.retain(|&place| self.gets_own(place, &all));
            if own.len() == before {
                return own;
            }
        }
    }

    /// Whether what the loop is given is allocated beside it, and only used before.
    fn is_new(&self, place: usize) -> bool {
        let init = self.inits[place];
        let allocation = definition(init).filter(|&op| op_name(op) == "memref.alloc");
        let is_beside = allocation.is_some_and(|op| op.block() == self.r#loop.block());
        let names = Names::apart_from(init, Some((self.r#loop, BOUNDS + place)));
        let Some(names) = names.filter(|names| is_beside && !names.is_given) else {
            return false;
        };
        let is_given_twice = self.arguments.iter().any(|&other| names.has(other));
        let is_before = |user: &OperationRef<'c, 'a>| {
            let around = std::iter::once(*user).chain(ancestors(*user));
            let mut here = around.filter(|op| op.block() == self.r#loop.block());
            here.next().is_some_and(|op| stands_before(op, self.r#loop))
        };
        !is_given_twice && names.users.iter().all(is_before)
    }

    /// Whether it is known what an iteration does with what is carried, and it hands that on once at most.
    fn is_known(&self, place: usize) -> bool {
        let argument = self.arguments[place];
        let names = Names::of(argument).filter(|_| argument.r#type().is_mem_ref());
        names.is_some_and(|names| self.times(&names) <= 1)
    }

    /// Whether an iteration hands on new memory in a place, or all of what is such memory so far.
    fn gets_own(&self, place: usize, own: &[usize]) -> bool {
        let value = self.handed_on[place];
        let is_own = own.iter().any(|&other| self.arguments[other] == value);
        is_own || self.new_memory(place).is_some()
    }

    /// The memory that each iteration allocates and hands on in a place, and nowhere else.
    pub fn new_memory(&self, place: usize) -> Option<(Value<'c, 'a>, Names<'c, 'a>)> {
        let value = self.handed_on[place];
        let allocation = definition(value).filter(|&op| op_name(op) == "memref.alloc")?;
        let names = Names::of(value)?;
        let is_once = self.times(&names) == 1 && allocation.block() == Some(self.body);
        is_once.then_some((value, names))
    }
}
