//! Fetches what later loops begin with, where a loop begins, as the entry `ahead` of a schedule says.
//!
//! Cost: some arithmetic on numbers for each array, each time that the loop runs.

use std::collections::HashMap;

use melior::ir::{Value, ValueLike};
use soac_dialect::{builder::Builder, view::op_name};

use super::{Emitted, Values, streaming::before};
use comb_kit::{
    checks::facts::key,
    element_types::{array_element, bits_in_memory},
    walk::ancestors,
};
use comb_nest::nests::Nest;

use crate::{
    lanes::{
        lambda::{Local, lookup},
        memory::fetch,
    },
    nest_schedule::{accesses::Access, segments::reads_of_segments},
};

/// Fetches lines so many bytes behind those that a loop reads first, which begins at an iteration.
pub(super) fn fetch_segments<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    first: Value<'c, 'a>,
    bytes: u64,
    local: &Local<'c, 'a>,
) -> Emitted<'c, ()> {
    let Some(around) = ancestors(nest.op).find(|&op| op_name(op) == "nest.loop") else {
        return Ok(());
    };
    let reads = reads_of_segments(&Nest::of(around), nest).into_iter();
    for read in reads.flat_map(Access::of) {
        let (Some(memory), Some(bits)) = (
            lookup(local, read.array()).uniform(),
            array_element(read.array().r#type()).map(bits_in_memory),
        ) else {
            continue;
        };
        let mut known = nest
            .index()
            .map_or_else(HashMap::new, |index| HashMap::from([(key(index), first)]));
        let index = read.index().iter();
        let index = index.map(|&component| before(builder, nest, local, &mut known, component));
        let mut index = index.collect::<Emitted<Values>>()?;
        if let Some(last) = index.last_mut() {
            let further = builder.index((8 * bytes / bits.max(1)) as i64)?;
            *last = builder.arithmetic("arith.addi", &[*last, further])?;
        }
        fetch(builder, memory, &index)?;
    }
    Ok(())
}
