//! `comb-check-recursion`: a recursion that is too deep for the stack is a run-time error.
//!
//! In front of every call that may be part of a recursion, the runtime library is asked whether
//! there is stack left (`tools/runtime/src/stack.rs`), which is then checked. A recursion without
//! end has such a call, for either all of its calls name functions, which then form a cycle in the
//! call graph, or one of them is `func.call_indirect`, all of which are taken to be part of one.
//!
//! Phases:
//! 1. Read the call graph: who calls whom by name, and the calls.
//! 2. Find its strongly connected components (Tarjan's algorithm, in petgraph); a call inside one
//!    is part of a recursion.
//! 3. Insert the checks, and declare the library's function in modules that have some.
//!
//! Cost: linear in the size of the program.

use std::collections::HashMap;

use comb_kit::{
    library_function::LibraryFunction,
    pass_error::PassError,
    walk::{ancestors, operations},
};
use melior::{
    Error,
    ir::{OperationRef, attribute::FlatSymbolRefAttribute, operation::OperationLike},
};
use petgraph::{algo::tarjan_scc, graph::DiGraph, graph::NodeIndex};
use soac_dialect::{
    builder::Builder,
    text::{reference_bytes, symbol_bytes},
    view::op_name,
};

/// The runtime library's function that says whether there is stack left.
const STACK_IS_LEFT: LibraryFunction = LibraryFunction {
    name: "comb_runtime_stack_is_left",
    r#type: "() -> i1",
    takes_memory: false,
};

/// Runs the pass on a module and the modules inside it.
///
/// # Errors
///
/// If a module has something else by the name of the runtime's function.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let mut declared = vec![];
    for call in CallGraph::of(module).recursive_calls() {
        let owner = ancestors(call)
            .find(|&op| op_name(op) == "builtin.module")
            .ok_or(Error::OperationBuild)?;
        if !declared.contains(&owner) {
            STACK_IS_LEFT.declare(owner)?;
            declared.push(owner);
        }
        check(call)?;
    }
    Ok(())
}

/// Who calls whom.
#[derive(Default)]
struct CallGraph<'c, 'a> {
    /// The calls by name, from the function that they are in.
    functions: DiGraph<(), OperationRef<'c, 'a>>,
    /// The calls of functions that are computed.
    indirect: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> CallGraph<'c, 'a> {
    fn of(module: OperationRef<'c, 'a>) -> Self {
        let mut graph = Self::default();
        let ops = operations(module);
        let mut nodes: HashMap<_, NodeIndex> = HashMap::new();
        for &op in ops.iter().filter(|&&op| op_name(op) == "func.func") {
            if let Some(key) = key(op, symbol_bytes(op)) {
                nodes.insert(key, graph.functions.add_node(()));
            }
        }
        for op in ops {
            match op_name(op) {
                "func.call" => {
                    let ends = caller_and_callee(op);
                    let ends =
                        ends.and_then(|[from, to]| Some((nodes.get(&from)?, nodes.get(&to)?)));
                    if let Some((&from, &to)) = ends {
                        graph.functions.add_edge(from, to, op);
                    }
                }
                "func.call_indirect" => graph.indirect.push(op),
                _ => {}
            }
        }
        graph
    }

    /// The calls that may be part of a recursion.
    fn recursive_calls(self) -> Vec<OperationRef<'c, 'a>> {
        let mut component = vec![0; self.functions.node_count()];
        for (number, nodes) in tarjan_scc(&self.functions).into_iter().enumerate() {
            for node in nodes {
                component[node.index()] = number;
            }
        }
        let is_recursive =
            |&(from, to): &(NodeIndex, NodeIndex)| component[from.index()] == component[to.index()];
        let by_name = self.functions.edge_indices().filter_map(|edge| {
            self.functions
                .edge_endpoints(edge)
                .filter(is_recursive)
                .map(|_| self.functions[edge])
        });
        by_name.chain(self.indirect.iter().copied()).collect()
    }
}

/// A function: the module that it is in, and its name there.
type Function<'c> = (usize, &'c [u8]);

fn key<'c>(op: OperationRef, name: Option<&'c [u8]>) -> Option<Function<'c>> {
    let module = ancestors(op).find(|&op| op_name(op) == "builtin.module")?;
    Some((module.to_raw().ptr as usize, name?))
}

/// The function that a call is in, and the one that it names.
fn caller_and_callee<'c>(call: OperationRef<'c, '_>) -> Option<[Function<'c>; 2]> {
    let caller = ancestors(call).find(|&op| op_name(op) == "func.func")?;
    let callee = FlatSymbolRefAttribute::try_from(call.attribute("callee").ok()?).ok()?;
    Some([
        key(caller, symbol_bytes(caller))?,
        key(call, Some(reference_bytes(callee)))?,
    ])
}

/// In front of a call: there is stack left.
fn check(call: OperationRef) -> Result<(), Error> {
    let builder = Builder::before(call).ok_or(Error::OperationBuild)?;
    let callee = builder.attribute(&format!("@{}", STACK_IS_LEFT.name))?;
    let condition = builder.integer_type(1);
    let is_left = builder.value("func.call", &[], condition, &[("callee", callee)])?;
    let message = format!("'{}' op recursion is too deep for the stack", op_name(call));
    let attributes = [("message", builder.string(&message))];
    builder.op("soac.check", &[is_left], &[], &attributes, vec![])?;
    Ok(())
}
