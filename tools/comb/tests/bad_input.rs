//! Bad input: each has one message and a code, and leaves nothing behind.

mod common;

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{Folder, comb, floats};

/// Runs `comb` once for each line of arguments and gives all transcripts; no
/// file may appear.
fn transcripts(folder: &Folder, lines: &[&str]) -> String {
    let before = folder.names();
    let transcripts: Vec<String> = lines
        .iter()
        .map(|line| format!("$ comb {line}\n{}", folder.comb(line).transcript()))
        .collect();
    assert_eq!(folder.names(), before);
    transcripts.join("\n\n")
}

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut header = header.to_owned();
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn programs_that_are_none() {
    let folder = Folder::new();
    folder.write("empty.mlir", " \n");
    folder.write("binary.mlir", b"func.func\n\x8f\x00");
    folder.write("bytecode.mlir", b"ML\xefR\x06MLIR22");
    folder.write(
        "syntax.mlir",
        "func.func @main(%x: f32) -> f32 {\n\treturn %y : f32\n}\n",
    );
    folder.write(
        "types.mlir",
        "func.func @main(%xs: tensor<4xf32>, %ys: tensor<5xf32>) -> tensor<4xf32> {\n  \
         %r = soac.map %xs, %ys : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32> \
         (%x: f32, %y: f32) {\n    soac.yield %x : f32\n  }\n  return %r : tensor<4xf32>\n}\n",
    );
    folder.write(
        "unknown.mlir",
        "func.func @main() {\n  soac.mop\n  return\n}\n",
    );
    folder.write(
        "long.mlir",
        format!("func.func @main() {{ {}!", "return ".repeat(500)),
    );
    insta::assert_snapshot!(transcripts(
        &folder,
        &[
            "run missing.mlir",
            "run .",
            "run scale.mlir/x",
            "run empty.mlir",
            "run binary.mlir",
            "run bytecode.mlir",
            "run syntax.mlir",
            "run types.mlir",
            "run unknown.mlir",
            "run long.mlir",
        ]
    ));
}

#[test]
fn functions_that_cannot_be_called() {
    let folder = Folder::new();
    folder.write("none.mlir", "func.func private @f()\n");
    folder.write(
        "vector.mlir",
        "func.func @f(%v: vector<4xf32>) {\n  return\n}\n",
    );
    folder.write(
        "width.mlir",
        "func.func @f(%v: tensor<4xi7>) {\n  return\n}\n",
    );
    folder.write(
        "result.mlir",
        "func.func @f(%x: f32) -> (f32, complex<f32>) {\n  \
         %c = complex.create %x, %x : complex<f32>\n  return %x, %c : f32, complex<f32>\n}\n",
    );
    folder.write(
        "names.mlir",
        "func.func @f(%x: f32, %y: f32 {soac.name = \"x\"}) {\n  return\n}\n",
    );
    insta::assert_snapshot!(transcripts(
        &folder,
        &[
            "run none.mlir",
            "run several.mlir",
            "run several.mlir --entry scalr -i flag=true",
            "run vector.mlir",
            "run width.mlir",
            "run result.mlir",
            "run names.mlir",
            "build several.mlir --entry nope -o x.o",
        ]
    ));
}

#[test]
fn dialects_that_are_not_compiled() {
    let folder = Folder::new();
    folder.write(
        "others.mlir",
        "func.func @f(%x: tensor<4xf32>, %y: f32) -> (tensor<4xf32>, f32) {\n  \
         %e = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>\n  \
         %g = tosa.exp %e : (tensor<4xf32>) -> tensor<4xf32>\n  \
         %c = complex.create %y, %y : complex<f32>\n  \
         %a = complex.abs %c : complex<f32>\n  \
         return %g, %a : tensor<4xf32>, f32\n}\n",
    );
    insta::assert_snapshot!(transcripts(&folder, &["build others.mlir -o others.so"]));
}

#[test]
fn inputs_that_do_not_fit() {
    let folder = Folder::new();
    let header = |descr: &str, fortran: &str, shape: &str| {
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}")
    };
    let file = |descr, fortran, shape, size| npy(&header(descr, fortran, shape), &vec![0; size]);
    folder.write("double.npy", file("<f8", "False", "(3,)", 24));
    folder.write("big.npy", file(">f4", "False", "(3,)", 12));
    folder.write("matrix.npy", file("<f4", "False", "(2, 2)", 16));
    folder.write("fortran.npy", file("<f4", "True", "(2, 2)", 16));
    folder.write("short.npy", file("<f4", "False", "(3,)", 11));
    folder.write("long.npy", file("<f4", "False", "(3,)", 13));
    folder.write("text.npy", "1 2 3\n");
    folder.write(
        "fixed.mlir",
        "func.func @f(%xs: tensor<4xf32>) {\n  return\n}\n",
    );
    folder.write(
        "square.mlir",
        "func.func @f(%xs: tensor<?x?xf32>) {\n  return\n}\n",
    );
    folder.write_npy("three.npy", &floats(&[1.0, 2.0, 3.0]));
    insta::assert_snapshot!(transcripts(
        &folder,
        &[
            "run scale.mlir",
            "run scale.mlir -i xs=three.npy",
            "run scale.mlir -i xs=three.npy -i factor=1 -i n=3",
            "run scale.mlir -i three.npy",
            "run scale.mlir -i xs=three.npy -i factor=much",
            "run scale.mlir -i xs=three.npy -i factor=1 -o sum=s.npy",
            "run scale.mlir -i factor=1 -i xs=missing.npy",
            "run scale.mlir -i factor=1 -i xs=./",
            "run scale.mlir -i factor=1 -i xs=double.npy",
            "run scale.mlir -i factor=1 -i xs=big.npy",
            "run scale.mlir -i factor=1 -i xs=matrix.npy",
            "run square.mlir -i xs=fortran.npy",
            "run scale.mlir -i factor=1 -i xs=short.npy",
            "run scale.mlir -i factor=1 -i xs=long.npy",
            "run scale.mlir -i factor=1 -i xs=text.npy",
            "run fixed.mlir -i xs=three.npy",
            "run fixed.mlir -i xs=zeros:f32[5]",
            "run scale.mlir -i factor=1 -i xs=random:f32[999999999999999]:1",
        ]
    ));
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("file", "");
    insta::assert_snapshot!(transcripts(
        &folder,
        &[
            "run scale.mlir -i xs=ones:f32[9] -i factor=1 -o scaled=file/out.npy",
            "run scale.mlir -i xs=ones:f32[9] -i factor=1 -o scaled=nowhere/out.npy",
            "run scale.mlir -i xs=ones:f32[9] -i factor=1 -o scaled=.",
            "run scale.mlir -i xs=ones:f32[9] -i factor=1 -o scaled=/dev/full",
            "build scale.mlir -o file/scale.o",
            "build scale.mlir -o nowhere/scale",
            "build scale.mlir -o .",
            "build scale.mlir -o /dev/full --emit object",
            "build scale.mlir -o /dev/full --emit executable",
            "build scale.mlir -o scale.mlir",
            "run scale.mlir -i xs=ones:f32[9] -i factor=1 -o scaled=./scale.mlir",
            "explain scale.mlir -o scale.mlir",
        ]
    ));
}

#[test]
fn a_full_standard_output_is_an_error() {
    let folder = Folder::new();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = comb()
        .args("run scale.mlir -i xs=ones:f32[9] -i factor=1".split(' '))
        .current_dir(folder.path(""))
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: cannot write to standard output: No space left on device\n"
    );
}

#[test]
fn builds_that_cannot_be() {
    let folder = Folder::new();
    insta::assert_snapshot!(transcripts(
        &folder,
        &[
            "build scale.mlir -o scale.exe",
            "build scale.mlir -o scale.o --cpu pentium9",
            "build external.mlir -o external",
            "build external.mlir -o external.so --link nowhere.o",
            "run external.mlir -i xs=ones:f32[1]",
            "run external.mlir -i xs=ones:f32[1] --shared-lib nowhere.so",
        ]
    ));
}

#[test]
fn wrong_usage_has_code_2() {
    let folder = Folder::new();
    for line in [
        "",
        "fly",
        "run",
        "run a.mlir --target gpu",
        "run a.mlir --repeat 0",
        "build a",
    ] {
        let outcome = folder.comb(line);
        assert_eq!(outcome.code, Some(2), "{line}");
        assert!(!outcome.stderr.is_empty(), "{line}");
    }
}

/// Waits until the process has a handler for the signal.
fn wait_until_caught(child: &Child, signal: i32) {
    let status = format!("/proc/{}/status", child.id());
    for _ in 0..6000 {
        let status = std::fs::read_to_string(&status).unwrap();
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))
            .unwrap();
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        if caught & (1 << (signal - 1)) != 0 {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("signal {signal} is not handled");
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let folder = Folder::new();
    let before = folder.names();
    for (signal, code, target) in [
        (libc::SIGINT, 130, "cpu"),
        (libc::SIGTERM, 143, "cpu"),
        (libc::SIGINT, 130, "interp"),
    ] {
        let line = format!("run slow.mlir -i x=3 -o result=out.npy --target {target}");
        // A program started in the background inherits that interrupts are
        // ignored, and leaves it so; the tests may be such a program.
        let mut child = Command::new("env")
            .arg("--default-signal=INT,TERM")
            .arg(comb().get_program())
            .args(line.split(' '))
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_caught(&child, signal);
        thread::sleep(Duration::from_millis(400));
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        // SAFETY: the child is alive and not yet waited for.
        assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
        let sent = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(60));
        assert_eq!(output.status.signal(), None);
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn a_file_that_may_not_be_so_large_leaves_nothing() {
    let folder = Folder::new();
    let before = folder.names();
    let graphs = common::tests().join("../../../passes/fusion/graphs");
    let graph = graphs.join("FA66.json").display().to_string();
    for line in [
        &format!("solve {graph} --algorithm greedy --svg out.svg"),
        "run scale.mlir -i xs=iota:f32[100000] -i factor=2 -o scaled=out.npy",
        "run scale.mlir -i xs=iota:f32[100000] -i factor=2 -o scaled=out.npy --target interp",
        "build scale.mlir -o scale.s",
    ] {
        // Blocks of 512 or 1024 bytes, as shells say.
        let limited = format!("ulimit -f 4 && exec \"$0\" {line}");
        let mut command = Command::new("sh");
        command.arg("-c").arg(limited).arg(comb().get_program());
        let outcome = folder.execute(command.env("COMB_CACHE", "off"));
        assert_eq!(outcome.code, Some(1), "{line}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("large"), "{}", outcome.stderr);
        assert_eq!(folder.names(), before);
    }
}
