//! The syntax of a PTX module, as it is read from text: names are not resolved yet.

use crate::types::Type;

/// A module.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The chip it is made for: 90 for `sm_90`.
    pub(crate) target: u32,
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Function>,
}

/// The space that a variable is declared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableSpace {
    Global,
    Const,
    Shared,
    Local,
    Param,
}

/// A variable or a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) space: VariableSpace,
    pub(crate) ty: Type,
    pub(crate) align: u64,
    /// In bytes; 0 for an array without a size.
    pub(crate) size: u64,
    pub(crate) initial: Vec<Initial>,
    pub(crate) line: u32,
}

/// One element of an initialiser.
#[derive(Clone, Debug)]
pub(crate) enum Initial {
    /// The bits of a number.
    Bits(u64),
    /// The address of a variable, and a number added to it.
    Address(String, i64),
}

/// A kernel or a device function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) is_entry: bool,
    pub(crate) results: Vec<Variable>,
    pub(crate) parameters: Vec<Variable>,
    /// The most threads of a block, from `.maxntid` or `.reqntid`.
    pub(crate) max_threads: Option<u64>,
    /// `None` for a declaration.
    pub(crate) body: Option<Vec<Statement>>,
}

/// A statement of a function.
#[derive(Debug)]
pub(crate) enum Statement {
    /// `{`
    Open,
    /// `}`
    Close,
    Label(String),
    /// Names of registers, with the count of `%r<8>`.
    Registers(Vec<(String, Option<u64>)>),
    Variable(Variable),
    /// `label: .branchtargets a, b;`
    Targets(String, Vec<String>),
    Instruction(Instruction),
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    /// The predicate, and whether it is negated.
    pub(crate) guard: Option<(String, bool)>,
    /// With all modifiers: `add.rn.f32`.
    pub(crate) opcode: String,
    pub(crate) operands: Vec<Operand>,
    pub(crate) line: u32,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    /// A register, variable, function or label.
    Name(String),
    /// `!p`
    Not(String),
    /// `p|q`
    Pair(String, String),
    /// `variable+8`
    Sum(String, i64),
    Integer(u64),
    Single(u32),
    Double(u64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[base+offset]`
    Address(Box<Operand>, i64),
    /// `(a, b)`
    List(Vec<Operand>),
}
