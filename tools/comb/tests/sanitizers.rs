//! Faults that are in a program are found by sanitizers and by Valgrind, and no others.
//! These tests need packages that `./x test --long` installs.

mod common;

use std::process::Command;

use common::{Folder, Outcome, source};

/// Runs an executable.
fn execute(folder: &Folder, program: &str, arguments: &str) -> Outcome {
    let mut command = Command::new(folder.path(program));
    // OpenMP's library is not compiled for it.
    command.env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1");
    folder.execute(command.args(arguments.split(' ')))
}

/// Whether a report is about an access outside of an array: right behind it, or farther.
fn is_outside(report: &str) -> bool {
    ["use-after-poison", "heap-buffer-overflow"]
        .iter()
        .any(|kind| report.contains(&format!("AddressSanitizer: {kind}")))
}

#[test]
#[ignore = "long"]
fn an_access_outside_of_an_array_is_found() {
    let folder = Folder::new();
    for options in ["", "--fusion off -O0", "-O3 --chunk 1"] {
        folder.succeed(&format!(
            "build lookup.mlir -o lookup --sanitize address --unchecked {options}"
        ));
        let at = |index: u32| {
            let rule = format!("random:index({index}..{})[40]", index + 1);
            execute(
                &folder,
                "lookup",
                &format!("-i xs=ones:f32[100] -i at={rule}"),
            )
        };
        let good = at(99);
        assert_eq!(good.code, Some(0), "{options}: {}", good.stderr);
        for index in [100, 130] {
            let bad = at(index);
            assert_ne!(bad.code, Some(0), "{options}");
            assert!(is_outside(&bad.stderr), "{options}: {}", bad.stderr);
        }
    }
}

#[test]
#[ignore = "long"]
fn an_access_outside_of_a_computed_array_is_found() {
    let folder = Folder::new();
    folder.succeed("build between.mlir -o between --sanitize address --unchecked");
    let at = |index: u32| {
        execute(
            &folder,
            "between",
            &format!("-i xs=ones:i32[10] -i at={index}"),
        )
    };
    assert_eq!(at(9).transcript(), "code 0\nr: i32 = 10");
    let bad = at(10);
    assert!(is_outside(&bad.stderr), "{}", bad.stderr);
}

#[test]
#[ignore = "long"]
fn an_access_to_a_freed_array_is_found() {
    let folder = Folder::new();
    let c = source("freed.c");
    let libraries = folder.libraries_of_objects();
    let link = |name: &str, options: &[&str]| {
        let mut arguments = vec!["-std=c11", &c, "-I.", "libscale.o", "-o", name];
        arguments.extend(libraries.iter().map(String::as_str));
        arguments.extend(options);
        folder.compile("clang-22", &arguments);
    };

    folder.succeed("build scale.mlir -o libscale.o --sanitize address");
    link("freed", &["-fsanitize=address"]);
    let run = |early: &[&str]| folder.execute(Command::new(folder.path("freed")).args(early));
    assert_eq!(run(&[]).transcript(), "code 0\n0");
    let bad = run(&["early"]);
    assert!(
        bad.stderr.contains("AddressSanitizer: heap-use-after-free"),
        "{}",
        bad.stderr
    );

    folder.succeed("build scale.mlir -o libscale.o --cpu x86-64-v3");
    link("watched", &[]);
    let run = |early: &[&str]| {
        let mut command = Command::new("valgrind");
        command.env("COMB_IDLE_MEMORY", "0");
        command.args(["--quiet", "--error-exitcode=99", "./watched"]);
        folder.execute(command.args(early))
    };
    assert_eq!(run(&[]).transcript(), "code 0\n0");
    let bad = run(&["early"]);
    assert_eq!(bad.code, Some(99), "{}", bad.stderr);
    assert!(bad.stderr.contains("Invalid read"), "{}", bad.stderr);
}

#[test]
#[ignore = "long"]
fn what_a_check_finds_is_no_fault() {
    let folder = Folder::new();
    folder.succeed("build lookup.mlir -o lookup --sanitize address");
    let bad = execute(&folder, "lookup", "-i xs=ones:f32[1] -i at=ones:index[1]");
    assert_eq!(bad.code, Some(1), "{}", bad.stderr);
    assert!(!bad.stderr.contains("Sanitizer"), "{}", bad.stderr);
}

#[test]
#[ignore = "long"]
fn a_race_is_found() {
    let folder = Folder::new();
    folder.succeed("build race.mlir -o race --sanitize thread");
    let run = |threads| {
        let inputs = format!("-i xs=ones:i32[1000] --threads {threads}");
        execute(&folder, "race", &inputs)
    };
    let one = run(1);
    assert_eq!(one.code, Some(0), "{}", one.stderr);
    let two = run(2);
    assert_ne!(two.code, Some(0));
    assert!(
        two.stderr.contains("ThreadSanitizer: data race"),
        "{}",
        two.stderr
    );
}

#[test]
#[ignore = "long"]
fn threads_that_wait_for_each_other_have_no_race() {
    let folder = Folder::new();
    for options in ["", "--chunk 1", "--chunk 300 -O3"] {
        folder.succeed(&format!(
            "build chained.mlir -o chained --sanitize thread {options}"
        ));
        let inputs = "-i xs=ones:i32[1000] --threads 4 -o odd=/dev/null";
        let outcome = execute(&folder, "chained", inputs);
        assert_eq!(outcome.code, Some(0), "{options}: {}", outcome.stderr);
    }
}

#[test]
#[ignore = "long"]
fn what_was_never_written_is_found() {
    let folder = Folder::new();
    folder.succeed("build unwritten.mlir -o unwritten --cpu x86-64-v3 -O0");
    let run = |written| {
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--error-exitcode=99", "./unwritten"]);
        folder.execute(command.args(["-i".to_owned(), format!("written={written}")]))
    };
    let good = run(true);
    assert_eq!(good.transcript(), "code 0\nr: i32 = 7");
    let bad = run(false);
    assert_eq!(bad.code, Some(99), "{}", bad.stderr);
    assert!(bad.stderr.contains("uninitialised"), "{}", bad.stderr);
}
