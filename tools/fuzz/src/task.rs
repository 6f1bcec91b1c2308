//! Of which kind programs are, and which ways they are run.

use std::fmt;

use clap::ValueEnum;

use crate::{check::Ways, generator::Options, watched::Watcher};

/// What programs are made of. A number gives one program of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Kind {
    /// Combinators on arrays of all types, and loops and branches around them.
    #[default]
    Combinators,
    /// The dialects around `soac`: `tensor`, `scf`, `arith`, `index`, `math`, `linalg`, `affine`, `cf`
    /// and `func`, with some combinators in between.
    Host,
    /// Arrays of narrow elements in other orders, compiled for other CPUs, too.
    Narrow,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Combinators => "combinators",
            Self::Host => "host",
            Self::Narrow => "narrow",
        })
    }
}

/// A kind of programs, and which ways they are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// What programs are made of.
    pub kind: Kind,
    /// Which ways they are run.
    pub ways: Ways,
}

impl Task {
    /// What says so on the command line.
    pub fn arguments(self) -> Vec<String> {
        let kind = format!("--kind={}", self.kind);
        [vec![kind], self.ways.arguments()].concat()
    }

    /// What programs are like that can be run so.
    pub fn options(self) -> Options {
        Options {
            kind: self.kind,
            known_to_valgrind: self.ways == Ways::Watched(Watcher::Valgrind),
            ..Options::default()
        }
    }
}
