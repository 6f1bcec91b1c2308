//! Statements of structured combinators.

use comb_runtime::ElementType;
use rand::{Rng, seq::SliceRandom};

use super::{
    ArrayVar, Code, Dim, Generator, MOST_ELEMENTS, Size,
    combinators::{element_count, names},
    types_of,
};

impl Generator {
    /// `%r… = soac.OP %x… REST : (types) -> (types)` for arrays of one shape.
    pub fn rearrange(
        &mut self,
        kind: &'static str,
        mut code: Code,
        inputs: &[ArrayVar],
        rest: &str,
        dims: Vec<Dim>,
    ) -> Vec<ArrayVar> {
        let operands = code.use_arrays(inputs);
        let results: Vec<ArrayVar> = inputs
            .iter()
            .map(|input| self.fresh(input.element, dims.clone()))
            .collect();
        code.line(format!(
            "{} = {kind} {operands} {rest} : ({}) -> ({})",
            names(&results),
            types_of(inputs),
            types_of(&results)
        ));
        self.define(kind, code, &results);
        results
    }

    pub fn make_iota_or_fill(&mut self) -> Option<()> {
        let sizes = self.sizes(0..=3);
        let mut code = Code::default();
        let element = self.element();
        if self.rng.random_bool(0.5) && !sizes.is_empty() && !element.is_float() {
            let dim = self.rng.random_range(0..sizes.len());
            let (list, dims) = self.size_list(&mut code, &sizes);
            let result = self.fresh(element, dims);
            code.line(format!(
                "%{} = soac.iota {list} dim {dim} : {}",
                result.name,
                result.ty()
            ));
            self.define("soac.iota", code, &[result]);
            return Some(());
        }
        let scalar = self.scalar(element);
        let value = self.constant(&mut code, element, scalar);
        let (list, dims) = self.size_list(&mut code, &sizes);
        let result = self.fresh(element, dims);
        code.line(format!(
            "%{} = soac.fill {value} {list} : ({element}) -> {}",
            result.name,
            result.ty()
        ));
        self.define("soac.fill", code, &[result]);
        Some(())
    }

    pub fn make_replicate(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(2, |array| array.rank() <= 3)?;
        let outer = self.sizes(0..=1);
        let mut code = Code::default();
        let (list, mut dims) = self.size_list(&mut code, &outer);
        dims.extend_from_slice(&inputs[0].dims);
        if element_count(&dims) > MOST_ELEMENTS {
            return None;
        }
        self.rearrange("soac.replicate", code, &inputs, &list, dims);
        Some(())
    }

    pub fn make_reverse_or_rotate(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(2, |array| array.rank() >= 1)?;
        let rank = inputs[0].rank();
        let dims = inputs[0].dims.clone();
        if self.rng.random_bool(0.5) {
            let mut axes: Vec<usize> = (0..rank).collect();
            axes.shuffle(&mut self.rng);
            axes.truncate(self.rng.random_range(0..=rank));
            self.reverse_of(&inputs, &axes);
        } else {
            let mut code = Code::default();
            let amounts: Vec<i64> = (0..self.rng.random_range(0..=rank))
                .map(|_| self.rng.random_range(-9..10))
                .collect();
            let list = self.value_list(&mut code, &amounts);
            self.rearrange("soac.rotate", code, &inputs, &format!("by {list}"), dims);
        }
        Some(())
    }

    /// Arrays of one shape, backwards along some dimensions.
    pub fn reverse_of(&mut self, inputs: &[ArrayVar], axes: &[usize]) -> Vec<ArrayVar> {
        let rest = format!("dims {axes:?}");
        let dims = inputs[0].dims.clone();
        self.rearrange("soac.reverse", Code::default(), inputs, &rest, dims)
    }

    pub fn make_slice(&mut self) -> Option<()> {
        let known = |array: &ArrayVar| array.rank() >= 1 && array.sizes().is_some();
        let inputs = self.arrays_of_one_shape(2, known)?;
        let (mut offsets, mut counts, mut strides) = (vec![], vec![], vec![]);
        for size in inputs[0].sizes()? {
            let most = if size == 0 { 0 } else { size + 2 };
            let count = self.rng.random_range(0..=most);
            let (offset, stride) = self.points(count, size, true);
            offsets.push(offset);
            counts.push(count);
            strides.push(stride);
        }
        let mut code = Code::default();
        let offsets = self.value_list(&mut code, &offsets);
        let (sizes, dims) = self.size_list(&mut code, &counts);
        let strides = self.value_list(&mut code, &strides);
        let rest = format!("{offsets} {sizes} {strides}");
        self.rearrange("soac.slice", code, &inputs, &rest, dims);
        Some(())
    }

    /// A `tensor.extract_slice`, which may leave out dimensions of size 1. MLIR takes none of
    /// arrays that are known to be empty.
    pub fn make_part(&mut self) -> Option<()> {
        let has_elements = |sizes: Vec<usize>| sizes.iter().all(|&size| size > 0);
        let array = self.array(|array| array.sizes().is_some_and(has_elements))?;
        let (mut offsets, mut counts, mut strides) = (vec![], vec![], vec![]);
        for size in array.sizes()? {
            let count = match self.one_in(3) {
                true => size.min(1),
                false => self.rng.random_range(0..=size),
            };
            let (offset, stride) = self.points(count, size, false);
            let back = count.saturating_sub(1) as i64 * stride.min(0);
            offsets.push(offset + back);
            counts.push(count);
            strides.push(stride.abs().max(1));
        }
        let mut code = Code::default();
        let operand = code.use_arrays(std::slice::from_ref(&array));
        let offsets = self.value_list(&mut code, &offsets);
        let (sizes, mut dims) = self.size_list(&mut code, &counts);
        let strides = self.value_list(&mut code, &strides);
        dims.retain(|dim| {
            let may_go = dim.is_static && matches!(dim.size, Size::Known(1));
            !may_go || self.rng.random_bool(0.5)
        });
        let result = self.fresh(array.element, dims);
        code.line(format!(
            "%{} = tensor.extract_slice {operand}{offsets} {sizes} {strides} : {} to {}",
            result.name,
            array.ty(),
            result.ty()
        ));
        self.define("tensor.extract_slice", code, &[result]);
        Some(())
    }

    pub fn make_take_or_drop(&mut self) -> Option<()> {
        let known = |array: &ArrayVar| array.rank() >= 1 && array.sizes().is_some();
        let inputs = self.arrays_of_one_shape(2, known)?;
        let sizes = inputs[0].sizes()?;
        let given = self.rng.random_range(0..=sizes.len());
        let take = self.rng.random_bool(0.5);
        let mut code = Code::default();
        let mut dims = inputs[0].dims.clone();
        let mut entries = vec![];
        for axis in 0..given {
            let fault = usize::from(self.fault(6));
            let count = self.rng.random_range(0..=sizes[axis]) + fault;
            if fault == 1 && dims[axis].is_static {
                return None;
            }
            let (entry, is_static) = self.size_entry(&mut code, count as i64);
            entries.push(entry);
            dims[axis] = if take {
                Dim {
                    size: Size::Known(count),
                    is_static,
                }
            } else {
                Dim {
                    size: Size::Known(sizes[axis].saturating_sub(count)),
                    is_static: is_static && dims[axis].is_static,
                }
            };
        }
        let list = format!("[{}]", entries.join(", "));
        let kind = if take { "soac.take" } else { "soac.drop" };
        self.rearrange(kind, code, &inputs, &list, dims);
        Some(())
    }

    pub fn make_transpose_or_reshape(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(2, |array| array.sizes().is_some())?;
        if self.rng.random_bool(0.5) {
            let mut permutation: Vec<usize> = (0..inputs[0].rank()).collect();
            permutation.shuffle(&mut self.rng);
            let dims = permutation
                .iter()
                .map(|&axis| inputs[0].dims[axis])
                .collect();
            let rest = format!("{permutation:?}");
            self.rearrange("soac.transpose", Code::default(), &inputs, &rest, dims);
            return Some(());
        }
        let count: usize = inputs[0].sizes()?.iter().product();
        let sizes = self.factors(count);
        let mut code = Code::default();
        let (list, dims) = self.size_list(&mut code, &sizes);
        self.rearrange("soac.reshape", code, &inputs, &format!("to {list}"), dims);
        Some(())
    }

    /// Sizes with a given product.
    fn factors(&mut self, count: usize) -> Vec<usize> {
        if count == 0 {
            let mut sizes = self.sizes(1..=3);
            sizes.push(0);
            sizes.shuffle(&mut self.rng);
            return sizes;
        }
        let mut rest = count;
        let mut sizes = vec![];
        for factor in [2, 3, 5, 7] {
            if rest.is_multiple_of(factor) && self.rng.random_bool(0.5) && sizes.len() < 2 {
                sizes.push(factor);
                rest /= factor;
            }
        }
        if rest > 1 || self.rng.random_bool(0.3) {
            sizes.push(rest);
        }
        sizes.shuffle(&mut self.rng);
        sizes
    }

    pub fn make_backpermute(&mut self) -> Option<()> {
        let usable = |array: &ArrayVar| {
            array
                .sizes()
                .is_some_and(|sizes| sizes.iter().all(|&size| size > 0))
        };
        let inputs = self.arrays_of_one_shape(2, usable)?;
        let sizes = self.sizes(0..=3);
        let mut head = Code::default();
        let operands = head.use_arrays(&inputs);
        let (list, dims) = self.size_list(&mut head, &sizes);
        let (arguments, variables) = self.lambda_arguments(&vec![ElementType::Index; sizes.len()]);
        let mut body = Code::default();
        body.lines += &format!(" {arguments} {{\n");
        let mut values = vec![];
        for dim in inputs[0].dims.clone() {
            let index = self.expression(&mut body, &variables, ElementType::Index, 2);
            values.push(self.inside(&mut body, index, dim.size));
        }
        if values.is_empty() {
            body.line("  soac.yield");
            body.line("}");
        } else {
            let types = vec![ElementType::Index; values.len()];
            self.yield_values(&mut body, &values, &types);
        }
        let results: Vec<ArrayVar> = inputs
            .iter()
            .map(|input| self.fresh(input.element, dims.clone()))
            .collect();
        let line = format!(
            "{} = soac.backpermute {operands} {list} : ({}) -> ({})",
            names(&results),
            types_of(&inputs),
            types_of(&results)
        );
        self.define_with_lambda("soac.backpermute", head, &line, body, &results);
        Some(())
    }
}
