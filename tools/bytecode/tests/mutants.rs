//! Damaged files: whatever is done to the bytes of artifacts and of other bytecode, reading them
//! gives text or an error.

use std::{fs, path::Path};

use comb_bytecode::{check, stablehlo};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Reads the artifacts of the tests of StableHLO.
fn artifacts() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lit-tests/stablehlo/Inputs");
    ["0_9", "0_14", "1_0", "1_8", "1_15"]
        .map(|version| fs::read(root.join(format!("many_ops_{version}.bc"))).unwrap())
        .into()
}

/// Text, if the file is whole.
fn read(bytes: &[u8]) -> Option<String> {
    let (file, program) = check(bytes).ok()?;
    stablehlo::text(&file, &program).ok()
}

/// One to four bytes changed, a part removed, or a part repeated.
fn mutant(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = random.random_range(0..bytes.len());
    let end = (at + random.random_range(1..40)).min(bytes.len());
    match random.random_range(0..6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
        _ => {
            for _ in 0..random.random_range(1..=4) {
                let at = random.random_range(0..bytes.len());
                bytes[at] = random.random();
            }
        }
    }
    bytes
}

#[test]
fn artifacts_of_all_versions_are_read() {
    for artifact in artifacts() {
        let text = read(&artifact).unwrap();
        assert!(text.contains("\"stablehlo.convolution\""));
        assert!(text.contains("#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"));
    }
}

#[test]
fn damaged_artifacts_are_text_or_an_error() {
    let mut random = ChaCha8Rng::seed_from_u64(39);
    let artifacts = artifacts();
    let mut whole = 0;
    for round in 0..20_000 {
        let mutant = mutant(&artifacts[round % artifacts.len()], &mut random);
        whole += usize::from(read(&mutant).is_some());
    }
    // Some damage cannot be seen, as that of a constant's elements.
    assert!((100..15_000).contains(&whole), "{whole}");
}
