//! Answers that are kept, so that a problem is solved only once: the merge cache
//! of P-wsp (V.F), for programs that solve the same loop's fusion again and again.
//!
//! A problem is looked up by its canonical form (module `canonical`): the graph's
//! structure, the weights, the method and the limits, but not names, ids or the
//! order of the program. The form is hashed to 128 bits, and compared as a whole
//! when the hash is found. An answer that is found is put into the normal form of
//! the graph that is asked about, checked and evaluated, as any other is.
//!
//! Kept are answers for costs whose pairs are listed (see [`Weights`]) that do not depend on time: those that are proven, and those
//! of heuristics without a time limit. If there are too many, those go first that
//! were not asked for longest.
//!
//! Cost: colour refinement for each question, O(E log E) for a round of it.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::{
    amount::Amount,
    canonical::CanonicalForm,
    clustering::Clustering,
    cost::Weights,
    graph::Graph,
    method::{Answer, Bounds, Found, Method, Unsolved},
    stable_hash::hash_words,
};

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The most graphs.
    pub graphs: usize,
    /// The most nodes, uses and weighted pairs of all graphs together.
    pub entries: usize,
}

impl Default for Capacity {
    fn default() -> Self {
        Self {
            graphs: 1000,
            entries: 1_000_000,
        }
    }
}

/// What happened to questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Answers that were there.
    pub hits: u64,
    /// Problems that had to be solved.
    pub misses: u64,
    /// Answers that had to go.
    pub evictions: u64,
}

/// Answers that are kept; it may be shared between threads.
#[derive(Debug)]
pub struct Cache {
    capacity: Capacity,
    hash: fn(&[u64]) -> u128,
    kept: Mutex<Kept>,
}

impl Default for Cache {
    fn default() -> Self {
        Self::new(Capacity::default())
    }
}

impl Cache {
    /// Nothing is kept yet.
    pub fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            hash: hash_words,
            kept: Mutex::default(),
        }
    }

    /// What happened to questions so far.
    pub fn counters(&self) -> Counters {
        self.kept().counters
    }

    /// How much is kept now.
    pub fn size(&self) -> Capacity {
        let kept = self.kept();
        Capacity {
            graphs: kept.answers.len(),
            entries: kept.entries,
        }
    }

    /// The answer to a problem: one that is kept, or that of the method.
    ///
    /// # Errors
    ///
    /// Those of [`Method::solve`].
    pub fn solve(
        &self,
        method: Method,
        graph: &Graph,
        weights: &Weights,
        bounds: &Bounds,
    ) -> Result<Answer, Unsolved> {
        if !weights.crowds.is_empty() {
            return method.solve(graph, weights, bounds);
        }
        let start = Instant::now();
        let form = CanonicalForm::new(graph, weights, &bounds.limits, method);
        let key = (self.hash)(&form.words);
        let found = self.kept().find(key, &form);
        if let Some(found) = found {
            return Ok(found.checked(graph, weights, start.elapsed())?);
        }
        let answer = method.solve(graph, weights, bounds)?;
        if is_repeatable(method, &answer, bounds) {
            self.kept().keep(key, form, &answer, self.capacity);
        }
        Ok(answer)
    }

    /// A thread that panicked meanwhile has left nothing half done.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the same question has the same answer, however long it takes.
fn is_repeatable(method: Method, answer: &Answer, bounds: &Bounds) -> bool {
    let heuristic = matches!(method, Method::Other(_));
    answer.optimal || heuristic && bounds.time_limit.is_none()
}

#[derive(Debug)]
struct KeptAnswer {
    words: Vec<u64>,
    size: usize,
    last_asked: u64,
    clustering: Clustering,
    bound: Option<Amount>,
    optimal: bool,
}

#[derive(Debug, Default)]
struct Kept {
    answers: HashMap<u128, KeptAnswer>,
    /// By the time of the last question, counted in questions: the key.
    by_time: BTreeMap<u64, u128>,
    time: u64,
    entries: usize,
    counters: Counters,
}

impl Kept {
    fn find(&mut self, key: u128, form: &CanonicalForm) -> Option<Found> {
        self.time += 1;
        let answer = self.answers.get_mut(&key);
        let Some(answer) = answer.filter(|answer| answer.words == form.words) else {
            self.counters.misses += 1;
            return None;
        };
        self.counters.hits += 1;
        self.by_time.remove(&answer.last_asked);
        self.by_time.insert(self.time, key);
        answer.last_asked = self.time;
        Some(Found {
            clustering: form.in_graph(&answer.clustering),
            bound: answer.bound,
            optimal: answer.optimal,
        })
    }

    fn keep(&mut self, key: u128, form: CanonicalForm, answer: &Answer, capacity: Capacity) {
        if form.size > capacity.entries || capacity.graphs == 0 {
            return;
        }
        if self.remove(key) {
            self.counters.evictions += 1;
        }
        while self.answers.len() >= capacity.graphs || self.entries + form.size > capacity.entries {
            let Some((_, &oldest)) = self.by_time.first_key_value() else {
                break;
            };
            self.remove(oldest);
            self.counters.evictions += 1;
        }
        self.time += 1;
        self.by_time.insert(self.time, key);
        self.entries += form.size;
        let kept = KeptAnswer {
            clustering: form.in_numbers(&answer.clustering),
            size: form.size,
            words: form.words,
            last_asked: self.time,
            bound: answer.bound,
            optimal: answer.optimal,
        };
        self.answers.insert(key, kept);
    }

    fn remove(&mut self, key: u128) -> bool {
        let Some(answer) = self.answers.remove(&key) else {
            return false;
        };
        self.by_time.remove(&answer.last_asked);
        self.entries -= answer.size;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cost::CostOptions,
        random::{RandomOptions, random_graph},
    };

    #[test]
    fn a_collision_of_hashes_is_no_hit() {
        let cache = Cache {
            hash: |_| 0,
            ..Cache::default()
        };
        for seed in 0..20 {
            let graph = random_graph(seed % 5, RandomOptions::default());
            let cost = "reads+writes".parse().expect("a cost");
            let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
            let bounds = Bounds::default();
            let solve = || cache.solve(Method::Exact, &graph, &weights, &bounds);
            let direct = Method::Exact.solve(&graph, &weights, &bounds);
            let direct = direct.expect("a solution").clustering;
            assert_eq!(solve().expect("a solution").clustering, direct);
            assert_eq!(solve().expect("a solution").clustering, direct);
        }
        let counters = cache.counters();
        assert_eq!((counters.hits, counters.misses), (20, 20));
        assert_eq!(cache.size().graphs, 1);
    }
}
