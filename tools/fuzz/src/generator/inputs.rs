//! Parameters of a program and the values that it is called with.

use comb_runtime::{Array, ElementType, Scalar, Value, ValueType};
use rand::Rng;

use super::{ArrayVar, Dim, Generator, ScalarVar, Size};
use crate::program::Parameter;

impl Generator {
    /// A few arrays and scalars of all kinds.
    pub fn make_inputs(&mut self) {
        for _ in 0..self.rng.random_range(2..=4) {
            let element = self.element();
            let sizes = self.sizes(0..=4);
            let array = self.input_array(element, &sizes);
            self.arrays.push(array);
        }
        // Two of one shape, so that zipping them is checked when the program
        // runs if their types do not say their sizes.
        let sizes = self.sizes(1..=2);
        for _ in 0..2 {
            let element = self.element();
            let array = self.input_array(element, &sizes);
            self.arrays.push(array);
        }
        self.make_input_scalars();
    }

    /// Two scalars.
    pub fn make_input_scalars(&mut self) {
        for _ in 0..2 {
            let element = self.element();
            let name = self.name("s");
            let value = self.scalar(element);
            self.program.parameters.push(Parameter {
                name: name.clone(),
                ty: ValueType::Scalar(element),
                value: Value::Scalar(element, value),
            });
            self.scalars.push(ScalarVar { name, element });
        }
    }

    /// A parameter with random elements.
    pub fn input_array(&mut self, element: ElementType, sizes: &[usize]) -> ArrayVar {
        let dims: Vec<Dim> = sizes
            .iter()
            .map(|&size| Dim {
                size: Size::Known(size),
                is_static: self.rng.random_bool(0.5),
            })
            .collect();
        self.input_array_of(element, dims)
    }

    /// Dimensions of known sizes, which types say now and then.
    pub fn known_dims(&mut self, sizes: Vec<usize>) -> Vec<Dim> {
        let is_static = self.one_in(4);
        let dim = |size| Dim {
            size: Size::Known(size),
            is_static,
        };
        sizes.into_iter().map(dim).collect()
    }

    /// A parameter with these dimensions, which are known, and random elements.
    pub fn input_array_of(&mut self, element: ElementType, dims: Vec<Dim>) -> ArrayVar {
        let sizes: Vec<usize> = dims
            .iter()
            .filter_map(|dim| match dim.size {
                Size::Known(size) => Some(size),
                Size::Symbol(_) => None,
            })
            .collect();
        let count: usize = sizes.iter().product();
        let scalars: Vec<Scalar> = (0..count).map(|_| self.scalar(element)).collect();
        let array = self.fresh(element, dims);
        self.add_array_parameter(&array, &sizes, &scalars);
        array
    }

    /// A parameter of indices below a bound; in programs that may fail, perhaps
    /// not.
    pub fn input_indices(
        &mut self,
        element: ElementType,
        sizes: &[usize],
        bound: usize,
    ) -> ArrayVar {
        let dims = sizes
            .iter()
            .map(|&size| Dim {
                size: Size::Known(size),
                is_static: self.rng.random_bool(0.5),
            })
            .collect();
        let count: usize = sizes.iter().product();
        let scalars: Vec<Scalar> = (0..count)
            .map(|_| {
                let index = if bound == 0 || self.fault(10) {
                    self.rng.random_range(-2..=bound as i64 + 1)
                } else {
                    self.rng.random_range(0..bound as i64)
                };
                Scalar::Int(index)
            })
            .collect();
        let array = self.fresh(element, dims);
        self.add_array_parameter(&array, sizes, &scalars);
        array
    }

    pub fn add_array_parameter(&mut self, array: &ArrayVar, sizes: &[usize], scalars: &[Scalar]) {
        let shape = array
            .dims
            .iter()
            .map(|dim| match dim {
                Dim {
                    size: Size::Known(size),
                    is_static: true,
                } => Some(*size),
                _ => None,
            })
            .collect();
        let value = Array::from_fn(array.element, sizes, |position| scalars[position])
            .expect("small arrays fit into memory");
        self.program.parameters.push(Parameter {
            name: array.name.clone(),
            ty: ValueType::Array {
                element: array.element,
                shape,
            },
            value: Value::Array(value),
        });
    }

    /// A value that is small, or at an edge of its type.
    pub fn scalar(&mut self, element: ElementType) -> Scalar {
        if element.is_float() {
            let special = [
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                -0.0,
                1e30,
                1e-30,
            ];
            let value = match self.rng.random_range(0..10) {
                0 => special[self.rng.random_range(0..special.len())],
                1..=4 => f64::from(self.rng.random_range(-9i32..10)),
                _ => self.rng.random_range(-4.0..4.0),
            };
            return Scalar::Float(value).convert(element);
        }
        let bits = element.bit_width();
        let value = match self.rng.random_range(0..10) {
            0 => i64::MIN >> (64 - bits),
            1 => i64::MAX >> (64 - bits),
            _ => self.rng.random_range(-9..10),
        };
        Scalar::Int(element.wrap(value))
    }
}
