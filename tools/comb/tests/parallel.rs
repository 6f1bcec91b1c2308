//! Programs with parallel loops, run and built.

mod common;

use std::process::Command;

use common::{Folder, Outcome, source};

const INPUTS: &str = "-i xs=iota:i32[7] -i chunks=4";

/// Runs a program with the inputs of programs/parallel.mlir.
fn execute(folder: &Folder, program: &str, threads: u32, more: &str) -> Outcome {
    let arguments = format!("{INPUTS} {more}");
    folder.execute(
        Command::new(folder.path(program))
            .env("OMP_NUM_THREADS", threads.to_string())
            .args(arguments.split(' ')),
    )
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let folder = Folder::new();
    for threads in 1..=8 {
        let line = format!("run parallel.mlir {INPUTS} -i bad=9 --threads {threads}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(folder.comb(&line).transcript(), @r"
            code 0
            doubled: tensor<7xi32> = [ 0  2  4  6  8 10 12]
            ");
        }
    }
    let none = folder.comb("run parallel.mlir --threads 0");
    assert_eq!(none.code, Some(2), "{}", none.stderr);
}

#[test]
fn numbers_of_threads_that_cannot_be_are_errors() {
    let folder = Folder::new();
    folder.succeed("build parallel.mlir -o parallel");
    let inputs = || format!("{INPUTS} -i bad=9");
    let ways = [
        (
            env!("CARGO_BIN_EXE_comb").to_owned(),
            "run parallel.mlir --no-cache ",
        ),
        (folder.path("parallel").to_str().unwrap().to_owned(), ""),
    ];
    for (program, command) in &ways {
        let execute = |variable: &str, value: &str, more: &str| {
            let arguments = format!("{command}{}{more}", inputs());
            let mut command = Command::new(program);
            folder.execute(command.env(variable, value).args(arguments.split(' ')))
        };
        for value in ["", "x", "0", "-1", "1025", "100000", "2,"] {
            let expected = format!(
                "code 1\n\nerror: OMP_NUM_THREADS is \"{value}\"; a number of threads from 1 to 1024 \
                 is expected"
            );
            for more in ["", " --threads 2"] {
                let outcome = execute("OMP_NUM_THREADS", value, more);
                assert_eq!(outcome.transcript(), expected);
            }
        }
        for value in ["2,3", " 2 "] {
            assert_eq!(execute("OMP_NUM_THREADS", value, "").code, Some(0));
        }
        let outcome = execute("OMP_STACKSIZE", "1000000G", " --threads 2");
        assert_eq!(outcome.code, Some(1));
        assert!(
            outcome
                .stderr
                .contains("does not start 2 threads for this process, but 1"),
            "{}",
            outcome.stderr
        );
        for value in ["100000", "4294967297", "-1"] {
            let outcome = execute("OMP_NUM_THREADS", "2", &format!(" --threads={value}"));
            assert_eq!(outcome.code, Some(2));
        }
    }
}

// S2, S3
#[test]
fn a_failing_chunk_ends_the_program_with_one_line() {
    let folder = Folder::new();
    for bad in [0, 3] {
        for threads in [1, 2, 8] {
            let line = format!("run parallel.mlir {INPUTS} -i bad={bad} --threads {threads}");
            let expected = format!("code 1\n\nerror: parallel.mlir:13:5: chunk {bad} fails");
            assert_eq!(folder.comb(&line).transcript(), expected);
        }
    }
}

#[test]
fn executables_run_on_several_threads() {
    let folder = Folder::new();
    folder.succeed("build parallel.mlir -o parallel");
    for threads in [1, 2, 8] {
        let good = execute(&folder, "parallel", threads, "-i bad=9");
        insta::allow_duplicates! {
            insta::assert_snapshot!(good.transcript(), @r"
            code 0
            doubled: tensor<7xi32> = [ 0  2  4  6  8 10 12]
            ");
        }
        let given = execute(
            &folder,
            "parallel",
            1,
            &format!("-i bad=9 --threads {threads}"),
        );
        assert_eq!(given.transcript(), good.transcript());
        let bad = execute(&folder, "parallel", threads, "-i bad=2");
        insta::allow_duplicates! {
            insta::assert_snapshot!(bad.transcript(), @r"
            code 1

            error: parallel.mlir:13:5: chunk 2 fails
            ");
        }
    }
}

const FROM_C: &str = "\
code 1
caught: parallel.mlir:13:5: chunk 0 fails
caught: parallel.mlir:13:5: chunk 1 fails
caught: parallel.mlir:13:5: chunk 2 fails
caught: parallel.mlir:13:5: chunk 3 fails
2 4 6 8 10 12 14
error: parallel.mlir:13:5: chunk 3 fails";

#[test]
fn handlers_in_c_are_called_behind_the_loop() {
    let folder = Folder::new();
    let source = source("parallel.c");
    folder.succeed("build parallel.mlir -o libparallel.so");
    let library = ["-I.", "-L.", "-lparallel", "-Wl,-rpath,$ORIGIN"];
    let arguments = [&["-std=c11", &source, "-o", "shared"], library.as_slice()].concat();
    folder.compile("clang-22", &arguments);
    let header = std::fs::read_to_string(folder.path("libparallel.h")).unwrap();
    assert!(header.contains("Link with -lparallel."), "{header}");

    folder.succeed("build parallel.mlir -o libparallel.o");
    let header = std::fs::read_to_string(folder.path("libparallel.h")).unwrap();
    assert!(
        header.contains("Link with libparallel.o libcomb_runtime.a -lomp -lm"),
        "{header}"
    );
    let libraries = folder.libraries_of_objects();
    let mut arguments = vec!["-std=c11", &source, "-I.", "-o", "object", "libparallel.o"];
    arguments.extend(libraries.iter().map(String::as_str));
    folder.compile("clang-22", &arguments);

    for program in ["shared", "object"] {
        for threads in ["1", "2", "8"] {
            let mut command = Command::new(folder.path(program));
            let outcome = folder.execute(command.env("OMP_NUM_THREADS", threads));
            assert_eq!(outcome.transcript(), FROM_C);
        }
    }
}

#[test]
fn programs_without_parallel_loops_need_no_openmp() {
    let folder = Folder::new();
    for (program, needs) in [("short", false), ("parallel", true)] {
        folder.succeed(&format!("build {program}.mlir -o {program}"));
        let mut command = Command::new("/usr/lib/llvm-22/bin/llvm-readelf");
        let read = folder.execute(command.args(["--needed-libs", program]));
        assert_eq!(read.stdout.contains("libomp"), needs, "{}", read.stdout);
    }
}
