//! How often arrays are read and written, without fusion and with it.

use serde::Serialize;

use super::NodeName;
use crate::{
    clustering::Clustering,
    contraction::Contraction,
    evaluate::{distinct_reads, stored_arrays},
    graph::Graph,
};

/// How often an array is read and written at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ArrayTraffic {
    /// The level, from 1: reads by its loops, and whether the array exists outside
    /// of them.
    pub level: usize,
    /// Reads if nothing is fused.
    pub reads_unfused: usize,
    /// Reads of the answer.
    pub reads: usize,
    /// Whether it is written if nothing is fused.
    pub written_unfused: bool,
    /// Whether the answer writes it.
    pub written: bool,
}

impl ArrayTraffic {
    /// How many reads the answer saves.
    pub fn saved_reads(&self) -> usize {
        self.reads_unfused.saturating_sub(self.reads)
    }

    /// Whether the answer saves writing the array.
    pub fn saves_write(&self) -> bool {
        self.written_unfused && !self.written
    }
}

/// How often an array is read and written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArrayReport {
    /// The array.
    pub array: NodeName,
    /// At the levels at which it is read or written, without fusion or with it.
    pub traffic: Vec<ArrayTraffic>,
}

/// All arrays that are read or written.
pub(super) fn arrays(graph: &Graph, clustering: &Clustering) -> Vec<ArrayReport> {
    let unfused = Contraction::new(graph).finish();
    let mut traffic: Vec<Vec<ArrayTraffic>> = vec![vec![]; graph.nodes.len()];
    for level in 1..=graph.levels {
        let before = Counts::new(graph, &unfused, level);
        let after = Counts::new(graph, clustering, level);
        for (array, traffic) in traffic.iter_mut().enumerate() {
            let found = ArrayTraffic {
                level,
                reads_unfused: before.reads[array],
                reads: after.reads[array],
                written_unfused: before.written[array],
                written: after.written[array],
            };
            let is_silent =
                found.reads_unfused + found.reads == 0 && !found.written_unfused && !found.written;
            if !is_silent {
                traffic.push(found);
            }
        }
    }
    let arrays = traffic.into_iter().enumerate();
    arrays
        .filter(|(_, traffic)| !traffic.is_empty())
        .map(|(array, traffic)| ArrayReport {
            array: NodeName::of(graph, array),
            traffic,
        })
        .collect()
}

/// By array.
struct Counts {
    reads: Vec<usize>,
    written: Vec<bool>,
}

impl Counts {
    fn new(graph: &Graph, clustering: &Clustering, level: usize) -> Self {
        let mut reads = vec![0; graph.nodes.len()];
        for array in distinct_reads(graph, clustering, level) {
            reads[array] += 1;
        }
        let mut written = vec![false; graph.nodes.len()];
        for array in stored_arrays(graph, clustering, level) {
            written[array] = true;
        }
        Self { reads, written }
    }
}
