//! The options of `soac-fuse`.

use std::{
    collections::BTreeMap,
    fmt::Write,
    time::{Duration, Instant},
};

use comb_fusion::{
    cost::{Cost, CostError, CostOptions},
    limits::Limits,
    method::{Bounds, Method, MethodError},
    size::{InvalidExtent, parse_extent},
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
    /// How many bytes the solver may take, if that is said.
    pub solver_memory: Option<usize>,
    /// What sizes are, by the names of parameters: `n`, or `xs.0` for an array's first
    /// dimension.
    pub extents: BTreeMap<String, u64>,
}

/// The options as they are written; 0 is no limit, but of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionsText<'t> {
    /// A weighted sum of named costs.
    pub cost: &'t str,
    /// The name of an algorithm.
    pub algorithm: &'t str,
    /// The name of a solver.
    pub solver: &'t str,
    /// The name of a formulation.
    pub formulation: &'t str,
    /// In seconds; infinite if there is none.
    pub time_limit: f64,
    /// How many loops may be shared.
    pub levels: i64,
    /// How many arrays a cluster may read and write.
    pub max_arguments: i64,
    /// How many bytes may be stored at a time.
    pub max_memory: i64,
    /// Whether work that is done again is paid for.
    pub recomputation: bool,
    /// How many MiB the solver may take.
    pub solver_memory: i64,
    /// What sizes are: `NAME=N`, with commas between.
    pub extents: &'t str,
}

impl Default for OptionsText<'_> {
    fn default() -> Self {
        Self {
            cost: "prices",
            algorithm: "ilp",
            solver: "comb",
            formulation: "own",
            time_limit: f64::INFINITY,
            levels: 16,
            max_arguments: 0,
            max_memory: 0,
            recomputation: true,
            solver_memory: 0,
            extents: "",
        }
    }
}

impl OptionsText<'_> {
    /// What is not as usual, as the pass reads it.
    pub fn of_pass(&self) -> String {
        let usual = OptionsText::default();
        let mut text = String::new();
        let mut add = |name: &str, value: &str, usual: &str| {
            if value != usual {
                let gap = if text.is_empty() { "" } else { " " };
                let _ = write!(text, "{gap}{name}={value}");
            }
        };
        add("cost", self.cost, usual.cost);
        add("algorithm", self.algorithm, usual.algorithm);
        add("solver", self.solver, usual.solver);
        add("formulation", self.formulation, usual.formulation);
        add("extent", self.extents, usual.extents);
        for (name, value, usual) in [
            ("levels", self.levels, usual.levels),
            ("max-arguments", self.max_arguments, usual.max_arguments),
            ("max-memory", self.max_memory, usual.max_memory),
            ("solver-memory", self.solver_memory, usual.solver_memory),
        ] {
            add(name, &value.to_string(), &usual.to_string());
        }
        add(
            "time-limit",
            &self.time_limit.to_string(),
            &usual.time_limit.to_string(),
        );
        let recomputation = (
            self.recomputation.to_string(),
            usual.recomputation.to_string(),
        );
        add("recomputation", &recomputation.0, &recomputation.1);
        text
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
    /// Only the exact solver counts its memory.
    #[error("solver-memory is for comb's own solver only")]
    SolverMemory,
    /// An extent is none.
    #[error(transparent)]
    Extent(#[from] InvalidExtent),
    /// Passes read options up to a blank or comma.
    #[error("an extent has a name without blanks and commas; '{name}' has some")]
    ExtentName {
        /// The name.
        name: String,
    },
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
        let solver_memory = limit("solver-memory", text.solver_memory)?;
        if method != Method::Exact && solver_memory.is_some() {
            return Err(InvalidOption::SolverMemory);
        }
        Ok(Self {
            method,
            solver_memory: solver_memory
                .map(|mebibytes| (mebibytes as usize).saturating_mul(1 << 20)),
            extents: extents(text.extents)?,
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
    pub fn bounds(&self, deadline: Option<Instant>) -> Bounds {
        Bounds {
            time_limit: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            stop: None,
            memory: self.solver_memory,
            limits: self.limits.clone(),
        }
    }

    /// The same for a block in whose sizes names have these values.
    pub fn with_sizes(&self, sizes: &BTreeMap<String, u64>) -> Self {
        let mut options = self.clone();
        options.cost_options.extents.clone_from(sizes);
        if let Some((_, cost_options)) = &mut options.limits.memory {
            cost_options.extents.clone_from(sizes);
        }
        options
    }
}

fn extents(text: &str) -> Result<BTreeMap<String, u64>, InvalidOption> {
    let parts = text.split(',').filter(|part| !part.is_empty());
    let extents = parts.map(|part| {
        let (name, value) = parse_extent(part)?;
        match name.contains(char::is_whitespace) {
            true => Err(InvalidOption::ExtentName { name }),
            false => Ok((name, value)),
        }
    });
    extents.collect()
}

fn method(text: &OptionsText) -> Result<Method, InvalidOption> {
    let other_than = |value: &'_ str, usual: &str| value != usual;
    let solver = Some(text.solver).filter(|solver| other_than(solver, "comb"));
    let formulation = Some(text.formulation).filter(|name| other_than(name, "own"));
    Ok(Method::named(Some(text.algorithm), solver, formulation)?)
}

fn time_limit(seconds: f64) -> Result<Option<Duration>, InvalidOption> {
    match seconds {
        f64::INFINITY => Ok(None),
        0.0..=MOST_SECONDS => Ok(Some(Duration::from_secs_f64(seconds))),
        _ => Err(InvalidOption::Number {
            option: "time-limit",
            value: seconds,
            expected: "a number of seconds, 0 to 1000000000, or inf",
        }),
    }
}
