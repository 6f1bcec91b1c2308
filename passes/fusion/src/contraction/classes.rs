//! Sets that are joined and, in the opposite order, taken apart again.
//!
//! Union by size without path compression, so that a union changes three numbers
//! only; the elements of a set are a ring.
//!
//! Cost: `find` O(log n), `union` and `split` O(1), `members` linear in the set.

/// A partition of 0, 1, …, n − 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Classes {
    parent: Vec<usize>,
    size: Vec<usize>,
    next: Vec<usize>,
}

impl Classes {
    /// Every element alone.
    pub(super) fn new(count: usize) -> Self {
        Self {
            parent: (0..count).collect(),
            size: vec![1; count],
            next: (0..count).collect(),
        }
    }

    /// The element that stands for the set of an element.
    pub(super) fn find(&self, mut element: usize) -> usize {
        while self.parent[element] != element {
            element = self.parent[element];
        }
        element
    }

    /// The number of elements of a set, given by its root.
    pub(super) fn size(&self, root: usize) -> usize {
        self.size[root]
    }

    /// Joins two different sets, given by their roots. Gives the root that is
    /// none any more, for [`split`](Self::split).
    pub(super) fn union(&mut self, one: usize, other: usize) -> usize {
        let (child, root) = if self.size[one] <= self.size[other] {
            (one, other)
        } else {
            (other, one)
        };
        self.parent[child] = root;
        self.size[root] += self.size[child];
        self.next.swap(child, root);
        child
    }

    /// Takes back the last union that has not been taken back.
    pub(super) fn split(&mut self, child: usize) {
        let root = self.parent[child];
        self.next.swap(child, root);
        self.size[root] -= self.size[child];
        self.parent[child] = child;
    }

    /// The elements of a set, given by one of them.
    pub(super) fn members(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let mut element = Some(first);
        std::iter::from_fn(move || {
            let current = element?;
            element = Some(self.next[current]).filter(|&next| next != first);
            Some(current)
        })
    }
}
