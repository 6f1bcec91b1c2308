//! Merges of two clusters by the rules of Figure 2 of P-gather.
//!
//! Each rule deals with one array; the premises leave no choice but that between
//! VERTICAL and DIAGONAL, which depends on whether others want the array.

use std::{collections::BTreeSet, fmt};

use crate::{
    graph::{Graph, NodeId},
    rules::{
        RuleError,
        notation::{Access, Notation},
    },
};

/// A rule of Figure 2; EMPTY, with which every derivation begins, is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The first gives what the second reads, and nobody else wants it.
    Vertical,
    /// Both read an array in one order.
    Horizontal,
    /// The first gives what the second reads, and others want it too.
    Diagonal,
    /// An array that the first reads.
    IntroInput1,
    /// An array that the second reads.
    IntroInput2,
    /// An array that the first gives.
    IntroOutput1,
    /// An array that the second gives.
    IntroOutput2,
}

impl Rule {
    /// Whether an array is fused.
    pub fn fuses(self) -> bool {
        matches!(self, Self::Vertical | Self::Horizontal | Self::Diagonal)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Vertical => "VERTICAL",
            Self::Horizontal => "HORIZONTAL",
            Self::Diagonal => "DIAGONAL",
            Self::IntroInput1 => "INTROI1",
            Self::IntroInput2 => "INTROI2",
            Self::IntroOutput1 => "INTROO1",
            Self::IntroOutput2 => "INTROO2",
        })
    }
}

/// A rule applied to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: Rule,
    /// The array, with its order.
    pub access: Access,
}

/// Two clusters merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// The nodes of the first.
    pub first: Vec<NodeId>,
    /// The nodes of the second.
    pub second: Vec<NodeId>,
    /// What happens to every array.
    pub steps: Vec<Step>,
    /// What the two have become.
    pub notation: Notation,
}

/// A cluster that is to be merged with others: its nodes, and what it is.
type Part = (Vec<NodeId>, Notation);

/// Merges clusters until one is left.
pub(super) fn all(
    graph: &Graph,
    mut parts: Vec<Part>,
) -> Result<(Vec<Merge>, Notation), RuleError> {
    let mut merges = vec![];
    while parts.len() > 1 {
        let (one, other, merged) = next(graph, &parts)?;
        let mut nodes = [merged.first.as_slice(), &merged.second].concat();
        nodes.sort_unstable();
        parts[one.min(other)] = (nodes, merged.notation.clone());
        parts.remove(one.max(other));
        merges.push(merged);
    }
    let notation = parts.pop().map(|(_, notation)| notation);
    Ok((merges, notation.unwrap_or_default()))
}

/// The first merge that is possible.
fn next(graph: &Graph, parts: &[Part]) -> Result<(usize, usize, Merge), RuleError> {
    let reach = reachable(graph, parts);
    let between = |one: usize, other: usize| {
        (0..parts.len()).any(|part| reach[one][part] && reach[part][other])
    };
    let mut failure = None;
    for one in 0..parts.len() {
        for other in 0..parts.len() {
            if one == other || reach[other][one] || between(one, other) {
                continue;
            }
            match merge(graph, &parts[one], &parts[other]) {
                Ok(merged) if merged.steps.iter().any(|step| step.rule.fuses()) => {
                    return Ok((one, other, merged));
                }
                Ok(_) => {}
                Err(error) => failure = failure.or(Some(error)),
            }
        }
    }
    let first = parts[0].0.clone();
    Err(failure.unwrap_or(RuleError::NothingFused { first }))
}

/// From which clusters others have to run later: by pair.
fn reachable(graph: &Graph, parts: &[Part]) -> Vec<Vec<bool>> {
    let mut part_of = vec![None; graph.nodes.len()];
    for (part, (nodes, _)) in parts.iter().enumerate() {
        for &node in nodes {
            part_of[node] = Some(part);
        }
    }
    let mut reach = vec![vec![false; parts.len()]; parts.len()];
    for array_use in &graph.uses {
        if let (Some(from), Some(to)) = (part_of[array_use.from], part_of[array_use.to]) {
            reach[from][to] |= from != to;
        }
    }
    for middle in 0..parts.len() {
        let onwards = reach[middle].clone();
        for from in reach.iter_mut().filter(|from| from[middle]) {
            for (reached, &onward) in from.iter_mut().zip(&onwards) {
                *reached |= onward;
            }
        }
    }
    reach
}

/// Merges two clusters by one rule for every array of theirs.
fn merge(graph: &Graph, first: &Part, second: &Part) -> Result<Merge, RuleError> {
    let ((first, one), (second, two)) = (first, second);
    let failed = |rule: Rule, array: NodeId, problem: &'static str| RuleError::NoRule {
        rule,
        array,
        first: first.clone(),
        second: second.clone(),
        problem,
    };
    let mut merged = Merge {
        first: first.clone(),
        second: second.clone(),
        steps: vec![],
        notation: Notation::default(),
    };
    let mut streamed = BTreeSet::new();
    for &access in &one.outputs {
        let reads: Vec<&Access> = of_array(&two.inputs, access.array).collect();
        let rule = match reads[..] {
            [] => Rule::IntroOutput1,
            [read] => {
                let rule = match is_wanted_elsewhere(graph, access.array, [first, second]) {
                    true => Rule::Diagonal,
                    false => Rule::Vertical,
                };
                check_streamed(access, *read).map_err(|why| failed(rule, access.array, why))?;
                streamed.insert(access.array);
                rule
            }
            _ => {
                let problem = "the second reads it in several orders";
                return Err(failed(Rule::Vertical, access.array, problem));
            }
        };
        merged.take(rule, access);
    }
    for &access in &one.inputs {
        if of_array(&two.outputs, access.array).next().is_some() {
            let problem = "the second gives what the first reads";
            return Err(failed(Rule::IntroInput1, access.array, problem));
        }
        match shared_read(&two.inputs, access) {
            Some(read) => merged.take(
                Rule::Horizontal,
                Access {
                    forced: access.forced || read.forced,
                    ..access
                },
            ),
            None => merged.take(Rule::IntroInput1, access),
        }
    }
    for &access in &two.inputs {
        if !streamed.contains(&access.array) && shared_read(&one.inputs, access).is_none() {
            merged.take(Rule::IntroInput2, access);
        }
    }
    for &access in &two.outputs {
        merged.take(Rule::IntroOutput2, access);
    }
    Ok(merged)
}

impl Merge {
    /// Applies a rule whose premises hold.
    fn take(&mut self, rule: Rule, access: Access) {
        match rule {
            Rule::Vertical => {}
            Rule::Horizontal | Rule::IntroInput1 | Rule::IntroInput2 => {
                self.notation.inputs.insert(access);
            }
            Rule::Diagonal | Rule::IntroOutput1 | Rule::IntroOutput2 => {
                self.notation.outputs.insert(access);
            }
        }
        self.steps.push(Step { rule, access });
    }
}

fn of_array(accesses: &BTreeSet<Access>, array: NodeId) -> impl Iterator<Item = &Access> {
    accesses.iter().filter(move |access| access.array == array)
}

/// A read of the same array in the same order.
fn shared_read(accesses: &BTreeSet<Access>, access: Access) -> Option<Access> {
    access.order?;
    of_array(accesses, access.array)
        .find(|read| read.order == access.order)
        .copied()
}

/// Whether elements can go from one cluster to the next without being stored.
fn check_streamed(given: Access, read: Access) -> Result<(), &'static str> {
    if read.forced {
        return Err("it has to be complete before it is read");
    }
    match (given.order, read.order) {
        (None, _) => Err("it is given in an unknown order"),
        (_, None) => Err("it is read in an unknown order"),
        (Some(given), Some(read)) if given != read => {
            Err("it is given in one order and read in another")
        }
        _ => Ok(()),
    }
}

/// Whether an array is a result, or used outside of two clusters.
fn is_wanted_elsewhere(graph: &Graph, array: NodeId, clusters: [&[NodeId]; 2]) -> bool {
    let inside = |node: NodeId| clusters.iter().any(|nodes| nodes.contains(&node));
    let mut uses = graph.uses_of(array).iter();
    graph.nodes[array].result || uses.any(|&array_use| !inside(graph.uses[array_use].to))
}
