//! Folds of elements at indices that wrap around, such as `(i + k) mod n`: of the same elements
//! again and again.

use comb_runtime::{ElementType, Scalar};
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Code, Dim, Generator, Size, combinators::names, types_of};

/// The most iterations of a fold.
const MOST_ITERATIONS: usize = 1500;

/// The most rows of such folds.
const MOST_ROWS: usize = 3;

impl Generator {
    pub fn make_periodic_fold(&mut self) -> Option<()> {
        let has_elements = |array: &ArrayVar| {
            let sizes = array.sizes().unwrap_or_default();
            sizes.len() == 1 && sizes[0] > 0
        };
        let wheels: Vec<ArrayVar> = (0..self.rng.random_range(1..=2))
            .filter_map(|_| self.array(has_elements))
            .collect();
        let visible = self.arrays.len();
        let period = wheels.first()?.sizes()?[0];
        let times = self.rng.random_range(1..=40);
        let iterations = (period * times + self.rng.random_range(0..period)).min(MOST_ITERATIONS);
        let mut sizes = vec![iterations];
        if self.one_in(3) {
            sizes.insert(0, self.rng.random_range(0..=MOST_ROWS));
        }
        let mut head = Code::default();
        let (list, dims) = self.size_list(&mut head, &sizes);
        let turned: Vec<ArrayVar> = wheels
            .iter()
            .map(|wheel| self.turned(wheel, &head, &list, &dims))
            .collect();
        let folded = match self.one_in(3) {
            true => self.map_of(&turned),
            false => turned,
        };
        let before = self.arrays.len();
        self.fold_of(&folded, 1);
        if self.one_in(3) {
            self.fold_of(&folded[..1], 1);
        }
        let last = self.arrays[before..].to_vec();
        self.by_itself(last, visible);
        Some(())
    }

    /// An array's elements, at indices that wrap around.
    fn turned(&mut self, wheel: &ArrayVar, head: &Code, list: &str, dims: &[Dim]) -> ArrayVar {
        let mut head = Code {
            lines: head.lines.clone(),
            uses: head.uses.clone(),
        };
        let operand = head.use_name(&wheel.name);
        let (arguments, variables) = self.lambda_arguments(&vec![ElementType::Index; dims.len()]);
        let mut body = Code::default();
        body.lines += &format!(" {arguments} {{\n");
        let mut index = format!("%{}", variables[dims.len() - 1].name);
        for _ in 0..self.rng.random_range(0..=2) {
            let other = match self.one_in(3) {
                true => format!("%{}", variables[0].name),
                false => {
                    let constant = Scalar::Int(self.rng.random_range(-9..100));
                    self.constant(&mut body, ElementType::Index, constant)
                }
            };
            let op = ["arith.addi", "arith.addi", "arith.subi", "arith.muli"];
            let op = op.choose(&mut self.rng).expect("not empty");
            index = self.operation(&mut body, &format!("{op} {index}, {other} : index"));
        }
        let index = self.wrapped(&mut body, index, wheel.dims[0].size);
        self.yield_values(&mut body, &[index], &[ElementType::Index]);
        let results = [self.fresh(wheel.element, dims.to_vec())];
        let line = format!(
            "{} = soac.backpermute {operand} {list} : ({}) -> ({})",
            names(&results),
            wheel.ty(),
            types_of(&results)
        );
        self.define_with_lambda("soac.backpermute around", head, &line, body, &results);
        let [turned] = results;
        turned
    }

    /// An index that is kept below a size by one of the ops that wrap it around.
    fn wrapped(&mut self, body: &mut Code, index: String, size: Size) -> String {
        let Size::Known(size) = size else {
            return index;
        };
        let limit = |this: &mut Self, body: &mut Code, limit: usize| {
            this.constant(body, ElementType::Index, Scalar::Int(limit as i64))
        };
        match self.rng.random_range(0..6) {
            // A mask of ones at the end, or of any bits.
            0..=1 => {
                let ones = (size + 1).next_power_of_two() / 2 - 1;
                let mask = match self.one_in(4) {
                    true => self.rng.random_range(0..size),
                    false => ones,
                };
                let mask = limit(self, body, mask);
                self.operation(body, &format!("arith.andi {index}, {mask} : index"))
            }
            // A negative number has a negative remainder.
            2 => {
                let period = limit(self, body, size);
                let none = limit(self, body, 0);
                let rest = self.operation(body, &format!("arith.remsi {index}, {period} : index"));
                self.operation(body, &format!("arith.maxsi {rest}, {none} : index"))
            }
            // A shorter period.
            3 => {
                let period = self.rng.random_range(1..=size);
                let period = limit(self, body, period);
                self.operation(body, &format!("arith.remui {index}, {period} : index"))
            }
            _ => self.inside(body, index, Size::Known(size)),
        }
    }
}
