//! Parts of arrays: elements, and slices, which may lose dimensions of size one.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::super::{ArrayVar, Code, Dim, Generator, Size};

/// A slice of an array.
struct Slice {
    /// Offsets, sizes and strides, as MLIR writes them.
    text: String,
    /// The slice's dimensions, without those that are lost.
    dims: Vec<Dim>,
}

impl Generator {
    /// A slice of an array of known sizes, with entries of all kinds.
    fn slice(&mut self, code: &mut Code, array: &ArrayVar) -> Option<Slice> {
        let sizes = array.sizes()?;
        let [mut offsets, mut lengths, mut strides] = [vec![], vec![], vec![]];
        let mut dims = vec![];
        for size in sizes {
            let (first, length, stride) = self.range_in(size);
            // MLIR takes no literal that is outside, nor any where there is nothing.
            let is_inside = (first as usize) < size && length + first <= size as i64;
            offsets.push(match is_inside {
                true => self.entry(code, first).0,
                false => self.given_index(code, first),
            });
            let (entry, is_static) = match is_inside {
                true => self.entry(code, length),
                false => (self.given_index(code, length), false),
            };
            lengths.push(entry);
            strides.push(self.entry(code, stride).0);
            let is_lost = is_static && length == 1 && self.one_in(2);
            if !is_lost {
                dims.push(Dim {
                    size: Size::Known(length as usize),
                    is_static,
                });
            }
        }
        let list = |entries: &[String]| format!("[{}]", entries.join(", "));
        let text = [list(&offsets), list(&lengths), list(&strides)].join(" ");
        Some(Slice { text, dims })
    }

    /// First, length and stride of a range in a dimension; perhaps not, in programs that may fail.
    fn range_in(&mut self, size: usize) -> (i64, i64, i64) {
        if self.fault(8) {
            return (1, size as i64, 1);
        }
        if size == 0 {
            return (0, 0, 1);
        }
        let first = self.rng.random_range(0..size);
        let stride = if self.one_in(3) { 2 } else { 1 };
        let most = (size - first).div_ceil(stride);
        let length = match self.rng.random_range(0..3) {
            0 => 1,
            1 => most,
            _ => self.rng.random_range(0..=most),
        };
        (first as i64, length as i64, stride as i64)
    }

    pub fn make_extract_slice(&mut self) -> Option<()> {
        let source = self.array(|array| array.rank() > 0 && array.sizes().is_some())?;
        let mut code = Code::default();
        let slice = self.slice(&mut code, &source)?;
        let result = self.fresh(source.element, slice.dims);
        code.line(format!(
            "%{} = tensor.extract_slice %{}{} : {} to {}",
            result.name,
            source.name,
            slice.text,
            source.ty(),
            result.ty()
        ));
        self.emit("tensor.extract_slice", code, &[result], &[])
    }

    pub fn make_insert_slice(&mut self) -> Option<()> {
        let dest = self.array(|array| array.rank() > 0 && array.sizes().is_some())?;
        let mut code = Code::default();
        let slice = self.slice(&mut code, &dest)?;
        let model = self.fresh(dest.element, slice.dims);
        let found = self.array(|array| array.ty() == model.ty() && array.has_shape_of(&model));
        let source = match found {
            Some(source) => source,
            None if self.in_function || self.one_in(2) => {
                let sizes = self.given_sizes(&mut code, &model);
                let sizes = if sizes.is_empty() {
                    sizes
                } else {
                    format!("[{sizes}]")
                };
                let value = self.number(&mut code, model.element);
                let ty = model.ty();
                code.line(format!(
                    "%{} = tensor.splat {value}{sizes} : {ty}",
                    model.name
                ));
                model
            }
            None => {
                let source = self.extreme_array(model.element, model.dims);
                if self.depth == 0 {
                    self.arrays.push(source.clone());
                }
                source
            }
        };
        let result = self.fresh(dest.element, dest.dims.clone());
        code.line(format!(
            "%{} = tensor.insert_slice %{} into %{}{} : {} into {}",
            result.name,
            source.name,
            dest.name,
            slice.text,
            source.ty(),
            dest.ty()
        ));
        self.emit("tensor.insert_slice", code, &[result], &[])
    }

    pub fn make_insert(&mut self) -> Option<()> {
        let dest = self.array(|_| true)?;
        let mut code = Code::default();
        let value = self.number(&mut code, dest.element);
        let indices = self.indices_of_some(&mut code, &dest)?;
        let result = self.fresh(dest.element, dest.dims.clone());
        code.line(format!(
            "%{} = tensor.insert {value} into %{}[{}] : {}",
            result.name,
            dest.name,
            indices.join(", "),
            dest.ty()
        ));
        self.emit("tensor.insert", code, &[result], &[])
    }

    pub fn make_extract(&mut self) -> Option<()> {
        let source = self.array(|_| true)?;
        let mut code = Code::default();
        let indices = self.indices_of_some(&mut code, &source)?;
        let result = self.fresh_scalar(source.element);
        code.line(format!(
            "%{} = tensor.extract %{}[{}] : {}",
            result.name,
            source.name,
            indices.join(", "),
            source.ty()
        ));
        self.emit("tensor.extract", code, &[], &[result])
    }

    /// Indices into an array that has elements, as far as is known. Those of others are an error.
    fn indices_of_some(&mut self, code: &mut Code, array: &ArrayVar) -> Option<Vec<String>> {
        let is_known = array.sizes().is_some();
        (is_known || self.faulty || self.one_in(2))
            .then(|| self.indices_into(code, array))
            .flatten()
    }

    /// The size of an array in a dimension, which only the running program may know.
    pub fn make_dim(&mut self) -> Option<()> {
        let source = self.array(|array| array.rank() > 0)?;
        let mut code = Code::default();
        let axis = self.rng.random_range(0..source.rank()) as i64;
        let axis = match self.fault(5) {
            true => *[-1, source.rank() as i64]
                .choose(&mut self.rng)
                .expect("not empty"),
            false => axis,
        };
        let axis = self.given_index(&mut code, axis);
        let result = self.fresh_scalar(ElementType::Index);
        code.line(format!(
            "%{} = tensor.dim %{}, {axis} : {}",
            result.name,
            source.name,
            source.ty()
        ));
        self.emit("tensor.dim", code, &[], &[result])
    }
}
