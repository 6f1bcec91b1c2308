//! Choices by numbers of 64 bits, and regions of several blocks.

use comb_runtime::{ElementType, Scalar};
use rand::{Rng, seq::IndexedRandom};

use super::{
    super::{Code, Generator},
    blocks::{Item, names_of, types_of},
};

/// Cases that are the same in their lower bits, and others.
const CASES: &[i64] = &[
    0,
    1,
    -1,
    4_294_967_296,
    4_294_967_297,
    4_294_967_295,
    -4_294_967_296,
    2_147_483_648,
    -2_147_483_648,
    i64::MAX,
    i64::MIN + 1,
    7,
];

impl Generator {
    /// `scf.index_switch`, or a region with `cf.switch`.
    pub fn make_index_switch(&mut self) -> Option<()> {
        let items = self.some_items(3);
        if items.is_empty() {
            return None;
        }
        let results = self.like(&items);
        let mut cases: Vec<i64> = vec![];
        for _ in 0..self.rng.random_range(1..=3) {
            let case = *CASES.choose(&mut self.rng).expect("not empty");
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        match self.one_in(2) {
            // MLIR's verifier takes the greatest number for one that was there before.
            true if !cases.contains(&i64::MAX) => self.index_switch(&items, &results, &cases),
            _ => self.block_switch(&items, &results, &cases),
        }
    }

    fn flag(&mut self, code: &mut Code, element: ElementType) -> String {
        let value = *CASES.choose(&mut self.rng).expect("not empty");
        match self.one_in(4) {
            true => self.number(code, element),
            false => self.given(code, element, Scalar::Int(element.wrap(value))),
        }
    }

    fn index_switch(&mut self, items: &[Item], results: &[Item], cases: &[i64]) -> Option<()> {
        let mut code = Code::default();
        let flag = self.flag(&mut code, ElementType::Index);
        code.line(format!(
            "{} = scf.index_switch {flag} -> {}",
            names_of(results),
            types_of(items)
        ));
        let mut labels: Vec<String> = cases.iter().map(|case| format!("case {case}")).collect();
        labels.push("default".to_owned());
        for label in labels {
            code.line(format!("{label} {{"));
            let block = self.host_block(&[], 1);
            let yielded = self.passed_on(&block, items);
            code.lines += &block.code.lines;
            code.line(format!(
                "  scf.yield {} : {}",
                yielded.join(", "),
                types_of(items)
            ));
            code.line("}");
        }
        self.emit_items("scf.index_switch", code, results)
    }

    /// A region of several blocks, which `cf.switch` and `cf.cond_br` choose from.
    fn block_switch(&mut self, items: &[Item], results: &[Item], cases: &[i64]) -> Option<()> {
        let element = *[ElementType::I64, ElementType::I32]
            .choose(&mut self.rng)
            .expect("not empty");
        let mut wrapped: Vec<i64> = vec![];
        for &case in cases {
            let case = element.wrap(case);
            if !wrapped.contains(&case) {
                wrapped.push(case);
            }
        }
        let mut code = Code::default();
        let flag = self.flag(&mut code, element);
        code.line(format!(
            "{} = scf.execute_region -> ({}) {{",
            names_of(results),
            types_of(items)
        ));
        let labels: Vec<String> = (0..=wrapped.len()).map(|_| self.name("l")).collect();
        let targets: Vec<Vec<Item>> = labels.iter().map(|_| self.like(items)).collect();
        let to = |this: &mut Self, target: usize| {
            let block = this.host_block(&[], 0);
            let passed = this.passed_on(&block, items);
            format!(
                "^{}({} : {})",
                labels[target],
                passed.join(", "),
                types_of(items)
            )
        };
        let mut entries = vec![format!("default: {}", to(self, 0))];
        for (position, case) in wrapped.iter().enumerate() {
            entries.push(format!("{case}: {}", to(self, position + 1)));
        }
        code.line(format!(
            "  cf.switch {flag} : {element}, [{}]",
            entries.join(", ")
        ));
        for (label, arguments) in labels.iter().zip(&targets) {
            code.line(format!("^{label}({}):", super::blocks::declared(arguments)));
            let block = self.host_block(arguments, 1);
            let yielded = self.passed_on(&block, items);
            code.lines += &block.code.lines;
            code.line(format!(
                "  scf.yield {} : {}",
                yielded.join(", "),
                types_of(items)
            ));
        }
        code.line("}");
        self.emit_items("cf.switch", code, results)
    }
}
