//! A large set of nodes of which every two are neighbours.
//!
//! Branch and bound with greedy colouring (Tomita and Seki, 2003): nodes are tried in
//! the order of their colours, and as many colours as nodes have cannot hold a larger
//! clique. It ends after some steps; what is found then is a clique all the same.
//!
//! Cost: O(n²) for a step.

/// So many partial cliques are looked at.
const MOST_STEPS: usize = 20_000;

struct Search<'a> {
    neighbours: &'a dyn Fn(usize, usize) -> bool,
    clique: Vec<usize>,
    best: Vec<usize>,
    steps: usize,
}

/// A large clique of the nodes 0, 1, …, n − 1; mostly the largest.
pub(super) fn large_clique(count: usize, neighbours: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut search = Search {
        neighbours: &neighbours,
        clique: vec![],
        best: vec![],
        steps: 0,
    };
    let degree = |node: usize| (0..count).filter(|&other| neighbours(node, other)).count();
    let degrees: Vec<usize> = (0..count).map(degree).collect();
    let mut nodes: Vec<usize> = (0..count).collect();
    nodes.sort_by_key(|&node| (std::cmp::Reverse(degrees[node]), node));
    search.extend(&nodes);
    search.best.sort_unstable();
    search.best
}

impl Search<'_> {
    /// Extends the clique by candidates that are neighbours of all its nodes.
    fn extend(&mut self, candidates: &[usize]) {
        self.steps += 1;
        if self.clique.len() > self.best.len() {
            self.best.clone_from(&self.clique);
        }
        let mut left = self.by_colour(candidates);
        while let Some((colours, node)) = left.pop() {
            let most = self.clique.len() + colours;
            if most <= self.best.len() || self.steps > MOST_STEPS {
                return;
            }
            let candidates: Vec<usize> = left
                .iter()
                .map(|&(_, other)| other)
                .filter(|&other| (self.neighbours)(node, other))
                .collect();
            self.clique.push(node);
            self.extend(&candidates);
            self.clique.pop();
        }
    }

    /// Nodes, each with the number of colours that it and those before it need, such
    /// that neighbours have different ones.
    fn by_colour(&self, nodes: &[usize]) -> Vec<(usize, usize)> {
        let mut classes: Vec<Vec<usize>> = vec![];
        for &node in nodes {
            let is_free = |class: &Vec<usize>| {
                let mut others = class.iter();
                others.all(|&other| !(self.neighbours)(node, other))
            };
            match classes.iter().position(is_free) {
                Some(class) => classes[class].push(node),
                None => classes.push(vec![node]),
            }
        }
        let numbered = (1..).zip(classes);
        numbered
            .flat_map(|(colour, class)| class.into_iter().map(move |node| (colour, node)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clique_is_the_largest() {
        // Two triangles that share a node, and one set of four.
        let sets: [&[usize]; 3] = [&[0, 1, 2], &[2, 3, 4], &[4, 5, 6, 7]];
        let neighbours = |one: usize, other: usize| {
            one != other
                && sets
                    .iter()
                    .any(|set| set.contains(&one) && set.contains(&other))
        };
        assert_eq!(large_clique(8, neighbours), [4, 5, 6, 7]);
        assert_eq!(large_clique(3, |_, _| false).len(), 1);
        assert!(large_clique(0, |_, _| false).is_empty());
    }
}
