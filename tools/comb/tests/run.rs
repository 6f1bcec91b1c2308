//! `comb run`: inputs, functions and results of every kind.

mod common;

use std::process::{Command, Stdio};

use comb_runtime::{ElementType, Scalar, Value, npy, npy::Expected};
use common::{Folder, array, comb, floats, tests};

const EVERYTHING: &str = "-i a=true -i b=-128 -i c=-300 -i d=-70000 -i e=-5000000000 -i f=7 \
    -i g=1.5 -i h=2.5 -i i=3.25 -i j=1e-300 -i k=1.5 -i l=ones:i1[2]";

fn read(folder: &Folder, name: &str, like: &Value) -> Value {
    Value::Array(npy::read(&folder.path(name), &Expected::of_type(&like.ty())).unwrap())
}

#[test]
fn arrays_come_from_files_and_go_to_files() {
    let folder = Folder::new();
    folder.write_npy("xs.npy", &floats(&[1.0, -2.0, 0.5]));
    for target in ["cpu", "interp"] {
        let outcome = folder.succeed(&format!(
            "run scale.mlir -i xs=xs.npy -i factor=4 -o scaled=out.npy --target {target}"
        ));
        assert!(
            outcome
                .stdout
                .starts_with("scaled: tensor<3xf32> written to out.npy\ncompile "),
            "{}",
            outcome.stdout
        );
        let expected = floats(&[4.0, -8.0, 2.0]);
        assert_eq!(read(&folder, "out.npy", &expected), expected);
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn every_interface_works_compiled_and_interpreted() {
    let folder = Folder::new();
    let mut transcripts = vec![];
    for (entry, inputs) in [
        ("nothing", "-i x=1"),
        ("scalar", "-i flag=true"),
        ("same", "-i x=iota:f16[2,3]"),
        ("same", "-i x=zeros:f16[0,3]"),
        ("twice", "-i x=iota:i8[3] --repeat 4"),
        ("constant", "--repeat 4"),
        ("everything", EVERYTHING),
        ("halves", "-i xs=random:f32[6]:1 -i ys=random:f64[6]:2"),
        ("exp", "-i x=1.5"),
        ("@hidden", "-i arg0=3 -i a_name=4"),
    ] {
        let arguments = inputs.replace("a_name", "a\u{a0}name");
        let run = |target: &str| {
            let line = format!("run several.mlir --entry {entry} {arguments} --target {target}");
            // The name has a space; split_whitespace would part it.
            let arguments: Vec<String> = line
                .split(' ')
                .filter(|part| !part.is_empty())
                .map(|part| part.replace('\u{a0}', " "))
                .collect();
            folder.execute(comb().args(arguments)).transcript()
        };
        let compiled = run("cpu");
        assert_eq!(compiled, run("interp"), "{entry}");
        transcripts.push(format!("{entry} {inputs}\n{compiled}"));
    }
    insta::assert_snapshot!(transcripts.join("\n\n"));
}

#[test]
fn levels_of_optimisation_agree() {
    let folder = Folder::new();
    let results: Vec<String> = (0..4)
        .map(|level| {
            folder
                .succeed(&format!(
                    "run scale.mlir -O{level} -i xs=random:f32[1001]:7 -i factor=0.1"
                ))
                .transcript()
        })
        .collect();
    assert!(
        results.iter().all(|result| *result == results[0]),
        "{results:?}"
    );
}

#[test]
fn programs_come_from_standard_input_and_bytecode() {
    let folder = Folder::new();
    let program = std::fs::File::open(folder.path("scale.mlir")).unwrap();
    let outcome = folder.execute(
        comb()
            .args("run - -i xs=ones:f32[2] -i factor=3".split(' '))
            .stdin(Stdio::from(program)),
    );
    insta::assert_snapshot!(outcome.transcript(), @r"
    code 0
    scaled: tensor<2xf32> = [3.0 3.0]
    ");
    let optimizer = comb().get_program().to_owned();
    let optimizer = std::path::Path::new(&optimizer).with_file_name("comb-opt");
    if !optimizer.is_file() {
        panic!(
            "{} is missing; build the whole workspace",
            optimizer.display()
        );
    }
    let converted = folder.execute(
        Command::new(optimizer).args("scale.mlir --emit-bytecode -o scale.mlirbc".split(' ')),
    );
    assert_eq!(converted.code, Some(0), "{}", converted.stderr);
    let outcome = folder.succeed("run scale.mlirbc -i xs=ones:f32[2] -i factor=3");
    assert!(outcome.stdout.contains("[3.0 3.0]"), "{}", outcome.stdout);
}

#[test]
fn json_has_results_and_times() {
    let folder = Folder::new();
    let outcome = folder.succeed("run scale.mlir -i xs=ones:f32[2] -i factor=3 --repeat 5 --json");
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["entry"], "main");
    assert_eq!(
        report["results"][0]["values"],
        serde_json::json!([3.0, 3.0])
    );
    assert_eq!(report["timings"]["run_ms"]["count"], 5);
    let parts = "parse passes fusion loops lowering code translation optimization generation \
                 linking compile load first_result";
    for part in parts.split_whitespace() {
        let time = &report["timings"][format!("{part}_ms")];
        assert!(time.is_number(), "{part}: {report}");
    }
}

// S42
#[test]
fn external_functions_come_from_shared_libraries() {
    let folder = Folder::new();
    let source = tests().join("c/double.c");
    folder.compile(
        "clang-22",
        &[
            "-shared",
            "-fPIC",
            source.to_str().unwrap(),
            "-o",
            "libdouble.so",
        ],
    );
    let outcome = folder.succeed("run external.mlir -i xs=iota:f32[4] --shared-lib libdouble.so");
    insta::assert_snapshot!(outcome.transcript(), @r"
    code 0
    result: tensor<4xf32> = [0.0 2.0 4.0 6.0]
    ");
}

#[test]
fn results_may_go_to_standard_output() {
    let folder = Folder::new();
    let arguments = "run scale.mlir -i xs=ones:f32[2] -i factor=3 -o scaled=/dev/stdout";
    let output = comb()
        .args(arguments.split(' '))
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(output.stdout.starts_with(b"\x93NUMPY"));
    assert!(
        output
            .stdout
            .ends_with(&[3.0_f32.to_le_bytes(), 3.0_f32.to_le_bytes()].concat())
    );
}

#[test]
fn arrays_larger_than_memory_are_an_error() {
    let folder = Folder::new();
    insta::assert_snapshot!(
        folder.comb("run count.mlir -i n=1000000000000000").transcript(),
        @r"
    code 1

    error: out of memory: an array of 8000000000000064 bytes does not fit
    "
    );
}

// S2
#[test]
fn a_failing_program_leaves_no_output() {
    let folder = Folder::new();
    let before = folder.names();
    folder.write_npy(
        "at.npy",
        &array(ElementType::Index, &[2], |i| Scalar::Int(5 * i as i64)),
    );
    for target in ["cpu", "interp"] {
        let outcome = folder.comb(&format!(
            "run lookup.mlir -i xs=iota:f32[5] -i at=at.npy -o result=out.npy --target {target}"
        ));
        assert_eq!(
            outcome.transcript(),
            "code 1\n\nerror: lookup.mlir:3:8: 'soac.gather' op index 5 is out of range [0, 5) \
             in dimension 0"
        );
    }
    let mut after = before;
    after.push("at.npy".to_owned());
    after.sort();
    assert_eq!(folder.names(), after);
}

#[test]
fn doctor_names_what_it_finds() {
    let folder = Folder::new();
    let outcome = folder.succeed("doctor");
    for what in [
        "comb:",
        "LLVM:",
        "target:",
        "CPU:",
        "cores:",
        "runtime library:",
        "linker:",
        "GPU:",
    ] {
        assert!(outcome.stdout.contains(what), "{}", outcome.stdout);
    }
    assert!(outcome.stdout.contains(" 22."), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("missing"), "{}", outcome.stdout);
}

#[test]
fn large_blocks_may_be_kept_or_not() {
    let folder = Folder::new();
    let line = "run scale.mlir -i xs=ones:f32[300000] -i factor=2 --repeat 3 -o scaled=out.npy";
    let run = |kept: &str| {
        let mut command = comb();
        command.env("COMB_IDLE_MEMORY", kept).args(line.split(' '));
        folder.execute(&mut command)
    };
    let doubled = array(ElementType::F32, &[300_000], |_| Scalar::Float(2.0));
    for kept in ["0", "1M", "1G"] {
        assert_eq!(run(kept).code, Some(0));
        assert_eq!(read(&folder, "out.npy", &doubled), doubled);
    }
    let wrong = run("much");
    assert_eq!(wrong.code, Some(1));
    assert_eq!(
        wrong.stderr,
        "error: COMB_IDLE_MEMORY is \"much\"; a number of bytes such as 0, 512M or 2G is expected\n"
    );
}
