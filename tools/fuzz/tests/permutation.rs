//! What is fused does not depend on the order of independent statements, on names,
//! or on how many threads work.

use comb_driver::Compiler;
use comb_fuzz::{
    fusion::{Fused, PREPARED, Settings, clusters},
    generator::{Options, RICH_EVERY, generate},
    program::Program,
    staged::Staged,
};

const SEEDS: u64 = 800;

/// The clusters of a program, once it is fused; nothing if it has checks: what may
/// be fused then depends on the order of the program.
fn fused(program: &Program, settings: Settings, threads: bool) -> Option<Vec<String>> {
    let compiler = Compiler::new();
    compiler.context().enable_multi_threading(threads);
    let mut staged = Staged::new(&compiler, program).expect("a valid program");
    staged.run(PREPARED).expect("it can be prepared");
    if staged.module().to_string().contains("soac.check") {
        return None;
    }
    Fused::new(&mut staged, settings).expect("it can be fused");
    Some(clusters(staged.module()))
}

/// Which of several scatters into one array updates it in place is up to their
/// order.
fn has_one_scatter(program: &Program) -> bool {
    program.text().matches("soac.scatter").count() <= 1
}

#[test]
fn the_order_of_statements_does_not_matter() {
    let mut compared = 0;
    for seed in (0..SEEDS).map(|number| number * RICH_EVERY) {
        let program = generate(seed, Options::default());
        let settings = Settings::of(seed);
        let Some(expected) = fused(&program, settings, false) else {
            continue;
        };
        if !has_one_scatter(&program) {
            continue;
        }
        let text = program.text();
        let shuffled = program.shuffled(seed);
        let actual = fused(&shuffled, settings, true).expect("the same checks: none");
        assert_eq!(
            actual,
            expected,
            "seed {seed}, {settings}\n{text}\nshuffled:\n{}",
            shuffled.text()
        );
        compared += usize::from(!expected.is_empty());
    }
    assert!(compared > 30, "{compared} programs with clusters");
}
