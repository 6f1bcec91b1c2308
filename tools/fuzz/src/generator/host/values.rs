//! Numbers that ops take: at the edges of their types, halfway between others, or computed.

use comb_runtime::{ElementType, Scalar, Value, ValueType};
use rand::{Rng, seq::IndexedRandom};

use super::super::{ArrayVar, Code, Dim, Generator, ScalarVar, Size, expression::literal};
use crate::program::Parameter;

const FLOATS: &[f64] = &[
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    127.5,
    -128.5,
    255.5,
    32767.5,
    2_147_483_647.5,
    -2_147_483_648.5,
    4_294_967_295.5,
    9_223_372_036_854_775_808.0,
    -9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_616.0,
    65_504.0,
    65_520.0,
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    1e-45,
    6e-8,
    1e-40,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    0.999_999_94,
    1.0,
    -1.0,
    3.0,
];

impl Generator {
    /// A value of a type, mostly at one of its edges.
    pub fn extreme(&mut self, element: ElementType) -> Scalar {
        if element.is_float() {
            let special = *FLOATS.choose(&mut self.rng).expect("not empty");
            let value = match self.one_in(3) {
                true => self.rng.random_range(-9.0..9.0),
                false => special,
            };
            return Scalar::Float(value).convert(element);
        }
        let bits = element.bit_width();
        let (least, greatest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
        let value = match self.rng.random_range(0..9) {
            0 => least,
            1 => greatest,
            2 => least + 1,
            3 => -1,
            4 => 0,
            5 => 1_i64 << self.rng.random_range(0..bits),
            6 => (1_i64 << self.rng.random_range(0..bits)).wrapping_sub(1),
            _ => self.rng.random_range(-9..10),
        };
        Scalar::Int(element.wrap(value))
    }

    /// A parameter whose elements are as [`Generator::extreme`] ones.
    pub fn extreme_array(&mut self, element: ElementType, dims: Vec<Dim>) -> ArrayVar {
        let known = dims.iter().filter_map(|dim| match dim.size {
            Size::Known(size) => Some(size),
            Size::Symbol(_) => None,
        });
        let sizes: Vec<usize> = known.collect();
        let count: usize = sizes.iter().product();
        let scalars: Vec<Scalar> = (0..count).map(|_| self.extreme(element)).collect();
        let array = self.fresh(element, dims);
        self.add_array_parameter(&array, &sizes, &scalars);
        array
    }

    /// A parameter of a type.
    pub fn number_parameter(&mut self, element: ElementType) -> String {
        let value = self.extreme(element);
        self.parameter_of(element, value)
    }

    /// A parameter of a type and value.
    pub fn parameter_of(&mut self, element: ElementType, value: Scalar) -> String {
        let name = self.name("p");
        self.program.parameters.push(Parameter {
            name: name.clone(),
            ty: ValueType::Scalar(element),
            value: Value::Scalar(element, value),
        });
        // Nobody takes it for a size.
        self.scalars.push(ScalarVar {
            name: name.clone(),
            element,
        });
        name
    }

    /// A number of a type: one that is there, or a constant, or a parameter.
    pub fn number(&mut self, code: &mut Code, element: ElementType) -> String {
        let known: Vec<&ScalarVar> = self
            .scalars
            .iter()
            .filter(|scalar| scalar.element == element)
            .collect();
        if let Some(scalar) = known.choose(&mut self.rng).copied().cloned()
            && self.rng.random_bool(0.7)
        {
            return format!("%{}", scalar.name);
        }
        let value = self.extreme(element);
        self.given(code, element, value)
    }

    /// A number of a value: a constant, or a parameter, which only the running program knows.
    pub fn given(&mut self, code: &mut Code, element: ElementType, value: Scalar) -> String {
        if self.in_function || self.rng.random_bool(0.5) {
            return self.constant(code, element, value);
        }
        let known = self.program.parameters.iter().find(|parameter| {
            let Value::Scalar(ty, scalar) = parameter.value else {
                return false;
            };
            ty == element && literal(ty, scalar) == literal(element, value)
        });
        match known {
            Some(parameter) => format!("%{}", parameter.name),
            None => format!("%{}", self.parameter_of(element, value)),
        }
    }

    /// An index of a value.
    pub fn given_index(&mut self, code: &mut Code, value: i64) -> String {
        self.given(code, ElementType::Index, Scalar::Int(value))
    }

    /// An entry of a list of sizes or offsets: a literal, which types may say; or a value.
    pub fn entry(&mut self, code: &mut Code, value: i64) -> (String, bool) {
        match self.rng.random_bool(0.4) {
            true => (value.to_string(), true),
            false => (self.given_index(code, value), false),
        }
    }

    /// Values of type index that are in range of each dimension of an array; perhaps not, in
    /// programs that may fail.
    pub fn indices_into(&mut self, code: &mut Code, array: &ArrayVar) -> Option<Vec<String>> {
        let dims = array.dims.iter().enumerate();
        dims.map(|(axis, dim)| match dim.size {
            Size::Known(0) => None,
            Size::Known(size) if self.fault(6) => Some(self.given_index(code, size as i64)),
            Size::Known(size) if self.one_in(2) => {
                let index = self.rng.random_range(0..size) as i64;
                Some(self.given_index(code, index))
            }
            Size::Known(size) => {
                let index = self.number(code, ElementType::Index);
                Some(self.inside(code, index, Size::Known(size)))
            }
            Size::Symbol(_) => {
                let size = self.size_of(code, array, axis);
                let one = self.constant(code, ElementType::Index, Scalar::Int(1));
                let bound = self.operation(code, &format!("arith.maxui {size}, {one} : index"));
                let index = self.number(code, ElementType::Index);
                Some(self.operation(code, &format!("arith.remui {index}, {bound} : index")))
            }
        })
        .collect()
    }

    /// The size of an array in a dimension.
    pub fn size_of(&mut self, code: &mut Code, array: &ArrayVar, axis: usize) -> String {
        let dimension = self.constant(code, ElementType::Index, Scalar::Int(axis as i64));
        let text = format!("tensor.dim %{}, {dimension} : {}", array.name, array.ty());
        self.operation(code, &text)
    }
}
