//! The decoded form of a module: ops whose operands are numbers of registers.
//!
//! Registers hold 64 bits without a type. Constants and special registers such as `%tid.x` are
//! registers too, which are set when a thread enters a function; so every operand is a register.

use std::collections::HashMap;
use std::sync::Arc;

use crate::convert::Conversion;
use crate::integer::{Binary, Quaternary, Ternary, Unary};
use crate::types::Space;

/// The number of a register.
pub(crate) type Reg = u32;

/// The register that is always 0.
pub(crate) const ZERO: Reg = 0;
/// The register of the carry.
pub(crate) const CARRY: Reg = 1;

/// A module, ready to run.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// The ops of all functions; branches name positions in it.
    pub(crate) ops: Vec<Op>,
    /// Where each op comes from.
    pub(crate) sources: Vec<Source>,
    pub(crate) functions: Vec<Function>,
    /// The functions that can be launched, by name.
    pub(crate) kernels: HashMap<String, usize>,
}

/// The instruction that an op comes from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) line: u32,
    pub(crate) opcode: Arc<str>,
}

/// A kernel or a device function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The position of its first op.
    pub(crate) start: u32,
    /// What its registers hold at the start.
    pub(crate) registers: Vec<u64>,
    pub(crate) specials: Vec<(Reg, Special)>,
    pub(crate) parameters: Vec<Slot>,
    pub(crate) results: Vec<Slot>,
    /// The bytes of parameters and results.
    pub(crate) signature_bytes: usize,
    /// The bytes of a call: parameters, results and variables.
    pub(crate) frame_bytes: usize,
    /// The bytes of shared memory whose size is known.
    pub(crate) shared_bytes: usize,
    pub(crate) max_threads: Option<u64>,
}

/// A place in the memory of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// What a special register tells; `0` is x, `1` is y, `2` is z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Thread(usize),
    Threads(usize),
    Block(usize),
    Blocks(usize),
    Lane,
    Warp,
    Warps,
    /// The bits of the lanes that come in this order before or after the own one.
    LaneMask(Lanes),
    /// Where shared memory of a size given at the launch begins.
    DynamicShared,
    DynamicSharedSize,
    SharedSize,
}

/// Lanes compared with the own one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What is read or written in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) space: Space,
    /// Of one value.
    pub(crate) bytes: u8,
    pub(crate) signed: bool,
}

/// An address: a register and a number added to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) base: Reg,
    pub(crate) offset: i64,
}

/// An op. `d` is the register of the result; `a`, `b`, `c` are those of the operands.
#[derive(Debug)]
pub(crate) enum Op {
    Copy {
        d: Reg,
        a: Reg,
    },
    Unary {
        f: Unary,
        d: Reg,
        a: Reg,
    },
    Binary {
        f: Binary,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ternary {
        f: Ternary,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Quaternary {
        f: Quaternary,
        d: Reg,
        of: Box<[Reg; 4]>,
    },
    /// `a` where `c` is true, else `b`.
    Select {
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Convert {
        d: Reg,
        a: Reg,
        how: Box<Conversion>,
    },
    Jump {
        target: u32,
    },
    /// Continues at the target where the predicate is as expected.
    Branch {
        predicate: Reg,
        expected: bool,
        target: u32,
    },
    Indexed {
        index: Reg,
        targets: Box<[u32]>,
    },
    Load {
        access: Access,
        d: Reg,
        from: Address,
    },
    LoadVector {
        access: Access,
        d: Box<[Reg]>,
        from: Box<Address>,
    },
    Store {
        access: Access,
        a: Reg,
        to: Address,
    },
    StoreVector {
        access: Access,
        a: Box<[Reg]>,
        to: Box<Address>,
    },
    Atomic(Box<Atomic>),
    /// The local address of a place in the memory of the call.
    FrameAddress {
        d: Reg,
        offset: u32,
    },
    /// Whether a generic address is in a window.
    IsSpace {
        d: Reg,
        a: Reg,
        space: Space,
    },
    Exchange(Box<Exchange>),
    Barrier(Box<Barrier>),
    Call(Box<Call>),
    Return,
    Exit,
    Trap,
    Clock {
        d: Reg,
    },
    /// The bit of the own lane.
    ActiveMask {
        d: Reg,
    },
}

/// An atomic change of memory.
#[derive(Debug)]
pub(crate) struct Atomic {
    pub(crate) access: Access,
    /// Where the old value goes.
    pub(crate) d: Option<Reg>,
    pub(crate) at: Address,
    pub(crate) b: Reg,
    pub(crate) c: Reg,
    pub(crate) update: Update,
}

/// The new value of an atomic change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Update {
    /// Of the old value and `b`.
    With(Binary),
    /// `b`.
    Exchange,
    /// `c` where the old value is `b`.
    CompareExchange,
}

/// An exchange among the lanes of a warp.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The lanes that take part.
    pub(crate) mask: Reg,
    pub(crate) kind: ExchangeKind,
}

/// What is exchanged.
#[derive(Debug)]
pub(crate) enum ExchangeKind {
    Shuffle {
        mode: Shuffle,
        d: Reg,
        predicate: Option<Reg>,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Vote {
        mode: Vote,
        d: Reg,
        a: Reg,
    },
    Match {
        all: bool,
        wide: bool,
        d: Reg,
        predicate: Option<Reg>,
        a: Reg,
    },
    Reduce {
        f: Binary,
        d: Reg,
        a: Reg,
    },
    Elect {
        d: Option<Reg>,
        predicate: Reg,
    },
    /// Only waits.
    Barrier,
}

/// Which lane a shuffle reads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What a vote tells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// A barrier of a block.
#[derive(Debug)]
pub(crate) struct Barrier {
    /// The number of the barrier.
    pub(crate) number: Reg,
    /// The threads that take part; all of the block if there is none.
    pub(crate) count: Option<Reg>,
    pub(crate) kind: BarrierKind,
    /// Whether all threads of a warp wait at the same instruction.
    pub(crate) aligned: bool,
}

/// What a barrier does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BarrierKind {
    Wait,
    /// Does not wait for the others.
    Arrive,
    /// Combines predicates.
    Reduce {
        how: BarrierReduction,
        d: Reg,
        a: Reg,
    },
}

/// How a barrier combines predicates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BarrierReduction {
    Count,
    All,
    Any,
}

/// A call of a device function.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) function: usize,
    /// From the memory of the caller to that of the callee.
    pub(crate) arguments: Vec<(Slot, Slot)>,
    /// From the memory of the callee to that of the caller.
    pub(crate) results: Vec<(Slot, Slot)>,
}
