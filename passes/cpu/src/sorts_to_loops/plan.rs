//! How elements get into the results of a sort by digits.
//!
//! Elements whose bits are in words need not move with them: they are made of words. Whether a computed
//! number has the bits of an element may depend on the element, as where it is one zero for zeros of both
//! signs; then code looks at all of a row, and has both plans.

use comb_machine::tuning::sorts::{DIGIT, LONG_DIGIT};

use super::key::Key;

/// An array whose elements are made of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub array: usize,
    /// The number of the key that has their bits.
    pub key: usize,
}

/// Which elements are made of words, and which move with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub made: Vec<Made>,
    /// Arrays whose elements move with words.
    pub carried: Vec<usize>,
}

impl Plan {
    /// The plan for the arrays whose results are used. `hopes` says whether numbers have the bits of
    /// elements where that is not certain.
    pub fn of(keys: &[Key], is_used: &[bool], hopes: bool) -> Self {
        let mut plan = Self {
            made: vec![],
            carried: vec![],
        };
        for array in (0..is_used.len()).filter(|&array| is_used[array]) {
            let key = keys.iter().position(|key| {
                key.origin
                    .is_some_and(|origin| origin.array == array && (hopes || origin.is_certain))
            });
            match key {
                Some(key) => plan.made.push(Made { array, key }),
                None => plan.carried.push(array),
            }
        }
        plan
    }

    /// What is made of words here, and not in another plan.
    pub fn made_beyond(&self, other: &Self) -> Vec<Made> {
        let made = self.made.iter().copied();
        made.filter(|made| !other.made.contains(made)).collect()
    }

    /// How many bits a digit has, of words of so many: the more moves, the fewer places fit the caches
    /// to which it does.
    pub fn digit(&self, width: u32) -> u32 {
        match (17..=32).contains(&width) && self.carried.is_empty() {
            true => LONG_DIGIT,
            false => DIGIT,
        }
    }
}
