//! What each combinator does at an iteration: it reads the elements that belong to the
//! iteration, and computes one. docs/src/clusters.md says where its index is.

use melior::ir::{OperationRef, Region, Value, ValueLike};
use nest_dialect::{
    builder::{Combined, NestBuilder, YIELD},
    strategy::STRATEGY,
};
use soac_dialect::{
    builder::{Builder, Values},
    view::{OpView, definition, set_attribute},
};

use super::loops::{Built, Nests};
use comb_kit::{inline_copy::inline_copy, pass_error::PassError};

use crate::{
    cluster_loops::{
        plan::{ArrayId, Kind, LeafId, Source},
        read::rank,
    },
    scatter_wishes::wish,
};

impl<'c: 'a, 'a> Nests<'_, 'c, 'a> {
    /// One iteration of a combinator.
    pub fn step(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Built<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let builder = &builder.located(leaf.view.location);
        let rank = leaf.components.len();
        match leaf.kind {
            Kind::Generate => {
                let index = self.index(builder, number, rank)?;
                let values = inline_copy(builder, leaf.op, &index)?;
                self.give(builder, number, &values)
            }
            Kind::Map => self.map(builder, number),
            Kind::Gather | Kind::Backpermute => {
                let position = self.position(builder, number)?;
                let elements = self.elements(builder, number, 0, &position)?;
                self.give(builder, number, &elements)
            }
            Kind::Fold => self.fold(builder, number),
            Kind::ScanLeft | Kind::ScanRight => self.scan(builder, number),
            Kind::Filter => {
                let elements = self.own_elements(builder, number)?;
                let keeps = inline_copy(builder, leaf.op, &elements)?;
                self.now.decisions.insert(number, keeps[0]);
                for (array, element) in leaf.results().zip(elements) {
                    self.now.elements.insert(array, element);
                }
                Ok(())
            }
            Kind::Scatter => self.scatter(builder, number),
        }
    }

    /// The neutral elements of a fold or scan.
    pub fn neutrals(&self, leaf: LeafId) -> Values<'c, 'a> {
        let view = &self.plan.leaves[leaf].view;
        view.operands[view.group(1)].to_vec()
    }

    /// Whether a filter keeps something at the current iteration.
    pub fn decision(&self, filter: LeafId) -> Built<'c, Value<'c, 'a>> {
        let decision = self.now.decisions.get(&filter).copied();
        decision.ok_or_else(|| self.internal(filter, "a filter has not decided yet"))
    }

    fn fold(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Built<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let elements = self.own_elements(builder, number)?;
        let combined = Combined {
            values: &elements,
            accumulators: &self.states[&number],
            neutrals: &self.neutrals(number),
        };
        let folded = builder.nest_fold(&combined, operator(builder, &leaf.view, leaf.op)?)?;
        self.states.insert(number, folded);
        Ok(())
    }

    fn scan(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Built<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let elements = self.own_elements(builder, number)?;
        let combined = Combined {
            values: &elements,
            accumulators: &self.states[&number],
            neutrals: &self.neutrals(number),
        };
        let operator = operator(builder, &leaf.view, leaf.op)?;
        let exclusive = leaf.view.flag("exclusive");
        let right = leaf.kind == Kind::ScanRight;
        let [prefixes, state] = builder.nest_scan(&combined, exclusive, right, operator)?;
        self.states.insert(number, state);
        self.give(builder, number, &prefixes)
    }

    fn scatter(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Built<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let index = self.index(builder, number, leaf.components.len())?;
        let values = self.elements(builder, number, 0, &index)?;
        let places = self.elements(builder, number, 2, &index)?;
        let places = as_indices(builder, &places)?;
        let dest = leaf.view.group(1).start;
        if !self.unchecked && !leaf.view.flag("unchecked") {
            for (dimension, &place) in places.iter().enumerate() {
                let size = self.size_of_operand(builder, number, dest, dimension)?;
                self.check_index(builder, leaf.view.name, place, size, dimension)?;
            }
        }
        let dests: Values = leaf.results().map(|array| self.arrays[&array]).collect();
        let scatter = |builder: &Builder<'c, 'a>, dests: &[Value<'c, 'a>]| {
            let operator = match leaf.view.block() {
                Some(_) => operator(builder, &leaf.view, leaf.op)?,
                None => Region::new(),
            };
            let any_write = leaf.view.flag("any_write");
            let after = builder.nest_scatter(&values, dests, &places, any_write, operator)?;
            if let (Some(strategy), Some(op)) =
                (wish(leaf.op)?, after.first().copied().and_then(definition))
            {
                set_attribute(op, STRATEGY, builder.string(strategy.name()));
            }
            Built::Ok(after)
        };
        // What is scattered into is carried, be it by a loop that runs once.
        let after = match self.now.index.is_empty() {
            true => builder.nest_loop(builder.index(1)?, &dests, |builder, _, dests| {
                scatter(builder, dests)
            })?,
            false => scatter(builder, &dests)?,
        };
        self.arrays.extend(leaf.results().zip(after));
        Ok(())
    }

    /// Makes values the elements of a combinator's results at the current iteration, and writes
    /// those that are stored.
    pub fn give(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        values: &[Value<'c, 'a>],
    ) -> Built<'c, ()> {
        let results = self.plan.leaves[number].results();
        for (array, &value) in results.zip(values) {
            self.now.elements.insert(array, value);
            self.store(builder, number, array, value)?;
        }
        Ok(())
    }

    /// Writes an element if its array is stored.
    pub fn store(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        array: ArrayId,
        value: Value<'c, 'a>,
    ) -> Built<'c, ()> {
        let Some(&stored) = self.arrays.get(&array) else {
            return Ok(());
        };
        let index = self.stored_index(builder, number, array)?;
        let after = builder.write(value, stored, &index)?;
        self.arrays.extend(after.map(|after| (array, after)));
        Ok(())
    }

    /// Where the element of this iteration is in a stored array.
    pub fn stored_index(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        array: ArrayId,
    ) -> Built<'c, Values<'c, 'a>> {
        let leaf = &self.plan.leaves[number];
        let computed = &self.plan.arrays[array];
        let rank = computed.shape.len().min(leaf.components.len());
        let skipped = self.storage[array].skipped();
        if let (Some(filter), 0) = (computed.clock, skipped) {
            let position = self.now.kept.get(&filter).copied();
            let position =
                position.ok_or_else(|| self.internal(number, "a filter does not keep it"))?;
            return Ok(vec![position]);
        }
        let mut index = self.index(builder, number, rank)?;
        index.drain(..skipped.min(rank));
        Ok(index)
    }

    /// The elements of what a combinator goes over at the current iteration.
    fn own_elements(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
    ) -> Built<'c, Values<'c, 'a>> {
        let rank = self.plan.leaves[number].components.len();
        let index = self.index(builder, number, rank)?;
        self.elements(builder, number, 0, &index)
    }

    /// The elements of a group of operands at an index.
    pub fn elements(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        group: usize,
        index: &[Value<'c, 'a>],
    ) -> Built<'c, Values<'c, 'a>> {
        let view = &self.plan.leaves[number].view;
        view.group(group)
            .map(|operand| {
                let rank = rank(view.operand_type(operand));
                self.element(builder, number, operand, &index[..rank])
            })
            .collect()
    }

    /// The element of an operand at an index of its array.
    pub fn element(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        operand: usize,
        index: &[Value<'c, 'a>],
    ) -> Built<'c, Value<'c, 'a>> {
        let leaf = &self.plan.leaves[number];
        match leaf.operands[operand] {
            None => Ok(leaf.view.operands[operand]),
            Some(Source::Given(array)) => Ok(builder.read(array, index)?),
            Some(Source::Computed(array)) => {
                if let Some(&element) = self.now.elements.get(&array) {
                    return Ok(element);
                }
                let stored = self.stored(number, array)?;
                let skipped = self.storage[array].skipped();
                Ok(builder.read(stored, &index[skipped..])?)
            }
        }
    }

    /// A stored array that a combinator reads.
    pub fn stored(&self, reader: LeafId, array: ArrayId) -> Built<'c, Value<'c, 'a>> {
        let stored = self.arrays.get(&array).copied();
        stored.ok_or_else(|| self.internal(reader, "reads what is not there yet"))
    }

    /// A mistake of this pass.
    pub fn internal(&self, leaf: LeafId, what: &str) -> PassError<'c> {
        PassError::Unsupported {
            location: self.plan.leaves[leaf].view.location,
            message: format!("internal error in soac-to-nest, please report it: {what}"),
        }
    }
}

/// The operator of a fold, scan or scatter.
fn operator<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    view: &OpView<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Built<'c, Region<'c>> {
    let arguments = view.lambda_arguments().unwrap_or_default();
    builder.region(&arguments, YIELD, |builder, arguments| {
        Ok(inline_copy(builder, op, arguments)?)
    })
}

/// Elements of index arrays as values of type `index`; they are signed.
pub(super) fn as_indices<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    elements: &[Value<'c, 'a>],
) -> Built<'c, Values<'c, 'a>> {
    let index = builder.index_type();
    elements
        .iter()
        .map(|&element| match element.r#type() == index {
            true => Ok(element),
            false => Ok(builder.value("arith.index_cast", &[element], index, &[])?),
        })
        .collect()
}
