//! Zero-half cuts: rows that follow from halving the sum of other rows and
//! rounding, and that a fractional solution breaks.
//!
//! If all numbers in a sum of rows `expression >= 0` are even but the constant, then
//! half of it may be rounded down. Columns with an odd factor are rounded away with
//! their bounds, at the cost of their distance from these. What is looked for is
//! therefore a set of rows with little slack whose sum modulo 2 has an odd constant
//! and few fractional columns. Phases:
//!
//! 1. every row with slack below 1 becomes a row of bits, one for each fractional
//!    column with an odd factor, and its constant modulo 2;
//! 2. Gaussian elimination modulo 2, with rows without slack, those with the fewest
//!    bits first;
//! 3. a combination that is left with slack and distances below 1 is a cut.
//!
//! All columns are whole in some best answer, so that such a cut removes no best
//! answer.
//!
//! Source: Koster, Zymolka and Kutschka, *Algorithms to separate {0, 1/2}-
//! Chvátal-Gomory cuts* (Algorithmica 2009). Cost: O(c r²/64) for c columns and r rows.

use std::collections::BTreeMap;

use super::{
    clock::Clock,
    incumbents::{WHOLE, is_whole},
    linear::{Column, Linear},
};

/// Cuts that are broken by less are not worth a row.
const LEAST_VIOLATION: f64 = 0.05;

/// Cuts with more columns slow the linear program down.
const MOST_COLUMNS: usize = 60;

/// Cuts whose angle has a greater cosine say nearly the same.
const MOST_PARALLEL: f64 = 0.3;

/// So many cuts are given at once at most, or one for so many columns.
const LEAST_CUTS: usize = 20;
const COLUMNS_PER_CUT: usize = 20;

/// A sum of rows modulo 2.
#[derive(Clone)]
struct Combination {
    /// The fractional columns with an odd factor.
    odd: Bits,
    /// Whether the constant is odd once whole columns are replaced by their values.
    odd_constant: bool,
    slack: f64,
    /// The rows that are added.
    rows: Bits,
}

#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn flip(&mut self, bit: usize) {
        self.0[bit / 64] ^= 1 << (bit % 64);
    }

    fn get(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn add(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word ^= other;
        }
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
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
}

/// Zero-half cuts of rows `expression >= 0` that the values break, the most broken
/// first; some of them when the time is over.
pub(crate) fn cuts<'r>(
    rows: impl Iterator<Item = &'r Linear>,
    values: &[f64],
    clock: Clock,
) -> Vec<Linear> {
    let rows: Vec<Linear> = rows.filter_map(|row| whole_row(row, values)).collect();
    let mut fractional = BTreeMap::new();
    for row in &rows {
        for &(column, _) in &row.terms {
            if !is_whole(values[column]) {
                let next = fractional.len();
                fractional.entry(column).or_insert(next);
            }
        }
    }
    let mut combinations: Vec<Combination> = rows
        .iter()
        .enumerate()
        .map(|(number, row)| combination(row, number, rows.len(), &fractional, values))
        .collect();
    let mut distances = vec![0.0; fractional.len()];
    for (&column, &place) in &fractional {
        distances[place] = values[column].min(1.0 - values[column]);
    }
    eliminate(&mut combinations, fractional.len(), clock);
    let mut found: BTreeMap<Vec<(Column, i64)>, (f64, Linear)> = BTreeMap::new();
    for combination in &combinations {
        let distance: f64 = combination.odd.iter().map(|place| distances[place]).sum();
        if combination.slack + distance < 1.0 - 2.0 * LEAST_VIOLATION
            && let Some(cut) = rounded(combination, &rows, values)
        {
            let value = cut.value(values);
            if value < -LEAST_VIOLATION && cut.terms.len() <= MOST_COLUMNS {
                let key = cut
                    .terms
                    .iter()
                    .map(|&(column, factor)| (column, factor as i64));
                found.insert(key.collect(), (value / norm(&cut), cut));
            }
        }
    }
    let mut found: Vec<(f64, Linear)> = found.into_values().collect();
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let found = found.into_iter().map(|(_, cut)| cut).collect();
    different(found, LEAST_CUTS.max(values.len() / COLUMNS_PER_CUT))
}

/// The first cuts of which no two are nearly parallel.
fn different(cuts: Vec<Linear>, most: usize) -> Vec<Linear> {
    let mut taken: Vec<Linear> = vec![];
    for cut in cuts {
        if taken.len() == most {
            break;
        }
        let limit = MOST_PARALLEL * norm(&cut);
        if taken
            .iter()
            .all(|other| product(&cut, other) <= limit * norm(other))
        {
            taken.push(cut);
        }
    }
    taken
}

/// The scalar product of the factors of two rows that have each column once, in
/// order.
fn product(one: &Linear, other: &Linear) -> f64 {
    let mut others = other.terms.iter().peekable();
    let mut sum = 0.0;
    for &(column, factor) in &one.terms {
        while others.next_if(|&&(other, _)| other < column).is_some() {}
        if let Some(&&(other, by)) = others.peek()
            && other == column
        {
            sum += factor * by;
        }
    }
    sum
}

fn norm(row: &Linear) -> f64 {
    let squares = row.terms.iter().map(|&(_, factor)| factor * factor);
    squares.sum::<f64>().sqrt()
}

/// A row with whole factors, each column once, if it has little slack and a
/// fractional column.
fn whole_row(row: &Linear, values: &[f64]) -> Option<Linear> {
    let slack = row.value(values);
    let fractional = row
        .terms
        .iter()
        .any(|&(column, _)| !is_whole(values[column]));
    if slack >= 1.0 - 2.0 * LEAST_VIOLATION || !fractional {
        return None;
    }
    let row = row.simplified();
    let mut numbers = row.terms.iter().map(|&(_, factor)| factor);
    (row.constant.fract() == 0.0 && numbers.all(|factor| factor.fract() == 0.0)).then_some(row)
}

fn is_odd(number: f64) -> bool {
    number.rem_euclid(2.0) == 1.0
}

fn combination(
    row: &Linear,
    number: usize,
    count: usize,
    fractional: &BTreeMap<Column, usize>,
    values: &[f64],
) -> Combination {
    let mut odd = Bits::new(fractional.len());
    let mut constant = row.constant;
    for &(column, _) in row.terms.iter().filter(|(_, factor)| is_odd(*factor)) {
        match fractional.get(&column) {
            Some(&place) => odd.flip(place),
            None => constant += values[column].round(),
        }
    }
    let mut rows = Bits::new(count);
    rows.flip(number);
    Combination {
        odd,
        odd_constant: is_odd(constant),
        slack: row.value(values).max(0.0),
        rows,
    }
}

/// Removes columns from all combinations but one, as long as there is one without
/// slack that has them.
fn eliminate(combinations: &mut [Combination], columns: usize, clock: Clock) {
    let mut eliminated = vec![false; combinations.len()];
    let mut counts: Vec<usize> = combinations.iter().map(|row| row.odd.count()).collect();
    let mut readers = vec![0usize; columns];
    for combination in combinations.iter() {
        for column in combination.odd.iter() {
            readers[column] += 1;
        }
    }
    loop {
        let candidates = (0..combinations.len())
            .filter(|&row| !eliminated[row] && counts[row] > 0 && combinations[row].slack < WHOLE);
        let pivot = candidates.min_by_key(|&row| counts[row]);
        let Some(pivot) = pivot.filter(|_| !clock.is_over()) else {
            return;
        };
        eliminated[pivot] = true;
        let source = combinations[pivot].clone();
        let Some(column) = source.odd.iter().min_by_key(|&column| readers[column]) else {
            return;
        };
        for row in 0..combinations.len() {
            if eliminated[row] || !combinations[row].odd.get(column) {
                continue;
            }
            let combination = &mut combinations[row];
            combination.odd.add(&source.odd);
            combination.odd_constant ^= source.odd_constant;
            combination.rows.add(&source.rows);
            counts[row] = combination.odd.count();
        }
    }
}

/// Half the sum of the rows of a combination, rounded; nothing if its constant is
/// even.
fn rounded(combination: &Combination, rows: &[Linear], values: &[f64]) -> Option<Linear> {
    let sum = combination
        .rows
        .iter()
        .fold(Linear::default(), |sum, row| sum.plus(1.0, &rows[row]));
    let mut sum = sum.simplified();
    let mut least: Option<(f64, usize)> = None;
    let mut upwards = vec![false; sum.terms.len()];
    for (place, &(column, factor)) in sum.terms.iter().enumerate() {
        if is_odd(factor) {
            upwards[place] = values[column] > 0.5;
            let change = (1.0 - 2.0 * values[column]).abs();
            if least.is_none_or(|(known, _)| change < known) {
                least = Some((change, place));
            }
        }
    }
    let bounds = upwards.iter().filter(|&&upwards| upwards).count();
    if !is_odd(sum.constant + bounds as f64) {
        let (_, place) = least?;
        upwards[place] = !upwards[place];
    }
    for (term, upwards) in sum.terms.iter_mut().zip(upwards) {
        if is_odd(term.1) {
            // Added: the column >= 0, or 1 minus the column >= 0.
            term.1 += if upwards { -1.0 } else { 1.0 };
            sum.constant += f64::from(upwards);
        }
        term.1 /= 2.0;
    }
    sum.terms.retain(|&(_, factor)| factor != 0.0);
    sum.constant = (sum.constant / 2.0).floor();
    Some(sum)
}
