//! A square matrix of bits, one set for each row.

/// A set of numbers below n for each number below n.
pub(crate) struct BitMatrix {
    words: usize,
    bits: Vec<u64>,
}

impl BitMatrix {
    /// Empty sets.
    pub fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self {
            words,
            bits: vec![0; words * size],
        }
    }

    /// Whether a row's set holds a number.
    pub fn get(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    /// Adds a number to a row's set.
    pub fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    /// The numbers of a row's set.
    pub fn of_row(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        (0..).zip(self.row(row)).flat_map(|(place, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    64 * place + bit
                })
            })
        })
    }

    /// Adds another row's set, which holds only numbers greater than the other row's,
    /// to a row's set.
    pub fn unite(&mut self, row: usize, other: usize) {
        for word in other / 64..self.words {
            self.bits[row * self.words + word] |= self.bits[other * self.words + word];
        }
    }

    /// The same with a set of another matrix of the same size.
    pub fn unite_with(&mut self, row: usize, matrix: &Self, other: usize) {
        for word in other / 64..self.words {
            self.bits[row * self.words + word] |= matrix.bits[other * self.words + word];
        }
    }
}
