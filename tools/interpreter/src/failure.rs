//! Why a program has no results.

/// Why a program has no results; the variants say whose fault it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A run-time error that the language defines: the program's fault.
    #[error("{location}: {message}")]
    Program {
        /// Where the op is written.
        location: String,
        /// The op and what is wrong, in the words of compiled code.
        message: String,
    },
    /// The program broke what it promised (`unchecked`) or reached what it
    /// said is unreachable: compiled code may do anything.
    #[error("{location}: undefined behaviour: {message}")]
    Undefined {
        /// Where the op is written.
        location: String,
        /// The op and what it promised.
        message: String,
    },
    /// An op, a type or an attribute that the interpreter does not know.
    #[error("{location}: the interpreter does not know {what}")]
    Unsupported {
        /// Where the op is written.
        location: String,
        /// What it is.
        what: String,
    },
    /// A function that is called but only declared.
    #[error("{location}: '{op}' op calls @{function}, which is declared but has no body")]
    NoBody {
        /// Where the call is written.
        location: String,
        /// The calling op.
        op: String,
        /// The function.
        function: String,
    },
    /// The caller asked for something that the module does not have, or gave
    /// wrong inputs.
    #[error("{0}")]
    Input(String),
    /// The program needs more than the limits allow.
    #[error("{location}: {what}")]
    Limit {
        /// Where the op is written.
        location: String,
        /// Which limit, and how much is needed.
        what: String,
    },
    /// A mistake in the interpreter, or a module that is not valid.
    #[error("{location}: bug in the interpreter: {message}")]
    Bug {
        /// Where the op is written.
        location: String,
        /// What was not expected.
        message: String,
    },
}
