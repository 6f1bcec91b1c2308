//! Which values may be the same memory.
//!
//! Values are *names* of memory. Names that one op makes of others, or that loops and branches carry,
//! are in one class, whatever the control flow is (Steensgaard, POPL 1996). Besides, memory that is
//! allocated at some place is none that had a name before.
//!
//! Cost: linear in the number of ops, almost.

use std::collections::HashMap;

use comb_kit::{
    checks::facts::key,
    views::is_view,
    walk::{ancestors, blocks, is_there_before, operations},
};
use melior::ir::{BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::{Arguments, Parts},
    view::{definition, op_name},
};

/// The class of memory that is made elsewhere; no value is at this address.
const ELSEWHERE: usize = 1;

/// The classes of the names in a function.
pub struct Aliases {
    parents: HashMap<usize, usize>,
}

impl Aliases {
    /// Those of a function.
    pub fn of(root: OperationRef) -> Self {
        let mut aliases = Self {
            parents: HashMap::new(),
        };
        aliases.learn_arguments(root);
        for op in operations(root) {
            aliases.learn(op);
        }
        aliases
    }

    /// Whether two names may be the same memory, or parts of it that overlap.
    pub fn may_be_same<'c: 'a, 'a>(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
        let (one, other) = (base(one), base(other));
        if one == other {
            return true;
        }
        let [is_new, is_other_new] = [one, other].map(is_allocated);
        let is_fresh = |new: Value<'c, 'a>, old: Value<'c, 'a>| {
            definition(new).is_some_and(|allocation| is_there_before(old, allocation))
        };
        let are_different = is_new && (is_other_new || is_fresh(one, other))
            || is_other_new && is_fresh(other, one);
        !are_different && self.class(key(one)) == self.class(key(other))
    }

    fn class(&self, mut name: usize) -> usize {
        while let Some(&parent) = self.parents.get(&name) {
            name = parent;
        }
        name
    }

    fn join(&mut self, one: Value, other: Value) {
        self.join_keys(key(one), key(other));
    }

    fn join_keys(&mut self, one: usize, other: usize) {
        let [one, other] = [one, other].map(|name| self.class(name));
        if one != other {
            self.parents.insert(one, other);
        }
    }

    fn join_all(&mut self, names: &[Value]) {
        for pair in names.windows(2) {
            self.join(pair[0], pair[1]);
        }
    }

    /// A caller may give the same memory twice.
    fn learn_arguments<'c: 'a, 'a>(&mut self, function: OperationRef<'c, 'a>) {
        for block in blocks(function) {
            let arguments = (0..block.argument_count()).filter_map(|number| {
                let argument: Value = block.argument_at(number)?.into();
                is_memory(argument).then_some(argument)
            });
            let arguments: Vec<Value> = arguments.collect();
            self.join_all(&arguments);
        }
    }

    /// What an op makes of names.
    fn learn<'c: 'a, 'a>(&mut self, op: OperationRef<'c, 'a>) {
        match op_name(op) {
            "scf.yield" | "scf.condition" => self.learn_carried(op),
            // What has no operand that is memory may be the same memory each time.
            "memref.get_global" | "bufferization.to_buffer" => {
                if let Some(name) = op.result_at(0) {
                    self.join_keys(key(name.into()), ELSEWHERE);
                }
            }
            "scf.for" => self.pairs(op, 3, 1),
            "scf.while" => self.pairs(op, 0, 0),
            name if name.starts_with("nest.")
                || name.starts_with("linalg.")
                || matches!(name, "memref.alloc" | "memref.copy" | "func.return") => {}
            // Whatever else takes or gives several names may make one of another.
            _ => {
                let given = op.results().map(|result| result.into());
                let names = op.operands().chain(given).filter(|&name| is_memory(name));
                self.join_all(&names.collect::<Vec<_>>());
            }
        }
    }

    /// What an `scf` loop is given is what its first block takes, and its results are.
    fn pairs<'c: 'a, 'a>(&mut self, op: OperationRef<'c, 'a>, operands: usize, arguments: usize) {
        let inits: Vec<Value> = op.operands().skip(operands).collect();
        for block in blocks(op) {
            for (number, &init) in inits.iter().enumerate() {
                if let Some(argument) = block.argument_at(number + arguments)
                    && is_memory(init)
                {
                    self.join(init, argument.into());
                }
            }
        }
        for (number, &init) in inits.iter().enumerate() {
            if let Some(result) = op.result_at(number)
                && is_memory(init)
                && is_memory(result.into())
            {
                self.join(init, result.into());
            }
        }
    }

    /// What the end of a region hands on: to results, and to blocks of the op around.
    fn learn_carried<'c: 'a, 'a>(&mut self, end: OperationRef<'c, 'a>) {
        let Some(around) = ancestors(end).next() else {
            return;
        };
        let skipped = usize::from(op_name(end) == "scf.condition");
        let first = usize::from(op_name(around) == "scf.for");
        let given: Vec<Value> = end.operands().skip(skipped).collect();
        for (number, &name) in given.iter().enumerate() {
            if !is_memory(name) {
                continue;
            }
            if let Some(result) = around.result_at(number)
                && is_memory(result.into())
            {
                self.join(name, result.into());
            }
            if op_name(around) == "scf.if" {
                continue;
            }
            for block in blocks(around) {
                if let Some(argument) = block.argument_at(number + first)
                    && is_memory(argument.into())
                {
                    self.join(name, argument.into());
                }
            }
        }
    }
}

fn is_memory(value: Value) -> bool {
    value.r#type().is_mem_ref()
}

/// The name that a view is made of.
pub fn base<'c: 'a, 'a>(name: Value<'c, 'a>) -> Value<'c, 'a> {
    let view = definition(name).filter(|&op| is_view(op));
    let source = view.and_then(|view| view.operand_at(0));
    source.map_or(name, base)
}

/// Whether a name is new memory.
pub fn is_allocated(name: Value) -> bool {
    definition(name)
        .is_some_and(|op| matches!(op_name(op), "memref.alloc" | "memref.alloca" | "nest.local"))
}
