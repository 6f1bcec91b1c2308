//! What memory is called: by the op that allocates it, by views, by what loops and branches carry and give.
//!
//! Cost: linear in the uses of all names.

use std::collections::HashSet;

use comb_kit::{
    checks::facts::key,
    views::is_view,
    walk::{ancestors, blocks},
};
use melior::ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::{Arguments, Parts},
    view::{defining_block, op_name, uses},
};

/// Dialects whose ops make no names of memory, if they are none of those that are known to, and have no
/// memory as a result.
const PLAIN: &[&str] = &["linalg", "memref", "nest", "soac", "vector"];

/// But for those that free memory, or say where it is.
const OTHERS: &[&str] = &[
    "memref.dealloc",
    "memref.extract_aligned_pointer_as_index",
    "memref.extract_strided_metadata",
];

/// The names of some memory, and who uses them.
pub struct Names<'c, 'a> {
    keys: HashSet<usize>,
    /// The ops that use elements, but for those that make other names.
    pub users: Vec<OperationRef<'c, 'a>>,
    /// Whether memory is given on out of the block that allocates it.
    pub is_given: bool,
}

impl<'c: 'a, 'a> Names<'c, 'a> {
    /// Those of memory from where it is allocated, or carried; nothing if an op does something else with one.
    pub fn of(memory: Value<'c, 'a>) -> Option<Self> {
        Self::apart_from(memory, None)
    }

    /// Those that come of all uses but one.
    pub fn apart_from(
        memory: Value<'c, 'a>,
        except: Option<(OperationRef<'c, 'a>, usize)>,
    ) -> Option<Self> {
        let mut names = Self {
            keys: HashSet::new(),
            users: vec![],
            is_given: false,
        };
        let block = defining_block(memory)?;
        let mut pending = vec![memory];
        while let Some(name) = pending.pop() {
            if !names.keys.insert(key(name)) {
                continue;
            }
            let uses = uses(name).into_iter();
            for (op, operand) in uses.filter(|&one| Some(one) != except) {
                match op_name(op) {
                    "memref.dim" => {}
                    "func.return" => names.is_given = true,
                    "scf.yield" | "scf.condition" if op.block() == Some(block) => {
                        names.is_given = true;
                    }
                    _ => match others(op, operand)? {
                        Some(others) => pending.extend(others),
                        None => names.users.push(op),
                    },
                }
            }
        }
        Some(names)
    }

    /// Whether a value is one of them.
    pub fn has(&self, value: Value) -> bool {
        self.keys.contains(&key(value))
    }
}

/// The names that an op makes of one; no list if it makes none, nothing if it is not known what it does.
fn others<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    operand: usize,
) -> Option<Option<Vec<Value<'c, 'a>>>> {
    /// The bounds and the step of an `scf.for`.
    const BOUNDS: usize = 3;
    let around = || ancestors(op).next();
    Some(match op_name(op) {
        _ if is_view(op) && operand == 0 => Some(vec![op.result_at(0)?.into()]),
        "arith.select" => Some(vec![op.result_at(0)?.into()]),
        "scf.for" => Some(carried(op, operand.checked_sub(BOUNDS)?, 1)),
        "scf.while" => Some(carried(op, operand, 0)),
        "scf.condition" => Some(carried(around()?, operand.checked_sub(1)?, 0)),
        "scf.yield" => {
            let around = around()?;
            match op_name(around) {
                "scf.for" => Some(carried(around, operand, 1)),
                "scf.while" => Some(carried(around, operand, 0)),
                "scf.if" => Some(vec![around.result_at(operand)?.into()]),
                _ => return None,
            }
        }
        name => {
            let dialect = name.split('.').next().unwrap_or_default();
            let gives_memory = op
                .results()
                .any(|result| Value::from(result).r#type().is_mem_ref());
            let is_plain = PLAIN.contains(&dialect) && !OTHERS.contains(&name) && !gives_memory;
            is_plain.then_some(None)?
        }
    })
}

/// The names of what a loop carries in one place: in its blocks, behind so many other arguments, and its
/// result.
fn carried<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    number: usize,
    others: usize,
) -> Vec<Value<'c, 'a>> {
    let arguments = blocks(r#loop)
        .into_iter()
        .filter_map(|block| Some(block.argument_at(number + others)?.into()));
    let result = r#loop.result_at(number).map(Value::from);
    let all = arguments.chain(result);
    all.filter(|name| name.r#type().is_mem_ref()).collect()
}
