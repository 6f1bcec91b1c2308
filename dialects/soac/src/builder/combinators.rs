//! Building the ops of the dialect, one method for each op.
//!
//! Result types are inferred. Lambdas are closures: each is given a builder
//! inside the lambda and the lambda's arguments, and returns what it yields.
//! What an op requires of its operands is stated in the op's description. A
//! violation that leaves no result type to infer is an [`Error`], with a
//! diagnostic at the builder's location; the verifier finds all others.

use melior::{
    Error,
    ir::{
        Attribute, Identifier, OperationRef, Region, Type, Value, ValueLike,
        attribute::IntegerAttribute,
        operation::OperationBuilder,
        r#type::{DimSize, RankedTensorType, ShapedTypeLike},
    },
};

use super::{Builder, Size, Slice, Values, array_type, mixed_list};

/// Whether indices and offsets are checked when the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// One out of range ends the program with a message.
    Checked,
    /// The caller promises that all are in range; the behaviour is undefined
    /// if one is not.
    Unchecked,
}

/// Which elements a scan leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// None: an element of the result includes the input's element there.
    Inclusive,
    /// The input's element at the same place.
    Exclusive,
}

/// What an external function does besides computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum Effects {
    /// Nothing.
    None = 0,
    /// It reads memory that is not its own.
    Read = 1,
    /// It writes memory that is not its own.
    Write = 2,
    /// It may do anything.
    Any = 3,
}

type Attributes<'s, 'c> = &'s [(&'s str, Attribute<'c>)];

/// The parts of an op of the dialect; its operands in their groups, as the op's
/// definition orders them.
struct Parts<'s, 'c, 'a> {
    groups: &'s [&'s [Value<'c, 'a>]],
    attributes: Attributes<'s, 'c>,
    flags: &'s [(&'s str, bool)],
    regions: Vec<Region<'c>>,
}

/// Functions of scalars or inner arrays, as closures.
macro_rules! lambda {
    () => {
        impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, Error>
    };
}

impl<'c, 'a> Builder<'c, 'a> {
    /// `soac.generate`: arrays of the given sizes; the lambda is given an index
    /// for each dimension.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn generate(
        &self,
        sizes: &[Size<'c, 'a>],
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let (list, values) = mixed_list(sizes);
        let region = self.lambda(&vec![self.index_type(); sizes.len()], lambda)?;
        self.combinator(
            "soac.generate",
            Parts {
                groups: &[&values],
                attributes: &[("static_sizes", self.integers(&list))],
                flags: &[],
                regions: vec![region],
            },
        )
    }

    /// `soac.map` over all dimensions: the lambda is given an element of each
    /// input.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn map(
        &self,
        inputs: &[Value<'c, 'a>],
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let region = self.lambda(&elements(inputs)?, lambda)?;
        self.combinator(
            "soac.map",
            Parts {
                groups: &[inputs, &[]],
                attributes: &[],
                flags: &[],
                regions: vec![region],
            },
        )
    }

    /// `soac.map` over the `outer` outer dimensions: the lambda is given inner
    /// arrays (elements, where no dimension remains) and may yield such. Each
    /// dynamic dimension of what it yields has its size in `inner_sizes`, of
    /// type `index`.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn map_outer(
        &self,
        inputs: &[Value<'c, 'a>],
        outer: usize,
        inner_sizes: &[Value<'c, 'a>],
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let arguments = inputs
            .iter()
            .map(|input| inner_type(input.r#type(), outer))
            .collect::<Result<Vec<_>, Error>>()?;
        let region = self.lambda(&arguments, lambda)?;
        self.combinator(
            "soac.map",
            Parts {
                groups: &[inputs, inner_sizes],
                attributes: &[("outer", self.count(outer))],
                flags: &[],
                regions: vec![region],
            },
        )
    }

    /// `soac.gather`: the sources at the positions that the index arrays give,
    /// one index array for each of the sources' outer dimensions.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn gather(
        &self,
        sources: &[Value<'c, 'a>],
        indices: &[Value<'c, 'a>],
        bounds: Bounds,
    ) -> Result<Values<'c, 'a>, Error> {
        self.combinator(
            "soac.gather",
            Parts {
                groups: &[sources, indices],
                attributes: &[],
                flags: &[("unchecked", bounds == Bounds::Unchecked)],
                regions: vec![],
            },
        )
    }

    /// `soac.scatter` without a lambda: the destinations with the elements of
    /// the sources written at the positions that the index arrays give. Where
    /// several name one position, the last one wins.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn scatter(
        &self,
        sources: &[Value<'c, 'a>],
        destinations: &[Value<'c, 'a>],
        indices: &[Value<'c, 'a>],
        bounds: Bounds,
    ) -> Result<Values<'c, 'a>, Error> {
        self.scatter_with_region(sources, destinations, indices, bounds, Region::new())
    }

    /// `soac.scatter` that combines: the lambda is given the old elements, then
    /// the sources' elements.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn scatter_combining(
        &self,
        sources: &[Value<'c, 'a>],
        destinations: &[Value<'c, 'a>],
        indices: &[Value<'c, 'a>],
        bounds: Bounds,
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let arguments = [elements(destinations)?, elements(sources)?].concat();
        let region = self.lambda(&arguments, lambda)?;
        self.scatter_with_region(sources, destinations, indices, bounds, region)
    }

    fn scatter_with_region(
        &self,
        sources: &[Value<'c, 'a>],
        destinations: &[Value<'c, 'a>],
        indices: &[Value<'c, 'a>],
        bounds: Bounds,
        region: Region<'c>,
    ) -> Result<Values<'c, 'a>, Error> {
        self.combinator(
            "soac.scatter",
            Parts {
                groups: &[sources, destinations, indices],
                attributes: &[],
                flags: &[("unchecked", bounds == Bounds::Unchecked)],
                regions: vec![region],
            },
        )
    }

    /// `soac.fold` of the innermost dimension: the lambda is given the
    /// accumulators, then the elements.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn fold(
        &self,
        inputs: &[Value<'c, 'a>],
        neutrals: &[Value<'c, 'a>],
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        self.fold_inner(inputs, neutrals, 1, lambda)
    }

    /// `soac.fold` of the `inner` innermost dimensions.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn fold_inner(
        &self,
        inputs: &[Value<'c, 'a>],
        neutrals: &[Value<'c, 'a>],
        inner: usize,
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let region = self.lambda(&elements(inputs)?.repeat(2), lambda)?;
        self.combinator(
            "soac.fold",
            Parts {
                groups: &[inputs, neutrals],
                attributes: &[("inner", self.count(inner))],
                flags: &[],
                regions: vec![region],
            },
        )
    }

    /// `soac.scanl`: the lambda is given the accumulators, then the elements.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn scanl(
        &self,
        inputs: &[Value<'c, 'a>],
        neutrals: &[Value<'c, 'a>],
        scan: Scan,
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        self.scan("soac.scanl", inputs, neutrals, scan, lambda)
    }

    /// `soac.scanr`: the lambda is given the elements, then the accumulators.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn scanr(
        &self,
        inputs: &[Value<'c, 'a>],
        neutrals: &[Value<'c, 'a>],
        scan: Scan,
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        self.scan("soac.scanr", inputs, neutrals, scan, lambda)
    }

    fn scan(
        &self,
        name: &str,
        inputs: &[Value<'c, 'a>],
        neutrals: &[Value<'c, 'a>],
        scan: Scan,
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let region = self.lambda(&elements(inputs)?.repeat(2), lambda)?;
        self.combinator(
            name,
            Parts {
                groups: &[inputs, neutrals],
                attributes: &[],
                flags: &[("exclusive", scan == Scan::Exclusive)],
                regions: vec![region],
            },
        )
    }

    /// `soac.filter`: the lambda is given an element of each input, and returns
    /// an `i1`.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn filter(
        &self,
        inputs: &[Value<'c, 'a>],
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let region = self.lambda(&elements(inputs)?, lambda)?;
        self.combinator(
            "soac.filter",
            Parts {
                groups: &[inputs],
                attributes: &[],
                flags: &[],
                regions: vec![region],
            },
        )
    }

    /// `soac.sort` of rows: the lambda is given the elements of each input at one
    /// place, then those at another, and returns whether the first go before the
    /// second, as an `i1`.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn sort(
        &self,
        inputs: &[Value<'c, 'a>],
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let region = self.lambda(&elements(inputs)?.repeat(2), lambda)?;
        self.combinator(
            "soac.sort",
            Parts {
                groups: &[inputs],
                attributes: &[],
                flags: &[],
                regions: vec![region],
            },
        )
    }

    /// `soac.force`: the inputs, kept from fusion.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn force(&self, inputs: &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, Error> {
        self.rearrange("soac.force", &[inputs], &[])
    }

    /// `soac.zip`: the inputs, checked to have one shape.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn zip(&self, inputs: &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, Error> {
        self.rearrange("soac.zip", &[inputs], &[])
    }

    /// `soac.cross`: all pairs of elements.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn cross(
        &self,
        lefts: &[Value<'c, 'a>],
        rights: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        self.rearrange("soac.cross", &[lefts, rights], &[])
    }

    /// `soac.external`: calls a function of the module, whose result types are
    /// given.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn external(
        &self,
        callee: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
        effects: Effects,
    ) -> Result<Values<'c, 'a>, Error> {
        let effects = IntegerAttribute::new(self.integer_type(32), effects as i64);
        let attributes = [("callee", self.symbol(callee)), ("effects", effects.into())];
        let op = self.op("soac.external", arguments, results, &attributes, vec![])?;
        Ok(results_of(op))
    }

    /// `soac.iota`: the index along a dimension, as an integer or `index` type.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn iota(
        &self,
        sizes: &[Size<'c, 'a>],
        dimension: usize,
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (list, values) = mixed_list(sizes);
        let shape: Vec<_> = sizes.iter().map(|&size| size.known()).collect();
        self.value(
            "soac.iota",
            &values,
            array_type(&shape, element),
            &[
                ("static_sizes", self.integers(&list)),
                ("dim", self.count(dimension)),
            ],
        )
    }

    /// `soac.fill`: an array for each value, all elements of which are it.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn fill(
        &self,
        values: &[Value<'c, 'a>],
        sizes: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        self.with_mixed_list("soac.fill", values, "static_sizes", sizes)
    }

    /// `soac.replicate`: the inputs repeated along new outer dimensions.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn replicate(
        &self,
        inputs: &[Value<'c, 'a>],
        sizes: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        self.with_mixed_list("soac.replicate", inputs, "static_sizes", sizes)
    }

    /// `soac.rotate`: the elements moved towards index 0, by an amount for each
    /// of the outer dimensions given.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn rotate(
        &self,
        inputs: &[Value<'c, 'a>],
        amounts: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        self.with_mixed_list("soac.rotate", inputs, "static_amounts", amounts)
    }

    /// `soac.take`: the first elements along the outer dimensions given.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn take(
        &self,
        inputs: &[Value<'c, 'a>],
        counts: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        self.with_mixed_list("soac.take", inputs, "static_counts", counts)
    }

    /// `soac.drop`: all but the first elements along the outer dimensions
    /// given.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn drop(
        &self,
        inputs: &[Value<'c, 'a>],
        counts: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        self.with_mixed_list("soac.drop", inputs, "static_counts", counts)
    }

    /// `soac.reshape`: the elements, in row-major order, in another shape.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn reshape(
        &self,
        inputs: &[Value<'c, 'a>],
        sizes: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        self.with_mixed_list("soac.reshape", inputs, "static_sizes", sizes)
    }

    /// `soac.reverse`: the order of the elements reversed along dimensions.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn reverse(
        &self,
        inputs: &[Value<'c, 'a>],
        dimensions: &[i64],
    ) -> Result<Values<'c, 'a>, Error> {
        let attributes = [("dims", self.integers(dimensions))];
        self.rearrange("soac.reverse", &[inputs], &attributes)
    }

    /// `soac.transpose`: dimension `k` of the results is dimension
    /// `permutation[k]` of the inputs.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn transpose(
        &self,
        inputs: &[Value<'c, 'a>],
        permutation: &[i64],
    ) -> Result<Values<'c, 'a>, Error> {
        let attributes = [("permutation", self.integers(permutation))];
        self.rearrange("soac.transpose", &[inputs], &attributes)
    }

    /// `soac.concat`: arrays joined along a dimension.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn concat(
        &self,
        inputs: &[Value<'c, 'a>],
        dimension: usize,
    ) -> Result<Values<'c, 'a>, Error> {
        let attributes = [("dim", self.count(dimension))];
        self.rearrange("soac.concat", &[inputs], &attributes)
    }

    /// `soac.slice`: a rectangular part; strides may be negative or zero.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn slice(
        &self,
        inputs: &[Value<'c, 'a>],
        slice: &Slice<'c, 'a>,
        bounds: Bounds,
    ) -> Result<Values<'c, 'a>, Error> {
        let (offsets, offset_values) = mixed_list(&slice.offsets);
        let (sizes, size_values) = mixed_list(&slice.sizes);
        let (strides, stride_values) = mixed_list(&slice.strides);
        self.combinator(
            "soac.slice",
            Parts {
                groups: &[inputs, &offset_values, &size_values, &stride_values],
                attributes: &[
                    ("static_offsets", self.integers(&offsets)),
                    ("static_sizes", self.integers(&sizes)),
                    ("static_strides", self.integers(&strides)),
                ],
                flags: &[("unchecked", bounds == Bounds::Unchecked)],
                regions: vec![],
            },
        )
    }

    /// `soac.update`: the destination with a rectangular part replaced by the
    /// source, element `i…` of which goes to `offsets + i… * strides`.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn update(
        &self,
        source: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offsets: &[Size<'c, 'a>],
        strides: &[Size<'c, 'a>],
        bounds: Bounds,
    ) -> Result<Values<'c, 'a>, Error> {
        let (offsets, offset_values) = mixed_list(offsets);
        let (strides, stride_values) = mixed_list(strides);
        self.combinator(
            "soac.update",
            Parts {
                groups: &[&[source], &[destination], &offset_values, &stride_values],
                attributes: &[
                    ("static_offsets", self.integers(&offsets)),
                    ("static_strides", self.integers(&strides)),
                ],
                flags: &[("unchecked", bounds == Bounds::Unchecked)],
                regions: vec![],
            },
        )
    }

    /// `soac.lmad_slice`: the points of an LMAD over the source in row-major
    /// order, with a size and a stride for each dimension of the result.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn lmad_slice(
        &self,
        source: Value<'c, 'a>,
        offset: Size<'c, 'a>,
        sizes: &[Size<'c, 'a>],
        strides: &[Size<'c, 'a>],
        bounds: Bounds,
    ) -> Result<Values<'c, 'a>, Error> {
        let (offset, offset_values) = mixed_list(&[offset]);
        let (sizes, size_values) = mixed_list(sizes);
        let (strides, stride_values) = mixed_list(strides);
        self.combinator(
            "soac.lmad_slice",
            Parts {
                groups: &[&[source], &offset_values, &size_values, &stride_values],
                attributes: &[
                    ("static_offset", self.integers(&offset)),
                    ("static_sizes", self.integers(&sizes)),
                    ("static_strides", self.integers(&strides)),
                ],
                flags: &[("unchecked", bounds == Bounds::Unchecked)],
                regions: vec![],
            },
        )
    }

    /// `soac.lmad_update`: the destination with the source written to the
    /// points of an LMAD over the destination in row-major order.
    ///
    /// # Errors
    ///
    /// If MLIR rejects the op.
    pub fn lmad_update(
        &self,
        source: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offset: Size<'c, 'a>,
        strides: &[Size<'c, 'a>],
        bounds: Bounds,
    ) -> Result<Values<'c, 'a>, Error> {
        let (offset, offset_values) = mixed_list(&[offset]);
        let (strides, stride_values) = mixed_list(strides);
        self.combinator(
            "soac.lmad_update",
            Parts {
                groups: &[&[source], &[destination], &offset_values, &stride_values],
                attributes: &[
                    ("static_offset", self.integers(&offset)),
                    ("static_strides", self.integers(&strides)),
                ],
                flags: &[("unchecked", bounds == Bounds::Unchecked)],
                regions: vec![],
            },
        )
    }

    /// `soac.backpermute`: arrays of the given sizes, read from the inputs at
    /// the index that the lambda returns for each index.
    ///
    /// # Errors
    ///
    /// Those of the lambda, or if MLIR rejects the op.
    pub fn backpermute(
        &self,
        inputs: &[Value<'c, 'a>],
        sizes: &[Size<'c, 'a>],
        bounds: Bounds,
        lambda: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let (list, values) = mixed_list(sizes);
        let region = self.lambda(&vec![self.index_type(); sizes.len()], lambda)?;
        self.combinator(
            "soac.backpermute",
            Parts {
                groups: &[inputs, &values],
                attributes: &[("static_sizes", self.integers(&list))],
                flags: &[("unchecked", bounds == Bounds::Unchecked)],
                regions: vec![region],
            },
        )
    }

    /// `soac.cluster`: combinators that run as one loop nest; the body is given
    /// the inputs.
    ///
    /// # Errors
    ///
    /// Those of the body, or if MLIR rejects the op.
    pub fn cluster(
        &self,
        inputs: &[Value<'c, 'a>],
        body: lambda!(),
    ) -> Result<Values<'c, 'a>, Error> {
        let arguments: Vec<_> = inputs.iter().map(|input| input.r#type()).collect();
        let region = self.lambda(&arguments, body)?;
        self.combinator(
            "soac.cluster",
            Parts {
                groups: &[inputs],
                attributes: &[],
                flags: &[],
                regions: vec![region],
            },
        )
    }

    fn lambda(&self, arguments: &[Type<'c>], body: lambda!()) -> Result<Region<'c>, Error> {
        self.region(arguments, "soac.yield", body)
    }

    fn count(&self, value: usize) -> Attribute<'c> {
        self.number(value as i64)
    }

    fn rearrange(
        &self,
        name: &str,
        groups: &[&[Value<'c, 'a>]],
        attributes: Attributes<'_, 'c>,
    ) -> Result<Values<'c, 'a>, Error> {
        self.combinator(
            name,
            Parts {
                groups,
                attributes,
                flags: &[],
                regions: vec![],
            },
        )
    }

    fn with_mixed_list(
        &self,
        name: &str,
        inputs: &[Value<'c, 'a>],
        attribute: &str,
        list: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        let (list, values) = mixed_list(list);
        let attributes = [(attribute, self.integers(&list))];
        self.rearrange(name, &[inputs, &values], &attributes)
    }

    /// Builds an op of the dialect whose result types are inferred. Ops with
    /// several groups of operands record the groups' sizes.
    fn combinator(&self, name: &str, parts: Parts<'_, 'c, 'a>) -> Result<Values<'c, 'a>, Error> {
        let context = self.context_with_its_lifetime();
        let mut attributes = parts.attributes.to_vec();
        for &(flag, set) in parts.flags {
            if set {
                attributes.push((flag, self.unit()));
            }
        }
        if parts.groups.len() > 1 {
            let sizes: Vec<_> = parts
                .groups
                .iter()
                .map(|group| group.len() as i32)
                .collect();
            attributes.push(("operandSegmentSizes", self.segments(&sizes)));
        }
        let attributes: Vec<_> = attributes
            .into_iter()
            .map(|(name, attribute)| (Identifier::new(context, name), attribute))
            .collect();
        let op = OperationBuilder::new(name, self.location())
            .add_operands(&parts.groups.concat())
            .add_attributes(&attributes)
            .add_regions_vec(parts.regions)
            .enable_result_type_inference()
            .build()?;
        Ok(results_of(self.insert(op)))
    }
}

fn results_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Values<'c, 'a> {
    use melior::ir::operation::OperationLike;
    op.results().map(Into::into).collect()
}

/// The element types of arrays.
fn elements<'c>(arrays: &[Value<'c, '_>]) -> Result<Vec<Type<'c>>, Error> {
    arrays
        .iter()
        .map(|array| Ok(RankedTensorType::try_from(array.r#type())?.element()))
        .collect()
}

/// The type of the inner arrays of an array, without its `outer` outer
/// dimensions; the element type, if none remains.
fn inner_type(array: Type<'_>, outer: usize) -> Result<Type<'_>, Error> {
    let array = RankedTensorType::try_from(array)?;
    let sizes = (outer..array.rank())
        .map(|axis| {
            Ok(match array.dim_size(axis)? {
                DimSize::Static(size) => Some(size),
                DimSize::Dynamic => None,
            })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(match sizes.is_empty() {
        true => array.element(),
        false => array_type(&sizes, array.element()),
    })
}
