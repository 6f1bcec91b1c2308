//! Why an array is not computed where it is copied to.

use thiserror::Error;

/// A reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Something uses the array that cannot use a part of another one.
    #[error("'{0}' uses it")]
    Use(String),
    /// Something else is written to it behind the copy.
    #[error("'{0}' writes to it behind the copy")]
    WrittenLater(String),
    /// The copy is not always made.
    #[error("the copy is in a '{0}'")]
    Sometimes(String),
    /// What has to be known before the array is computed is computed later.
    #[error("where it goes depends on '{0}', which stands behind what computes it")]
    Late(String),
    /// A check stands between, and cannot be made before.
    #[error("a check of where it goes depends on '{0}', which stands behind what computes it")]
    LateCheck(String),
    /// Something stands between of which it is not known what it does.
    #[error("'{0}' stands between, which a check must not overtake")]
    Effects(String),
    /// What is there before is used while the array is computed: by an op, which elements, and which are overwritten.
    #[error(
        "'{op}' may use an element there that has been overwritten: it uses {used}, and overwritten are {overwritten}"
    )]
    Overlap {
        /// The op.
        op: String,
        /// What it uses.
        used: String,
        /// Where the array is to be.
        overwritten: String,
    },
    /// Something is written there while the array is needed.
    #[error("'{0}' may overwrite an element of it there")]
    Overwritten(String),
    /// Two elements may go to the same place.
    #[error("two of its elements may go to the same place")]
    Twice,
    /// There is no view of such a part.
    #[error("there is no view of where it goes")]
    NoView,
    /// It is switched off.
    #[error("'short-circuiting' is off")]
    Off,
}
