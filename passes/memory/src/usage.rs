//! How much memory a function in memory form uses, and what it copies: for people who want to know, and for tests
//! that count.
//!
//! A *block* is memory that is allocated. It is live from where it is allocated to the last op that uses it, by whatever
//! name. A *copy* is an op, or are the loops of a kernel, that write elements as they were read.
//! Sizes are polynomials over the sizes of parameters and other numbers.
//!
//! Cost: linear in the ops of the function, times the blocks that are live at each.

use comb_kit::{
    element_types::bits_in_memory,
    walk::{ancestors, first_block, operations},
};
use comb_lmad::Polynomial;
use comb_nest::elements::{
    layouts::shape_of,
    names::Names,
    numbers::{Leaf, Numbers},
    shown::{parameter, sum},
};
use melior::ir::{
    BlockLike, OperationRef, TypeLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    cast::{Parts, cast},
    location::place,
    view::{argument_of, definition, op_name, uses},
};

use crate::{
    reuse_blocks::life::Life,
    short_circuit::{aliases::base, has_branches, why_copied},
};

/// Loops: what is in them may happen more often than once.
const LOOPS: &[&str] = &["nest.loop", "scf.for", "scf.parallel", "scf.while"];

/// What a function uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// What is allocated, in order.
    pub blocks: Vec<Block>,
    /// What is copied, in order.
    pub copies: Vec<Copied>,
    /// How much is live at a time at most; several amounts if it is not known which of them is more.
    pub most: Vec<Amount>,
    /// How many ops there are, which are counted by [`Block::first`], [`Block::last`] and [`Copied::at`].
    pub ops: usize,
}

/// A number of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// As a sum of products.
    pub text: String,
    /// The number, if it is known.
    pub bytes: Option<u64>,
}

/// Memory that is allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How large it is.
    pub amount: Amount,
    /// Its type, as MLIR shows it.
    pub r#type: String,
    /// In how many loops it is allocated.
    pub depth: usize,
    /// The op that allocates it.
    pub first: usize,
    /// The last one that may use it.
    pub last: usize,
    /// Where it comes from, if that is known.
    pub place: Option<String>,
}

/// What is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// How many bytes.
    pub amount: Amount,
    /// From which block, or the name of a parameter.
    pub from: String,
    /// Where to.
    pub to: String,
    /// In how many loops the copy is.
    pub depth: usize,
    /// Whether it is in a branch.
    pub is_conditional: bool,
    /// The op that copies.
    pub at: usize,
    /// Where it comes from, if that is known.
    pub place: Option<String>,
    /// Why it is made, if it might not be.
    pub reason: Option<String>,
}

/// That of a function.
pub fn usage<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Usage {
    let all = operations(function);
    let Some(&last) = all.last() else {
        return Usage::default();
    };
    let mut account = Account {
        numbers: Numbers::at(last),
        has_branches: has_branches(function),
        all,
        blocks: vec![],
        named: vec![],
    };
    let mut usage = Usage {
        ops: account.all.len(),
        ..Usage::default()
    };
    let mut live = vec![];
    for (first, op) in account.all.clone().into_iter().enumerate() {
        if let Some((block, bytes)) = account.block(first, op) {
            live.push((block.first, block.last, bytes));
            usage.blocks.push(block);
        }
    }
    for (at, op) in account.all.clone().into_iter().enumerate() {
        usage.copies.extend(account.copied(at, op));
    }
    usage.most = account.most(&live);
    usage
}

struct Account<'c, 'a> {
    numbers: Numbers<'c, 'a>,
    has_branches: bool,
    all: Vec<OperationRef<'c, 'a>>,
    /// What is allocated, in order.
    blocks: Vec<Value<'c, 'a>>,
    /// Values that have got a number.
    named: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Account<'c, 'a> {
    /// The block that an op allocates, and how many bytes it has. Numbers, and the shapes of reshapes, are none.
    fn block(
        &mut self,
        first: usize,
        op: OperationRef<'c, 'a>,
    ) -> Option<(Block, Option<Polynomial>)> {
        if !matches!(op_name(op), "memref.alloc" | "nest.local") {
            return None;
        }
        let memory: Value = op.result_at(0)?.into();
        let r#type = cast::<MemRefType>(memory.r#type())?;
        let is_shape = uses(memory).into_iter().any(|(user, operand)| {
            op_name(user) == "memref.reshape" && operand == 1 && shape_of(user).is_some()
        });
        if r#type.rank() == 0 || is_shape {
            return None;
        }
        self.blocks.push(memory);
        let bytes = self.bytes(memory);
        let block = Block {
            amount: self.amount(bytes.as_ref()),
            r#type: memory.r#type().to_string(),
            depth: depth(op),
            first,
            last: self.last_use(memory, op),
            place: place(op.location()),
        };
        Some((block, bytes))
    }

    /// The last op that may use memory: that of its block if it is given out of that.
    fn last_use(&self, memory: Value<'c, 'a>, allocation: OperationRef<'c, 'a>) -> usize {
        let life = Life::of(memory, allocation).filter(|_| !self.has_branches);
        let end = match life.map(|life| life.last) {
            Some(Some(last)) => Some(last),
            Some(None) => Some(allocation),
            None => ancestors(allocation).next(),
        };
        end.and_then(|end| self.end_of(end))
            .unwrap_or(self.all.len())
    }

    /// The last op in another one.
    fn end_of(&self, op: OperationRef<'c, 'a>) -> Option<usize> {
        let start = self.all.iter().position(|&other| other == op)?;
        Some(start + operations(op).len())
    }

    /// How many bytes memory has.
    fn bytes(&mut self, memory: Value<'c, 'a>) -> Option<Polynomial> {
        let r#type = cast::<MemRefType>(memory.r#type())?;
        let bytes = Polynomial::from(element_bytes(r#type));
        (0..r#type.rank()).try_fold(bytes, |product, dimension| {
            product.checked_mul(&self.numbers.size(memory, dimension))
        })
    }

    /// What an op copies, and from where to where.
    fn copied(&mut self, at: usize, op: OperationRef<'c, 'a>) -> Option<Copied> {
        let (from, to, elements) = match op_name(op) {
            "memref.copy" => {
                let from = op.operand_at(0)?;
                (from, op.operand_at(1)?, None)
            }
            "nest.write" | "nest.scatter" => {
                let read = definition(op.operand_at(0)?);
                let read = read.filter(|&op| op_name(op) == "nest.read")?;
                (read.operand_at(0)?, op.operand_at(1)?, self.iterations(op))
            }
            _ => return None,
        };
        let bytes = match elements {
            None => self.bytes(from),
            Some(elements) => {
                let r#type = cast::<MemRefType>(to.r#type())?;
                elements.checked_mul(&element_bytes(r#type).into())
            }
        };
        let kernel = ancestors(op).find(|&op| op_name(op) == "nest.kernel");
        let around = match op_name(op) {
            "memref.copy" => op,
            _ => kernel.unwrap_or(op),
        };
        Some(Copied {
            amount: self.amount(bytes.as_ref()),
            from: self.name(from),
            to: self.name(to),
            depth: depth(around),
            is_conditional: ancestors(around).any(|op| op_name(op) == "scf.if"),
            at,
            place: place(op.location()),
            reason: why_copied(op),
        })
    }

    /// How often an op runs each time that its kernel does.
    fn iterations(&mut self, op: OperationRef<'c, 'a>) -> Option<Polynomial> {
        let within = ancestors(op).take_while(|&op| op_name(op) != "nest.kernel");
        let mut loops = within.filter(|&op| op_name(op) == "nest.loop");
        loops.try_fold(Polynomial::from(1), |product, op| {
            product.checked_mul(&self.numbers.of(op.operand_at(0)?))
        })
    }

    /// The block that a name is one of, by its number from 1 on, or the name of a parameter. Where blocks
    /// are taken in turn it may be one of several.
    fn name(&mut self, memory: Value<'c, 'a>) -> String {
        let memory = base(memory);
        let has = |block: Value<'c, 'a>| {
            block == memory || Names::of(block).is_some_and(|names| names.has(memory))
        };
        let blocks = (1..).zip(&self.blocks).filter(|&(_, &block)| has(block));
        let blocks: Vec<String> = blocks
            .map(|(number, _)| format!("block {number}"))
            .collect();
        match blocks.is_empty() {
            true => self.value_name(memory),
            false => blocks.join(" or "),
        }
    }

    /// What a value is called: a parameter by its name or number, and others by the op that computes them, or that is
    /// the loop of which they are the index, and a number.
    fn value_name(&mut self, value: Value<'c, 'a>) -> String {
        if let Some(name) = parameter(value) {
            return name;
        }
        let (op, prefix) = match argument_of(value) {
            Some((owner, 0)) => (Some(owner), "index of "),
            Some((owner, _)) => (Some(owner), "what is carried by "),
            None => (definition(value), ""),
        };
        let known = self.named.iter().position(|&other| other == value);
        let number = known.unwrap_or_else(|| {
            self.named.push(value);
            self.named.len() - 1
        });
        let name = op.map_or("?", op_name);
        format!("({prefix}{name} {})", number + 1)
    }

    fn amount(&mut self, bytes: Option<&Polynomial>) -> Amount {
        let Some(bytes) = bytes else {
            return Amount {
                text: "?".to_owned(),
                bytes: None,
            };
        };
        let known = bytes.as_constant();
        Amount {
            text: sum(bytes, |symbol| self.leaf(symbol)),
            bytes: known.and_then(|number| u64::try_from(number).ok()),
        }
    }

    fn leaf(&mut self, symbol: comb_lmad::Symbol) -> String {
        match self.numbers.leaf(symbol) {
            Leaf::Value(value) | Leaf::Count(value) => self.value_name(value),
            Leaf::Size(memory, dimension) => format!("dim({}, {dimension})", self.name(memory)),
        }
    }

    /// The amounts that are live at a time, of which none is known to be more than another.
    fn most(&mut self, live: &[(usize, usize, Option<Polynomial>)]) -> Vec<Amount> {
        let starts = live.iter().map(|&(first, ..)| first);
        let at = |op: usize| {
            let mut here = live
                .iter()
                .filter(|(first, last, _)| (*first..=*last).contains(&op));
            here.try_fold(Polynomial::default(), |sum, (.., bytes)| {
                sum.checked_add(bytes.as_ref()?)
            })
        };
        // Whatever a size depends on is a size, or counts something.
        let mut bounds = self.numbers.bounds.clone();
        let sizes = live.iter().filter_map(|(.., bytes)| bytes.as_ref());
        for symbol in sizes.flat_map(Polynomial::symbols) {
            bounds.at_least(symbol, 0);
        }
        let mut most: Vec<Polynomial> = vec![];
        for sum in starts.filter_map(at) {
            let is_less = |one: &Polynomial, other: &Polynomial| {
                one == other || bounds.is_less(one, other) || {
                    let next = other.checked_add(&1.into());
                    next.is_some_and(|next| bounds.is_less(one, &next))
                }
            };
            if most.iter().any(|other| is_less(&sum, other)) {
                continue;
            }
            most.retain(|other| !is_less(other, &sum));
            most.push(sum);
        }
        most.iter().map(|sum| self.amount(Some(sum))).collect()
    }
}

fn element_bytes(r#type: MemRefType) -> i64 {
    (bits_in_memory(r#type.element()) / 8) as i64
}

/// In how many loops an op is.
fn depth(op: OperationRef) -> usize {
    ancestors(op)
        .filter(|&op| LOOPS.contains(&op_name(op)))
        .count()
}

/// Whether a function uses arrays.
pub fn has_arrays<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> bool {
    operations(function).into_iter().any(|op| {
        op.results()
            .any(|result| Value::from(result).r#type().is_mem_ref())
    }) || first_block(function).is_some_and(|block| {
        (0..block.argument_count()).any(|number| {
            let argument = block.argument(number);
            argument.is_ok_and(|argument| argument.r#type().is_mem_ref())
        })
    })
}
