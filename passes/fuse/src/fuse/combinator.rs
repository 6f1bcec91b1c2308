//! What fusion has to know of a combinator: its loops, and how it reads.
//!
//! The loops are those of docs/src/clusters.md. A read has a *prefix*: so many
//! outer loops of the reader equal the leading coordinates of the element that is
//! read. If the other coordinates are computed (by an array of indices, a function
//! of the index, or what a structured op does), they are in an order of their own,
//! that of a gather's label. An op whose reads are aligned in all coordinates, such
//! as one that repeats rows, is a map, whatever it is called.
//!
//! Cost: linear in the size of the op and its lambda.

use comb_fusion::{
    graph::{Kind, Traversal},
    size::Size,
};
use melior::ir::{
    OperationRef, RegionLike, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    cast::{Arguments, Parts, cast, is_a},
    description::{describe, static_sizes},
    extent::Extent,
    view::{OpView, op_name},
};

use super::{effects::has_effects, reordering::is_order_free, sizes::Sizes, work::work};
use comb_kit::walk::operations;

/// A combinator as fusion sees it.
pub struct Combinator {
    /// What it does.
    pub kind: Kind,
    /// How long its loops are, from the outermost to the innermost.
    pub loops: Vec<Size>,
    /// In how many of its outer loops its elements are complete.
    pub available: usize,
    /// How many of its loops go over dimensions of its results.
    pub ranked: usize,
    /// In which orders its loops may be.
    pub traversal: Traversal,
    /// What an element costs (see [`work`]).
    pub work: f64,
    /// How it reads its array operands.
    pub reads: Vec<Read>,
}

/// How a combinator reads an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The operand's position.
    pub operand: usize,
    /// How many outer loops equal leading coordinates.
    pub prefix: usize,
    /// Whether the other coordinates are those of a gather.
    pub gathered: bool,
    /// Whether it can be fused: its elements are needed one by one.
    pub streamed: bool,
}

impl Read {
    fn aligned(operand: usize, prefix: usize) -> Self {
        Self {
            operand,
            prefix,
            gathered: false,
            streamed: true,
        }
    }

    fn gathered(operand: usize, prefix: usize) -> Self {
        Self {
            gathered: true,
            ..Self::aligned(operand, prefix)
        }
    }

    fn random(operand: usize) -> Self {
        Self {
            streamed: false,
            ..Self::aligned(operand, 0)
        }
    }
}

/// What fusion has to know of an op; nothing if it is not fused.
pub fn combinator<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    sizes: &mut Sizes<'c, 'a>,
) -> Option<Combinator> {
    let view = OpView::of(op);
    if !view.name.starts_with("soac.") || has_other_effects(op) || has_empty_rows(&view) {
        return None;
    }
    let reader = Reader {
        results: result_shape(op, sizes),
        view,
        sizes,
    };
    reader.combinator(op)
}

/// The sizes of the first result, from those of the operands where they say it.
fn result_shape<'c: 'a, 'a>(op: OperationRef<'c, 'a>, sizes: &mut Sizes<'c, 'a>) -> Vec<Size> {
    let view = OpView::of(op);
    let described = describe(&view).ok().and_then(|description| {
        let result = description.results.into_iter().next()?;
        result.sizes.into_iter().collect::<Option<Vec<Extent>>>()
    });
    match (described, op.result_at(0)) {
        (Some(described), _) => described
            .iter()
            .map(|size| sizes.resolve(size, &view.operands))
            .collect(),
        (None, Some(result)) => sizes.shape(result.into()),
        (None, None) => vec![],
    }
}

/// In which orders a combinator may go over its array. An element that may fail is
/// no reason to compute it if nothing reads it (docs/src/semantics.md, S4).
fn traversal(op: OperationRef, kind: Kind) -> Traversal {
    match kind {
        Kind::Scatter if !is_order_free(op) => Traversal::Forwards,
        _ => Traversal::Any,
    }
}

/// Whether a combinator's lambda does something besides computing and checking.
fn has_other_effects(op: OperationRef) -> bool {
    let is_leaf = |op: &OperationRef| op.regions().next().is_none();
    let mut inner = operations(op).into_iter().filter(is_leaf);
    inner.any(|op| op_name(op) != "soac.check" && has_effects(op))
}

/// Whether a map goes over arrays that are known to be empty, or gives such: there is nothing to share.
fn has_empty_rows(view: &OpView) -> bool {
    let Some(outer) = view.integer("outer") else {
        return false;
    };
    let is_empty = |r#type: &Type| {
        let array = cast::<RankedTensorType>(*r#type);
        let inner =
            array.map(|array| static_sizes(&array).split_off((outer as usize).min(array.rank())));
        inner.is_some_and(|inner| inner.contains(&Some(0)))
    };
    let operands: Vec<Type> = view
        .operands
        .iter()
        .map(|operand| operand.r#type())
        .collect();
    operands.iter().chain(&view.result_types).any(is_empty)
}

struct Reader<'c, 'a, 's> {
    view: OpView<'c, 'a>,
    sizes: &'s mut Sizes<'c, 'a>,
    results: Vec<Size>,
}

impl<'c: 'a, 'a> Reader<'c, 'a, '_> {
    fn combinator(mut self, op: OperationRef<'c, 'a>) -> Option<Combinator> {
        let kind = match self.view.mnemonic() {
            "generate" | "iota" | "fill" => Kind::Generate,
            "map" | "zip" | "cross" => Kind::Map,
            "fold" => Kind::Fold,
            "scanl" => Kind::ScanLeft,
            "scanr" => Kind::ScanRight,
            "filter" => Kind::Filter,
            "scatter" => Kind::Scatter,
            "gather" | "backpermute" | "reverse" | "rotate" | "slice" | "take" | "drop"
            | "transpose" | "replicate" => Kind::Gather,
            // Not `reshape`: another shape for the same memory costs nothing, but a loop
            // would divide at each iteration.
            _ => return None,
        };
        let reads = self.reads();
        let is_gather = reads.iter().any(|read| read.gathered);
        let kind = match kind {
            Kind::Map if is_gather => Kind::Gather,
            Kind::Gather if !is_gather => Kind::Map,
            kind => kind,
        };
        let loops = self.loops(&reads);
        let ranked = self.results.len().min(loops.len());
        Some(Combinator {
            kind,
            available: match kind {
                Kind::Scatter => 0,
                _ => ranked,
            },
            ranked,
            traversal: traversal(op, kind),
            work: work(op, kind),
            reads,
            loops,
        })
    }

    fn shape(&mut self, operand: usize) -> Vec<Size> {
        self.sizes.shape(self.view.operands[operand])
    }

    fn rank(&self, operand: usize) -> usize {
        self.view.array(operand).map_or(0, |array| array.rank())
    }

    fn loops(&mut self, reads: &[Read]) -> Vec<Size> {
        match self.view.mnemonic() {
            "fold" | "scanl" | "scanr" | "filter" | "scatter" => self.shape(0),
            "map" => {
                let mut loops = self.shape(0);
                if let Some(outer) = self.outer_loops() {
                    loops.truncate(outer);
                }
                loops
            }
            _ => {
                let mut loops = self.results.clone();
                let gathered = reads.iter().filter(|read| read.gathered);
                let deepest = gathered.map(|read| self.rank(read.operand)).max();
                while loops.len() < deepest.unwrap_or(0) {
                    loops.push(Size::constant(1));
                }
                loops
            }
        }
    }

    /// The loops of a map over outer dimensions.
    fn outer_loops(&self) -> Option<usize> {
        usize::try_from(self.view.integer("outer")?).ok()
    }

    fn reads(&mut self) -> Vec<Read> {
        let elementwise = |range: std::ops::Range<usize>, reader: &Self| {
            let read = |operand| Read::aligned(operand, reader.rank(operand));
            range.map(read).collect::<Vec<_>>()
        };
        let inputs = self.view.group(0);
        match self.view.mnemonic() {
            "map" => match self.outer_loops() {
                Some(outer) => inputs
                    .map(|operand| Read::aligned(operand, outer))
                    .collect(),
                None => elementwise(inputs, self),
            },
            "fold" | "scanl" | "scanr" | "filter" | "zip" => elementwise(inputs, self),
            "scatter" => {
                let mut reads = elementwise(inputs, self);
                reads.extend(self.view.group(1).map(Read::random));
                reads.extend(elementwise(self.view.group(2), self));
                reads
            }
            "cross" => {
                let mut reads = elementwise(inputs, self);
                let lefts = reads.first().map_or(0, |read| read.prefix);
                let rights = self.view.group(1);
                reads.extend(rights.map(|operand| match lefts {
                    0 => Read::aligned(operand, self.rank(operand)),
                    _ => Read::gathered(operand, 0),
                }));
                reads
            }
            "gather" => {
                let mut reads: Vec<_> = inputs.map(|operand| Read::gathered(operand, 0)).collect();
                reads.extend(elementwise(self.view.group(1), self));
                reads
            }
            "generate" | "iota" | "fill" => vec![],
            _ => self.rearranged(inputs),
        }
    }

    /// The reads of an op that reads all its inputs at one function of the index.
    fn rearranged(&mut self, inputs: std::ops::Range<usize>) -> Vec<Read> {
        let Some(first) = inputs.clone().next() else {
            return vec![];
        };
        let rank = self.rank(first);
        let shape = self.shape(first);
        let prefix = (0..rank)
            .take_while(|&axis| self.results.get(axis) == shape.get(axis) && self.keeps(axis))
            .count();
        inputs
            .map(|operand| match prefix == rank {
                true => Read::aligned(operand, rank),
                false => Read::gathered(operand, prefix),
            })
            .collect()
    }

    /// Whether coordinate `axis` of what is read is that of the result, where both
    /// have the same size.
    fn keeps(&self, axis: usize) -> bool {
        let constant = |attribute: &str, expected: i64| {
            self.view.integers(attribute).get(axis).copied() == Some(expected)
        };
        let axis_number = axis as i64;
        match self.view.mnemonic() {
            "backpermute" => self.yields_argument(axis),
            "reverse" => !self.view.integers("dims").contains(&axis_number),
            "rotate" => {
                let amounts = self.view.integers("static_amounts");
                amounts.get(axis).is_none_or(|&amount| amount == 0)
            }
            "slice" => constant("static_offsets", 0) && constant("static_strides", 1),
            "drop" => {
                let counts = self.view.integers("static_counts");
                counts.get(axis).is_none_or(|&count| count == 0)
            }
            "transpose" => constant("permutation", axis_number),
            "take" => true,
            "replicate" => self.view.integers("static_sizes").is_empty(),
            _ => false,
        }
    }

    /// Whether the lambda yields its own argument as a component of the index.
    fn yields_argument(&self, axis: usize) -> bool {
        let yielded = self.view.yielded().unwrap_or_default();
        let Some(&component) = yielded.get(axis) else {
            return false;
        };
        let block = self.view.regions.first().and_then(|r| r.first_block());
        let argument = block.and_then(|block| block.argument_at(axis));
        argument.is_some_and(|argument| Value::from(argument) == component)
    }
}

/// Whether a value is an array.
pub fn is_array(value: Value) -> bool {
    is_a::<RankedTensorType>(value.r#type())
}
