//! Sorts, by elements of some of the arrays, one after the other. NaNs count as zeros, or all are one
//! number, so that it is a strict weak order.

use comb_runtime::{ElementType, Scalar};
use rand::{Rng, seq::IndexedRandom};

use super::{Code, Generator, ScalarVar, combinators::names, types_of};

impl Generator {
    pub fn make_sort(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(3, |array| array.rank() >= 1)?;
        let elements = Self::elements(&inputs);
        let mut head = Code::default();
        let operands = head.use_arrays(&inputs);
        let (list, variables) = self.lambda_arguments(&[elements.clone(), elements].concat());
        let mut body = Code::default();
        body.lines += &format!(" {list} {{\n");
        let before = self.order(&mut body, &variables);
        self.yield_values(&mut body, &[before], &[ElementType::I1]);
        let results: Vec<_> = inputs
            .iter()
            .map(|input| self.fresh(input.element, inputs[0].dims.clone()))
            .collect();
        let line = format!(
            "{} = soac.sort {operands} : ({}) -> ({})",
            names(&results),
            types_of(&inputs),
            types_of(&results)
        );
        self.define_with_lambda("soac.sort", head, &line, body, &results);
        Some(())
    }

    /// Whether the elements at the first place go before those at the second.
    fn order(&mut self, code: &mut Code, variables: &[ScalarVar]) -> String {
        let mut before = None;
        for _ in 0..self.rng.random_range(1..=3) {
            let key = self.sort_key(code, variables);
            before = Some(self.decision(code, &key, before));
        }
        before.expect("there is a key")
    }

    /// What is computed alike of the elements at both places.
    fn sort_key(&mut self, code: &mut Code, variables: &[ScalarVar]) -> SortKey {
        let array = self.rng.random_range(0..variables.len() / 2);
        let places = [array, array + variables.len() / 2];
        let element = variables[array].element;
        let sides = places.map(|place| format!("%{}", variables[place].name));
        if element.is_float() {
            return self.float_key(code, element, sides);
        }
        let sides = match self.one_in(3) {
            true => {
                let one = self.constant(code, element, Scalar::Int(1));
                sides.map(|side| {
                    self.operation(code, &format!("arith.addi {side}, {one} : {element}"))
                })
            }
            false => sides,
        };
        SortKey {
            sides,
            r#type: element.to_string(),
            is_float: false,
        }
    }

    /// A floating-point number, or its bits, turned so that they rise as numbers do.
    fn float_key(&mut self, code: &mut Code, element: ElementType, sides: [String; 2]) -> SortKey {
        let zero = self.operation(code, &format!("arith.constant 0.0 : {element}"));
        let has_one_zero = self.one_in(2);
        let sides = sides.map(|side| {
            let is_nan =
                self.operation(code, &format!("arith.cmpf une, {side}, {side} : {element}"));
            let number = format!("arith.select {is_nan}, {zero}, {side} : {element}");
            let number = self.operation(code, &number);
            if !has_one_zero {
                return number;
            }
            let is_zero = format!("arith.cmpf oeq, {number}, {zero} : {element}");
            let is_zero = self.operation(code, &is_zero);
            let number = format!("arith.select {is_zero}, {zero}, {number} : {element}");
            self.operation(code, &number)
        });
        if self.one_in(2) {
            return SortKey {
                sides,
                r#type: element.to_string(),
                is_float: true,
            };
        }
        let width = element.bit_width();
        let bits = format!("i{width}");
        let [last, one] = [width - 1, 1]
            .map(|number| self.operation(code, &format!("arith.constant {number} : {bits}")));
        let sides = sides.map(|side| {
            let side = format!("arith.bitcast {side} : {element} to {bits}");
            let side = self.operation(code, &side);
            let signs = format!("arith.shrsi {side}, {last} : {bits}");
            let signs = self.operation(code, &signs);
            let turned = format!("arith.shrui {signs}, {one} : {bits}");
            let turned = self.operation(code, &turned);
            self.operation(code, &format!("arith.xori {side}, {turned} : {bits}"))
        });
        SortKey {
            sides,
            r#type: bits,
            is_float: false,
        }
    }

    /// A comparison of the sides of a key. Where it finds them equal, the other one decides.
    fn decision(&mut self, code: &mut Code, key: &SortKey, other: Option<String>) -> String {
        let (comparison, equal, predicates): (_, _, &[_]) = match key.is_float {
            true => ("cmpf", "oeq", &["olt", "ogt"]),
            false => ("cmpi", "eq", &["slt", "sgt", "ult", "ugt"]),
        };
        let predicate = *predicates.choose(&mut self.rng).expect("not empty");
        let [left, right] = &key.sides;
        let r#type = &key.r#type;
        let first = format!("arith.{comparison} {predicate}, {left}, {right} : {type}");
        let first = self.operation(code, &first);
        let Some(other) = other else {
            return first;
        };
        let same = format!("arith.{comparison} {equal}, {left}, {right} : {type}");
        let same = self.operation(code, &same);
        if self.one_in(2) {
            let chosen = format!("arith.select {same}, {other}, {first} : i1");
            return self.operation(code, &chosen);
        }
        let both = self.operation(code, &format!("arith.andi {same}, {other} : i1"));
        self.operation(code, &format!("arith.ori {first}, {both} : i1"))
    }
}

/// A value that is computed alike of the elements at both places.
struct SortKey {
    sides: [String; 2],
    r#type: String,
    is_float: bool,
}
