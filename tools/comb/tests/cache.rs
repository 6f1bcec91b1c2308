//! Machine code that `comb run` keeps, and code that it shows.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::thread;

use common::{Folder, Outcome, comb};
use serde_json::Value as Json;

const LINE: &str = "run scale.mlir -i xs=iota:f32[3] -i factor=2";

/// Runs `comb` with a cache in the folder.
fn run(folder: &Folder, line: &str) -> Outcome {
    let mut command = comb();
    command.env("COMB_CACHE", folder.path("cache"));
    folder.execute(command.args(line.split(' ')))
}

/// Whether the code came from the cache, of a run that must succeed.
fn is_cached(folder: &Folder, line: &str) -> bool {
    let outcome = run(folder, &format!("{line} --json"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(outcome.stderr, "");
    let report: Json = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        report["results"][0]["values"],
        serde_json::json!([0.0, 2.0, 4.0])
    );
    report["timings"]["cached"] == true
}

fn cached_files(folder: &Folder) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path("cache")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_program_is_compiled_once() {
    let folder = Folder::new();
    assert!(!is_cached(&folder, LINE));
    assert!(is_cached(&folder, LINE));
    let outcome = run(&folder, LINE);
    assert!(
        outcome.stdout.contains("from the cache"),
        "{}",
        outcome.stdout
    );
    assert!(!is_cached(&folder, &format!("{LINE} --no-cache")));
}

#[test]
fn what_changes_the_code_is_compiled_again() {
    let folder = Folder::new();
    assert!(!is_cached(&folder, LINE));
    for different in ["-O0", "-O3", "--unchecked"] {
        let line = format!("{LINE} {different}");
        assert!(!is_cached(&folder, &line));
        assert!(is_cached(&folder, &line));
    }
    assert!(is_cached(&folder, &format!("{LINE} --entry main")));
    let text = fs::read_to_string(folder.path("scale.mlir")).unwrap();
    folder.write("scale.mlir", format!("// A line more.\n{text}"));
    assert!(!is_cached(&folder, LINE));
}

#[test]
fn failures_name_the_place_from_the_cache_too() {
    let folder = Folder::new();
    let line = "run lookup.mlir -i xs=ones:f32[1] -i at=ones:index[1]";
    let first = run(&folder, line);
    assert_eq!(cached_files(&folder).len(), 1);
    insta::assert_snapshot!(first.transcript(), @r"
    code 1

    error: lookup.mlir:3:8: 'soac.gather' op index 1 is out of range [0, 1) in dimension 0
    ");
    assert_eq!(run(&folder, line).transcript(), first.transcript());
}

#[test]
fn damaged_files_are_replaced() {
    let folder = Folder::new();
    assert!(!is_cached(&folder, LINE));
    let file = cached_files(&folder).remove(0);
    let content = fs::read(&file).unwrap();
    let mut flipped = content.clone();
    flipped[content.len() / 2] ^= 0x10;
    for damaged in [&content[..0], &content[..content.len() - 1], &flipped] {
        fs::write(&file, damaged).unwrap();
        assert!(!is_cached(&folder, LINE));
        assert!(is_cached(&folder, LINE));
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_no_error() {
    let folder = Folder::new();
    folder.write("cache", "a file");
    assert!(!is_cached(&folder, LINE));
    assert!(!is_cached(&folder, LINE));
    fs::remove_file(folder.path("cache")).unwrap();
    fs::create_dir(folder.path("cache")).unwrap();
    fs::set_permissions(folder.path("cache"), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(!is_cached(&folder, LINE));
    assert!(cached_files(&folder).is_empty());
    assert!(!is_cached(&folder, LINE));
}

#[test]
fn runs_at_the_same_time_share_the_folder() {
    let folder = Folder::new();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| is_cached(&folder, LINE));
        }
    });
    assert_eq!(cached_files(&folder).len(), 1);
    assert!(is_cached(&folder, LINE));
}

#[test]
fn the_folder_is_that_for_caches() {
    let folder = Folder::new();
    let run = |variables: &[(&str, &str)]| {
        let mut command = comb();
        command
            .env_remove("COMB_CACHE")
            .env_remove("XDG_CACHE_HOME");
        for (name, value) in variables {
            let place = folder.path("").join(value.trim_start_matches('/'));
            let absolute = value.starts_with('/');
            match absolute {
                true => command.env(name, place),
                false => command.env(name, value),
            };
        }
        let doctor = folder.execute(command.arg("doctor"));
        let line = doctor
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix("code cache:"));
        line.unwrap().trim().to_owned()
    };
    assert_eq!(run(&[("HOME", "/home")]), "FOLDER/home/.cache/comb");
    let both = [("HOME", "/home"), ("XDG_CACHE_HOME", "/xdg")];
    assert_eq!(run(&both), "FOLDER/xdg/comb");
    assert_eq!(
        run(&[("COMB_CACHE", "/mine"), ("XDG_CACHE_HOME", "/xdg")]),
        "FOLDER/mine"
    );
    assert_eq!(run(&[("COMB_CACHE", "off"), ("HOME", "/home")]), "off");
}

#[test]
fn code_that_runs_is_code_that_is_built() {
    let folder = Folder::new();
    for (option, name) in [("--print-llvm", "scale.ll"), ("--print-asm", "scale.s")] {
        for level in ["-O1", "-O2", "-O3"] {
            folder.succeed(&format!("build scale.mlir {level} -o {name}"));
            let built = fs::read_to_string(folder.path(name)).unwrap();
            let shown = folder.succeed(&format!("{LINE} {level} {option}"));
            assert_eq!(shown.stderr, built);
            folder.succeed(&format!("{LINE} {level} {option}=shown"));
            assert_eq!(fs::read_to_string(folder.path("shown")).unwrap(), built);
        }
    }
}

#[test]
fn a_first_call_is_not_counted() {
    let folder = Folder::new();
    let outcome = folder.succeed(&format!("{LINE} --repeat 3 --json"));
    let report: Json = serde_json::from_str(&outcome.stdout).unwrap();
    let times = &report["timings"]["run_ms"];
    assert_eq!(times["count"], 3);
    let time = |name: &str| times[name].as_f64().unwrap();
    assert!(time("minimum") <= time("median") && time("median") <= time("maximum"));
}
