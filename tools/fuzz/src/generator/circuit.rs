//! Statements of circuit points and generalised slices.

use rand::Rng;

use super::{ArrayVar, Code, Dim, Generator, MOST_ELEMENTS, Size, combinators::element_count};

impl Generator {
    pub fn make_concat(&mut self) -> Option<()> {
        let first = self.array(|array| array.rank() >= 1)?;
        let dim = self.rng.random_range(0..first.rank());
        let mut inputs = vec![first.clone()];
        for _ in 0..self.rng.random_range(0..=2) {
            let fits = |array: &ArrayVar| {
                array.element == first.element
                    && array.rank() == first.rank()
                    && (0..array.rank())
                        .all(|axis| axis == dim || array.dims[axis].size == first.dims[axis].size)
            };
            inputs.extend(self.array(fits));
        }
        self.concat_of(&inputs, dim)
    }

    /// Arrays of one shape as columns, and perhaps wider rows beside them.
    pub fn make_columns(&mut self) -> Option<()> {
        let model = self.array(|array| (1..=2).contains(&array.rank()))?;
        let sizes = |array: &ArrayVar| array.dims.iter().map(|dim| dim.size).collect::<Vec<_>>();
        let mut parts = vec![];
        for _ in 0..self.rng.random_range(2..=4) {
            let is_alike =
                |array: &ArrayVar| array.element == model.element && sizes(array) == sizes(&model);
            let array = self.array(is_alike)?;
            parts.push(self.column_of(&array));
        }
        if model.sizes().is_some() && self.one_in(2) {
            let width = Dim {
                size: Size::Known(self.rng.random_range(0..=5)),
                is_static: true,
            };
            let rows = self.input_array_of(model.element, [&model.dims[..], &[width]].concat());
            let place = self.rng.random_range(0..=parts.len());
            parts.insert(place, rows);
        }
        self.concat_of(&parts, model.rank())
    }

    /// An array with another dimension, of size 1.
    fn column_of(&mut self, array: &ArrayVar) -> ArrayVar {
        let mut code = Code::default();
        let operand = code.use_name(&array.name);
        let (list, mut dims) = self.sizes_like(&mut code, array);
        dims.push(Dim {
            size: Size::Known(1),
            is_static: true,
        });
        let result = self.fresh(array.element, dims);
        code.line(format!(
            "%{} = soac.reshape {operand} to {}, 1] : ({}) -> ({})",
            result.name,
            list.trim_end_matches(']'),
            array.ty(),
            result.ty()
        ));
        self.define("soac.reshape", code, std::slice::from_ref(&result));
        result
    }

    /// The concatenation of some arrays, unless it is too large.
    fn concat_of(&mut self, inputs: &[ArrayVar], dim: usize) -> Option<()> {
        let mut dims = inputs[0].dims.clone();
        dims[dim] = self.concatenated(inputs, dim);
        if element_count(&dims) > MOST_ELEMENTS {
            return None;
        }
        let mut code = Code::default();
        let operands = code.use_arrays(inputs);
        let result = self.fresh(inputs[0].element, dims);
        code.line(format!(
            "%{} = soac.concat {operands} dim {dim} : ({}) -> {}",
            result.name,
            super::types_of(inputs),
            result.ty()
        ));
        self.define("soac.concat", code, &[result]);
        Some(())
    }

    fn concatenated(&mut self, inputs: &[ArrayVar], dim: usize) -> Dim {
        let is_static = inputs.iter().all(|input| input.dims[dim].is_static);
        let sum: Option<usize> = inputs
            .iter()
            .map(|input| match input.dims[dim].size {
                Size::Known(size) => Some(size),
                Size::Symbol(_) => None,
            })
            .sum();
        match sum {
            Some(size) => Dim {
                size: Size::Known(size),
                is_static,
            },
            None if inputs.len() == 1 => inputs[0].dims[dim],
            None => Dim {
                size: self.symbol(),
                is_static: false,
            },
        }
    }

    /// An offset and a stride so that `count` points lie in `0..size`; in
    /// programs that may fail, perhaps not.
    pub fn points(&mut self, count: usize, size: usize, zero: bool) -> (i64, i64) {
        let fault = i64::from(self.fault(6));
        let (count, size) = (count as i64, size as i64);
        if count <= 1 {
            let offset = self.rng.random_range(0..size.max(1)) + fault;
            return (offset, if self.rng.random_bool(0.5) { 1 } else { -1 });
        }
        let most = (size - 1) / (count - 1);
        let step = self
            .rng
            .random_range(i64::from(!zero).min(most)..=most.max(0));
        let slack = size - 1 - step * (count - 1);
        let offset = self.rng.random_range(0..=slack.max(0)) + fault;
        if self.rng.random_bool(0.5) {
            (offset, step)
        } else {
            (offset + step * (count - 1), -step)
        }
    }

    pub fn make_update(&mut self) -> Option<()> {
        let dest = self.array(|array| array.rank() >= 1 && array.sizes().is_some())?;
        let sizes = dest.sizes()?;
        let mut source_sizes = vec![];
        let (mut offsets, mut strides) = (vec![], vec![]);
        for &size in &sizes {
            let count = self.rng.random_range(0..=size);
            let (offset, stride) = self.points(count, size, false);
            source_sizes.push(count);
            offsets.push(offset);
            strides.push(if stride == 0 { 1 } else { stride });
        }
        let source = self.input_array(dest.element, &source_sizes);
        self.update_of(&source, &dest, &offsets, &strides);
        Some(())
    }

    /// An array with a part replaced.
    pub fn update_of(
        &mut self,
        source: &ArrayVar,
        dest: &ArrayVar,
        offsets: &[i64],
        strides: &[i64],
    ) -> ArrayVar {
        let mut code = Code::default();
        let offsets = self.value_list(&mut code, offsets);
        let strides = self.value_list(&mut code, strides);
        self.update(code, source, dest, &format!("{offsets} strides {strides}"))
    }

    /// An array with a part replaced that begins at a constant place, and has no gaps.
    pub fn update_at(&mut self, source: &ArrayVar, dest: &ArrayVar, place: &[usize]) -> ArrayVar {
        let place = format!("{place:?} strides {:?}", vec![1; place.len()]);
        self.update(Code::default(), source, dest, &place)
    }

    /// The same, where and how the lists of an update say.
    fn update(
        &mut self,
        mut code: Code,
        source: &ArrayVar,
        dest: &ArrayVar,
        place: &str,
    ) -> ArrayVar {
        let (left, right) = (code.use_name(&source.name), code.use_name(&dest.name));
        let result = self.fresh(dest.element, dest.dims.clone());
        code.line(format!(
            "%{} = soac.update {left} into {right} at {place} : {} into {} -> {}",
            result.name,
            source.ty(),
            dest.ty(),
            result.ty()
        ));
        self.define("soac.update", code, std::slice::from_ref(&result));
        result
    }

    /// Sizes and strides of an LMAD with an offset, inside `size` elements.
    fn lmad(&mut self, size: usize) -> (i64, Vec<usize>, Vec<i64>) {
        let rank = self.rng.random_range(0..=3);
        let mut room = size.saturating_sub(1) as i64;
        let mut offset = 0;
        let (mut sizes, mut strides) = (vec![], vec![]);
        for _ in 0..rank {
            let count = if size == 0 {
                0
            } else {
                self.rng.random_range(0..=4i64)
            };
            let most = if count > 1 { room / (count - 1) } else { 3 };
            let step = self.rng.random_range(0..=most.min(5));
            let reach = step * (count - 1).max(0);
            room -= reach;
            let backwards = self.rng.random_bool(0.5);
            if backwards {
                offset += reach;
            }
            sizes.push(count as usize);
            strides.push(if backwards { -step } else { step });
        }
        offset += self.rng.random_range(0..=room.max(0));
        if self.fault(4) {
            offset += 1 + size as i64;
        }
        (offset, sizes, strides)
    }

    pub fn make_lmad_slice(&mut self) -> Option<()> {
        let source = self.array(|array| array.sizes().is_some())?;
        let count = source.sizes()?.iter().product();
        let (offset, sizes, strides) = self.lmad(count);
        if count == 0 && !sizes.contains(&0) {
            return None;
        }
        let mut code = Code::default();
        let operand = code.use_name(&source.name);
        let offset = self.value_list(&mut code, &[offset]);
        let (sizes, dims) = self.size_list(&mut code, &sizes);
        let strides = self.value_list(&mut code, &strides);
        let result = self.fresh(source.element, dims);
        code.line(format!(
            "%{} = soac.lmad_slice {operand} offset {offset} sizes {sizes} strides {strides} : \
             {} -> {}",
            result.name,
            source.ty(),
            result.ty()
        ));
        self.define("soac.lmad_slice", code, &[result]);
        Some(())
    }

    pub fn make_lmad_update(&mut self) -> Option<()> {
        let dest = self.array(|array| array.sizes().is_some())?;
        let count = dest.sizes()?.iter().product();
        let (offset, sizes, strides) = self.lmad(count);
        if count == 0 && !sizes.contains(&0) {
            return None;
        }
        let source = self.input_array(dest.element, &sizes);
        let mut code = Code::default();
        let (left, right) = (code.use_name(&source.name), code.use_name(&dest.name));
        let offset = self.value_list(&mut code, &[offset]);
        let strides = self.value_list(&mut code, &strides);
        let result = self.fresh(dest.element, dest.dims.clone());
        code.line(format!(
            "%{} = soac.lmad_update {left} into {right} offset {offset} strides {strides} : {} \
             into {} -> {}",
            result.name,
            source.ty(),
            dest.ty(),
            result.ty()
        ));
        self.define("soac.lmad_update", code, &[result]);
        Some(())
    }
}
