//! Clusters that lie in clusters, as a tree.

use std::collections::BTreeMap;

use crate::{
    clustering::Clustering,
    graph::{Graph, NodeId},
};

/// The number of a cluster in the tree; [`ROOT`] is the whole picture.
pub(super) type GroupId = usize;

pub(super) const ROOT: GroupId = 0;

/// A cluster with a hull.
pub(super) struct Group {
    /// The one around it; the root's is itself.
    pub parent: GroupId,
    /// The level of the cluster; 0 for the root.
    pub level: usize,
    /// The number of the outermost cluster around it.
    pub hue: usize,
}

/// The tree; parents come before children.
pub(super) struct Hierarchy {
    pub groups: Vec<Group>,
    /// By node: the innermost group around it.
    pub group_of: Vec<GroupId>,
}

impl Hierarchy {
    /// The clusters of more than one node.
    pub fn new(graph: &Graph, clustering: Option<&Clustering>) -> Self {
        let root = Group {
            parent: ROOT,
            level: 0,
            hue: 0,
        };
        let mut hierarchy = Self {
            groups: vec![root],
            group_of: vec![ROOT; graph.nodes.len()],
        };
        if let Some(clustering) = clustering {
            for level in 1..=graph.levels {
                hierarchy.add_level(graph, clustering, level);
            }
        }
        hierarchy
    }

    fn add_level(&mut self, graph: &Graph, clustering: &Clustering, level: usize) {
        let mut members: BTreeMap<(GroupId, usize), Vec<NodeId>> = BTreeMap::new();
        for (number, nodes) in clustering.groups(graph, level).into_iter().enumerate() {
            for node in nodes {
                let key = (self.group_of[node], number);
                members.entry(key).or_default().push(node);
            }
        }
        members.retain(|_, nodes| nodes.len() > 1);
        let before = self.groups.len();
        for ((parent, _), nodes) in members {
            let hue = match parent {
                ROOT => self.groups.len() - before,
                _ => self.groups[parent].hue,
            };
            for node in nodes {
                self.group_of[node] = self.groups.len();
            }
            self.groups.push(Group { parent, level, hue });
        }
    }

    /// A group and those around it, up to the root.
    pub fn around(&self, group: GroupId) -> Vec<GroupId> {
        let mut result = vec![group];
        let mut inner = group;
        while inner != ROOT {
            inner = self.groups[inner].parent;
            result.push(inner);
        }
        result
    }

    /// The outermost groups that are around one of two nodes only, the one of
    /// the first first; and the innermost group around both.
    pub fn parting(
        &self,
        one: NodeId,
        other: NodeId,
    ) -> (Option<GroupId>, Option<GroupId>, GroupId) {
        let mut one = self.around(self.group_of[one]);
        let mut other = self.around(self.group_of[other]);
        let mut common = ROOT;
        while let (Some(&first), Some(&second)) = (one.last(), other.last()) {
            if first != second {
                break;
            }
            common = first;
            one.pop();
            other.pop();
        }
        (one.last().copied(), other.last().copied(), common)
    }
}
