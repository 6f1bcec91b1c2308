//! The library as C and C++ programs use it: the header, run-time errors, and
//! executables. The programs are in `tests/c`, compiled with Clang or the
//! compiler that `CC` and `CXX` name.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

const SYSTEM_LIBRARIES: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// Where Cargo puts the static library: beside this test's binary.
fn static_library() -> PathBuf {
    let path = std::env::current_exe()
        .unwrap()
        .with_file_name("libcomb_runtime.a");
    assert!(path.exists(), "{} is missing", path.display());
    path
}

fn compiler(variable: &str, candidates: &[&str]) -> String {
    let named = std::env::var(variable).ok();
    let exists = |name: &str| Command::new(name).arg("--version").output().is_ok();
    named
        .into_iter()
        .chain(candidates.iter().map(|&name| name.to_owned()))
        .find(|name| exists(name))
        .unwrap_or_else(|| panic!("none of {candidates:?} is installed"))
}

fn build(source: &str, compiler: &str, flags: &[&str]) -> PathBuf {
    static DIRECTORY: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = DIRECTORY
        .path()
        .join(Path::new(source).file_stem().unwrap());
    let compilation = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-pedantic"])
        .args(flags)
        .arg("-I")
        .arg(package.join("include"))
        .arg(package.join("tests/c").join(source))
        .arg(static_library())
        .args(SYSTEM_LIBRARIES)
        .arg("-o")
        .arg(&output)
        .output()
        .unwrap();
    assert!(
        compilation.status.success(),
        "{}",
        String::from_utf8_lossy(&compilation.stderr)
    );
    output
}

fn c(source: &str) -> PathBuf {
    build(
        source,
        &compiler("CC", &["clang-22", "clang", "cc"]),
        &["-std=c11"],
    )
}

static FAILURES: LazyLock<PathBuf> = LazyLock::new(|| c("failures.c"));
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| c("program.c"));

/// Exit code, standard output and standard error.
fn outcome(output: Output) -> (Option<i32>, String, String) {
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn the_header_is_cpp_too() {
    let compiler = compiler("CXX", &["clang++-22", "clang++", "c++"]);
    let program = build("header.cpp", &compiler, &["-std=c++17"]);
    assert!(Command::new(program).status().unwrap().success());
}

// S2
#[test]
fn failures_end_the_process_or_reach_the_handler() {
    let program = &*FAILURES;
    let run = |what: &str| outcome(Command::new(program).arg(what).output().unwrap());
    assert_eq!(
        run("default"),
        (
            Some(1),
            "buffered output; ".into(),
            "error: index 7 is out of range\n".into()
        )
    );
    assert_eq!(
        run("returns"),
        (
            Some(1),
            "buffered output; handler: index 8 is out of range\n".into(),
            String::new()
        )
    );
    assert_eq!(
        run("jumps"),
        (
            Some(1),
            "buffered output; handler: index 0 is out of range\n\
             handler: index 1 is out of range\nhandler: index 2 is out of range\n"
                .into(),
            "error: index 3 is out of range\n".into()
        )
    );
}

// S3
#[test]
fn of_several_failures_one_is_reported() {
    let program = &*FAILURES;
    for _ in 0..20 {
        let outcome = outcome(Command::new(program).arg("threads").output().unwrap());
        assert_eq!(
            outcome,
            (
                Some(1),
                "buffered output; ".into(),
                "error: index 3 is out of range\n".into()
            )
        );
    }
}

struct Program {
    program: PathBuf,
    directory: tempfile::TempDir,
}

impl Program {
    fn new() -> Program {
        Program {
            program: PROGRAM.clone(),
            directory: tempfile::tempdir().unwrap(),
        }
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        outcome(
            Command::new(&self.program)
                .args(arguments)
                .current_dir(self.directory.path())
                .output()
                .unwrap(),
        )
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn executables_show_results() {
    let program = Program::new();
    let (code, output, errors) = program.run(&["-i", "xs=iota:f32[3]", "-i", "k=2.5"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(
        lines[..2],
        ["ys: tensor<3xf32> = [0.0 2.5 5.0]", "count: index = 3"]
    );
    assert!(
        lines[2].starts_with("load ") && lines[2].contains(", run "),
        "{output}"
    );
    assert_eq!(lines.len(), 3);
}

#[test]
fn executables_read_and_write_files() {
    let program = Program::new();
    let arguments = [
        "-i",
        "xs=iota:f32[4]",
        "-i",
        "k=2",
        "-o",
        "ys=a.npy",
        "-o",
        "count=n.npy",
    ];
    let (code, output, _) = program.run(&arguments);
    assert_eq!(code, Some(0));
    assert!(
        output.starts_with("ys: tensor<4xf32> written to a.npy\ncount: index written to n.npy\n")
    );
    assert_eq!(program.files(), ["a.npy", "n.npy"]);
    let (code, output, _) = program.run(&[
        "-i", "xs=a.npy", "-i", "k=0.5", "--json", "--repeat", "5", "--entry", "@main",
    ]);
    assert_eq!(code, Some(0));
    let report: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(report["entry"], "main");
    assert_eq!(
        report["results"][0]["values"],
        serde_json::json!([0.0, 1.0, 2.0, 3.0])
    );
    assert_eq!(report["results"][1]["values"], 4);
    assert_eq!(report["timings"]["run_ms"]["count"], 5);
}

#[test]
fn a_result_on_standard_output_is_alone_there() {
    let program = Program::new();
    let output = Command::new(&program.program)
        .args(["-i", "xs=iota:f32[4]", "-i", "k=2", "-o", "ys=/dev/stdout"])
        .output()
        .unwrap();
    assert!(output.stdout.starts_with(b"\x93NUMPY"));
    assert_eq!((output.stdout.len() - 16) % 64, 0);
    assert!(
        output
            .stderr
            .starts_with(b"ys: tensor<4xf32> written to /dev/stdout\ncount: index = 4\n")
    );
}

#[test]
fn executables_choose_the_function_asked_for() {
    let program = Program::new();
    let (code, output, _) = program.run(&["--entry", "answer"]);
    assert_eq!(code, Some(0));
    assert!(output.starts_with("x: i32 = 42\n"));
}

#[test]
fn executables_explain_themselves() {
    let (code, output, errors) = Program::new().run(&["--help"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(output);
    let (code, output, _) = Program::new().run(&["--version"]);
    assert_eq!(code, Some(0));
    let comb = env!("CARGO_PKG_VERSION");
    assert_eq!(output, format!("program (compiled by comb {comb})\n"));
}

#[test]
fn executables_refuse_wrong_arguments() {
    let program = Program::new();
    let mut messages = String::new();
    for arguments in [
        &["-i", "xs=iota:f32[3]"][..],
        &["-i", "xs=iota:f32[3]", "-i", "k=2", "-i", "z=3"],
        &["-i", "xs=iota:f32[3]", "-i", "k=2", "-o", "zs=a.npy"],
        &["-i", "xs=iota:i32[3]", "-i", "k=2"],
        &["-i", "xs=missing.npy", "-i", "k=2"],
        &[
            "-i",
            "xs=iota:f32[3]",
            "-i",
            "k=2",
            "-o",
            "ys=missing/a.npy",
        ],
        &[
            "-i",
            "xs=iota:f32[3]",
            "-i",
            "k=2",
            "-o",
            "ys=a.npy",
            "-o",
            "count=/dev/full",
        ],
        &["-i", "xs=iota:f32[3]", "-i", "k=0", "-o", "ys=a.npy"],
        &["--entry", "other"],
        &["--repeat", "0"],
        &["--unknown"],
    ] {
        let (code, output, errors) = program.run(arguments);
        assert_eq!(output, "");
        messages.push_str(&format!(
            "{}\n    -> {}\n{errors}\n",
            arguments.join(" "),
            code.unwrap()
        ));
    }
    insta::assert_snapshot!(messages);
    assert!(program.files().is_empty());
}

#[test]
fn a_full_standard_output_is_an_error() {
    let program = Program::new();
    let output = Command::new(&program.program)
        .args(["--entry", "answer"])
        .stdout(
            fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .unwrap(),
        )
        .output()
        .unwrap();
    assert_eq!(
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap()
        ),
        (
            Some(1),
            "error: cannot write to standard output: No space left on device\n".to_owned()
        )
    );
}

/// Stands for a disk that fills up in the middle of a file.
#[test]
fn a_write_that_fails_midway_leaves_the_old_file() {
    let program = Program::new();
    fs::write(program.directory.path().join("a.npy"), "old").unwrap();
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(&program.program)
        .args(["-i", "xs=iota:f32[100000]", "-i", "k=2", "-o", "ys=a.npy"])
        .current_dir(program.directory.path())
        .output()
        .unwrap();
    let (code, output, errors) = outcome(output);
    assert_eq!((code, output.as_str()), (Some(1), ""));
    assert_eq!(errors, "error: cannot write 'a.npy': File too large\n");
    assert_eq!(program.files(), ["a.npy"]);
    assert_eq!(
        fs::read(program.directory.path().join("a.npy")).unwrap(),
        b"old"
    );
}

/// Both ends of a named pipe into which no more fits.
fn full_pipe(pipe: &Path) -> [fs::File; 2] {
    let mut options = fs::File::options();
    options.custom_flags(libc::O_NONBLOCK);
    let reader = options.read(true).open(pipe).unwrap();
    let mut writer = options.read(false).write(true).open(pipe).unwrap();
    while writer.write(&[0; 4096]).is_ok() {}
    [reader, writer]
}

/// The second result goes to a pipe that is full, so the program stops
/// after the first is written to its temporary file, and is then interrupted.
#[test]
fn an_interrupt_leaves_no_file() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let program = Program::new();
        let pipe = program.directory.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let _ends = full_pipe(&pipe);
        // A program started in the background inherits that interrupts are
        // ignored, and leaves it so; the tests may be such a program.
        let mut child = Command::new("env")
            .arg("--default-signal=INT,TERM")
            .arg(&program.program)
            .args([
                "-i",
                "xs=iota:f32[1000]",
                "-i",
                "k=2",
                "-o",
                "ys=a.npy",
                "-o",
                "count=pipe",
            ])
            .current_dir(program.directory.path())
            .spawn()
            .unwrap();
        while !program.files().iter().any(|name| name.ends_with(".tmp")) {
            assert!(
                child.try_wait().unwrap().is_none(),
                "the program ended early"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let killed = Command::new("kill")
            .args(["-s", name, &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert_eq!(program.files(), ["pipe"]);
    }
}
