//! Programs of arrays of narrow elements that are read in another order than they are written:
//! vectors of which code generators shuffle lanes, which some do not end to do.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Code, Dim, Generator, Size};
use crate::program::Program;

const ELEMENTS: &[ElementType] = &[
    ElementType::I1,
    ElementType::I8,
    ElementType::I8,
    ElementType::I16,
    ElementType::F16,
    ElementType::BF16,
];

/// The largest size.
const LARGEST: usize = 200;

impl Generator {
    /// A program, of its number.
    pub fn narrow_program(mut self) -> Program {
        let element = *ELEMENTS.choose(&mut self.rng).expect("not empty");
        let sizes = match self.one_in(3) {
            true => vec![self.rng.random_range(1..=12), self.rng.random_range(1..=40)],
            false => vec![self.rng.random_range(1..=LARGEST)],
        };
        let is_static = !self.one_in(5);
        let dim = |size| Dim {
            size: Size::Known(size),
            is_static,
        };
        let mut array = self.input_array_of(element, sizes.into_iter().map(dim).collect());
        self.arrays.push(array.clone());
        for _ in 0..self.rng.random_range(1..=3) {
            array = self.in_another_order(&array);
            if self.rng.random_bool(0.7) {
                array = self
                    .map_to(std::slice::from_ref(&array), &[element])
                    .swap_remove(0);
            }
        }
        self.program
    }

    fn in_another_order(&mut self, array: &ArrayVar) -> ArrayVar {
        let inputs = std::slice::from_ref(array);
        let rank = array.rank();
        match self.rng.random_range(0..6) {
            0 if rank == 2 => {
                let dims = array.dims.iter().rev().copied().collect();
                let code = Code::default();
                self.rearrange("soac.transpose", code, inputs, "[1, 0]", dims)
                    .swap_remove(0)
            }
            1 => {
                let sizes = array.sizes().unwrap_or_default();
                let amounts = sizes
                    .iter()
                    .map(|&size| self.rng.random_range(0..=size).to_string());
                let amounts: Vec<String> = amounts.collect();
                let rest = format!("by [{}]", amounts.join(", "));
                let dims = array.dims.clone();
                self.rearrange("soac.rotate", Code::default(), inputs, &rest, dims)
                    .swap_remove(0)
            }
            2 => self.every_other(array),
            3 => self.generated_backwards(array),
            _ => {
                let axes: Vec<usize> = (0..rank)
                    .filter(|&axis| axis == 0 || self.one_in(2))
                    .collect();
                self.reverse_of(inputs, &axes).swap_remove(0)
            }
        }
    }

    /// Elements at a distance, forwards or backwards.
    fn every_other(&mut self, array: &ArrayVar) -> ArrayVar {
        let (mut offsets, mut lengths, mut strides, mut dims) = (vec![], vec![], vec![], vec![]);
        for (dim, size) in array.dims.iter().zip(array.sizes().unwrap_or_default()) {
            let stride = self.rng.random_range(1..=4);
            let length = size.div_ceil(stride);
            let backwards = self.one_in(2);
            offsets.push(if backwards { (length - 1) * stride } else { 0 });
            strides.push(if backwards {
                -(stride as i64)
            } else {
                stride as i64
            });
            lengths.push(length);
            dims.push(Dim {
                size: Size::Known(length),
                is_static: dim.is_static,
            });
        }
        let mut code = Code::default();
        let lengths: Vec<String> = lengths
            .iter()
            .zip(&dims)
            .map(|(&length, dim)| match dim.is_static {
                true => length.to_string(),
                false => {
                    let name = self.index_parameter(length as i64);
                    code.use_name(&name)
                }
            })
            .collect();
        let rest = format!("{offsets:?} [{}] {strides:?}", lengths.join(", "));
        self.rearrange("soac.slice", code, std::slice::from_ref(array), &rest, dims)
            .swap_remove(0)
    }

    /// What a lambda computes of elements from the end to the beginning.
    fn generated_backwards(&mut self, array: &ArrayVar) -> ArrayVar {
        let sizes = array.sizes().unwrap_or_default();
        let mut head = Code::default();
        let (list, dims) = self.sizes_like(&mut head, array);
        let result = self.fresh(array.element, dims);
        let (arguments, variables) = self.lambda_arguments(&vec![ElementType::Index; sizes.len()]);
        let mut body = Code::default();
        body.lines += &format!(" {arguments} {{\n");
        let mut indices = vec![];
        for (variable, &size) in variables.iter().zip(&sizes) {
            let last = comb_runtime::Scalar::Int(size as i64 - 1);
            let last = self.constant(&mut body, ElementType::Index, last);
            let text = format!("arith.subi {last}, %{} : index", variable.name);
            indices.push(self.operation(&mut body, &text));
        }
        let name = body.use_name(&array.name);
        let text = format!(
            "tensor.extract {name}[{}] : {}",
            indices.join(", "),
            array.ty()
        );
        let value = self.operation(&mut body, &text);
        self.yield_values(&mut body, &[value], &[array.element]);
        let line = format!("%{} = soac.generate {list} : {}", result.name, result.ty());
        let results = [result.clone()];
        self.define_with_lambda("soac.generate backwards", head, &line, body, &results);
        result
    }
}
