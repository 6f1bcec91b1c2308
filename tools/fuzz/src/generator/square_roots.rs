//! Maps of square roots, and folds of these: of a few vectors of numbers and some that are left over,
//! with little else to do, so that a loop waits for the roots.

use comb_runtime::{ElementType, Scalar};
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Code, Dim, Generator};

/// Bytes of a vector.
const VECTOR: usize = 64;

/// How many whole vectors a row has at most.
const MOST_VECTORS: usize = 6;

/// The most rows.
const MOST_ROWS: usize = 4;

impl Generator {
    pub fn make_square_roots(&mut self) -> Option<()> {
        let visible = self.arrays.len();
        let element = *[ElementType::F32, ElementType::F64].choose(&mut self.rng)?;
        let dims = self.dims_of_vectors(element);
        let inputs: Vec<ArrayVar> = (0..self.rng.random_range(1..=2))
            .map(|_| self.input_array_of(element, dims.clone()))
            .collect();
        let before = self.arrays.len();
        let roots = self.roots_of(&inputs, element);
        if self.one_in(2) {
            self.fold_of(&[roots], 1);
        }
        let last = self.arrays[before..].to_vec();
        self.by_itself(last, visible);
        Some(())
    }

    /// One row or several.
    fn dims_of_vectors(&mut self, element: ElementType) -> Vec<Dim> {
        let lanes = VECTOR / element.byte_size();
        let columns = lanes * self.rng.random_range(0..=MOST_VECTORS);
        let mut sizes = vec![columns + self.rng.random_range(0..lanes)];
        if self.one_in(3) {
            sizes.insert(0, self.rng.random_range(1..=MOST_ROWS));
        }
        self.known_dims(sizes)
    }

    /// The sum of roots, each of an element, of its square, or of what becomes of it; or of what an
    /// element is divided by it.
    fn roots_of(&mut self, inputs: &[ArrayVar], element: ElementType) -> ArrayVar {
        let (list, variables) = self.lambda_arguments(&Self::elements(inputs));
        let mut body = Code::default();
        body.lines += &format!(" {list} {{\n");
        let mut sum: Option<String> = None;
        for variable in variables {
            let number = format!("%{}", variable.name);
            let term = self.root_term(&mut body, &number, element);
            sum = Some(match sum {
                Some(sum) => {
                    self.operation(&mut body, &format!("arith.addf {sum}, {term} : {element}"))
                }
                None => term,
            });
        }
        self.yield_values(&mut body, &[sum.unwrap_or_default()], &[element]);
        self.map_with(inputs, &[element], body).swap_remove(0)
    }

    fn root_term(&mut self, body: &mut Code, number: &str, element: ElementType) -> String {
        let radicand = match self.rng.random_range(0..6) {
            0 => number.to_owned(),
            1 => self.operation(body, &format!("arith.mulf {number}, {number} : {element}")),
            _ => self.tame(body, number, element),
        };
        let root = self.operation(body, &format!("math.sqrt {radicand} : {element}"));
        match self.one_in(3) {
            true => self.operation(body, &format!("arith.divf {number}, {root} : {element}")),
            false => root,
        }
    }

    /// A positive number that is not large, and is the square of few.
    fn tame(&mut self, body: &mut Code, number: &str, element: ElementType) -> String {
        let most = self.constant(body, element, Scalar::Float(9.0).convert(element));
        let least = self.constant(body, element, Scalar::Float(0.3).convert(element));
        let size = self.operation(body, &format!("math.absf {number} : {element}"));
        let limited = format!("arith.minnumf {size}, {most} : {element}");
        let limited = self.operation(body, &limited);
        self.operation(body, &format!("arith.addf {limited}, {least} : {element}"))
    }
}
