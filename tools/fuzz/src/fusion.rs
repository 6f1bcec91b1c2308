//! How a random program is fused, and what comes of it.
//!
//! A program's number says how: by which algorithm, for which cost, and how many
//! loops may be shared. What is fused has to give the same as what is not, run as
//! clusters and, once the clusters are erased, op by op.

use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, Instant},
};

use melior::ir::{BlockLike, OperationRef, RegionLike, operation::OperationLike};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use soac_dialect::{
    attributes::ORDERS,
    cast::Parts,
    view::{OpView, op_name},
};

use crate::staged::Staged;

/// What fusion is given.
pub const PREPARED: &str = "comb-prepare-fusion";
/// What makes loop nests of what is fused.
pub const NESTS: &str = "soac-to-nest";
/// What makes loops of these.
pub const LOOPS: &str = "nest-to-scf";
/// Undoes fusion.
pub const ERASED: &str = "soac-erase-clusters";

const ALGORITHMS: &[&str] = &[
    "ilp",
    "greedy",
    "greedy-top-down",
    "greedy-bottom-up",
    "linear",
    "unintrusive",
    "singleton",
    "branch-and-bound",
];

const COSTS: &[&str] = &[
    "prices",
    "clusters",
    "edges",
    "manifest",
    "reads",
    "reads+writes",
    "ext-bytes",
    "max-contract",
    "max-locality",
    "robinson",
    "filter-weights",
    "reads+writes+0.1*clusters",
    "2*prices+edges",
];

/// More loops than there are.
const MOST_LEVELS: usize = 16;

const LEVELS: &[usize] = &[1, 2, MOST_LEVELS, MOST_LEVELS];

/// How a program is fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    algorithm: &'static str,
    cost: &'static str,
    levels: usize,
}

impl Settings {
    /// Those for the program of a number. The optimum is sought most often: it
    /// fuses what others do not.
    pub fn of(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let mut choose = |from: &[&'static str]| *from.choose(&mut rng).expect("not empty");
        let (algorithm, cost) = (choose(ALGORITHMS), choose(COSTS));
        Self {
            algorithm: if rng.random_bool(0.4) {
                "ilp"
            } else {
                algorithm
            },
            cost: if rng.random_bool(0.3) { "prices" } else { cost },
            levels: *LEVELS.choose(&mut rng).expect("not empty"),
        }
    }

    /// Whether the answer is the best one. Others may fuse more of what they have fused.
    pub fn is_exact(self) -> bool {
        self.algorithm == "ilp"
    }

    /// Those with which a program is compiled.
    pub fn compiled(algorithm: &'static str) -> Self {
        Self {
            algorithm,
            cost: "prices",
            levels: MOST_LEVELS,
        }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self {
            algorithm,
            cost,
            levels,
        } = self;
        // It tries everything, which may take any time.
        let limit = match *algorithm {
            "branch-and-bound" => " time-limit=2",
            _ => "",
        };
        write!(
            formatter,
            "soac-fuse{{algorithm={algorithm} cost={cost} levels={levels}{limit}}}"
        )
    }
}

const IN_ORDER_OF_GATHER: &str = "combinators in the order of a gather";

/// What was fused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fused {
    /// How often there is what.
    pub counts: BTreeMap<String, usize>,
    /// How long that took.
    pub time: Duration,
}

impl Fused {
    /// Fuses a program that is prepared.
    ///
    /// # Errors
    ///
    /// If that fails.
    pub fn new(program: &mut Staged, settings: Settings) -> Result<Self, String> {
        let begin = Instant::now();
        program.run(&settings.to_string())?;
        let mut fused = Self {
            time: begin.elapsed(),
            ..Self::default()
        };
        fused.count(program.module(), 0);
        if fused.counts.contains_key("clusters") {
            fused.add("programs with clusters");
        }
        Ok(fused)
    }

    /// Whether only those elements of some array are computed that a gather reads, so
    /// that errors of the others are gone.
    pub fn skips_elements(&self) -> bool {
        self.counts.contains_key(IN_ORDER_OF_GATHER)
    }

    /// Whether as much shares loops. How often a cluster computes a cheap array does not matter.
    pub fn shares_as_much(&self, other: &Self) -> bool {
        let shared = |fused: &Self| {
            let mut counts = fused.counts.clone();
            counts.remove("soac.generate in a cluster");
            counts
        };
        shared(self) == shared(other)
    }

    fn add(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    /// Counts what is inside an op that is in so many clusters.
    fn count(&mut self, op: OperationRef, level: usize) {
        for inner in inner_ops(op) {
            let name = op_name(inner);
            let view = OpView::of(inner);
            if name == "soac.cluster" {
                // Those of the random program say nothing of loops.
                let has_orders = view.flag("input_orders");
                if has_orders {
                    self.add("clusters");
                    if level > 0 {
                        self.add("clusters inside clusters");
                    }
                }
                self.count(inner, level + usize::from(has_orders));
                continue;
            }
            if level > 0 && name.starts_with("soac.") && inner.result_at(0).is_some() {
                self.add(&format!("{name} in a cluster"));
                self.count_orders(&view);
            }
            self.count(inner, level);
        }
    }

    fn count_orders(&mut self, view: &OpView) {
        if view.flag("label") {
            self.add("gathers with a label");
        }
        let orders = view.integers(ORDERS);
        if orders.contains(&1) {
            self.add("combinators that go backwards");
        }
        if orders.iter().any(|&order| order > 1) {
            self.add(IN_ORDER_OF_GATHER);
        }
    }
}

/// The ops right inside an op.
fn inner_ops<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            let mut next = current.first_operation();
            while let Some(op) = next {
                found.push(op);
                next = op.next_in_block();
            }
            block = current.next_in_region();
        }
    }
    found
}

/// The clusters of a program, each by the combinators in it, in an order that does
/// not depend on the program's.
pub fn clusters(op: OperationRef) -> Vec<String> {
    let mut found: Vec<String> = inner_ops(op)
        .into_iter()
        .flat_map(|inner| match op_name(inner) {
            "soac.cluster" => vec![described(inner)],
            _ => clusters(inner),
        })
        .collect();
    found.sort();
    found
}

fn described(cluster: OperationRef) -> String {
    let mut members: Vec<String> = inner_ops(cluster)
        .into_iter()
        .filter(|op| op_name(*op).starts_with("soac.") && op.result_at(0).is_some())
        .map(|op| match op_name(op) {
            "soac.cluster" => described(op),
            name => {
                let types = op.results().map(|result| result.to_string());
                let types: Vec<String> = types
                    .filter_map(|text| text.rsplit_once(" : ").map(|(_, ty)| ty.to_owned()))
                    .collect();
                format!("{name} {types:?}")
            }
        })
        .collect();
    members.sort();
    format!("({})", members.join("; "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_algorithms_costs_and_levels_are_used() {
        let settings: Vec<Settings> = (0..1000).map(Settings::of).collect();
        let count = |of: &dyn Fn(&Settings) -> String| {
            settings.iter().map(of).collect::<BTreeSet<_>>().len()
        };
        assert_eq!(
            count(&|settings| settings.algorithm.to_owned()),
            ALGORITHMS.len()
        );
        assert_eq!(count(&|settings| settings.cost.to_owned()), COSTS.len());
        assert_eq!(count(&|settings| settings.levels.to_string()), 3);
    }
}
