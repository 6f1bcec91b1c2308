//! What the ops of a loop take, and how many of its roots are to be replaced.
//!
//! The unit of time is what a vector of 512 bits takes that is multiplied. What divisions and roots
//! take was measured on AMD's fourth generation.

use comb_machine::tuning::{
    VECTOR_BITS,
    balance_square_roots::{DIVISION, LEAST_SAVED, ROOT},
};
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{definition, dialect, op_name, uses, vector_element, vector_lanes},
};

use super::roots;
use comb_kit::{element_types::bits_in_memory, walk::operations};

/// What an iteration of a loop takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Work {
    /// The unit for divisions and square roots.
    divider: f64,
    /// All others.
    others: f64,
    /// How many roots can be replaced.
    roots: usize,
    /// What the unit takes for one of them, on average.
    root: f64,
    /// What the others take for one that is replaced, on average.
    replaced: f64,
}

/// What is done to a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// How many iterations become one.
    pub iterations: usize,
    /// How many of the roots in them are replaced.
    pub replaced: usize,
}

impl Work {
    /// What is in a loop; nothing if it has no roots that can be replaced.
    pub fn of<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Option<Self> {
        let roots = roots(r#loop);
        if roots.is_empty() {
            return None;
        }
        let mean = |sum: f64| sum / roots.len() as f64;
        let mut work = Self {
            divider: 0.0,
            others: 0.0,
            roots: roots.len(),
            root: mean(roots.iter().filter_map(|root| divider_time(root.op)).sum()),
            replaced: mean(roots.iter().map(|root| root.format.replaced).sum()),
        };
        for op in operations(r#loop) {
            match divider_time(op) {
                Some(time) => work.divider += time,
                None => work.others += time(op),
            }
        }
        Some(work)
    }

    /// What takes the least time, if it saves enough; of several that take as long, what changes
    /// least.
    pub fn choose(self, in_pairs: bool) -> Option<Choice> {
        let most = if in_pairs { 2 } else { 1 };
        let mut best = (self.divider.max(self.others) * (1.0 - LEAST_SAVED), None);
        for iterations in 1..=most {
            for replaced in 1..=iterations * self.roots {
                let time = self.time(iterations, replaced);
                if time < best.0 {
                    let choice = Choice {
                        iterations,
                        replaced,
                    };
                    best = (time, Some(choice));
                }
            }
        }
        best.1
    }

    /// How long an iteration takes if so many of the roots in so many are replaced.
    fn time(self, iterations: usize, replaced: usize) -> f64 {
        let part = replaced as f64 / iterations as f64;
        let divider = self.divider - part * self.root;
        divider.max(self.others + part * self.replaced)
    }
}

/// How long the unit for divisions and roots takes for an op, if it does it.
fn divider_time(op: OperationRef) -> Option<f64> {
    let (element, registers) = registers(op)?;
    let [single, double] = match op_name(op) {
        "arith.divf" => DIVISION,
        "math.sqrt" => ROOT,
        _ => return None,
    };
    Some(registers * if element.is_f64() { double } else { single })
}

/// How long others take for an op: nothing for numbers, which they do besides.
fn time<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> f64 {
    match registers(op) {
        Some((_, registers)) if !is_multiplied_and_added(op) => registers,
        _ => 0.0,
    }
}

/// The elements of the vector that an op computes, and how many registers it takes.
fn registers<'c>(op: OperationRef<'c, '_>) -> Option<(Type<'c>, f64)> {
    if !matches!(dialect(op), "arith" | "math") || op_name(op) == "arith.constant" {
        return None;
    }
    let result = op.result_at(0)?.r#type();
    let element = vector_element(result)?;
    let bits = vector_lanes(result)? * bits_in_memory(element);
    Some((element, bits as f64 / VECTOR_BITS as f64))
}

/// Whether an op adds to a product that is needed for nothing else: CPUs do both at once.
fn is_multiplied_and_added<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    let may_fuse = |op: OperationRef| {
        let flags = op.attribute("fastmath").ok();
        flags.is_some_and(|flags| {
            let flags = flags.to_string();
            flags.contains("contract") || flags.contains("fast>")
        })
    };
    let is_product = |value: Value<'c, 'a>| {
        let product = definition(value).filter(|&op| op_name(op) == "arith.mulf");
        product.is_some_and(may_fuse) && uses(value).len() == 1
    };
    matches!(op_name(op), "arith.addf" | "arith.subf")
        && may_fuse(op)
        && op.operands().any(is_product)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(divider: f64, others: f64, roots: usize) -> Work {
        Work {
            divider,
            others,
            roots,
            root: 16.0,
            replaced: 17.0,
        }
    }

    #[test]
    fn half_of_the_roots_are_replaced_where_there_is_little_else() {
        let choice = |iterations, replaced| {
            Some(Choice {
                iterations,
                replaced,
            })
        };
        assert_eq!(work(16.0, 0.0, 1).choose(true), choice(2, 1));
        assert_eq!(work(25.0, 11.0, 1).choose(true), choice(2, 1));
        assert_eq!(work(32.0, 0.0, 2).choose(true), choice(1, 1));
    }

    #[test]
    fn loops_that_wait_for_others_stay() {
        assert_eq!(work(16.0, 40.0, 1).choose(true), None);
        assert_eq!(work(16.0, 14.0, 1).choose(true), None);
        assert_eq!(work(90.0, 0.0, 0).choose(true), None);
    }

    #[test]
    fn all_roots_are_replaced_beside_many_divisions() {
        let choice = Choice {
            iterations: 1,
            replaced: 1,
        };
        assert_eq!(work(90.0, 10.0, 1).choose(false), Some(choice));
    }

    #[test]
    fn what_gains_too_little_stays() {
        assert_eq!(work(16.0, 0.0, 1).choose(false), None);
        assert_eq!(work(200.0, 0.0, 1).choose(true), None);
    }
}
