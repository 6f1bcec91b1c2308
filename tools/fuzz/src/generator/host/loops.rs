//! Loops and branches that carry several arrays and scalars, pass one on twice, or in another
//! order, or with another size.

use comb_runtime::ElementType;

use super::{
    super::{Code, Generator},
    blocks::{Item, declared, names_of, types_of},
};

/// How many statements there are in a block.
const STATEMENTS: usize = 3;
/// How many items a loop carries.
const CARRIED: usize = 4;

impl Generator {
    pub fn make_host_for(&mut self) -> Option<()> {
        let items = self.some_items(CARRIED);
        if items.is_empty() {
            return None;
        }
        let (carried, results) = (self.like(&items), self.like(&items));
        let mut code = Code::default();
        let rounds = self.rounds();
        let from = self.given_index(&mut code, 0);
        let to = self.given_index(&mut code, rounds);
        let step = self.given_index(&mut code, 1);
        let index = self.fresh_scalar(ElementType::Index);
        let init: Vec<String> = carried
            .iter()
            .zip(&items)
            .map(|(carried, item)| format!("%{} = %{}", carried.name(), item.name()))
            .collect();
        code.line(format!(
            "{} = scf.for %{} = {from} to {to} step {step} iter_args({}) -> ({}) {{",
            names_of(&results),
            index.name,
            init.join(", "),
            types_of(&carried)
        ));
        let seen = [vec![Item::Scalar(index)], carried.clone()].concat();
        self.add_block(&mut code, &seen, &carried);
        code.line("}");
        self.emit_items("scf.for", code, &results)
    }

    /// Adds a block that ends with values for items.
    fn add_block(&mut self, code: &mut Code, seen: &[Item], items: &[Item]) {
        let block = self.host_block(seen, STATEMENTS);
        let yielded = self.passed_on(&block, items);
        code.lines += &block.code.lines;
        code.line(format!(
            "  scf.yield {} : {}",
            yielded.join(", "),
            types_of(items)
        ));
    }

    pub fn make_host_if(&mut self) -> Option<()> {
        let items = self.some_items(CARRIED);
        if items.is_empty() {
            return None;
        }
        let results = self.like(&items);
        let mut code = Code::default();
        let condition = self.condition(&mut code);
        code.line(format!(
            "{} = scf.if {condition} -> ({}) {{",
            names_of(&results),
            types_of(&items)
        ));
        self.add_block(&mut code, &[], &items);
        code.line("} else {");
        self.add_block(&mut code, &[], &items);
        code.line("}");
        self.emit_items("scf.if", code, &results)
    }

    /// A loop that counts, and whose condition passes on what it likes.
    pub fn make_host_while(&mut self) -> Option<()> {
        let items = self.some_items(CARRIED);
        if items.is_empty() {
            return None;
        }
        let carried = self.like(&items);
        let mut code = Code::default();
        let rounds = self.rounds();
        let zero = self.given_index(&mut code, 0);
        let bound = self.given_index(&mut code, rounds);
        let one = self.given_index(&mut code, 1);
        let counter = self.fresh_scalar(ElementType::Index);
        let init: Vec<String> = carried
            .iter()
            .zip(&items)
            .map(|(carried, item)| format!(", %{} = %{}", carried.name(), item.name()))
            .collect();
        let seen = [vec![Item::Scalar(counter.clone())], carried.clone()].concat();
        let before = self.host_block(&seen, STATEMENTS);
        let more = self.more_of(&carried);
        let forwarded = self.passed_on(&before, &more);
        let (after, mut results) = (self.like(&more), self.like(&more));
        let [again, next] = ["w", "w"].map(|prefix| self.name(prefix));
        let (first, last) = (
            self.fresh_scalar(ElementType::Index),
            self.fresh_scalar(ElementType::Index),
        );
        results.insert(0, Item::Scalar(last));
        code.line(format!(
            "{} = scf.while (%{} = {zero}{}) : (index, {}) -> (index, {}) {{",
            names_of(&results),
            counter.name,
            init.concat(),
            types_of(&carried),
            types_of(&more)
        ));
        code.lines += &before.code.lines;
        code.line(format!(
            "  %{again} = arith.cmpi slt, %{}, {bound} : index",
            counter.name
        ));
        code.line(format!(
            "  scf.condition(%{again}) %{}, {} : index, {}",
            counter.name,
            forwarded.join(", "),
            types_of(&more)
        ));
        code.line("} do {");
        code.line(format!(
            "^bb0(%{}: index, {}):",
            first.name,
            declared(&after)
        ));
        let block = self.host_block(
            &[vec![Item::Scalar(first.clone())], after].concat(),
            STATEMENTS,
        );
        let yielded = self.passed_on(&block, &carried);
        code.lines += &block.code.lines;
        code.line(format!(
            "  %{next} = arith.addi %{}, {one} : index",
            first.name
        ));
        code.line(format!(
            "  scf.yield %{next}, {} : index, {}",
            yielded.join(", "),
            types_of(&carried)
        ));
        code.line("}");
        self.emit_items("scf.while", code, &results)
    }

    /// Items of which some come twice, or not at all.
    fn more_of(&mut self, items: &[Item]) -> Vec<Item> {
        let mut more = vec![];
        for item in items {
            let times = if self.one_in(3) { 2 } else { 1 };
            more.extend(std::iter::repeat_n(item.clone(), times));
        }
        if more.len() > 1 && self.one_in(4) {
            more.pop();
        }
        more
    }

    /// An array that gets another size in each round.
    pub fn make_resized(&mut self) -> Option<()> {
        let old = self.array(|array| array.rank() == 1 && !array.dims[0].is_static)?;
        let mut dims = old.dims.clone();
        dims[0].size = self.symbol();
        let new = self.fresh(old.element, dims);
        let mut code = Code::default();
        let ty = old.ty();
        let one = self.given_index(&mut code, 1);
        match self.one_in(2) {
            true => {
                let value = self.number(&mut code, old.element);
                code.line(format!(
                    "%{} = tensor.pad %{} low[{one}] high[0] {{",
                    new.name, old.name
                ));
                let index = self.name("i");
                code.line(format!("^bb0(%{index}: index):"));
                code.line(format!("  tensor.yield {value} : {}", old.element));
                code.line(format!("}} : {ty} to {ty}"));
            }
            false => {
                let size = self.size_of(&mut code, &old, 0);
                let least =
                    self.operation(&mut code, &format!("arith.maxsi {size}, {one} : index"));
                let rest = self.operation(&mut code, &format!("arith.subi {least}, {one} : index"));
                code.line(format!(
                    "%{} = tensor.extract_slice %{}[0] [{rest}] [1] : {ty} to {ty}",
                    new.name, old.name
                ));
            }
        }
        self.emit("resized", code, &[new], &[])
    }
}
