//! Damaged text is an error or another text, never a panic.

use comb_stablehlo_text::generic_form;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const FORMS: &str = include_str!("forms.txt");
const REGIONS: &str = "
%0 = stablehlo.while(%i = %c) : tensor<i32> cond { stablehlo.return %p : tensor<i1> } do {
  %1 = stablehlo.reduce(%x init: %a) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%l: tensor<f32>, %r: tensor<f32>) { stablehlo.return %l : tensor<f32> }
}
";

/// What is put into the text.
const PIECES: [&str; 16] = [
    "",
    "\"",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    "{",
    "}",
    ":",
    "->",
    "é",
    "%",
    "0",
    "stablehlo.reduce",
];

#[test]
fn mutants_do_not_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let text = format!("{FORMS}{REGIONS}");
    let lines: Vec<&str> = text.lines().collect();
    for _ in 0..20_000 {
        let start = random.random_range(0..lines.len());
        let end = (start + random.random_range(1..5)).min(lines.len());
        let mut mutant = lines[start..end].join("\n");
        for _ in 0..random.random_range(1..4) {
            let cuts: Vec<usize> = (0..=mutant.len())
                .filter(|&at| mutant.is_char_boundary(at))
                .collect();
            let from = random.random_range(0..cuts.len());
            let to = (from + random.random_range(0..8)).min(cuts.len() - 1);
            let piece = PIECES[random.random_range(0..PIECES.len())];
            mutant.replace_range(cuts[from]..cuts[to], piece);
        }
        if let Err(error) = generic_form(&mutant) {
            assert!(error.at <= mutant.len());
        }
    }
}
