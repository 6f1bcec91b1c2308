//! What is to be solved: a graph from a file, with the wishes and the cost of the
//! command line.

use comb_fusion::{
    amount::Amount,
    cost::{Cost, CostOptions, Weights},
    graph::{Graph, NodeId},
    limits::Limits,
};

use crate::{
    options::SolveOptions,
    solve::{SolveFailure, file::Text},
};

/// What is to be solved.
pub struct Problem {
    /// What the file is called.
    pub file: String,
    /// What the graph is called: by itself, or like its file.
    pub name: String,
    pub graph: Graph,
    pub cost: Cost,
    pub cost_options: CostOptions,
    pub weights: Weights,
    /// What loops have to keep to.
    pub limits: Limits,
    /// How many bytes the solver may take, if that is said.
    pub solver_memory: Option<usize>,
}

impl Problem {
    /// Reads a graph.
    pub fn read(text: &Text, options: &SolveOptions) -> Result<Self, SolveFailure> {
        let file = text.file.clone();
        let graph = Graph::from_json(&text.content).map_err(|error| SolveFailure::Graph {
            file: file.clone(),
            error,
        })?;
        let mut graph = with_wishes(graph, &file, options)?;
        if !options.stencils {
            graph = graph.without_stencils();
        }
        let cost = options.cost.clone().unwrap_or_else(|| usual_cost(&graph));
        let cost_options = CostOptions {
            recomputation: !options.no_recomputation,
            extents: options.extents.iter().cloned().collect(),
            ..CostOptions::default()
        };
        Ok(Self {
            name: match graph.name.as_str() {
                "" => text.stem.clone(),
                name => name.to_owned(),
            },
            weights: Weights::new(&graph, &cost, &cost_options).map_err(|error| {
                SolveFailure::Weights {
                    file: file.clone(),
                    error,
                }
            })?,
            limits: Limits {
                arguments: limit(options.max_arguments),
                memory: limit(options.max_memory).map(|bytes| (bytes as f64, cost_options.clone())),
            },
            solver_memory: options
                .solver_memory
                .and_then(limit)
                .map(|mebibytes| (mebibytes as usize) << 20),
            file,
            graph,
            cost,
            cost_options,
        })
    }

    /// The cost that the file says is the least, if it says so of this cost.
    pub fn stored_optimum(&self) -> Option<Amount> {
        let usual = CostOptions::default();
        let changed =
            self.graph.has_stencils() || !self.limits.is_empty() || self.graph_has_wishes();
        let same = !changed && self.cost_options.extents == usual.extents;
        let stored = self.graph.optimum.iter().find(|(cost, _)| {
            let cost = cost.parse::<Cost>();
            cost.is_ok_and(|cost| cost == self.cost)
        });
        stored.map(|(_, &optimum)| optimum).filter(|_| same)
    }

    fn graph_has_wishes(&self) -> bool {
        !self.graph.forced.is_empty() || !self.graph.forbidden.is_empty()
    }
}

/// 0 is none.
fn limit<N: Default + PartialEq>(most: N) -> Option<N> {
    (most != N::default()).then_some(most)
}

fn usual_cost(graph: &Graph) -> Cost {
    let name = match graph.is_flat() {
        true => "reads+writes",
        false => "prices",
    };
    name.parse().expect("a known cost")
}

fn with_wishes(
    mut graph: Graph,
    file: &str,
    options: &SolveOptions,
) -> Result<Graph, SolveFailure> {
    if options.force.is_empty() && options.forbid.is_empty() {
        return Ok(graph);
    }
    let forced = pairs(&graph, file, "--force", &options.force)?;
    let forbidden = pairs(&graph, file, "--forbid", &options.forbid)?;
    graph.forced.extend(forced);
    graph.forbidden.extend(forbidden);
    graph.finish().map_err(|error| SolveFailure::Graph {
        file: file.to_owned(),
        error,
    })
}

fn pairs(
    graph: &Graph,
    file: &str,
    option: &'static str,
    wishes: &[(String, String)],
) -> Result<Vec<(NodeId, NodeId)>, SolveFailure> {
    let wish = |(one, other): &(String, String)| {
        let failure = |problem: String| SolveFailure::Wish {
            file: file.to_owned(),
            wish: format!("{option} {one},{other}"),
            problem,
        };
        let pair = (
            find(graph, one).map_err(failure)?,
            find(graph, other).map_err(failure)?,
        );
        if pair.0 == pair.1 {
            return Err(failure("a node is paired with itself".to_owned()));
        }
        if graph.is_input(pair.0) || graph.is_input(pair.1) {
            return Err(failure("an input is in no loop".to_owned()));
        }
        Ok(pair)
    };
    wishes.iter().map(wish).collect()
}

/// The node with an id, or else the only one with a name.
fn find(graph: &Graph, wanted: &str) -> Result<NodeId, String> {
    let id = wanted.parse::<u64>().ok();
    let by_id = graph
        .nodes
        .iter()
        .position(|node| Some(node.external_id) == id);
    if let Some(node) = by_id {
        return Ok(node);
    }
    let mut named = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].name == wanted);
    match (named.next(), named.next()) {
        (Some(node), None) => Ok(node),
        (None, _) => Err(format!("there is no node {wanted}")),
        (Some(_), Some(_)) => Err(format!("several nodes are called {wanted}; use an id")),
    }
}
