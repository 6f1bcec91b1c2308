//! Statements that contain statements: clusters, conditionals and loops.

use rand::Rng;

use super::{ArrayVar, Code, Generator, combinators::names, types_of};
use crate::program::Statement;

impl Generator {
    /// Statements inside another one: their text, what they use from outside,
    /// and the arrays that they define.
    fn block(&mut self, visible: Vec<ArrayVar>, count: usize) -> (Code, Vec<ArrayVar>) {
        self.nested(visible, |this| {
            for _ in 0..4 * count {
                if this.program.statements.len() < count {
                    this.try_statement();
                }
            }
        })
    }

    /// What the statements are that are made inside another one, as above.
    pub fn nested(
        &mut self,
        visible: Vec<ArrayVar>,
        make: impl FnOnce(&mut Self),
    ) -> (Code, Vec<ArrayVar>) {
        let outer_arrays = std::mem::replace(&mut self.arrays, visible);
        let outer_statements = std::mem::take(&mut self.program.statements);
        let known = self.arrays.len();
        self.depth += 1;
        make(self);
        self.depth -= 1;
        let statements = std::mem::replace(&mut self.program.statements, outer_statements);
        let arrays = std::mem::replace(&mut self.arrays, outer_arrays);
        (joined(&statements), arrays[known..].to_vec())
    }

    pub fn make_cluster(&mut self) -> Option<()> {
        if self.depth > 0 {
            return None;
        }
        let inputs = self.arrays_of_one_shape(2, |_| true)?;
        let arguments: Vec<ArrayVar> = inputs
            .iter()
            .map(|input| self.fresh(input.element, input.dims.clone()))
            .collect();
        let (mut body, defined) = self.block(arguments.clone(), 3);
        let yielded = defined.last()?.clone();
        let list: Vec<String> = arguments
            .iter()
            .map(|argument| format!("%{}: {}", argument.name, argument.ty()))
            .collect();
        let mut head = Code::default();
        let operands = head.use_arrays(&inputs);
        for argument in &arguments {
            body.uses.remove(&argument.name);
        }
        body.line(format!("  soac.yield %{} : {}", yielded.name, yielded.ty()));
        body.line("}");
        body.lines = format!(" ({}) {{\n{}", list.join(", "), body.lines);
        let results = [self.fresh(yielded.element, yielded.dims)];
        let line = format!(
            "{} = soac.cluster {operands} : ({}) -> ({})",
            names(&results),
            types_of(&inputs),
            types_of(&results)
        );
        self.define_with_lambda("soac.cluster", head, &line, body, &results);
        Some(())
    }

    pub fn make_control_flow(&mut self) -> Option<()> {
        if self.depth > 0 {
            return None;
        }
        match self.rng.random_range(0..3) {
            0 => self.make_if(),
            1 => self.make_for(),
            _ => self.make_while(),
        }
    }

    /// A branch, and the array of a shape that it gives: one that it computes,
    /// if there is one.
    fn branch(&mut self, model: &ArrayVar) -> (Code, String) {
        let (mut code, defined) = self.block(self.arrays.clone(), 2);
        let fits = |array: &&ArrayVar| array.ty() == model.ty() && array.has_shape_of(model);
        let name = match defined.iter().find(fits) {
            Some(array) => format!("%{}", array.name),
            None => code.use_name(&model.name),
        };
        (code, name)
    }

    /// Adds a branch that yields an array of a shape.
    fn add_branch(&mut self, code: &mut Code, model: &ArrayVar) {
        let (branch, yielded) = self.branch(model);
        code.lines += &branch.lines;
        code.line(format!("  scf.yield {yielded} : {}", model.ty()));
        code.uses.extend(branch.uses);
    }

    fn make_if(&mut self) -> Option<()> {
        let model = self.array(|_| true)?;
        let mut code = Code::default();
        let condition = self.comparison(&mut code, &[], 2);
        let result = self.fresh(model.element, model.dims.clone());
        code.line(format!(
            "%{} = scf.if {condition} -> ({}) {{",
            result.name,
            result.ty()
        ));
        self.add_branch(&mut code, &model);
        code.line("} else {");
        self.add_branch(&mut code, &model);
        code.line("}");
        self.define("scf.if", code, &[result]);
        Some(())
    }

    /// A loop that carries an array.
    fn make_for(&mut self) -> Option<()> {
        let start = self.array(|_| true)?;
        let steps = self.rng.random_range(0..4);
        let carried = self.fresh(start.element, start.dims.clone());
        let result = self.fresh(start.element, start.dims.clone());
        let mut code = Code::default();
        let (zero, one) = (self.index_parameter(0), self.index_parameter(1));
        let bound = self.index_parameter(steps);
        let [zero, one, bound] = [zero, one, bound].map(|name| code.use_name(&name));
        let first = code.use_name(&start.name);
        let index = self.name("i");
        let ty = start.ty();
        code.line(format!(
            "%{} = scf.for %{index} = {zero} to {bound} step {one} iter_args(%{} = {first}) -> \
             ({ty}) {{",
            result.name, carried.name
        ));
        let yielded = self.add_loop_body(&mut code, &carried);
        code.line(format!("  scf.yield {yielded} : {ty}"));
        code.line("}");
        self.define("scf.for", code, &[result]);
        Some(())
    }

    /// Adds the body of a loop that carries an array; gives what it yields.
    fn add_loop_body(&mut self, code: &mut Code, carried: &ArrayVar) -> String {
        self.arrays.push(carried.clone());
        let (mut body, yielded) = self.branch(carried);
        self.arrays.pop();
        body.uses.remove(&carried.name);
        code.lines += &body.lines;
        code.uses.extend(body.uses);
        yielded
    }

    /// A loop that carries an array and counts down.
    fn make_while(&mut self) -> Option<()> {
        let start = self.array(|_| true)?;
        let steps = self.rng.random_range(0..4);
        let carried = self.fresh(start.element, start.dims.clone());
        let result = self.fresh(start.element, start.dims.clone());
        let mut code = Code::default();
        let (zero, one) = (self.index_parameter(0), self.index_parameter(1));
        let bound = self.index_parameter(steps);
        let [zero, one, bound] = [zero, one, bound].map(|name| code.use_name(&name));
        let first = code.use_name(&start.name);
        let [left, more, before, next, counter, seen] =
            ["w", "w", "w", "w", "w", "w"].map(|prefix| self.name(prefix));
        let ty = start.ty();
        code.line(format!(
            "%{counter}, %{} = scf.while (%{left} = {bound}, %{seen} = {first}) : (index, {ty}) \
             -> (index, {ty}) {{",
            result.name
        ));
        code.line(format!(
            "  %{more} = arith.cmpi sgt, %{left}, {zero} : index"
        ));
        code.line(format!(
            "  scf.condition(%{more}) %{left}, %{seen} : index, {ty}"
        ));
        code.line("} do {");
        code.line(format!("^bb0(%{before}: index, %{}: {ty}):", carried.name));
        code.line(format!("  %{next} = arith.subi %{before}, {one} : index"));
        let yielded = self.add_loop_body(&mut code, &carried);
        code.line(format!("  scf.yield %{next}, {yielded} : index, {ty}"));
        code.line("}");
        self.define("scf.while", code, &[result]);
        Some(())
    }
}

fn joined(statements: &[Statement]) -> Code {
    let mut code = Code::default();
    for statement in statements {
        code.lines += &statement.text;
        code.uses.extend(statement.uses.iter().cloned());
    }
    for statement in statements {
        for (name, _) in &statement.defines {
            code.uses.remove(name);
        }
    }
    code
}
