//! The same elements in another shape, or with others around them.

use comb_runtime::ElementType;
use rand::Rng;

use super::super::{ArrayVar, Code, Dim, Generator, MOST_ELEMENTS, Size};

impl Generator {
    pub fn make_collapse_or_expand(&mut self) -> Option<()> {
        match self.one_in(2) {
            true => self.collapse(),
            false => self.expand(),
        }
    }

    fn collapse(&mut self) -> Option<()> {
        let source = self.array(|array| array.rank() > 0 && array.sizes().is_some())?;
        let mut groups: Vec<Vec<usize>> = vec![];
        for axis in 0..source.rank() {
            match groups.last_mut() {
                Some(group) if self.rng.random_bool(0.6) => group.push(axis),
                _ => groups.push(vec![axis]),
            }
        }
        let sizes = source.sizes()?;
        let dim = |group: &Vec<usize>| Dim {
            size: Size::Known(group.iter().map(|&axis| sizes[axis]).product()),
            is_static: group.iter().all(|&axis| source.dims[axis].is_static),
        };
        let result = self.fresh(source.element, groups.iter().map(dim).collect());
        let mut code = Code::default();
        code.line(format!(
            "%{} = tensor.collapse_shape %{} {groups:?} : {} into {}",
            result.name,
            source.name,
            source.ty(),
            result.ty()
        ));
        self.emit("tensor.collapse_shape", code, &[result], &[])
    }

    fn expand(&mut self) -> Option<()> {
        let source =
            self.array(|array| (1..=2).contains(&array.rank()) && array.sizes().is_some())?;
        let mut code = Code::default();
        let (mut groups, mut dims, mut shape) = (vec![], vec![], vec![]);
        for (dim, size) in source.dims.iter().zip(source.sizes()?) {
            let factors = self.two_factors(size);
            let open = self.rng.random_range(0..factors.len());
            let first = dims.len();
            for (position, factor) in factors.iter().copied().enumerate() {
                // What is open in the source is so in one of the factors at least.
                let is_static = dim.is_static || (position != open && self.one_in(2));
                let claimed = match self.fault(5) {
                    true => factor + 1,
                    false => factor,
                };
                shape.push(match is_static {
                    true => factor.to_string(),
                    false => self.given_index(&mut code, claimed as i64),
                });
                dims.push(Dim {
                    size: Size::Known(factor),
                    is_static,
                });
            }
            groups.push((first..dims.len()).collect::<Vec<_>>());
        }
        let result = self.fresh(source.element, dims);
        code.line(format!(
            "%{} = tensor.expand_shape %{} {groups:?} output_shape [{}] : {} into {}",
            result.name,
            source.name,
            shape.join(", "),
            source.ty(),
            result.ty()
        ));
        self.emit("tensor.expand_shape", code, &[result], &[])
    }

    /// One to three numbers whose product this is.
    fn two_factors(&mut self, size: usize) -> Vec<usize> {
        let divisors: Vec<usize> = (1..=size)
            .filter(|divisor| size.is_multiple_of(*divisor))
            .collect();
        let mut factors = match divisors.is_empty() {
            true => vec![0, 2],
            false => {
                let divisor = divisors[self.rng.random_range(0..divisors.len())];
                vec![divisor, size / divisor]
            }
        };
        if self.one_in(3) {
            let place = self.rng.random_range(0..=factors.len());
            factors.insert(place, 1);
        }
        factors
    }

    /// `tensor.reshape`, by a list of sizes.
    pub fn make_tensor_reshape(&mut self) -> Option<()> {
        let source = self.array(|array| array.sizes().is_some())?;
        let sizes = source.sizes()?;
        let count: usize = sizes.iter().product();
        let factors = self.two_factors(count);
        let element = match self.one_in(3) {
            true => ElementType::I32,
            false => ElementType::Index,
        };
        let mut code = Code::default();
        let mut entries = vec![];
        for &factor in &factors {
            let claimed = if self.fault(5) { factor + 1 } else { factor };
            let value = comb_runtime::Scalar::Int(claimed as i64);
            entries.push(self.given(&mut code, element, value));
        }
        let list = self.name("l");
        let list_ty = format!("tensor<{}x{element}>", factors.len());
        code.line(format!(
            "%{list} = tensor.from_elements {} : {list_ty}",
            entries.join(", ")
        ));
        let is_static = source.dims.iter().all(|dim| dim.is_static) && self.one_in(3);
        let dim = |&factor: &usize| Dim {
            size: Size::Known(factor),
            is_static,
        };
        let result = self.fresh(source.element, factors.iter().map(dim).collect());
        code.line(format!(
            "%{} = tensor.reshape %{}(%{list}) : ({}, {list_ty}) -> {}",
            result.name,
            source.name,
            source.ty(),
            result.ty()
        ));
        self.emit("tensor.reshape", code, &[result], &[])
    }

    /// Elements around an array, or fewer of it.
    pub fn make_pad(&mut self) -> Option<()> {
        let source = self.array(|array| array.rank() > 0 && array.sizes().is_some())?;
        let mut code = Code::default();
        let (mut low, mut high, mut dims) = (vec![], vec![], vec![]);
        for (dim, size) in source.dims.iter().zip(source.sizes()?) {
            let least = if self.fault(6) {
                -(size as i64) - 1
            } else {
                -(size as i64)
            };
            let below = self.rng.random_range(least.max(-2)..=2);
            let rest = (size as i64 + below).max(0);
            let above = self.rng.random_range((-rest).max(-2)..=2);
            let [(below, is_low), (above, is_high)] =
                [below, above].map(|amount| (amount, self.padding(&mut code, amount)));
            low.push(is_low.0);
            high.push(is_high.0);
            dims.push(Dim {
                size: Size::Known((size as i64 + below + above).max(0) as usize),
                is_static: dim.is_static && is_low.1 && is_high.1,
            });
        }
        let result = self.fresh(source.element, dims);
        if result.sizes()?.iter().product::<usize>() > MOST_ELEMENTS {
            return None;
        }
        let indices: Vec<_> = source
            .dims
            .iter()
            .map(|_| self.fresh_scalar(ElementType::Index))
            .collect();
        let list: Vec<String> = indices
            .iter()
            .map(|index| format!("%{}: index", index.name))
            .collect();
        let outside = match self.one_in(2) {
            true => Some(self.number(&mut code, source.element)),
            false => None,
        };
        code.line(format!(
            "%{} = tensor.pad %{} low[{}] high[{}] {{",
            result.name,
            source.name,
            low.join(", "),
            high.join(", ")
        ));
        code.line(format!("^bb0({}):", list.join(", ")));
        let value = match outside {
            Some(value) => value,
            None => self.computed_as(&mut code, indices, source.element),
        };
        code.line(format!("  tensor.yield {value} : {}", source.element));
        code.line(format!("}} : {} to {}", source.ty(), result.ty()));
        self.emit("tensor.pad", code, &[result], &[])
    }

    /// An amount to pad by; one that is negative is a value.
    fn padding(&mut self, code: &mut Code, amount: i64) -> (String, bool) {
        match amount < 0 {
            true => (self.given_index(code, amount), false),
            false => self.entry(code, amount),
        }
    }

    pub fn make_tensor_concat(&mut self) -> Option<()> {
        let first = self.array(|array| array.rank() > 0 && array.sizes().is_some())?;
        let axis = self.rng.random_range(0..first.rank());
        let fits = |array: &ArrayVar| {
            let dims = array.dims.iter().zip(&first.dims).enumerate();
            array.element == first.element
                && array.rank() == first.rank()
                && array.sizes().is_some()
                && dims.into_iter().all(|(position, (dim, other))| {
                    position == axis || (dim.size == other.size && dim.is_static == other.is_static)
                })
        };
        let second = self.array(fits)?;
        let sizes = [first.sizes()?[axis], second.sizes()?[axis]];
        let mut dims = first.dims.clone();
        dims[axis] = Dim {
            size: Size::Known(sizes[0] + sizes[1]),
            is_static: first.dims[axis].is_static && second.dims[axis].is_static,
        };
        let result = self.fresh(first.element, dims);
        if result.sizes()?.iter().product::<usize>() > MOST_ELEMENTS {
            return None;
        }
        let mut code = Code::default();
        code.line(format!(
            "%{} = tensor.concat dim({axis}) %{}, %{} : ({}, {}) -> {}",
            result.name,
            first.name,
            second.name,
            first.ty(),
            second.ty(),
            result.ty()
        ));
        self.emit("tensor.concat", code, &[result], &[])
    }

    /// The same array with other sizes in its type, or other elements of the same bits.
    pub fn make_cast(&mut self) -> Option<()> {
        let source = self.array(|array| array.rank() > 0 && array.sizes().is_some())?;
        let mut code = Code::default();
        let mut result = self.fresh(source.element, source.dims.clone());
        let name = match (source.element, self.one_in(4)) {
            (ElementType::I32, true) => {
                result.element = ElementType::F32;
                "tensor.bitcast"
            }
            (ElementType::I64, true) => {
                result.element = ElementType::F64;
                "tensor.bitcast"
            }
            _ => {
                for dim in &mut result.dims {
                    dim.is_static = self.one_in(2);
                }
                "tensor.cast"
            }
        };
        let (from, to) = (source.ty(), result.ty());
        code.line(format!(
            "%{} = {name} %{} : {from} to {to}",
            result.name, source.name
        ));
        self.emit(name, code, &[result], &[])
    }
}
