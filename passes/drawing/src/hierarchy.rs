//! Clusters that lie in clusters, as a tree.

use comb_fusion::{
    clustering::Clustering,
    graph::{Graph, NodeId},
    loops::{Loop, loops},
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
    /// The number that reports give its loop.
    pub number: String,
}

/// The tree; parents come before children.
pub(super) struct Hierarchy {
    pub groups: Vec<Group>,
    /// By node: the innermost group around it.
    pub group_of: Vec<GroupId>,
    /// By node: the number of its innermost loop, if no other node is in that.
    pub alone: Vec<Option<String>>,
}

impl Hierarchy {
    /// The clusters of more than one node.
    pub fn new(graph: &Graph, clustering: Option<&Clustering>) -> Self {
        let root = Group {
            parent: ROOT,
            level: 0,
            hue: 0,
            number: String::new(),
        };
        let mut hierarchy = Self {
            groups: vec![root],
            group_of: vec![ROOT; graph.nodes.len()],
            alone: vec![None; graph.nodes.len()],
        };
        let loops = clustering.map_or_else(Vec::new, |clustering| loops(graph, clustering));
        for found in loops {
            hierarchy.add(found);
        }
        hierarchy
    }

    fn add(&mut self, found: Loop) {
        if let [node] = found.nodes[..] {
            self.alone[node] = Some(found.number);
            return;
        }
        let group = self.groups.len();
        let parent = self.group_of[found.nodes[0]];
        let hue = match parent {
            ROOT => group - 1,
            _ => self.groups[parent].hue,
        };
        for node in found.nodes {
            self.group_of[node] = group;
        }
        self.groups.push(Group {
            parent,
            level: found.level,
            hue,
            number: found.number,
        });
    }

    /// What is written at a group's hull.
    pub fn title(&self, group: GroupId) -> Option<String> {
        let number = &self.groups[group].number;
        (group != ROOT).then(|| format!("loop {number}"))
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
