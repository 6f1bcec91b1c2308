//! Statements that compute numbers, one by one, or those of whole arrays.

use std::collections::BTreeSet;

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{
    super::{ArrayVar, Code, Generator, ScalarVar, combinators::names, types_of},
    operators::Operands,
};

const FLOATS: &[ElementType] = &[
    ElementType::F16,
    ElementType::BF16,
    ElementType::F32,
    ElementType::F64,
];

/// How an op is applied to numbers.
enum Way {
    Scalars,
    Arrays,
    Map,
}

impl Generator {
    /// Ops on scalars.
    pub fn make_numbers(&mut self) -> Option<()> {
        let mut code = Code::default();
        let mut made: Vec<ScalarVar> = vec![];
        for _ in 0..self.rng.random_range(1..=4) {
            let element = self.element();
            let (value, element) = self.operator(&mut code, Operands::Scalars(&made), element);
            made.push(named(&value, element));
        }
        let mut seen: BTreeSet<String> = self
            .scalars
            .iter()
            .map(|known| known.name.clone())
            .collect();
        made.retain(|scalar| seen.insert(scalar.name.clone()));
        if made.is_empty() {
            return None;
        }
        self.emit("numbers", code, &[], &made)
    }

    /// A function such as `exp`.
    pub fn make_functions(&mut self) -> Option<()> {
        // What follows would have to be as inexact.
        if self.depth > 0 || self.in_function {
            return None;
        }
        let way = match self.rng.random_range(0..3) {
            0 => Way::Scalars,
            1 => Way::Arrays,
            _ => Way::Map,
        };
        let mut code = Code::default();
        if let Way::Scalars = way {
            let element = *FLOATS.choose(&mut self.rng).expect("not empty");
            let (value, units) = self.function_of(&mut code, Operands::Scalars(&[]), element);
            let result = [named(&value, element)];
            self.emit_within("function", code, &[], &result, units);
            return Some(());
        }
        let model = self.float_array();
        let element = model.element;
        if let Way::Arrays = way {
            let (value, units) = self.function_of(&mut code, Operands::Arrays(&model), element);
            let result = [renamed(&model, &value)];
            self.emit_within("function of arrays", code, &result, &[], units);
            return Some(());
        }
        let (list, arguments) = self.lambda_arguments(&[element]);
        let result = [self.fresh(element, model.dims.clone())];
        let ty = model.ty();
        code.line(format!(
            "%{} = soac.map %{} : ({ty}) -> ({ty}) {list} {{",
            result[0].name, model.name
        ));
        let (value, units) = self.function_of(&mut code, Operands::Scalars(&arguments), element);
        self.yield_values(&mut code, &[value], &[element]);
        self.emit_within("function in a map", code, &result, &[], units);
        Some(())
    }

    fn float_array(&mut self) -> ArrayVar {
        if let Some(array) = self.array(|array| array.element.is_float())
            && self.one_in(2)
        {
            return array;
        }
        let element = *FLOATS.choose(&mut self.rng).expect("not empty");
        let length = self.rng.random_range(1..=40);
        let dims = self.host_dims(&[length]);
        let array = self.extreme_array(element, dims);
        self.arrays.push(array.clone());
        array
    }

    /// An op on whole arrays.
    pub fn make_elementwise(&mut self) -> Option<()> {
        let model = self.array(|_| true)?;
        let mut code = Code::default();
        let operands = Operands::Arrays(&model);
        let (value, element) = self.operator(&mut code, operands, model.element);
        if code.lines.is_empty() {
            return None;
        }
        let mut result = renamed(&model, &value);
        result.element = element;
        self.emit("op on arrays", code, &[result], &[])
    }

    /// A map whose lambda applies some ops.
    pub fn make_host_map(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(3, |_| true)?;
        let (list, arguments) = self.lambda_arguments(&Self::elements(&inputs));
        let mut body = Code::default();
        let (value, element) = self.computed(&mut body, arguments);
        let result = [self.fresh(element, inputs[0].dims.clone())];
        self.yield_values(&mut body, &[value], &[element]);
        let mut code = Code::default();
        let operands = code.use_arrays(&inputs);
        code.line(format!(
            "{} = soac.map {operands} : ({}) -> ({}) {list} {{",
            names(&result),
            types_of(&inputs),
            types_of(&result)
        ));
        code.lines += &body.lines;
        self.emit("soac.map", code, &result, &[])
    }

    /// What some ops give that begin with the arguments of a lambda.
    pub(super) fn computed(
        &mut self,
        code: &mut Code,
        mut pool: Vec<ScalarVar>,
    ) -> (String, ElementType) {
        let arguments = pool.len();
        for _ in 0..self.rng.random_range(1..=3) {
            let element = match pool.choose(&mut self.rng) {
                Some(scalar) => scalar.element,
                None => self.element(),
            };
            let (value, element) = self.operator(code, Operands::Scalars(&pool), element);
            pool.push(named(&value, element));
        }
        let last = pool[arguments..].last().expect("at least one op");
        (format!("%{}", last.name), last.element)
    }

    /// As [`Generator::computed`], as a type.
    pub(super) fn computed_as(
        &mut self,
        code: &mut Code,
        pool: Vec<ScalarVar>,
        element: ElementType,
    ) -> String {
        let (value, from) = self.computed(code, pool);
        self.convert(code, value, from, element)
    }

    /// `tensor.generate`, `tensor.splat` or `tensor.from_elements`.
    pub fn make_generated(&mut self) -> Option<()> {
        let element = self.host_element();
        let sizes = self.host_sizes(0..=3);
        let dims = self.host_dims(&sizes);
        let mut result = self.fresh(element, dims);
        let mut code = Code::default();
        match self.rng.random_range(0..3) {
            0 => {
                let sizes = self.given_sizes(&mut code, &result);
                let value = self.number(&mut code, element);
                let sizes = if sizes.is_empty() {
                    sizes
                } else {
                    format!("[{sizes}]")
                };
                let ty = result.ty();
                code.line(format!(
                    "%{} = tensor.splat {value}{sizes} : {ty}",
                    result.name
                ));
            }
            1 => {
                for dim in &mut result.dims {
                    dim.is_static = true;
                }
                let count: usize = sizes.iter().product();
                let values: Vec<String> = (0..count)
                    .map(|_| self.number(&mut code, element))
                    .collect();
                code.line(format!(
                    "%{} = tensor.from_elements {} : {}",
                    result.name,
                    values.join(", "),
                    result.ty()
                ));
            }
            _ => self.generate_into(&mut code, &result),
        }
        self.emit("generated", code, &[result], &[])
    }

    fn generate_into(&mut self, code: &mut Code, result: &ArrayVar) {
        let sizes = self.given_sizes(code, result);
        let indices: Vec<ScalarVar> = result
            .dims
            .iter()
            .map(|_| self.fresh_scalar(ElementType::Index))
            .collect();
        let list: Vec<String> = indices
            .iter()
            .map(|index| format!("%{}: index", index.name))
            .collect();
        code.line(format!("%{} = tensor.generate {sizes} {{", result.name));
        if !list.is_empty() {
            code.line(format!("^bb0({}):", list.join(", ")));
        }
        let value = self.computed_as(code, indices, result.element);
        code.line(format!("  tensor.yield {value} : {}", result.element));
        code.line(format!("}} : {}", result.ty()));
    }

    /// Known sizes that a type leaves open.
    pub(super) fn given_sizes(&mut self, code: &mut Code, array: &ArrayVar) -> String {
        let open = array.dims.iter().filter(|dim| !dim.is_static);
        let sizes: Vec<usize> = open
            .filter_map(|dim| match dim.size {
                super::Size::Known(size) => Some(size),
                super::Size::Symbol(_) => None,
            })
            .collect();
        let sizes: Vec<String> = sizes
            .into_iter()
            .map(|size| self.given_index(code, size as i64))
            .collect();
        sizes.join(", ")
    }
}

/// The scalar of a value's name.
fn named(value: &str, element: ElementType) -> ScalarVar {
    ScalarVar {
        name: value.trim_start_matches('%').to_owned(),
        element,
    }
}

/// An array as another one, of a value's name.
fn renamed(array: &ArrayVar, value: &str) -> ArrayVar {
    ArrayVar {
        name: value.trim_start_matches('%').to_owned(),
        ..array.clone()
    }
}
