//! Copies that only the first iteration of a loop needs. What a loop is given, as a parameter, is copied before a
//! loop that goes round blocks, since the block is overwritten in the next iteration. Instead, the first iteration reads
//! what would be copied; only if there is none, the copy is what the loop gives.
//!
//! Cost: linear in the ops from the copy to the end of the loop.

use comb_kit::{checks::facts::constant, pass_error::PassError, walk::in_block_from};
use comb_nest::elements::{
    accesses::{Kind, accesses},
    names::Names,
};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    cast::Parts,
    view::{op_name, stands_before, uses},
};

use crate::{carry_blocks::own::Carried, short_circuit::aliases::Aliases};

/// A copy that fills what a loop is given in one place.
#[derive(Clone, Copy)]
pub(super) struct FirstCopy<'c, 'a> {
    /// The place.
    pub place: usize,
    copy: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
}

impl<'c: 'a, 'a> FirstCopy<'c, 'a> {
    /// That of a place, if nobody writes what is copied until the loop's end, and the loop only reads what it is
    /// given there, and hands it on nowhere.
    pub fn of(carried: &Carried<'c, 'a>, place: usize, aliases: &Aliases) -> Option<Self> {
        let (init, argument) = (carried.inits[place], carried.arguments[place]);
        let users = uses(init).into_iter().map(|(user, _)| user);
        let users: Vec<OperationRef> = users.collect();
        let mut copies = users.iter().copied();
        let copy = copies.find(|&user| op_name(user) == "memref.copy")?;
        let is_other = |user: &OperationRef<'c, 'a>| {
            *user != copy && *user != carried.r#loop && op_name(*user) != "memref.dim"
        };
        let source = copy.operand_at(0)?;
        let is_signed = !carried.r#loop.has_attribute("unsignedCmp");
        let is_filled =
            is_signed && copy.operand_at(1) == Some(init) && source.r#type() == init.r#type();
        let is_beside =
            copy.block() == carried.r#loop.block() && stands_before(copy, carried.r#loop);
        let names = Names::of(argument).filter(|names| !names.is_given)?;
        if !is_filled || !is_beside || users.iter().any(is_other) {
            return None;
        }
        let until = in_block_from(Some(copy)).take_while(|&op| op != carried.r#loop);
        let mut all = until.skip(1).chain([carried.r#loop]).flat_map(accesses);
        let is_kept = all.all(|access| {
            let is_read = access.kind == Kind::Read;
            is_read || !names.has(access.name) && !aliases.may_be_same(access.name, source)
        });
        is_kept.then_some(Self {
            place,
            copy,
            source,
        })
    }

    /// What the loop reads in the place in an iteration, given the block that it has there.
    ///
    /// # Errors
    ///
    /// If MLIR rejects what was built.
    pub fn read(
        &self,
        builder: &Builder<'c, 'a>,
        [index, first]: [Value<'c, 'a>; 2],
        block: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        let is_first = builder.compare(Predicate::Eq, index, first)?;
        Ok(builder.select(is_first, self.source, block)?)
    }

    /// Makes the copy only if the loop does not run.
    ///
    /// # Errors
    ///
    /// If MLIR rejects what was built.
    pub fn make_rare(
        &self,
        front: &Builder<'c, 'a>,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Result<(), PassError<'c>> {
        if constant(first)
            .zip(constant(end))
            .is_some_and(|(first, end)| first < end)
        {
            front.erase(self.copy);
            return Ok(());
        }
        let is_empty = front.compare(Predicate::Sge, first, end)?;
        let copied = |builder: &Builder<'c, 'a>| {
            builder.move_here(self.copy);
            Ok::<_, PassError>([].into_iter().collect())
        };
        front.if_else(is_empty, &[], copied, |_| Ok([].into_iter().collect()))?;
        Ok(())
    }
}
