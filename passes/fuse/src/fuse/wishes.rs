//! What the user wants to be fused, or not: attributes of combinators.
//!
//! * `soac.together = "name"`: all combinators of a block with this name share
//!   their outermost loop;
//! * `soac.apart = "name"`: no two of them do;
//! * `soac.alone`: the combinator is fused with nothing.

use std::collections::{BTreeMap, BTreeSet};

use comb_fusion::graph::{NodeId, Use};
use melior::ir::{OperationRef, attribute::StringAttribute, operation::OperationLike};

use soac_dialect::{
    attributes::{ALONE, APART, TOGETHER},
    location::place,
    text::string_bytes,
    view::op_name,
};

use super::problem::Member;
use comb_kit::pass_error::PassError;

/// What the user may say of how a combinator is fused, and what clusters say of it.
const SAID_OF_FUSION: &[&str] = &["label", ALONE, APART, TOGETHER];

/// Whether it is said of a combinator what it shares loops with.
pub fn is_bound(op: OperationRef) -> bool {
    SAID_OF_FUSION.iter().any(|name| op.has_attribute(name))
}

/// Pairs of nodes.
type Pairs = Vec<(NodeId, NodeId)>;

/// What the user wants.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Pairs that share their outermost loop.
    pub forced: Pairs,
    /// Pairs that do not.
    pub forbidden: Pairs,
}

impl Wishes {
    /// The wishes of a block, given all uses of arrays.
    pub fn read<'c>(members: &[Member<'c, '_>], uses: &[Use]) -> Result<Self, PassError<'c>> {
        let (together, apart) = (named(members, TOGETHER), named(members, APART));
        let mut forbidden: BTreeSet<(NodeId, NodeId)> = BTreeSet::new();
        for nodes in apart.values() {
            for (position, &one) in nodes.iter().enumerate() {
                forbidden.extend(
                    nodes[position + 1..]
                        .iter()
                        .map(|&other| ordered(one, other)),
                );
            }
        }
        let alone = members
            .iter()
            .filter(|member| member.op.has_attribute(ALONE));
        for member in alone {
            let others = connected(member, uses);
            forbidden.extend(others.into_iter().map(|other| ordered(member.node, other)));
        }
        let chains = together.values().flat_map(|nodes| nodes.windows(2));
        let wishes = Self {
            forced: chains.map(|pair| (pair[0], pair[1])).collect(),
            forbidden: forbidden.into_iter().collect(),
        };
        wishes.check(members)?;
        Ok(wishes)
    }

    /// No pair has to be both together and apart.
    fn check<'c>(&self, members: &[Member<'c, '_>]) -> Result<(), PassError<'c>> {
        let forbidden: BTreeSet<(NodeId, NodeId)> = self.forbidden.iter().copied().collect();
        let both = |&&(one, other): &&(NodeId, NodeId)| forbidden.contains(&ordered(one, other));
        let Some(&(one, other)) = self.forced.iter().find(both) else {
            return Ok(());
        };
        let find = |node: NodeId| members.iter().find(|member| member.node == node);
        let (Some(one), Some(other)) = (find(one), find(other)) else {
            return Ok(());
        };
        let place = place(one.op.location()).unwrap_or_else(|| "an unknown place".to_owned());
        Err(PassError::Unsupported {
            location: other.op.location(),
            message: format!(
                "'{}' has to be fused with '{}' at {place}, and apart from it",
                op_name(other.op),
                op_name(one.op)
            ),
        })
    }
}

fn ordered(one: NodeId, other: NodeId) -> (NodeId, NodeId) {
    (one.min(other), one.max(other))
}

/// The combinators that have an attribute, by its value.
fn named(members: &[Member<'_, '_>], attribute: &str) -> BTreeMap<Vec<u8>, Vec<NodeId>> {
    let mut named: BTreeMap<Vec<u8>, Vec<NodeId>> = BTreeMap::new();
    for member in members {
        let value = member.op.attribute(attribute).ok();
        let name = value.and_then(|value| StringAttribute::try_from(value).ok());
        if let Some(name) = name {
            let nodes = named.entry(string_bytes(name).to_owned()).or_default();
            nodes.push(member.node);
        }
    }
    named
}

/// The nodes that could be connected to a combinator directly: what it reads, what
/// reads it, and what reads the same.
fn connected(member: &Member, uses: &[Use]) -> BTreeSet<NodeId> {
    let own: BTreeSet<NodeId> = member
        .results
        .iter()
        .copied()
        .chain([member.node])
        .collect();
    let read: BTreeSet<NodeId> = member
        .accesses
        .iter()
        .map(|access| access.array_use.from)
        .collect();
    let mut found: BTreeSet<NodeId> = read.clone();
    for array_use in uses {
        if own.contains(&array_use.from) || read.contains(&array_use.from) {
            found.insert(array_use.to);
        }
    }
    found.retain(|node| !own.contains(node));
    found
}
