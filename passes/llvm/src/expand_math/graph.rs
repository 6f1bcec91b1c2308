//! Formulas as graphs, apart from MLIR: what a function's code is before it is
//! written for scalars or for vectors of some shape.
//!
//! A [`Graph`] holds the ops in the order in which they were built; equal ones
//! are there once. A [`Term`] is one value of it, and has Rust's operators, so
//! that algorithms read like formulas. The only control flow is
//! [`Graph::rarely`]: code that is skipped unless some lane needs it.
//!
//! Building is linear in the number of ops.

use std::{cell::RefCell, collections::HashMap, ops};

/// The type of a term: that of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    F32,
    F64,
    I32,
    I64,
    Bool,
}

impl Kind {
    /// The integer type as wide as a floating-point type, or the reverse.
    pub fn counterpart(self) -> Self {
        match self {
            Self::F32 => Self::I32,
            Self::F64 => Self::I64,
            Self::I32 => Self::F32,
            Self::I64 => Self::F64,
            Self::Bool => Self::Bool,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// How two numbers are compared; a NaN is only `NotEqual` to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Less,
    Equal,
    NotEqual,
}

/// What a node does with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The function's parameter of this number.
    Input(usize),
    /// These bits.
    Constant(u64),
    Add,
    Subtract,
    Multiply,
    Divide,
    /// `a * b + c`, rounded once.
    FusedMultiplyAdd,
    Negate,
    Absolute,
    SquareRoot,
    /// The first operand with the sign of the second.
    CopySign,
    And,
    Or,
    Xor,
    ShiftLeft,
    /// Zeros come in.
    ShiftRight,
    /// Between a floating-point number and the integer of its bits.
    Reinterpret,
    /// From f32 to f64.
    Extend,
    /// From f64 to f32.
    Round,
    Compare(Comparison),
    /// The second operand where the first one holds, else the third.
    Select,
    /// Operands: a condition and then values. If the condition holds in some
    /// lane, the nodes of `body` are run, and give `results`, which take the
    /// place of the values in those lanes.
    Rarely {
        body: ops::Range<usize>,
        results: Vec<usize>,
    },
    /// One of the values of a `Rarely`.
    Outcome(usize),
}

/// One op.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub operation: Operation,
    pub operands: Vec<usize>,
    pub kind: Kind,
}

/// Ops under construction.
#[derive(Default)]
pub struct Graph {
    fma: bool,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    nodes: Vec<Node>,
    known: HashMap<Node, usize>,
}

/// A value of a graph.
#[derive(Clone, Copy)]
pub struct Term<'g> {
    graph: &'g Graph,
    index: usize,
    kind: Kind,
}

/// A finished function: its nodes in order, and which one is the result.
#[derive(Debug)]
pub struct Formula {
    pub nodes: Vec<Node>,
    pub result: usize,
}

impl Graph {
    /// An empty graph for a CPU with or without fused multiply-add.
    pub fn new(fma: bool) -> Self {
        Self {
            fma,
            ..Self::default()
        }
    }

    /// Whether the CPU has fused multiply-add.
    pub fn has_fma(&self) -> bool {
        self.fma
    }

    /// A parameter of the function.
    pub fn input(&self, number: usize, kind: Kind) -> Term<'_> {
        self.term(Operation::Input(number), &[], kind)
    }

    /// Ends the construction.
    pub fn finish(&self, result: Term) -> Formula {
        Formula {
            nodes: self.state.take().nodes,
            result: result.index,
        }
    }

    /// Values which, in the lanes where the condition holds, are replaced by
    /// those that `body` builds. That code is branched around if there is no
    /// such lane.
    pub fn rarely<'g, const N: usize>(
        &'g self,
        condition: Term<'g>,
        values: [Term<'g>; N],
        body: impl FnOnce() -> [Term<'g>; N],
    ) -> [Term<'g>; N] {
        let begin = self.state.borrow().nodes.len();
        let outside = self.state.borrow().known.clone();
        let results = body().map(|term| term.index).to_vec();
        let end = self.state.borrow().nodes.len();
        // Nothing behind the branch may use what is computed in it.
        self.state.borrow_mut().known = outside;
        let mut operands = vec![condition.index];
        operands.extend(values.map(|value| value.index));
        let rarely = self.push(Node {
            operation: Operation::Rarely {
                body: begin..end,
                results,
            },
            operands,
            kind: Kind::Bool,
        });
        let mut number = 0;
        values.map(|value| {
            number += 1;
            self.outcome(rarely, number - 1, value.kind)
        })
    }

    fn outcome(&self, rarely: usize, number: usize, kind: Kind) -> Term<'_> {
        let index = self.push(Node {
            operation: Operation::Outcome(number),
            operands: vec![rarely],
            kind,
        });
        Term {
            graph: self,
            index,
            kind,
        }
    }

    fn term<'g>(&'g self, operation: Operation, operands: &[Term<'g>], kind: Kind) -> Term<'g> {
        let index = self.push(Node {
            operation,
            operands: operands.iter().map(|operand| operand.index).collect(),
            kind,
        });
        Term {
            graph: self,
            index,
            kind,
        }
    }

    fn push(&self, node: Node) -> usize {
        let mut state = self.state.borrow_mut();
        if let Some(&index) = state.known.get(&node) {
            return index;
        }
        let index = state.nodes.len();
        state.nodes.push(node.clone());
        state.known.insert(node, index);
        index
    }
}

impl<'g> Term<'g> {
    /// The graph that the term belongs to.
    pub fn graph(self) -> &'g Graph {
        self.graph
    }

    /// The type of one lane.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// A floating-point constant of the term's type, or of its counterpart.
    pub fn float(self, value: f64) -> Self {
        let kind = match self.kind {
            Kind::F32 | Kind::I32 => Kind::F32,
            _ => Kind::F64,
        };
        let bits = match kind {
            Kind::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        self.graph.term(Operation::Constant(bits), &[], kind)
    }

    /// An integer constant of the term's type, or of its counterpart.
    pub fn integer(self, value: i64) -> Self {
        let (kind, bits) = match self.kind {
            Kind::F32 | Kind::I32 => (Kind::I32, u64::from(value as u32)),
            _ => (Kind::I64, value as u64),
        };
        self.graph.term(Operation::Constant(bits), &[], kind)
    }

    fn unary(self, operation: Operation) -> Self {
        self.graph.term(operation, &[self], self.kind)
    }

    /// Whether this is the constant +0: the lower part of a number that has
    /// none. What is added to it or multiplied by it needs no op.
    pub fn is_nothing(self) -> bool {
        let state = self.graph.state.borrow();
        self.kind.is_float() && state.nodes[self.index].operation == Operation::Constant(0)
    }

    fn binary(self, operation: Operation, other: Self) -> Self {
        debug_assert_eq!(self.kind, other.kind, "{operation:?}");
        match operation {
            Operation::Add | Operation::Subtract if other.is_nothing() => return self,
            Operation::Add if self.is_nothing() => return other,
            Operation::Multiply if self.is_nothing() || other.is_nothing() => {
                return self.float(0.0);
            }
            _ => (),
        }
        self.graph.term(operation, &[self, other], self.kind)
    }

    /// `self * factor + addend`, in one op if the CPU has one for it.
    pub fn multiply_add(self, factor: Self, addend: Self) -> Self {
        let simple = self.is_nothing() || factor.is_nothing() || addend.is_nothing();
        match self.graph.fma && !simple {
            true => {
                let operands = [self, factor, addend];
                self.graph
                    .term(Operation::FusedMultiplyAdd, &operands, self.kind)
            }
            false => self * factor + addend,
        }
    }

    pub fn absolute(self) -> Self {
        self.unary(Operation::Absolute)
    }

    pub fn square_root(self) -> Self {
        self.unary(Operation::SquareRoot)
    }

    pub fn with_sign_of(self, other: Self) -> Self {
        self.binary(Operation::CopySign, other)
    }

    /// The bits of a number, or the number of bits.
    pub fn reinterpret(self) -> Self {
        let kind = self.kind.counterpart();
        self.graph.term(Operation::Reinterpret, &[self], kind)
    }

    pub fn to_f64(self) -> Self {
        self.graph.term(Operation::Extend, &[self], Kind::F64)
    }

    pub fn to_f32(self) -> Self {
        self.graph.term(Operation::Round, &[self], Kind::F32)
    }

    fn compare(self, comparison: Comparison, other: Self) -> Self {
        let operation = Operation::Compare(comparison);
        self.graph.term(operation, &[self, other], Kind::Bool)
    }

    pub fn less(self, other: Self) -> Self {
        self.compare(Comparison::Less, other)
    }

    pub fn less_than(self, limit: f64) -> Self {
        self.less(self.float(limit))
    }

    pub fn more_than(self, limit: f64) -> Self {
        self.float(limit).less(self)
    }

    pub fn equals(self, other: Self) -> Self {
        self.compare(Comparison::Equal, other)
    }

    pub fn equals_number(self, number: f64) -> Self {
        self.equals(self.float(number))
    }

    pub fn differs(self, other: Self) -> Self {
        self.compare(Comparison::NotEqual, other)
    }

    /// Where a condition does not hold.
    pub fn no(self) -> Self {
        let yes = self.graph.term(Operation::Constant(1), &[], Kind::Bool);
        self ^ yes
    }

    /// NaN if this is NaN, and 0 for finite numbers.
    pub fn nan_or_nothing(self) -> Self {
        self.binary(Operation::Subtract, self)
    }

    pub fn is_nan(self) -> Self {
        self.differs(self)
    }

    /// One of two values, by the condition that this is.
    pub fn select(self, then: Self, otherwise: Self) -> Self {
        debug_assert_eq!(then.kind, otherwise.kind, "select");
        let operands = [self, then, otherwise];
        self.graph.term(Operation::Select, &operands, then.kind)
    }

    /// The number, but not less than `low`; NaN stays.
    pub fn at_least(self, low: f64) -> Self {
        self.less_than(low).select(self.float(low), self)
    }

    /// The number, but not less than `low` nor more than `high`; NaN stays.
    pub fn clamp(self, low: f64, high: f64) -> Self {
        let raised = self.at_least(low);
        raised.more_than(high).select(self.float(high), raised)
    }

    pub fn shift_left(self, amount: Self) -> Self {
        self.binary(Operation::ShiftLeft, amount)
    }

    pub fn shift_right(self, amount: Self) -> Self {
        self.binary(Operation::ShiftRight, amount)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operation:ident;)+) => {
        $(
            impl<'g> ops::$trait for Term<'g> {
                type Output = Self;
                fn $method(self, other: Self) -> Self {
                    self.binary(Operation::$operation, other)
                }
            }

            impl<'g> ops::$trait<f64> for Term<'g> {
                type Output = Self;
                fn $method(self, other: f64) -> Self {
                    self.binary(Operation::$operation, self.float(other))
                }
            }

            impl<'g> ops::$trait<i64> for Term<'g> {
                type Output = Self;
                fn $method(self, other: i64) -> Self {
                    self.binary(Operation::$operation, self.integer(other))
                }
            }
        )+
    };
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
}

impl ops::Shl<i64> for Term<'_> {
    type Output = Self;
    fn shl(self, amount: i64) -> Self {
        self.shift_left(self.integer(amount))
    }
}

impl ops::Shr<i64> for Term<'_> {
    type Output = Self;
    fn shr(self, amount: i64) -> Self {
        self.shift_right(self.integer(amount))
    }
}

impl ops::Neg for Term<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(Operation::Negate)
    }
}
