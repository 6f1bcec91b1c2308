//! Sorts, by an element of one of the arrays. NaNs count as zeros, so that it is a strict weak order.

use comb_runtime::ElementType;
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
        let array = self.rng.random_range(0..variables.len() / 2);
        let pair = [array, array + variables.len() / 2];
        let element = variables[array].element;
        let keys = pair.map(|place| format!("%{}", variables[place].name));
        if !element.is_float() {
            let predicate = *["slt", "sgt", "ult", "ugt"]
                .choose(&mut self.rng)
                .expect("not empty");
            let comparison = format!(
                "arith.cmpi {predicate}, {}, {} : {element}",
                keys[0], keys[1]
            );
            return self.operation(code, &comparison);
        }
        let zero = self.operation(code, &format!("arith.constant 0.0 : {element}"));
        let keys = keys.map(|key| {
            let is_nan = self.operation(code, &format!("arith.cmpf une, {key}, {key} : {element}"));
            let number = format!("arith.select {is_nan}, {zero}, {key} : {element}");
            self.operation(code, &number)
        });
        let predicate = *["olt", "ogt"].choose(&mut self.rng).expect("not empty");
        let comparison = format!(
            "arith.cmpf {predicate}, {}, {} : {element}",
            keys[0], keys[1]
        );
        self.operation(code, &comparison)
    }
}
