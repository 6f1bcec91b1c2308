//! The op that is being rewritten, and where.

use melior::ir::{
    BlockRef, OperationRef, RegionLike, Type, Value,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Values},
    cast::is_a,
    description::{Description, ResultArray, describe},
    extent::{Extent, Term},
    view::OpView,
};

use crate::pass_error::PassError;

/// An op of the dialect, its parts, and a builder in front of it.
pub struct Target<'c, 'a> {
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// What it takes and gives.
    pub view: OpView<'c, 'a>,
    /// Builds in front of it.
    pub builder: Builder<'c, 'a>,
    /// Its results and requirements.
    pub description: Description<'c>,
    /// Whether the op's indices are taken to be in range.
    pub unchecked: bool,
}

impl<'c, 'a> Target<'c, 'a> {
    /// Nothing if the op has been moved out of the IR.
    pub fn new(
        op: OperationRef<'c, 'a>,
        view: OpView<'c, 'a>,
        unchecked: bool,
    ) -> Result<Option<Self>, PassError<'c>> {
        let Some(builder) = Builder::before(op) else {
            return Ok(None);
        };
        let description = describe(&view).map_err(|violation| PassError::Unsupported {
            location: view.location,
            message: format!("'{}' op {violation}", view.name),
        })?;
        let unchecked = unchecked || view.flag("unchecked");
        Ok(Some(Self {
            op,
            unchecked,
            view,
            builder,
            description,
        }))
    }

    /// An error that names the op.
    pub fn unsupported(&self, message: &str) -> PassError<'c> {
        PassError::Unsupported {
            location: self.view.location,
            message: format!("'{}' op {message}", self.view.name),
        }
    }

    /// The block of the op's lambda.
    pub fn lambda(&self) -> Result<BlockRef<'c, 'a>, PassError<'c>> {
        self.optional_lambda()
            .ok_or_else(|| self.unsupported("has no lambda"))
    }

    /// The block of the op's lambda, if it has one.
    pub fn optional_lambda(&self) -> Option<BlockRef<'c, 'a>> {
        let block = self.view.regions.first()?.first_block()?;
        // SAFETY: the block belongs to the op, which lives for 'a.
        Some(unsafe { BlockRef::from_raw(melior::ir::BlockLike::to_raw(&block)) })
    }

    /// The operands of a group.
    pub fn group(&self, index: usize) -> Values<'c, 'a> {
        self.view.operands[self.view.group(index)].to_vec()
    }

    /// A mixed list.
    pub fn mixed(&self, attribute: &str, group: usize) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
        self.view
            .mixed(attribute, group)
            .iter()
            .map(|extent| self.size(extent))
            .collect()
    }

    /// An extent, computed in front of the op.
    pub fn size(&self, extent: &Extent) -> Result<Size<'c, 'a>, PassError<'c>> {
        if let Some(constant) = extent.as_constant() {
            return Ok(Size::Static(constant));
        }
        let mut sum: Option<Value> = None;
        for &(coefficient, term) in &extent.terms {
            let mut value = match term {
                Term::Value { operand } => self.view.operands[operand],
                Term::Size { operand, axis } => {
                    let size = self.builder.size(self.view.operands[operand], axis)?;
                    self.builder.size_value(size)?
                }
            };
            if coefficient != 1 {
                let factor = self.builder.index(coefficient)?;
                value = self.builder.arithmetic("arith.muli", &[value, factor])?;
            }
            sum = Some(match sum {
                Some(sum) => self.builder.arithmetic("arith.addi", &[sum, value])?,
                None => value,
            });
        }
        let mut sum = sum.expect("an extent that is not constant has terms");
        if extent.constant != 0 {
            let constant = self.builder.index(extent.constant)?;
            sum = self.builder.arithmetic("arith.addi", &[sum, constant])?;
        }
        Ok(Size::Dynamic(sum))
    }

    /// The sizes of a result.
    pub fn result_sizes(
        &self,
        result: &ResultArray<'c>,
    ) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
        result
            .sizes
            .iter()
            .map(|size| match size {
                Some(extent) => self.size(extent),
                None => Err(self.unsupported("has a result whose size is not known")),
            })
            .collect()
    }

    /// An array of undefined elements for each result.
    pub fn empty_results(&self) -> Result<Values<'c, 'a>, PassError<'c>> {
        self.description
            .results
            .iter()
            .map(|result| {
                let sizes = self.result_sizes(result)?;
                Ok(self.builder.empty(&sizes, result.element)?)
            })
            .collect()
    }

    /// The sizes of the first result, as values.
    pub fn first_result_sizes(&self) -> Result<Values<'c, 'a>, PassError<'c>> {
        self.values(&self.result_sizes(&self.description.results[0])?)
    }

    /// Sizes as values.
    pub fn values(&self, sizes: &[Size<'c, 'a>]) -> Result<Values<'c, 'a>, PassError<'c>> {
        sizes
            .iter()
            .map(|&size| Ok(self.builder.size_value(size)?))
            .collect()
    }

    /// The element type of an array.
    pub fn element(&self, array: Value<'c, 'a>) -> Result<Type<'c>, PassError<'c>> {
        Ok(array_type_of(array)?.element())
    }

    /// Replaces the op; what is known of the result types is kept.
    pub fn replace(&self, results: &[Value<'c, 'a>]) -> Result<(), PassError<'c>> {
        let results = results
            .iter()
            .zip(&self.view.result_types)
            .map(|(&result, &r#type)| {
                if is_a::<RankedTensorType>(r#type) {
                    Ok(self.builder.cast(result, r#type)?)
                } else {
                    Ok(result)
                }
            })
            .collect::<Result<Values, PassError>>()?;
        self.builder.replace(self.op, &results);
        Ok(())
    }
}

/// The type of an array.
pub fn array_type_of<'c>(array: Value<'c, '_>) -> Result<RankedTensorType<'c>, melior::Error> {
    RankedTensorType::try_from(melior::ir::ValueLike::r#type(&array))
}

/// The number of dimensions of an array.
pub fn rank_of(array: Value) -> Result<usize, melior::Error> {
    Ok(array_type_of(array)?.rank())
}
