//! Functions: inlined ones, recursive ones, and ones of several blocks. They give back what they
//! are given, or one array twice.

use comb_runtime::{ElementType, Scalar};
use rand::Rng;

use super::{
    super::{Code, Generator},
    blocks::{Block, Item, declared, names_of, types_of},
};

/// How deep recursions go.
const DEPTH: i64 = 3;

impl Generator {
    /// A function, and a call of it.
    pub fn make_call(&mut self) -> Option<()> {
        let items = self.some_items(3);
        if items.is_empty() {
            return None;
        }
        let function = format!("f{}", self.name(""));
        let given = [self.like(&items), self.like(&items)].concat();
        let kept = self.rng.random_range(1..=given.len());
        let results = given[..kept].to_vec();
        match self.rng.random_range(0..3) {
            0 => self.plain_function(&function, &items, &results),
            1 => self.recursive_function(&function, &items, &results),
            _ => self.function_of_blocks(&function, &items, &results),
        }
        let mut code = Code::default();
        let times = self.rng.random_range(0..=DEPTH);
        let times = self.given_index(&mut code, times);
        code.line(format!(
            "{} = func.call @{function}({times}, {}) : (index, {}) -> ({})",
            names_of(&results),
            names_of(&items),
            types_of(&items),
            types_of(&results)
        ));
        self.emit_items("func.call", code, &results)
    }

    /// Begins a function of a number and of items like these, of which it sees nothing else. Gives
    /// its text so far, and what it has.
    fn begin(&mut self, name: &str, items: &[Item], results: &[Item]) -> (Code, Vec<Item>) {
        let mut arguments = vec![Item::Scalar(self.fresh_scalar(ElementType::Index))];
        arguments.extend(self.like(items));
        let mut code = Code::default();
        code.lines += &format!(
            "func.func private @{name}({}) -> ({}) {{\n",
            declared(&arguments),
            types_of(results)
        );
        (code, arguments)
    }

    /// What a function is made of that sees only its arguments.
    fn within_function<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let arrays = std::mem::take(&mut self.arrays);
        let scalars = std::mem::take(&mut self.scalars);
        let depth = std::mem::replace(&mut self.depth, 1);
        self.in_function = true;
        let made = make(self);
        self.in_function = false;
        self.depth = depth;
        self.arrays = arrays;
        self.scalars = scalars;
        made
    }

    /// What a block passes on for results; its arguments, if nothing else fits.
    fn returned(&mut self, block: &Block, arguments: &[Item], results: &[Item]) -> Vec<String> {
        // As many results as arguments, and those again, are of the arguments' types.
        let count = arguments.len() - 1;
        let wanted: Vec<Item> = (0..results.len())
            .map(|position| arguments[1 + position % count].clone())
            .collect();
        self.passed_on(block, &wanted)
    }

    fn plain_function(&mut self, name: &str, items: &[Item], results: &[Item]) {
        let text = self.within_function(|this| {
            let (mut code, arguments) = this.begin(name, items, results);
            let block = this.host_block(&arguments, 2);
            let returned = this.returned(&block, &arguments, results);
            code.lines += &block.code.lines;
            code.line(format!(
                "return {} : {}",
                returned.join(", "),
                types_of(results)
            ));
            code.lines + "}\n"
        });
        self.program.functions.push(text);
    }

    fn recursive_function(&mut self, name: &str, items: &[Item], results: &[Item]) {
        let text = self.within_function(|this| {
            let (mut code, arguments) = this.begin(name, items, results);
            let number = arguments[0].name().to_owned();
            let zero = this.constant(&mut code, ElementType::Index, Scalar::Int(0));
            let one = this.constant(&mut code, ElementType::Index, Scalar::Int(1));
            let text = format!("arith.cmpi sle, %{number}, {zero} : index");
            let is_done = this.operation(&mut code, &text);
            let given = this.like(results);
            code.line(format!(
                "{} = scf.if {is_done} -> ({}) {{",
                names_of(&given),
                types_of(results)
            ));
            let block = this.host_block(&arguments, 1);
            let returned = this.returned(&block, &arguments, results);
            code.lines += &block.code.lines;
            code.line(format!(
                "  scf.yield {} : {}",
                returned.join(", "),
                types_of(results)
            ));
            code.line("} else {");
            let block = this.host_block(&arguments, 1);
            let passed = this.passed_on(&block, &arguments[1..]);
            code.lines += &block.code.lines;
            let less = this.operation(&mut code, &format!("arith.subi %{number}, {one} : index"));
            let again = this.like(results);
            code.line(format!(
                "  {} = func.call @{name}({less}, {}) : (index, {}) -> ({})",
                names_of(&again),
                passed.join(", "),
                types_of(items),
                types_of(results)
            ));
            let block = this.host_block(&[arguments.clone(), again.clone()].concat(), 1);
            let returned = this.passed_on(&block, &again);
            code.lines += &block.code.lines;
            code.line(format!(
                "  scf.yield {} : {}",
                returned.join(", "),
                types_of(results)
            ));
            code.line("}");
            code.line(format!(
                "return {} : {}",
                names_of(&given),
                types_of(results)
            ));
            code.lines + "}\n"
        });
        self.program.functions.push(text);
    }

    /// A loop of blocks that carries the arguments.
    fn function_of_blocks(&mut self, name: &str, items: &[Item], results: &[Item]) {
        let text = self.within_function(|this| {
            let (mut code, arguments) = this.begin(name, items, results);
            let number = arguments[0].name().to_owned();
            let zero = this.constant(&mut code, ElementType::Index, Scalar::Int(0));
            let one = this.constant(&mut code, ElementType::Index, Scalar::Int(1));
            let [head, body, exit] = ["l", "l", "l"].map(|label| this.name(label));
            let mut carried = vec![Item::Scalar(this.fresh_scalar(ElementType::Index))];
            carried.extend(this.like(items));
            let types = types_of(&carried);
            code.line(format!(
                "cf.br ^{head}({zero}, {} : {types})",
                names_of(&arguments[1..])
            ));
            code.line(format!("^{head}({}):", declared(&carried)));
            let counter = carried[0].name().to_owned();
            let text = format!("arith.cmpi slt, %{counter}, %{number} : index");
            let again = this.operation(&mut code, &text);
            code.line(format!("cf.cond_br {again}, ^{body}, ^{exit}"));
            code.line(format!("^{body}:"));
            let seen = [arguments.clone(), carried.clone()].concat();
            let block = this.host_block(&seen, 2);
            let passed = this.passed_on(&block, &carried[1..]);
            code.lines += &block.code.lines;
            let next = this.operation(&mut code, &format!("arith.addi %{counter}, {one} : index"));
            code.line(format!(
                "cf.br ^{head}({next}, {} : {types})",
                passed.join(", ")
            ));
            code.line(format!("^{exit}:"));
            let block = this.host_block(&seen, 1);
            let returned = this.returned(&block, &carried, results);
            code.lines += &block.code.lines;
            code.line(format!(
                "return {} : {}",
                returned.join(", "),
                types_of(results)
            ));
            code.lines + "}\n"
        });
        self.program.functions.push(text);
    }
}
