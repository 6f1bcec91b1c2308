//! Loops whose index comes near the ends of its type.

use comb_runtime::{ElementType, Scalar};
use rand::{Rng, seq::IndexedRandom};

use super::super::{Code, Generator};

/// The types of an index, as they may be in `scf.for`.
const INDICES: &[ElementType] = &[
    ElementType::I8,
    ElementType::I16,
    ElementType::I32,
    ElementType::I64,
    ElementType::Index,
];

/// The most rounds.
const MOST_ROUNDS: i128 = 150;

impl Generator {
    /// A loop that counts, and adds up what its index is.
    pub fn make_for_at_an_end(&mut self) -> Option<()> {
        let element = *INDICES.choose(&mut self.rng).expect("not empty");
        let unsigned = self.one_in(3);
        let [from, to, step] = self.bounds(element, unsigned);
        let mut code = Code::default();
        let [from, to, step] = [from, to, step].map(|value| {
            let value = Scalar::Int(element.wrap(value as i64));
            self.given(&mut code, element, value)
        });
        let zero = self.given(&mut code, ElementType::I64, Scalar::Int(0));
        let one = self.constant(&mut code, ElementType::I64, Scalar::Int(1));
        let [index, count, sum, next, more, wide] =
            ["i", "k", "k", "k", "k", "k"].map(|name| self.name(name));
        let results = [(); 2].map(|()| self.fresh_scalar(ElementType::I64));
        let word = if unsigned { "unsigned " } else { "" };
        let of_type = match element {
            ElementType::Index => String::new(),
            _ => format!(" : {element}"),
        };
        code.line(format!(
            "%{}, %{} = scf.for {word}%{index} = {from} to {to} step {step} iter_args(%{count} = {zero}, \
             %{sum} = {zero}) -> (i64, i64){of_type} {{",
            results[0].name, results[1].name
        ));
        let widened = match element {
            ElementType::Index => format!("arith.index_cast %{index} : index to i64"),
            ElementType::I64 => format!("arith.addi %{index}, {one} : i64"),
            _ => format!("arith.extsi %{index} : {element} to i64"),
        };
        code.line(format!("  %{wide} = {widened}"));
        code.line(format!("  %{next} = arith.addi %{count}, {one} : i64"));
        code.line(format!("  %{more} = arith.addi %{sum}, %{wide} : i64"));
        code.line(format!("  scf.yield %{next}, %{more} : i64, i64"));
        code.line("}");
        self.emit("scf.for at an end", code, &[], &results)
    }

    /// Bounds and a step of a loop that does not take long.
    pub fn bounds(&mut self, element: ElementType, unsigned: bool) -> [i128; 3] {
        let bits = element.bit_width();
        let (least, greatest) = match unsigned {
            true => (0, (1_i128 << bits) - 1),
            false => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        };
        let range = greatest - least;
        let largest = if unsigned {
            (1_i128 << (bits - 1)) - 1
        } else {
            greatest
        };
        let step = match self.rng.random_range(0..6) {
            0 => 1,
            1 => 2,
            2 => 3,
            3 => largest,
            4 => largest - self.rng.random_range(0..3),
            _ => self.rng.random_range(1..=largest),
        };
        // A step of zero or less is an error.
        if self.fault(3) {
            return [0, 1, self.either_number(0, -1)];
        }
        let rounds = self.rng.random_range(0..MOST_ROUNDS);
        let distance = (step.saturating_mul(rounds) + self.rng.random_range(0..=step)).min(range);
        let (from, to) = match self.rng.random_range(0..5) {
            0 | 1 => (greatest - distance, greatest),
            2 => (least, least + distance),
            3 => (least + distance, least),
            _ => {
                let spare = self.rng.random_range(0..=(range - distance).min(3));
                (greatest - spare - distance, greatest - spare)
            }
        };
        [from, to, step]
    }

    fn either_number(&mut self, left: i128, right: i128) -> i128 {
        if self.one_in(2) { left } else { right }
    }
}
