//! The options of `soac-fuse`.

use std::time::{Duration, Instant};

use comb_fusion::{
    cost::{Cost, CostError, CostOptions},
    limits::Limits,
    method::{Bounds, Method, MethodError},
};
use thiserror::Error;

/// How blocks are fused.
#[derive(Clone, Debug)]
pub struct Options {
    /// How problems are solved.
    pub method: Method,
    /// What is to be as low as possible.
    pub cost: Cost,
    /// What else decides what is paid for.
    pub cost_options: CostOptions,
    /// What clusters have to keep to.
    pub limits: Limits,
    /// How long may be thought, in all blocks together.
    pub time_limit: Option<Duration>,
    /// How many loops may be shared.
    pub levels: usize,
}

/// The options as they are written; 0 is no limit.
#[derive(Clone, Copy, Debug)]
pub struct OptionsText<'t> {
    /// A weighted sum of named costs.
    pub cost: &'t str,
    /// The name of an algorithm.
    pub algorithm: &'t str,
    /// The name of a solver.
    pub solver: &'t str,
    /// The name of a formulation.
    pub formulation: &'t str,
    /// In seconds.
    pub time_limit: f64,
    /// How many loops may be shared.
    pub levels: i64,
    /// How many arrays a cluster may read and write.
    pub max_arguments: i64,
    /// How many bytes may be stored at a time.
    pub max_memory: i64,
    /// Whether work that is done again is paid for.
    pub recomputation: bool,
}

impl Default for OptionsText<'_> {
    fn default() -> Self {
        Self {
            cost: "prices",
            algorithm: "ilp",
            solver: "comb",
            formulation: "own",
            time_limit: 0.0,
            levels: 16,
            max_arguments: 0,
            max_memory: 0,
            recomputation: true,
        }
    }
}

/// What is wrong with an option: the user's fault.
#[derive(Debug, Error)]
pub enum InvalidOption {
    /// The cost is none.
    #[error(transparent)]
    Cost(#[from] CostError),
    /// The algorithm, the solver or the formulation.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A number is out of its range.
    #[error("{option} is {value}; {expected} is expected")]
    Number {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// Only the exact solver heeds limits.
    #[error("max-arguments and max-memory are for comb's own solver only")]
    Limits,
}

/// More is no limit.
const MOST_SECONDS: f64 = 1e9;

/// As many levels as graphs have at most.
const MOST_LEVELS: i64 = 16;

impl Options {
    /// The options that a text means.
    ///
    /// # Errors
    ///
    /// If one is wrong, or they do not go together.
    pub fn from_text(text: &OptionsText) -> Result<Self, InvalidOption> {
        let method = method(text)?;
        let cost_options = CostOptions {
            recomputation: text.recomputation,
            ..CostOptions::default()
        };
        let limit = |option, value| match value {
            0 => Ok(None),
            1.. => Ok(Some(value)),
            _ => Err(InvalidOption::Number {
                option,
                value: value as f64,
                expected: "0 or more",
            }),
        };
        let arguments = limit("max-arguments", text.max_arguments)?;
        let memory = limit("max-memory", text.max_memory)?;
        let limits = Limits {
            arguments: arguments.map(|most| most as usize),
            memory: memory.map(|most| (most as f64, cost_options.clone())),
        };
        if method != Method::Exact && !limits.is_empty() {
            return Err(InvalidOption::Limits);
        }
        if !(1..=MOST_LEVELS).contains(&text.levels) {
            return Err(InvalidOption::Number {
                option: "levels",
                value: text.levels as f64,
                expected: "1 to 16",
            });
        }
        Ok(Self {
            method,
            cost: text.cost.parse()?,
            cost_options,
            limits,
            time_limit: time_limit(text.time_limit)?,
            levels: text.levels as usize,
        })
    }
}

impl Options {
    /// When to stop, and what answers have to keep to.
    pub(crate) fn bounds(&self, deadline: Option<Instant>) -> Bounds {
        Bounds {
            time_limit: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            stop: None,
            memory: None,
            limits: self.limits.clone(),
        }
    }
}

fn method(text: &OptionsText) -> Result<Method, InvalidOption> {
    let other_than = |value: &'_ str, usual: &str| value != usual;
    let solver = Some(text.solver).filter(|solver| other_than(solver, "comb"));
    let formulation = Some(text.formulation).filter(|name| other_than(name, "own"));
    Ok(Method::named(Some(text.algorithm), solver, formulation)?)
}

fn time_limit(seconds: f64) -> Result<Option<Duration>, InvalidOption> {
    match seconds {
        0.0 => Ok(None),
        0.0..=MOST_SECONDS => Ok(Some(Duration::from_secs_f64(seconds))),
        _ => Err(InvalidOption::Number {
            option: "time-limit",
            value: seconds,
            expected: "a number of seconds, 0 or more,",
        }),
    }
}
