//! How many threads share loops, and what is left out if there is only one.
//!
//! Chunks of scans and filters are summed up first, so that those behind them, on other
//! threads, need not wait until they are done ([`carries`](super::carries)). One thread has
//! nobody who waits for it: when it is through with a chunk, it knows what goes on to the
//! next. So it goes through each chunk once, and leaves out the flags.
//!
//! What a chunk is summed up to is associated otherwise than what a scan has in the end. No
//! bit may depend on the number of threads; so this is for functions that give the same for
//! any association: those of integers alone, and the counts of filters.
//!
//! Cost: a call of OpenMP's library each time that a loop runs, and a branch for each chunk.

use melior::ir::{TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::builder::{Builder, Predicate};

use super::{
    applications::Site,
    carries::Chain,
    chunks::store_all,
    emitter::{Emitted, Emitter},
    plan::{Kind, LeafId, Plan},
};
use crate::{transformations::Transformation, waiting::thread_count, walk::operations};

/// Whether what a scan or filter carries has the same bits for any association.
fn is_exact(plan: &Plan, leaf: LeafId) -> bool {
    let leaf = &plan.leaves[leaf];
    let neutrals = &leaf.view.operands[leaf.view.group(1)];
    let is_integer = |value: &Value| !value.r#type().is_float();
    let inside = operations(leaf.op).into_iter();
    let mut computed = inside.map(|op| op.results().all(|result| is_integer(&result.into())));
    leaf.kind == Kind::Filter || neutrals.iter().all(is_integer) && computed.all(|all| all)
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether one thread need not sum up chunks.
    pub fn may_go_on_alone(&self) -> bool {
        let chained = self.plan.stages().concat();
        !chained.is_empty()
            && chained.iter().all(|&leaf| is_exact(self.plan, leaf))
            && self.applies(Transformation::OneThread, Site::Plan)
    }

    /// Whether there is one thread, which need not sum up chunks; nothing if it has to in any
    /// case.
    pub fn is_alone(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Option<Value<'c, 'a>>> {
        if !self.may_go_on_alone() {
            return Ok(None);
        }
        let (threads, one) = (thread_count(builder)?, builder.index(1)?);
        Ok(Some(builder.compare(Predicate::Sle, threads, one)?))
    }

    /// Behind a chunk, one thread knows what goes on to the next.
    pub fn carry_on_alone(
        &self,
        builder: &Builder<'c, 'a>,
        chain: &Chain<'_, 'c, 'a>,
    ) -> Emitted<'c, ()> {
        let Some(is_alone) = chain.is_alone else {
            return Ok(());
        };
        let next = builder.arithmetic("arith.addi", &[chain.chunk, builder.index(1)?])?;
        builder.if_else(
            is_alone,
            &[],
            |builder| {
                for (leaf, carries) in chain.carries {
                    store_all(builder, &self.states[leaf], carries, next)?;
                }
                Emitted::Ok(vec![])
            },
            |_| Ok(vec![]),
        )?;
        Ok(())
    }
}
