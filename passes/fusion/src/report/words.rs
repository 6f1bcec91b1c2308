//! Why nodes are not fused, in words.

use crate::{
    exact::{NotFused, Reason},
    graph::{BACKWARDS, FORWARDS, Graph, Kind, NodeId, UseId},
};

/// Why two nodes are not fused, as a sentence without its point.
pub fn not_fused(graph: &Graph, pair: &NotFused) -> String {
    let reason = in_words(graph, pair);
    sentence(graph, pair.nodes, pair.array, &reason)
}

/// A sentence about two nodes that access an array and are not fused.
pub(super) fn sentence(
    graph: &Graph,
    nodes: (NodeId, NodeId),
    array: NodeId,
    reason: &str,
) -> String {
    let [one, other, over] = [nodes.0, nodes.1, array].map(|node| &graph.nodes[node].name);
    let over = match array == nodes.0 {
        true => String::new(),
        false => format!(" over {over}"),
    };
    format!("{one} and {other} are not fused{over}: {reason}")
}

/// Names in a row: `a`, `a and b`, `a, b and c`.
pub(super) fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Why two nodes are not fused, as a clause.
pub fn in_words(graph: &Graph, pair: &NotFused) -> String {
    let words = Words {
        graph,
        nodes: pair.nodes,
    };
    match &pair.reason {
        Reason::UnfusibleUse { array_use } => words.unfusible_use(*array_use),
        Reason::OrderConflict { with } => words.order_conflict(*with),
        Reason::SizeNotEqual { array_use } => {
            let array_use = &graph.uses[*array_use];
            let (array, reader) = (words.name(array_use.from), words.name(array_use.to));
            format!("{array} and {reader} are not known to be equally long")
        }
        Reason::Cycle { through } => words.cycle(through),
        Reason::DuplicatesWork { price } => {
            format!("work would be done again, at a price of {price}")
        }
        Reason::CostsMore { by, .. } if by.is_zero() => {
            "another answer that fuses them costs no less".to_owned()
        }
        Reason::CostsMore { by, exact } => {
            let least = if *exact { "" } else { "at least " };
            format!("everything would cost {least}{by} more")
        }
        Reason::Forbidden if words.is_forbidden() => "that is forbidden".to_owned(),
        Reason::Forbidden => "other wishes rule that out".to_owned(),
        Reason::LimitReached => "a limit would be exceeded".to_owned(),
        Reason::Impossible => "no answer has them in one loop".to_owned(),
    }
}

/// Two nodes that are not fused.
struct Words<'g> {
    graph: &'g Graph,
    nodes: (NodeId, NodeId),
}

impl Words<'_> {
    fn name(&self, node: NodeId) -> &str {
        &self.graph.nodes[node].name
    }

    fn is_of_pair(&self, node: NodeId) -> bool {
        node == self.nodes.0 || node == self.nodes.1
    }

    fn is_forbidden(&self) -> bool {
        let (one, other) = self.nodes;
        let forbidden = &self.graph.forbidden;
        forbidden.contains(&(one, other)) || forbidden.contains(&(other, one))
    }

    fn unfusible_use(&self, id: UseId) -> String {
        let array_use = &self.graph.uses[id];
        let (from, to) = (array_use.from, array_use.to);
        let (array, reader) = (self.name(from), self.name(to));
        if !self.is_of_pair(from) && !self.is_beside_pair(from) {
            return format!("{reader} reads {array} at any index");
        }
        let never = [from, to].into_iter().find(|&node| {
            let node = &self.graph.nodes[node];
            node.kind == Kind::External && node.rank > 0
        });
        if let Some(never) = never {
            return format!("{} is never fused", self.name(never));
        }
        if self.graph.ordered_levels(array_use) == 0 {
            return format!(
                "{reader} needs all of {array} before it begins{}",
                self.beside(from)
            );
        }
        match self.graph.nodes[from].available {
            0 => format!("no element of {array} is final before its loop ends"),
            _ => format!("{reader} does not read {array} element by element in a known order"),
        }
    }

    /// Whether a node is inseparable from one of the two.
    fn is_beside_pair(&self, node: NodeId) -> bool {
        let unit = self.graph.unit(node);
        [self.nodes.0, self.nodes.1]
            .iter()
            .any(|&one| self.graph.unit(one) == unit)
    }

    /// What a node has to do with the two, if it is none of them and inseparable from
    /// one.
    fn beside(&self, node: NodeId) -> String {
        let unit = self.graph.unit(node);
        let mut pair = [self.nodes.0, self.nodes.1].into_iter();
        match pair.find(|&one| self.graph.unit(one) == unit) {
            Some(one) if !self.is_of_pair(node) => format!(
                ", and {} is computed together with {}",
                self.name(node),
                self.name(one)
            ),
            _ => String::new(),
        }
    }

    fn order_conflict(&self, with: NodeId) -> String {
        if !self.is_of_pair(with) {
            return self.own_order(with);
        }
        let (one, other) = self.nodes;
        let directions = (self.direction(one), self.direction(other));
        let uses = self.graph.uses_by(other).iter();
        let mut uses = uses.map(|&id| &self.graph.uses[id]);
        let gathered = uses.find(|array_use| array_use.from == one && array_use.label.is_some());
        match (gathered, directions) {
            (Some(_), _) if self.graph.nodes[one].result => format!(
                "{0} is a result, and {1} reads it in an order of its own",
                self.name(one),
                self.name(other)
            ),
            (Some(_), (Some(direction), _)) => format!(
                "{} goes {direction}, and {} reads it in an order of its own",
                self.name(one),
                self.name(other)
            ),
            (None, (Some(first), Some(second))) if first != second => format!(
                "{} goes {first}, and {} {second}",
                self.name(one),
                self.name(other)
            ),
            _ => self.own_order(with),
        }
    }

    /// In which order a node goes over its array or reads one.
    fn own_order(&self, node: NodeId) -> String {
        let name = self.name(node);
        let uses = self.graph.uses_by(node).iter();
        let mut uses = uses.map(|&id| &self.graph.uses[id]);
        match (
            uses.find(|array_use| array_use.label.is_some()),
            self.direction(node),
        ) {
            (Some(array_use), _) => {
                let array = self.name(array_use.from);
                let beside = self.beside(array_use.from);
                format!("{name} reads {array} in an order of its own{beside}")
            }
            (None, Some(direction)) => format!("{name} has to go {direction}"),
            (None, None) => format!("{name} needs another order"),
        }
    }

    /// In which direction a node has to go over its innermost loop, if in any.
    fn direction(&self, node: NodeId) -> Option<&'static str> {
        match self.graph.fixed_order(node, self.graph.nodes[node].depth)? {
            FORWARDS => Some("forwards"),
            BACKWARDS => Some("backwards"),
            _ => None,
        }
    }

    /// A path without what a check that nobody wrote computes first, and without checks
    /// that others follow.
    fn without_parts_of_checks(&self, path: &[NodeId]) -> Vec<NodeId> {
        let is_check = |&node: &NodeId| self.graph.nodes[node].check;
        let nodes = path.iter().enumerate();
        nodes
            .filter(|&(position, node)| {
                !is_check(node) || !path.get(position + 1).is_some_and(is_check)
            })
            .map(|(_, &node)| node)
            .collect()
    }

    fn cycle(&self, through: &[NodeId]) -> String {
        let through = self.without_parts_of_checks(through);
        let through = through.as_slice();
        let names = list(through.iter().map(|&node| self.name(node)));
        let Some(&first) = through.first() else {
            return "one has to be over before the other begins".to_owned();
        };
        let verb = match through.len() {
            1 => "has",
            _ => "have",
        };
        let text = format!("{names} {verb} to run between them");
        let uses = self.graph.uses_by(first).iter();
        let read = uses.map(|&id| self.graph.uses[id].from);
        let beside = read.filter(|&from| self.is_beside_pair(from));
        let all: Vec<NodeId> = beside.collect();
        match all.first() {
            Some(&from) if !all.iter().any(|&from| self.is_of_pair(from)) => format!(
                "{text}: {} needs {}{}",
                self.name(first),
                self.name(from),
                self.beside(from)
            ),
            _ => text,
        }
    }
}

/// With three digits behind the point at most.
pub(super) fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
