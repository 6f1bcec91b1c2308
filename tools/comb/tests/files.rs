//! What a command writes is nothing that it reads, and each file is written once; nobody waits
//! for what never comes.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use common::{Folder, comb, floats};

const INPUTS: &str = "-i xs=xs.npy -i factor=2";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write_npy("xs.npy", &floats(&[1.0, 2.0]));
    fs::copy(folder.path("scale.mlir"), folder.path("scale.h")).unwrap();
    symlink("scale.mlir", folder.path("link")).unwrap();
    symlink("xs.npy", folder.path("link.npy")).unwrap();
    symlink(".", folder.path("here")).unwrap();
    fs::hard_link(folder.path("scale.mlir"), folder.path("hard.ll")).unwrap();
    fs::write(folder.path("graph.json"), "{}").unwrap();
    folder
}

fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let names = folder.names().into_iter();
    let files = names.filter(|name| folder.path(name).is_file());
    files
        .map(|name| (name.clone(), fs::read(folder.path(&name)).unwrap()))
        .collect()
}

#[test]
fn what_is_read_is_not_written() {
    let folder = folder();
    let before = contents(&folder);
    for command in [
        format!("run scale.mlir {INPUTS} --print-llvm=scale.mlir"),
        format!("run scale.mlir {INPUTS} --print-asm=./scale.mlir"),
        format!("run scale.mlir {INPUTS} --print-llvm=link"),
        format!("run scale.mlir {INPUTS} --print-llvm=xs.npy"),
        format!("run scale.mlir {INPUTS} --print-llvm=here/link.npy"),
        format!("run scale.mlir {INPUTS} -o scaled=hard.ll"),
        format!("run scale.mlir {INPUTS} -o scaled=./xs.npy"),
        format!("run scale.mlir {INPUTS} --shared-lib link.npy -o scaled=xs.npy"),
        "build scale.h -o scale.so".to_owned(),
        "build scale.h -o here/scale.o".to_owned(),
        "build scale.mlir -o hard.ll".to_owned(),
        "build scale.mlir -o link --emit llvm".to_owned(),
        "build scale.mlir --link xs.npy -o link.npy --emit executable".to_owned(),
        "explain scale.mlir -o link".to_owned(),
        "solve graph.json --dot ./graph.json".to_owned(),
        "solve graph.json --svg here/graph.json".to_owned(),
        "solve graph.lp --write-lp here/graph.lp".to_owned(),
    ] {
        let outcome = folder.comb(&command);
        assert_eq!(outcome.code, Some(2), "{command}: {}", outcome.stderr);
        assert!(
            outcome
                .stderr
                .contains("is what is read; write to another file")
        );
        assert_eq!(contents(&folder), before, "{command}");
    }
}

#[test]
fn each_file_is_written_once() {
    let folder = folder();
    let before = contents(&folder);
    for command in [
        format!("run scale.mlir {INPUTS} --print-llvm=a --print-asm=./a"),
        format!("run scale.mlir {INPUTS} --print-llvm=a -o scaled=here/a"),
        "run two.mlir -i xs=xs.npy -o result0=a.npy -o result1=./a.npy".to_owned(),
        "solve graph.json --dot a --svg here/a".to_owned(),
    ] {
        folder.write(
            "two.mlir",
            "func.func @f(%xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {\n  \
             return %xs, %xs : tensor<?xf32>, tensor<?xf32>\n}\n",
        );
        let outcome = folder.comb(&command);
        fs::remove_file(folder.path("two.mlir")).unwrap();
        assert_eq!(outcome.code, Some(2), "{command}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("one file"), "{}", outcome.stderr);
        assert_eq!(contents(&folder), before, "{command}");
    }
    folder.succeed(&format!(
        "run scale.mlir {INPUTS} --print-llvm=/dev/null --print-asm=/dev/null -o scaled=/dev/null"
    ));
}

#[test]
fn executables_keep_to_it_too() {
    let folder = folder();
    folder.succeed("build scale.mlir -o scale");
    let mut command = Command::new(folder.path("scale"));
    let arguments = format!("{INPUTS} -o scaled=link.npy");
    let outcome = folder.execute(command.args(arguments.split(' ')));
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn nobody_waits_for_a_pipe_without_another_end() {
    let folder = folder();
    make_pipe(&folder.path("pipe"));
    for (command, expected) in [
        (
            "run pipe",
            "cannot read 'pipe': no process writes to the pipe",
        ),
        (
            "run scale.mlir -i xs=pipe -i factor=1",
            "no process writes to the pipe",
        ),
        (
            "run scale.mlir -i xs=xs.npy -i factor=1 -o scaled=pipe",
            "no process reads from the pipe",
        ),
        (
            "build scale.mlir -o pipe --emit llvm",
            "no process reads from the pipe",
        ),
        ("solve pipe", "no process writes to the pipe"),
        (
            "build scale.mlir --link pipe -o program",
            "'pipe': it is no file",
        ),
        (
            "run scale.mlir -i xs=xs.npy -i factor=1 --shared-lib pipe",
            "'pipe': it is no file",
        ),
    ] {
        let outcome = folder.comb(command);
        assert_eq!(outcome.code, Some(1), "{command}");
        assert!(
            outcome.stderr.contains(expected),
            "{command}: {}",
            outcome.stderr
        );
    }
}

#[test]
fn a_pipe_in_the_cache_is_left_alone() {
    let folder = folder();
    let cache = folder.path("cache");
    let run = || {
        let mut command = comb();
        let arguments = format!("run scale.mlir {INPUTS}");
        let outcome = folder.execute(command.env("COMB_CACHE", &cache).args(arguments.split(' ')));
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    };
    run();
    let kept = fs::read_dir(&cache)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    fs::remove_file(&kept).unwrap();
    make_pipe(&kept);
    run();
    fs::remove_file(&kept).unwrap();
    fs::create_dir(&kept).unwrap();
    run();
}
