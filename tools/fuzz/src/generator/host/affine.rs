//! Indices and loops of the `affine` dialect, and loops of `scf` that insert in parallel.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::super::{Code, Generator, ScalarVar, Size};

/// Indices, of a dimension and a symbol.
const EXPRESSIONS: &[&str] = &[
    "d0 + s0",
    "d0 * 3 - s0",
    "d0 mod 7 + s0",
    "d0 floordiv 3",
    "d0 ceildiv 3",
    "(d0 + s0) ceildiv 4 - s0 mod 5",
];

/// Those that divide by the symbol.
const DIVISIONS: &[&str] = &["d0 mod s0", "d0 floordiv s0", "d0 ceildiv s0"];

impl Generator {
    /// What an op of the dialect computes of two numbers.
    pub fn make_affine_index(&mut self) -> Option<()> {
        let mut code = Code::default();
        let index = self.number(&mut code, ElementType::Index);
        let divides = self.one_in(3);
        let symbol = match divides && !self.fault(4) {
            true => {
                let divisor = *[1, 2, 3, 1000, i64::MAX].choose(&mut self.rng)?;
                self.given_index(&mut code, divisor)
            }
            false => self.number(&mut code, ElementType::Index),
        };
        let results: Vec<ScalarVar> = (0..2)
            .map(|_| self.fresh_scalar(ElementType::Index))
            .collect();
        let [first, second] = [&results[0].name, &results[1].name];
        if divides && self.one_in(3) {
            code.line(format!(
                "%{first}, %{second} = affine.delinearize_index {index} into ({symbol}) : index, index"
            ));
            return self.emit("affine.delinearize_index", code, &[], &results);
        }
        let expressions = if divides { DIVISIONS } else { EXPRESSIONS };
        let expression = *expressions.choose(&mut self.rng)?;
        let (op, list) = match self.rng.random_range(0..4) {
            0 => ("min", format!("{expression}, d0, 5")),
            1 => ("max", format!("{expression}, s0")),
            _ => ("apply", expression.to_owned()),
        };
        code.line(format!(
            "%{first} = affine.{op} affine_map<(d0)[s0] -> ({list})>({index})[{symbol}]"
        ));
        self.emit("affine index", code, &[], &results[..1])
    }

    /// A loop that counts, and adds up what its index is.
    pub fn make_affine_for(&mut self) -> Option<()> {
        let [from, to, step] = self.bounds(ElementType::Index, false);
        if step <= 0 {
            return None;
        }
        let mut code = Code::default();
        let [from, to] = [from, to].map(|bound| self.given_index(&mut code, bound as i64));
        let zero = self.given_index(&mut code, 0);
        let [index, sum, next] = ["i", "k", "k"].map(|name| self.name(name));
        let result = self.fresh_scalar(ElementType::Index);
        code.line(format!(
            "%{} = affine.for %{index} = {from} to {to} step {step} iter_args(%{sum} = {zero}) -> index {{",
            result.name
        ));
        code.line(format!(
            "  %{next} = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%{sum}, %{index})"
        ));
        code.line(format!("  affine.yield %{next} : index"));
        code.line("}");
        self.emit("affine.for", code, &[], &[result])
    }

    /// A parallel loop, near the ends of `index`, that inserts a number here and there.
    pub fn make_forall(&mut self) -> Option<()> {
        let old = self
            .array(|array| array.rank() == 1 && array.sizes().is_some_and(|sizes| sizes[0] > 0))?;
        let size = old.sizes()?[0];
        let mut code = Code::default();
        let [from, to, step] = self.bounds(ElementType::Index, false);
        let [from, to, step] = [from, to, step].map(|bound| match bound > 0 {
            true => self.entry(&mut code, bound as i64).0,
            false => self.given_index(&mut code, bound as i64),
        });
        let value = self.number(&mut code, old.element);
        let (new, ty) = (self.fresh(old.element, old.dims.clone()), old.ty());
        let [index, shared] = ["i", "o"].map(|name| self.name(name));
        let row = format!("tensor<1x{}>", old.element);
        let inserted = self.operation(&mut code, &format!("tensor.from_elements {value} : {row}"));
        code.line(format!(
            "%{} = scf.forall (%{index}) = ({from}) to ({to}) step ({step}) shared_outs(%{shared} = %{}) -> {ty} {{",
            new.name, old.name
        ));
        let place = self.inside(&mut code, format!("%{index}"), Size::Known(size));
        code.line("  scf.forall.in_parallel {");
        code.line(format!(
            "    tensor.parallel_insert_slice {inserted} into %{shared}[{place}] [1] [1] : {row} into {ty}"
        ));
        code.line("  }");
        code.line("}");
        self.emit("scf.forall", code, &[new], &[])
    }
}
