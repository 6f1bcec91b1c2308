//! Canonicalisation keeps the meaning of random programs.

use comb_fuzz::{
    check::{Outcome, check_simplification},
    generator::{Options, generate},
};

const SEEDS: u64 = 500;

#[test]
fn random_programs_mean_the_same_when_simplified() {
    for seed in 1..=SEEDS {
        let program = generate(seed, Options::default());
        let outcome = check_simplification(&program);
        assert!(
            !matches!(outcome, Outcome::Differs(_)),
            "seed {seed}: {outcome:?}\n{}",
            program.text()
        );
    }
}
