//! Shapes that combinators share: what only elements matter to may be computed in any shape.
//!
//! A reshape between combinators would end fusion, though it gives the same elements in the same
//! order. A *region* is what is connected in one shape by combinators that do not mind it: maps,
//! gathers (as far as their indices and results go), scatters (their sources and indices), folds of
//! all dimensions, and arrays of one value. If a reshape lies between two regions, one of them, or
//! both, are computed in another shape, so that both have the same one, and the reshape is gone:
//!
//! 1. The shape with fewer dimensions, if each of its dimensions is made of neighbours of the other
//!    shape: loops over it are longer, and no index has to be divided.
//! 2. The other one, if a combinator that minds its shape, such as a scan of rows, reads or gives
//!    arrays of the region with more dimensions, and none those of the other.
//! 3. One dimension for both, if neither shape consists of neighbours of the other.
//!
//! What else has to do with the arrays of the region gets them as they were, reshaped, which costs
//! nothing in memory. A region that such a combinator shares loops with keeps its shape.
//!
//! Cost: for each reshape, linear in the size of its regions.

use std::{
    cell::LazyCell,
    collections::{HashMap, HashSet},
};

use comb_fusion::size::Size as Extent;
use melior::ir::{
    BlockRef, OperationRef, Region as Lambda, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Values, array_type, mixed_list},
    cast::{Arguments, Parts, cast},
    description::static_sizes,
    view::{
        OpView, definition, named_attributes, op_name, set_attribute, set_operand, stands_before,
        uses,
    },
};

use super::is_in_cluster;
use comb_kit::{
    checks::{facts::key, reshapes::reassociation},
    element_types::element,
    inline_copy::{inline_copy, lambda_copy},
    known_sizes::with_static,
    pass_error::PassError,
    switches::Switches,
    transformations::Transformation,
    walk::{ancestors, operations},
};

use crate::fuse::sizes::{Sizes, with_sizes};

/// Ops that give the same elements in another shape.
const RESHAPES: &[&str] = &[
    "soac.reshape",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.reshape",
];

/// Combinators that mind the shape of what they read or give, and may share loops with others.
const RIGID: &[&str] = &[
    "soac.backpermute",
    "soac.cross",
    "soac.drop",
    "soac.filter",
    "soac.fold",
    "soac.gather",
    "soac.generate",
    "soac.iota",
    "soac.map",
    "soac.replicate",
    "soac.reverse",
    "soac.rotate",
    "soac.scanl",
    "soac.scanr",
    "soac.slice",
    "soac.take",
    "soac.transpose",
];

/// What is changed again and again is left after so many rounds.
const MOST_ROUNDS: usize = 16;

/// Rewrites what the reshapes of a module lie between. In each round, all is decided before anything
/// is changed; what a change has to do with waits for the next round.
pub(super) fn rewrite<'c>(
    module: OperationRef<'c, '_>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    for _ in 0..MOST_ROUNDS {
        let mut reshapes = vec![];
        with_sizes(module, &mut Sizes::default(), &mut |op, sizes| {
            if is_reshape(op) && !is_in_cluster(op) {
                reshapes.extend(Reshape::of(op, sizes));
            }
        });
        let mut changed = HashSet::new();
        for reshape in reshapes {
            reshape.remove(&mut changed, switches)?;
        }
        if changed.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Says with `soac.reshape` what reshapes of the tensor dialect say that only add and drop
/// dimensions of size 1, where combinators give or read the array.
pub(super) fn name_unit_dimensions<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        if !is_reshape(op) || op_name(op) == "soac.reshape" || is_in_cluster(op) {
            continue;
        }
        let (source, result): (Value, Value) = (op.operand(0)?, op.result(0)?.into());
        let is_combinator = |op: OperationRef| op_name(op).starts_with("soac.");
        let beside = uses(result).into_iter().map(|(user, _)| user);
        let is_beside = beside.chain(definition(source)).any(is_combinator);
        let (Some(builder), Some(sizes)) = (Builder::before(op), unit_sizes(op)?) else {
            continue;
        };
        if is_beside {
            let array = builder.reshape(&[source], &sizes)?[0];
            let array = builder.cast(array, result.r#type())?;
            builder.replace(op, &[array]);
        }
    }
    Ok(())
}

/// The sizes of a reshape's result, if it has those of the operand and ones, in order.
fn unit_sizes<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
) -> Result<Option<Vec<Size<'c, 'a>>>, PassError<'c>> {
    let (source, result): (Value, Value) = (op.operand(0)?, op.result(0)?.into());
    let shape = |array: Value<'c, 'a>| {
        RankedTensorType::try_from(array.r#type()).map(|array| static_sizes(&array))
    };
    let (inner, outer) = (shape(source)?, shape(result)?);
    let others = |shape: &[Option<i64>]| {
        let others = shape.iter().copied().filter(|&size| size != Some(1));
        others.collect::<Vec<_>>()
    };
    // A list of sizes may say anything of sizes that are not known, unless there is one, and no zero.
    let open = outer.iter().filter(|size| size.is_none()).count();
    let is_certain =
        op_name(op) != "tensor.reshape" || open == 0 || (open == 1 && !outer.contains(&Some(0)));
    let is_same = is_certain && others(&inner) == others(&outer);
    let Some(builder) = Builder::before(op).filter(|_| is_same) else {
        return Ok(None);
    };
    let mut kept = (0..inner.len()).filter(|&axis| inner[axis] != Some(1));
    let mut sizes = vec![];
    for size in outer {
        sizes.push(match size {
            Some(1) => Size::Static(1),
            _ => builder.size(source, kept.next().unwrap_or_default())?,
        });
    }
    Ok(Some(sizes))
}

fn is_reshape(op: OperationRef) -> bool {
    RESHAPES.contains(&op_name(op)) && op.result_count() == 1
}

/// How the shapes of a reshape's operand and result go together.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shapes {
    /// Each dimension of the result is made of so many of the operand's.
    Coarser(Vec<usize>),
    /// Each dimension of the operand is made of so many of the result's.
    Finer(Vec<usize>),
    /// Otherwise.
    Other,
}

struct Reshape<'c, 'a> {
    op: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    result: Value<'c, 'a>,
    shapes: Shapes,
}

impl<'c: 'a, 'a> Reshape<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>, sizes: &mut Sizes<'c, 'a>) -> Option<Self> {
        let mut source: Value = op.operand_at(0)?;
        while let Some(inner) = definition(source).filter(|&inner| is_reshape(inner)) {
            source = inner.operand_at(0)?;
        }
        let result: Value = op.result_at(0)?.into();
        let (inner, outer) = (sizes.shape(source), sizes.shape(result));
        let written = || {
            reassociation(&OpView::of(op))
                .iter()
                .map(Vec::len)
                .collect()
        };
        let is_direct = op.operand_at(0).is_some_and(|operand| operand == source);
        let shapes = match op_name(op) {
            _ if inner.is_empty() || outer.is_empty() => return None,
            "tensor.collapse_shape" if is_direct => Shapes::Coarser(written()),
            "tensor.expand_shape" if is_direct => Shapes::Finer(written()),
            _ => match (groups(&inner, &outer), groups(&outer, &inner)) {
                (Some(groups), _) => Shapes::Coarser(groups),
                (None, Some(groups)) => Shapes::Finer(groups),
                (None, None) => Shapes::Other,
            },
        };
        Some(Self {
            op,
            source,
            result,
            shapes,
        })
    }

    /// Has both sides computed in one shape, if that is possible. The keys of what that changes are
    /// added to those of what has changed.
    fn remove(
        self,
        changed: &mut HashSet<usize>,
        switches: &Switches,
    ) -> Result<(), PassError<'c>> {
        let applies = || switches.applies(Transformation::Reshapes, self.op.location());
        let applies = LazyCell::new(applies);
        let is_stale = [self.source, self.result]
            .iter()
            .any(|&array| changed.contains(&key(array)));
        if is_stale {
            return Ok(());
        }
        let Some(block) = self.op.block() else {
            return Ok(());
        };
        if rank(self.source) == rank(self.result) && self.shapes != Shapes::Other {
            if self.is_used() && *applies {
                changed.insert(key(self.result));
                self.replace(self.source)?;
            }
            return Ok(());
        }
        let before = Region::around(self.source, block);
        let behind = Region::around(self.result, block);
        let is_between = before.gives(self.source) && behind.reads(self.result);
        if !is_between || before.values.contains(&key(self.result)) {
            return Ok(());
        }
        let mut change = |regions: &[&Region<'c, 'a>]| {
            changed.insert(key(self.result));
            for region in regions {
                changed.extend(region.values.iter().copied());
                // Those of folds and scatters, which have other shapes, are built again, too.
                let results = region.ops.iter().flat_map(|op| op.results());
                changed.extend(results.map(|result| key(result.into())));
            }
        };
        match &self.shapes {
            Shapes::Coarser(groups) if before.is_free() && *applies => {
                change(&[&before]);
                self.reshape_source(&before, groups)
            }
            Shapes::Coarser(_) if behind.is_free() && behind.is_after(self.op) && *applies => {
                change(&[&behind]);
                self.reshape_result(&behind, &Target::Like(self.source))
            }
            Shapes::Finer(groups) if behind.is_free() && *applies => {
                change(&[&behind]);
                self.reshape_result(&behind, &Target::Joined(groups.clone()))
            }
            Shapes::Finer(_) if before.is_free() && before.may_sink(self.op) && *applies => {
                change(&[&before]);
                self.sink_source(&before)
            }
            Shapes::Other if before.is_free() && behind.is_free() && *applies => {
                change(&[&before, &behind]);
                self.flatten(&before, &behind)
            }
            _ => Ok(()),
        }
    }

    fn is_used(&self) -> bool {
        !uses(self.result).is_empty()
    }

    /// The region in front of the reshape gets the shape of its result, which is coarser.
    fn reshape_source(
        &self,
        before: &Region<'c, 'a>,
        groups: &[usize],
    ) -> Result<(), PassError<'c>> {
        let mut rebuilding = Rebuilding::new(before, Target::Joined(groups.to_vec()));
        rebuilding.run(None)?;
        self.replace(rebuilding.new[&key(self.source)])?;
        rebuilding.finish()
    }

    /// The same, behind the reshape, where the sizes of a finer result are known.
    fn sink_source(&self, before: &Region<'c, 'a>) -> Result<(), PassError<'c>> {
        let Some(sizes) = result_sizes(self.op) else {
            return Ok(());
        };
        let mut rebuilding = Rebuilding::new(before, Target::Sizes(sizes));
        rebuilding.run(Some(self.op))?;
        self.replace(rebuilding.new[&key(self.source)])?;
        rebuilding.finish()
    }

    /// The region behind the reshape gets the shape of its operand.
    fn reshape_result(
        &self,
        behind: &Region<'c, 'a>,
        target: &Target<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let mut rebuilding = Rebuilding::new(behind, target.clone());
        rebuilding.new.insert(key(self.result), self.source);
        rebuilding.run(None)?;
        rebuilding.finish()
    }

    /// Both regions get one dimension.
    fn flatten(
        &self,
        before: &Region<'c, 'a>,
        behind: &Region<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let all = |array: Value<'c, 'a>| Target::Joined(vec![rank(array)]);
        let mut first = Rebuilding::new(before, all(self.source));
        first.run(None)?;
        let mut second = Rebuilding::new(behind, all(self.result));
        let flat = first.new[&key(self.source)];
        second.new.insert(key(self.result), flat);
        second.run(None)?;
        second.finish()?;
        first.finish()
    }

    /// Has what reads the result read another array. Combinators need not know its sizes, so that no
    /// cast comes between.
    fn replace(&self, array: Value<'c, 'a>) -> Result<(), PassError<'c>> {
        let Some(builder) = Builder::before(self.op) else {
            return Ok(());
        };
        for (user, position) in uses(self.result) {
            if shaped(user, Some(position)).is_some() {
                set_operand(user, position, array);
            }
        }
        let array = builder.cast(array, self.result.r#type())?;
        builder.replace(self.op, &[array]);
        Ok(())
    }
}

/// How many neighbours of a shape make up each dimension of another one.
fn groups(fine: &[Extent], coarse: &[Extent]) -> Option<Vec<usize>> {
    if coarse.len() == 1 {
        return Some(vec![fine.len()]);
    }
    let mut groups = vec![];
    let mut next = 0;
    for (number, size) in coarse.iter().enumerate() {
        let rest = coarse.len() - number - 1;
        let is_last = rest == 0;
        let most = fine.len().checked_sub(next + rest)?;
        let count = (1..=most).find(|&count| {
            (!is_last || count == most) && Extent::product(&fine[next..next + count]) == *size
        })?;
        groups.push(count);
        next += count;
    }
    Some(groups)
}

fn rank(array: Value) -> usize {
    cast::<RankedTensorType>(array.r#type()).map_or(0, |array| array.rank())
}

/// The sizes that a reshape is given.
fn result_sizes<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Vec<Size<'c, 'a>>> {
    let view = OpView::of(op);
    let known = static_sizes(&cast::<RankedTensorType>(view.result_types[0])?);
    let written = match view.name {
        "soac.reshape" => view.given_sizes().unwrap_or_default(),
        "tensor.expand_shape" => {
            view.mixed_values_of("static_output_shape", 1..view.operands.len())
        }
        _ => vec![],
    };
    let size = |(axis, known): (usize, &Option<i64>)| match known {
        Some(size) => Some(Size::Static(*size)),
        None => written.get(axis).copied(),
    };
    known.iter().enumerate().map(size).collect()
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// What is connected in one shape.
struct Region<'c, 'a> {
    /// The combinators, in program order.
    ops: Vec<OperationRef<'c, 'a>>,
    /// The arrays.
    values: HashSet<usize>,
    /// Whether a combinator that minds the shape reads or gives one of the arrays.
    is_bound: bool,
}

impl<'c: 'a, 'a> Region<'c, 'a> {
    /// The region of an array, in a block.
    fn around(array: Value<'c, 'a>, block: BlockRef<'c, 'a>) -> Self {
        let mut region = Self {
            ops: vec![],
            values: HashSet::new(),
            is_bound: false,
        };
        let mut waiting = vec![array];
        while let Some(value) = waiting.pop() {
            if !region.values.insert(key(value)) {
                continue;
            }
            let by = definition(value).filter(|by| by.block() == Some(block));
            let readers = uses(value).into_iter();
            let readers = readers.filter(|(user, _)| user.block() == Some(block));
            let given = by.into_iter().map(|by| (by, None));
            let read = readers.map(|(user, position)| (user, Some(position)));
            for (op, position) in given.chain(read) {
                match shaped(op, position) {
                    Some(values) => {
                        if !region.ops.contains(&op) {
                            region.ops.push(op);
                            waiting.extend(values);
                        }
                    }
                    None => region.is_bound |= is_rigid(op, position),
                }
            }
        }
        region.ops.sort_by(|&one, &other| {
            use std::cmp::Ordering::{Equal, Greater, Less};
            match (one == other, stands_before(one, other)) {
                (true, _) => Equal,
                (false, true) => Less,
                (false, false) => Greater,
            }
        });
        region
    }

    /// Whether the region may have another shape.
    fn is_free(&self) -> bool {
        !self.is_bound && !self.ops.is_empty()
    }

    /// Whether a combinator gives an array.
    fn gives(&self, array: Value<'c, 'a>) -> bool {
        definition(array).is_some_and(|by| self.ops.contains(&by) || RIGID.contains(&op_name(by)))
    }

    /// Whether a combinator reads an array element by element.
    fn reads(&self, array: Value<'c, 'a>) -> bool {
        uses(array)
            .into_iter()
            .any(|(user, position)| self.ops.contains(&user) || is_rigid(user, Some(position)))
    }

    /// Whether all is computed behind an op.
    fn is_after(&self, op: OperationRef<'c, 'a>) -> bool {
        self.ops.iter().all(|&other| stands_before(op, other))
    }

    /// Whether all that needs the region's results stands behind an op.
    fn may_sink(&self, behind: OperationRef<'c, 'a>) -> bool {
        self.ops.iter().all(|&op| {
            let results = op.results().map(Value::from);
            results.flat_map(uses).all(|(user, _)| {
                let here = std::iter::once(user)
                    .chain(ancestors(user))
                    .find(|user| user.block() == behind.block());
                self.ops.contains(&user)
                    || here.is_some_and(|here| here == behind || stands_before(behind, here))
            })
        })
    }
}

/// The arrays of one shape that an op reads and gives, if it does not mind that shape, and the
/// operand at a position (or else its results) is one of them.
fn shaped<'c: 'a, 'a>(op: OperationRef<'c, 'a>, position: Option<usize>) -> Option<Values<'c, 'a>> {
    let view = OpView::of(op);
    let groups: &[usize] = match view.name {
        "soac.map" if view.integer("outer").is_none() => &[0],
        "soac.zip" => &[0],
        "soac.gather" if takes_elements(&view) => &[1],
        "soac.scatter" => &[0, 2],
        "soac.fold" if rank(op.result_at(0)?.into()) == 0 => &[0],
        "soac.generate" if is_constant(&view) => &[],
        "soac.fill" => &[],
        _ => return None,
    };
    let mut read = groups.iter().flat_map(|&group| view.group(group));
    let has_results = !matches!(view.name, "soac.fold" | "soac.scatter");
    let is_shaped = match position {
        Some(position) => read.clone().any(|other| other == position),
        None => has_results,
    };
    if !is_shaped || view.integer("label").is_some() {
        return None;
    }
    let mut values: Values = read
        .by_ref()
        .map(|position| view.operands[position])
        .collect();
    if has_results {
        values.extend(op.results().map(Value::from));
    }
    Some(values)
}

/// Whether a gather is given as many index arrays as its array has dimensions, so that it takes
/// elements, and no rows.
fn takes_elements(gather: &OpView) -> bool {
    let indices = gather.group(1).len();
    let mut arrays = gather.group(0).map(|position| gather.operands[position]);
    arrays.all(|array| rank(array) == indices)
}

/// Whether the lambda of a `generate` does not look at the index.
fn is_constant(view: &OpView) -> bool {
    use melior::ir::BlockLike;
    view.block().is_some_and(|block| {
        (0..block.argument_count())
            .filter_map(|number| block.argument_at(number))
            .all(|argument| uses(argument.into()).is_empty())
    })
}

/// Whether an op that minds the shape of an operand (or else of its results) may share loops with
/// what gives or reads it.
fn is_rigid(op: OperationRef, position: Option<usize>) -> bool {
    let view = OpView::of(op);
    match position {
        Some(position) => {
            RIGID.contains(&view.name) && view.group(0).contains(&position)
                || view.name == "soac.map" && view.operands.len() > position
        }
        None => RIGID.contains(&view.name),
    }
}

//===----------------------------------------------------------------------===//
// Another shape for a region
//===----------------------------------------------------------------------===//

/// The shape that a region gets.
#[derive(Clone)]
enum Target<'c, 'a> {
    /// So many neighbours are one dimension.
    Joined(Vec<usize>),
    /// That of an array.
    Like(Value<'c, 'a>),
    /// These sizes.
    Sizes(Vec<Size<'c, 'a>>),
}

/// A region that is built again.
struct Rebuilding<'r, 'c, 'a> {
    region: &'r Region<'c, 'a>,
    target: Target<'c, 'a>,
    /// By array: the one in the new shape.
    new: HashMap<usize, Value<'c, 'a>>,
}

impl<'r, 'c: 'a, 'a> Rebuilding<'r, 'c, 'a> {
    fn new(region: &'r Region<'c, 'a>, target: Target<'c, 'a>) -> Self {
        Self {
            region,
            target,
            new: HashMap::new(),
        }
    }

    /// Builds all ops again, those in front of a place there.
    fn run(&mut self, place: Option<OperationRef<'c, 'a>>) -> Result<(), PassError<'c>> {
        for &op in &self.region.ops {
            let place = place.filter(|&place| stands_before(op, place));
            let Some(builder) = Builder::before(place.unwrap_or(op)) else {
                continue;
            };
            self.build(&builder.located(op.location()), op)?;
        }
        Ok(())
    }

    fn build(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let view = OpView::of(op);
        let sizes = self.target_sizes(builder, &self.old_sizes(builder, shape_giver(op)?)?)?;
        let mut operands = view.operands.clone();
        for (position, operand) in operands.iter_mut().enumerate() {
            if shaped(op, Some(position)).is_some() {
                *operand = self.reshaped(builder, *operand, &sizes)?;
            }
        }
        match view.name {
            "soac.fold" | "soac.scatter" => {
                let copy = builder.copy(op, &mut |value| value);
                for (position, &operand) in operands.iter().enumerate() {
                    set_operand(copy, position, operand);
                }
                if view.name == "soac.fold" {
                    set_attribute(copy, "inner", builder.number(sizes.len() as i64));
                }
                let results: Values = copy.results().map(Value::from).collect();
                for (old, new) in op.results().zip(results) {
                    builder.replace_uses(old.into(), new, None);
                }
            }
            _ => self.build_elements(builder, op, &operands, &sizes)?,
        }
        Ok(())
    }

    /// Builds an op again that gives arrays of the region's shape.
    fn build_elements(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        sizes: &[Size<'c, 'a>],
    ) -> Result<(), PassError<'c>> {
        let view = OpView::of(op);
        let known: Vec<_> = sizes.iter().map(|size| size.known()).collect();
        let types: Vec<_> = view
            .result_types
            .iter()
            .map(|&array| array_type(&known, element(array)))
            .collect();
        let mut attributes = named_attributes(op);
        let mut operands = operands.to_vec();
        let regions: Vec<Lambda> = match view.name {
            "soac.map" => lambda_copy(builder, op)?.into_iter().collect(),
            "soac.generate" => {
                let (list, values) = mixed_list(sizes);
                attributes.retain(|&(name, _)| name != "static_sizes");
                attributes.push(("static_sizes", builder.integers(&list)));
                operands = values;
                let index = vec![builder.index_type(); sizes.len()];
                vec![
                    builder.region::<PassError>(&index, "soac.yield", |builder, _| {
                        let zeros: Values = (0..rank(op.result(0)?.into()))
                            .map(|_| builder.index(0))
                            .collect::<Result<_, _>>()?;
                        Ok(inline_copy(builder, op, &zeros)?)
                    })?,
                ]
            }
            "soac.fill" => {
                let (list, values) = mixed_list(sizes);
                let segments = [view.group(0).len() as i32, values.len() as i32];
                attributes
                    .retain(|&(name, _)| !["static_sizes", "operandSegmentSizes"].contains(&name));
                attributes.push(("static_sizes", builder.integers(&list)));
                attributes.push(("operandSegmentSizes", builder.segments(&segments)));
                operands = [&view.operands[view.group(0)], &values].concat();
                vec![]
            }
            _ => vec![],
        };
        let new = builder.op(view.name, &operands, &types, &attributes, regions)?;
        for (old, new) in op.results().zip(new.results()) {
            self.new.insert(key(old.into()), new.into());
        }
        Ok(())
    }

    /// An array in the new shape.
    fn reshaped(
        &mut self,
        builder: &Builder<'c, 'a>,
        array: Value<'c, 'a>,
        sizes: &[Size<'c, 'a>],
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        if let Some(&new) = self.new.get(&key(array)) {
            return Ok(new);
        }
        let new = builder.reshape(&[array], sizes)?[0];
        self.new.insert(key(array), new);
        Ok(new)
    }

    /// The sizes of an array of the region as it was, by what is not built again.
    fn old_sizes(
        &self,
        builder: &Builder<'c, 'a>,
        array: Value<'c, 'a>,
    ) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
        let by = definition(array).filter(|by| self.region.ops.contains(by));
        let sizes = match by {
            Some(by) => match OpView::of(by).given_sizes() {
                Some(sizes) => sizes,
                None => self.old_sizes(builder, shape_giver(by)?)?,
            },
            None => builder.sizes(array)?,
        };
        Ok(with_static(sizes, array)?)
    }

    /// The new sizes of what had the given ones.
    fn target_sizes(
        &self,
        builder: &Builder<'c, 'a>,
        old: &[Size<'c, 'a>],
    ) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
        match &self.target {
            Target::Joined(groups) => {
                let mut old = old.iter().copied();
                groups
                    .iter()
                    .map(|&count| Ok(builder.product(old.by_ref().take(count))?))
                    .collect()
            }
            Target::Like(array) => Ok(builder.sizes(*array)?),
            Target::Sizes(sizes) => Ok(sizes.clone()),
        }
    }

    /// Gives the old shape to what else needs an array, and erases the old ops.
    fn finish(self) -> Result<(), PassError<'c>> {
        for &op in &self.region.ops {
            for old in op.results().map(Value::from) {
                let Some(&new) = self.new.get(&key(old)) else {
                    continue;
                };
                let mut others = uses(old);
                others.retain(|(user, _)| !self.region.ops.contains(user));
                let Some(builder) = definition(new).and_then(Builder::after) else {
                    continue;
                };
                if others.is_empty() {
                    continue;
                }
                let sizes = self.old_sizes(&builder, old)?;
                let array = builder.reshape(&[new], &sizes)?[0];
                let array = builder.cast(array, old.r#type())?;
                for (user, position) in others {
                    set_operand(user, position, array);
                }
            }
        }
        for &op in self.region.ops.iter().rev() {
            if let Some(builder) = Builder::before(op) {
                builder.erase(op);
            }
        }
        Ok(())
    }
}

/// An array of the region's shape that an op reads; or gives, if it reads none.
fn shape_giver<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, PassError<'c>> {
    let view = OpView::of(op);
    let first = match view.name {
        "soac.generate" | "soac.fill" => return Ok(op.result(0)?.into()),
        "soac.gather" => view.group(1).start,
        _ => 0,
    };
    Ok(view.operands[first])
}
