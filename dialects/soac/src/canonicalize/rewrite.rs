//! What patterns are written with: looking at an op and at what defines its
//! operands, building ops of the dialect, and replacing the op.
//!
//! A pattern looks first and rewrites last: once it has changed anything it
//! must not give up. New ops get the types that follow from their operands,
//! and are cast to the types that users of the old results expect.

use melior::{
    Context, ContextRef, RewriterBase,
    ir::{
        Attribute, BlockLike, BlockRef, Identifier, OperationRef, Region, RegionLike, RegionRef,
        Type, Value, ValueLike,
        attribute::{
            DenseI32ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, IntegerAttribute,
        },
        operation::{OperationBuilder, OperationLike, OperationMutLike, OperationRefMut},
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use mlir_sys::{
    mlirOpOperandGetNextUse, mlirOpOperandIsNull, mlirRegionTakeBody, mlirValueGetFirstUse,
};

use crate::{
    builder::{Size, Values},
    cast::cast,
    description::{are_compatible, array_type, describe, static_sizes},
    extent::{Extent, Term},
    requirement::Truth,
    view::{DYNAMIC, OpView, as_result, named_attributes, op_name},
};

/// Attributes by name.
pub(super) type Attributes<'s, 'c> = Vec<(&'s str, Attribute<'c>)>;

/// An op that is being rewritten.
pub(crate) struct Rewrite<'c, 'a> {
    /// The op's parts.
    pub(super) view: OpView<'c, 'a>,
    op: OperationRef<'c, 'a>,
    context: ContextRef<'c>,
    rewriter: RewriterBase<'c, 'a>,
}

/// An op of the dialect that defines an operand.
pub(super) struct Producer<'c, 'a> {
    /// The op's parts.
    pub(super) view: OpView<'c, 'a>,
    /// Which of its results the operand is.
    pub(super) result: usize,
}

impl<'c, 'a> Producer<'c, 'a> {
    /// The input that the result is made of, where each result is made of one.
    pub(super) fn input(&self) -> Value<'c, 'a> {
        self.view.operands[self.view.group(0).start + self.result]
    }
}

/// The op of the dialect that defines a value, if it has the given name.
pub(super) fn producer<'c, 'a>(value: Value<'c, 'a>, mnemonic: &str) -> Option<Producer<'c, 'a>> {
    let result = as_result(value)?;
    let op = result.owner();
    (op_name(op).strip_prefix("soac.") == Some(mnemonic)).then(|| Producer {
        view: OpView::of(op),
        result: result.result_number(),
    })
}

/// Whether a value has any use.
pub(super) fn is_used(value: Value) -> bool {
    // SAFETY: the value is alive.
    unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// Whether a value has exactly one use.
pub(super) fn has_one_use(value: Value) -> bool {
    // SAFETY: the value is alive, and so is its first use if there is one.
    unsafe {
        let first = mlirValueGetFirstUse(value.to_raw());
        !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first))
    }
}

/// A list that mixes constants and values.
pub(super) fn entries<'c, 'a>(
    view: &OpView<'c, 'a>,
    attribute: &str,
    group: usize,
) -> Vec<Size<'c, 'a>> {
    let mut values = view.group(group);
    view.integers(attribute)
        .into_iter()
        .filter_map(|entry| match entry {
            DYNAMIC => values
                .next()
                .map(|value| Size::Dynamic(view.operands[value])),
            _ => Some(Size::Static(entry)),
        })
        .collect()
}

/// Whether everything required of the op's operands is known to hold.
pub(super) fn requirements_hold(view: &OpView) -> bool {
    describe(view).is_ok_and(|description| {
        description
            .requirements
            .iter()
            .all(|requirement| requirement.condition.truth() == Truth::Holds)
    })
}

/// The more precise of two array types that do not contradict each other.
fn refined<'c>(inferred: Type<'c>, wanted: Type<'c>) -> Option<Type<'c>> {
    let (inferred, wanted) = (
        cast::<RankedTensorType>(inferred)?,
        cast::<RankedTensorType>(wanted)?,
    );
    if !are_compatible(&inferred, &wanted) {
        return None;
    }
    let sizes: Vec<Option<i64>> = static_sizes(&inferred)
        .into_iter()
        .zip(static_sizes(&wanted))
        .map(|(inferred, wanted)| inferred.or(wanted))
        .collect();
    Some(array_type(&sizes, inferred.element()))
}

/// The types of the results of an op that is to be built: what follows from its
/// operands, and what is known of them already.
fn types<'c>(view: &OpView<'c, '_>) -> Option<Vec<Type<'c>>> {
    let description = describe(view).ok()?;
    let violated = description
        .requirements
        .iter()
        .any(|requirement| requirement.condition.truth() == Truth::Violated);
    let arguments = view.lambda_arguments();
    let lambda_fits = description
        .lambda
        .as_ref()
        .is_none_or(|lambda| arguments.as_ref() == Some(&lambda.arguments));
    let inferred = description.result_types();
    if violated || !lambda_fits || inferred.len() != view.result_types.len() {
        return None;
    }
    inferred
        .into_iter()
        .zip(&view.result_types)
        .map(|(inferred, &wanted)| refined(inferred, wanted))
        .collect()
}

/// A list without the entries at the given positions.
pub(super) fn without<T: Copy>(list: &[T], positions: &[usize]) -> Vec<T> {
    list.iter()
        .enumerate()
        .filter(|(position, _)| !positions.contains(position))
        .map(|(_, &entry)| entry)
        .collect()
}

/// Whether an array may be of the given type.
pub(super) fn can_cast(value: Value, r#type: Type) -> bool {
    refined(value.r#type(), r#type).is_some()
}

impl<'c, 'a> Rewrite<'c, 'a> {
    /// Starts rewriting an op; new ops are inserted in front of it.
    pub(crate) fn new(op: OperationRef<'c, 'a>, rewriter: RewriterBase<'c, 'a>) -> Self {
        rewriter.set_insertion_point_before(op);
        Self {
            view: OpView::of(op),
            op,
            context: op.context(),
            rewriter,
        }
    }

    fn context(&self) -> &'c Context {
        // SAFETY: the reference is to the handle in this rewrite; callers use
        // it while they borrow the rewrite, and keep only what belongs to the
        // context itself.
        unsafe { self.context.to_ref() }
    }

    /// The op's results.
    pub(super) fn results(&self) -> Values<'c, 'a> {
        self.op.results().map(Into::into).collect()
    }

    /// The values of a group of operands.
    pub(super) fn group(&self, group: usize) -> Values<'c, 'a> {
        self.view.operands[self.view.group(group)].to_vec()
    }

    /// All groups of operands.
    pub(super) fn groups(&self) -> Vec<Values<'c, 'a>> {
        let count = self
            .view
            .attribute("operandSegmentSizes")
            .and_then(|segments| DenseI32ArrayAttribute::try_from(segments).ok())
            .map_or(1, |segments| segments.len());
        (0..count).map(|group| self.group(group)).collect()
    }

    /// The op's attributes, but for the sizes of its groups and the given one.
    fn attributes_without(&self, left_out: &[&str]) -> Vec<(String, Attribute<'c>)> {
        named_attributes(self.op)
            .into_iter()
            .filter(|(name, _)| *name != "operandSegmentSizes" && !left_out.contains(name))
            .map(|(name, attribute)| (name.to_owned(), attribute))
            .collect()
    }

    /// The block of the op's lambda.
    pub(super) fn lambda(&self) -> Option<BlockRef<'c, 'a>> {
        self.view.regions.first()?.first_block()
    }

    /// What defines the inputs (group 0), if all are defined by ops of one name
    /// with the same value of `property`.
    pub(super) fn producers<T: PartialEq>(
        &self,
        mnemonic: &str,
        property: impl Fn(&OpView<'c, 'a>) -> T,
    ) -> Option<Vec<Producer<'c, 'a>>> {
        let producers: Vec<_> = self
            .group(0)
            .into_iter()
            .map(|input| producer(input, mnemonic))
            .collect::<Option<_>>()?;
        let first = property(&producers.first()?.view);
        producers
            .iter()
            .all(|producer| property(&producer.view) == first)
            .then_some(producers)
    }

    /// A list of integers as an attribute.
    pub(super) fn integers(&self, list: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.context(), list).into()
    }

    /// A 64-bit integer as an attribute.
    pub(super) fn integer(&self, value: i64) -> Attribute<'c> {
        let r#type = melior::ir::r#type::IntegerType::new(self.context(), 64).into();
        IntegerAttribute::new(r#type, value).into()
    }

    /// A flag as an attribute.
    pub(super) fn unit(&self) -> Attribute<'c> {
        Attribute::unit(self.context())
    }

    /// Inserts an op in front of the rewritten one.
    pub(super) fn create(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        lambda: Option<RegionRef<'c, 'a>>,
    ) -> Values<'c, 'a> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|&(name, attribute)| (Identifier::new(self.context(), name), attribute))
            .collect();
        let regions = lambda.iter().map(|_| Region::new()).collect();
        let op = OperationBuilder::new(name, self.view.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()
            .expect("an op whose result types are given");
        // SAFETY: the op lives as long as the IR that it is inserted into.
        let op = unsafe { OperationRef::from_raw(self.rewriter.insert(op).to_raw()) };
        if let (Some(lambda), Some(region)) = (lambda, op.regions().next()) {
            // SAFETY: both regions are alive, and the new one is empty.
            unsafe { mlirRegionTakeBody(region.to_raw(), lambda.to_raw()) }
        }
        op.results().map(Into::into).collect()
    }

    /// An array as another type, of which it is known to be.
    pub(super) fn cast(&self, value: Value<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        if value.r#type() == r#type {
            return value;
        }
        self.create("tensor.cast", &[value], &[r#type], &[], None)[0]
    }

    /// Builds an op of the dialect in place of this one, whose results have the
    /// types of this one's. Several groups of operands are a segmented op's.
    /// Nothing is built, and nothing given, if the new op would break a rule.
    pub(super) fn build(
        &self,
        mnemonic: &str,
        groups: &[Values<'c, 'a>],
        attributes: Attributes<'_, 'c>,
        lambda: Option<RegionRef<'c, 'a>>,
    ) -> Option<Values<'c, 'a>> {
        self.build_as(
            &self.view.result_types,
            mnemonic,
            groups,
            attributes,
            lambda,
        )
    }

    /// Builds an op of the dialect that gives one of this one's results.
    pub(super) fn build_one(
        &self,
        result: Value<'c, 'a>,
        mnemonic: &str,
        groups: &[Values<'c, 'a>],
        attributes: Attributes<'_, 'c>,
    ) -> Option<Value<'c, 'a>> {
        let wanted = [result.r#type()];
        let values = self.build_as(&wanted, mnemonic, groups, attributes, None)?;
        values.first().copied()
    }

    fn build_as(
        &self,
        wanted: &[Type<'c>],
        mnemonic: &str,
        groups: &[Values<'c, 'a>],
        mut attributes: Attributes<'_, 'c>,
        lambda: Option<RegionRef<'c, 'a>>,
    ) -> Option<Values<'c, 'a>> {
        if groups.len() > 1 {
            attributes.push(("operandSegmentSizes", self.segments(groups)));
        }
        let operands = groups.concat();
        let name = format!("soac.{mnemonic}");
        let named: Vec<_> = attributes
            .iter()
            .map(|&(name, attribute)| (Identifier::new(self.context(), name), attribute))
            .collect();
        let view = OpView {
            name: &name,
            location: self.view.location,
            operands: operands.clone(),
            attributes: DictionaryAttribute::new(self.context(), &named),
            result_types: wanted.to_vec(),
            regions: lambda.into_iter().collect(),
        };
        let types = types(&view)?;
        let results = self.create(&name, &operands, &types, &attributes, lambda);
        let casts = results.into_iter().zip(wanted);
        Some(
            casts
                .map(|(result, &wanted)| self.cast(result, wanted))
                .collect(),
        )
    }

    fn segments(&self, groups: &[Values<'c, 'a>]) -> Attribute<'c> {
        let sizes: Vec<i32> = groups.iter().map(|group| group.len() as i32).collect();
        DenseI32ArrayAttribute::new(self.context(), &sizes).into()
    }

    /// The op's attributes, for other operands.
    pub(super) fn attributes_for(&self, groups: &[Values<'c, 'a>]) -> Vec<(String, Attribute<'c>)> {
        let mut attributes = self.attributes_without(&[]);
        if groups.len() > 1 {
            attributes.push(("operandSegmentSizes".into(), self.segments(groups)));
        }
        attributes
    }

    /// The op without some of its inputs (group 0), whose arguments of the
    /// lambda are not used.
    pub(super) fn without_inputs(
        &self,
        inputs: &[usize],
        changed: Attributes<'_, 'c>,
    ) -> Option<()> {
        let mut groups = self.groups();
        groups[0] = without(&groups[0], inputs);
        self.erase_arguments(self.lambda()?, inputs);
        self.rebuild(&groups, changed)
    }

    /// The op with some of its results only, which it makes of other operands.
    pub(super) fn with_results(
        &self,
        kept: &[usize],
        groups: &[Values<'c, 'a>],
        changed: Attributes<'_, 'c>,
    ) {
        let results = self.results();
        let types: Vec<_> = kept
            .iter()
            .map(|&result| results[result].r#type())
            .collect();
        let attributes = self.attributes_for(groups);
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, attribute)| (name.as_str(), *attribute))
            .filter(|(name, _)| changed.iter().all(|(other, _)| other != name))
            .chain(changed.iter().copied())
            .collect();
        let lambda = self.view.regions.first().copied();
        let new = self.create(
            self.view.name,
            &groups.concat(),
            &types,
            &attributes,
            lambda,
        );
        for (&result, new) in kept.iter().zip(new) {
            self.replace_uses(results[result], new);
        }
        self.rewriter.erase_op(self.op);
    }

    /// Replaces the op by one with other operands and some other attributes.
    pub(super) fn rebuild(
        &self,
        groups: &[Values<'c, 'a>],
        changed: Attributes<'_, 'c>,
    ) -> Option<()> {
        let names: Vec<&str> = changed.iter().map(|&(name, _)| name).collect();
        let kept = self.attributes_without(&names);
        let attributes = kept
            .iter()
            .map(|(name, attribute)| (name.as_str(), *attribute))
            .chain(changed)
            .collect();
        let lambda = self.view.regions.first().copied();
        let results = self.build(self.view.mnemonic(), groups, attributes, lambda)?;
        self.replace(&results);
        Some(())
    }

    /// Replaces the op by values of its results' types.
    pub(super) fn replace(&self, values: &[Value<'c, 'a>]) {
        self.rewriter.replace_op_with_values(self.op, values);
    }

    /// Replaces the op by values of types that do not contradict its results'.
    /// Nothing is changed, and nothing given, if they do.
    pub(super) fn replace_with_casts(&self, values: &[Value<'c, 'a>]) -> Option<()> {
        let fits = values.len() == self.view.result_types.len()
            && values
                .iter()
                .zip(&self.view.result_types)
                .all(|(&value, &wanted)| can_cast(value, wanted));
        if !fits {
            return None;
        }
        let values: Values = values
            .iter()
            .zip(&self.view.result_types)
            .map(|(&value, &wanted)| self.cast(value, wanted))
            .collect();
        self.replace(&values);
        Some(())
    }

    /// Replaces all uses of a value.
    pub(super) fn replace_uses(&self, from: Value<'c, 'a>, to: Value<'c, 'a>) {
        self.rewriter.replace_all_uses_with(from, to);
    }

    /// The lambda yields some of its values only.
    pub(super) fn yield_only(&self, kept: &[usize]) -> Option<()> {
        let terminator = self.lambda()?.terminator()?;
        let yielded: Values = terminator.operands().collect();
        let values: Values = kept.iter().map(|&value| yielded[value]).collect();
        self.rewriter.start_op_modification(terminator);
        // SAFETY: the terminator is alive, and nothing else refers to it here.
        let mut edited = unsafe { OperationRefMut::from_raw(terminator.to_raw()) };
        edited.set_operands(&values);
        self.rewriter.finalize_op_modification(terminator);
        Some(())
    }

    /// Takes arguments away from the lambda that it does not use.
    pub(super) fn erase_arguments(&self, lambda: BlockRef<'c, 'a>, arguments: &[usize]) {
        for &argument in arguments.iter().rev() {
            // SAFETY: the argument has no uses, and its handles are not used
            // any more.
            unsafe { lambda.erase_argument(argument) }
        }
    }

    /// A size as an entry of a mixed list, if it takes no arithmetic.
    pub(super) fn is_simple(size: &Extent) -> bool {
        size.as_constant().is_some() || (size.constant == 0 && matches!(size.terms[..], [(1, _)]))
    }

    /// A simple size as an entry of a mixed list.
    pub(super) fn materialize(&self, size: &Extent) -> Size<'c, 'a> {
        match size.terms.first() {
            None => Size::Static(size.constant),
            Some(&(_, Term::Value { operand })) => Size::Dynamic(self.view.operands[operand]),
            Some(&(_, Term::Size { operand, axis })) => {
                let index = Type::index(self.context());
                let axis = IntegerAttribute::new(index, axis as i64).into();
                let axis = self.create("arith.constant", &[], &[index], &[("value", axis)], None);
                let operands = [self.view.operands[operand], axis[0]];
                Size::Dynamic(self.create("tensor.dim", &operands, &[index], &[], None)[0])
            }
        }
    }

    /// The zero of an element type.
    pub(super) fn zero(&self, element: Type<'c>) -> Option<Value<'c, 'a>> {
        let zero = Attribute::parse(
            self.context(),
            &if melior::ir::TypeLike::is_float(&element) {
                format!("0.0 : {element}")
            } else {
                format!("0 : {element}")
            },
        )?;
        Some(self.create("arith.constant", &[], &[element], &[("value", zero)], None)[0])
    }
}
