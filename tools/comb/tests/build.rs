//! `comb build`: every kind of file, used as it is meant to be.

mod common;

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use common::{Folder, floats, source};

#[test]
fn executables_read_and_write_files() {
    let folder = Folder::new();
    folder.write_npy("xs.npy", &floats(&[1.0, -2.0, 0.5]));
    let built = folder.succeed("build scale.mlir -o scale");
    assert_eq!(built.stdout, "scale\n");
    let mode = folder
        .path("scale")
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o100, 0o100, "{mode:o}");
    let program = folder.path("scale");
    let run = |line: &str| folder.execute(Command::new(&program).args(line.split(' ')));
    insta::assert_snapshot!(run("-i xs=xs.npy -i factor=4").transcript(), @r"
    code 0
    scaled: tensor<3xf32> = [ 4.0 -8.0  2.0]
    ");
    assert_eq!(
        run("-i xs=xs.npy -i factor=4 -o scaled=out.npy").code,
        Some(0)
    );
    assert!(folder.names().contains(&"out.npy".to_owned()));
    insta::assert_snapshot!(run("-i xs=xs.npy").transcript(), @r"
    code 2

    error: no value for parameter 'factor' of @main; give each parameter with -i NAME=SPEC
      @main(xs: tensor<?xf32>, factor: f32) -> (scaled: tensor<?xf32>)
    ");
}

#[test]
fn executables_have_all_functions_and_agree_with_run() {
    let folder = Folder::new();
    folder.succeed("build several.mlir -o several --entry halves --entry @exp");
    let program = folder.path("several");
    for (entry, inputs) in [
        ("halves", "-i xs=random:f32[6]:1 -i ys=random:f64[6]:2"),
        ("exp", "-i x=1.5"),
    ] {
        let arguments = format!("--entry {entry} {inputs}");
        let built = folder.execute(Command::new(&program).args(arguments.split(' ')));
        let run = folder.succeed(&format!("run several.mlir {arguments}"));
        assert_eq!(built.transcript(), run.transcript());
    }
    let other = folder.execute(Command::new(&program).args(["--entry", "same"]));
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    let any = folder.execute(Command::new(&program).args(["-i", "x=1.5"]));
    assert_eq!(any.code, Some(2));
    let message = "error: there are several functions; choose one with --entry:\n  @halves(";
    assert!(any.stderr.starts_with(message), "{}", any.stderr);
    let version = folder.execute(Command::new(&program).arg("--version"));
    let comb = env!("CARGO_PKG_VERSION");
    assert_eq!(
        version.stdout,
        format!("several (compiled by comb {comb})\n")
    );
}

// S2
#[test]
fn executables_fail_with_the_place_in_the_program() {
    let folder = Folder::new();
    folder.succeed("build lookup.mlir -o lookup");
    folder.succeed("build count.mlir -o count");
    let lookup = folder.execute(
        Command::new(folder.path("lookup"))
            .args("-i xs=ones:f32[3] -i at=ones:index[1]".split(' ')),
    );
    assert_eq!(lookup.code, Some(0));
    let lookup = folder.execute(
        Command::new(folder.path("lookup"))
            .args("-i xs=ones:f32[1] -i at=ones:index[1]".split(' ')),
    );
    insta::assert_snapshot!(lookup.transcript(), @r"
    code 1

    error: lookup.mlir:3:8: 'soac.gather' op index 1 is out of range [0, 1) in dimension 0
    ");
    let count =
        folder.execute(Command::new(folder.path("count")).args(["-i", "n=1000000000000000"]));
    insta::assert_snapshot!(count.transcript(), @r"
    code 1

    error: out of memory: an array of 8000000000000064 bytes does not fit
    ");
}

#[test]
fn shared_libraries_are_called_from_c_and_cpp() {
    let folder = Folder::new();
    let built = folder.succeed("build scale.mlir -o libscale.so");
    assert_eq!(built.stdout, "libscale.so\nlibscale.h\n");
    folder.succeed("build several.mlir -o libseveral.so -O3 --cpu x86-64-v2");
    let library = ["-I.", "-L.", "-lscale", "-lseveral", "-Wl,-rpath,$ORIGIN"];
    let c = source("scale.c");
    let arguments = [&["-std=c11", &c, "-o", "program"], library.as_slice()].concat();
    folder.compile("clang-22", &arguments);
    insta::assert_snapshot!(
        folder
            .execute(&mut Command::new(folder.path("program")))
            .transcript()
    );
    let cpp = source("header.cpp");
    let arguments = [&["-std=c++17", &cpp, "-o", "cpp"], library.as_slice()].concat();
    folder.compile("clang++-22", &arguments);
    assert_eq!(
        folder.execute(&mut Command::new(folder.path("cpp"))).code,
        Some(0)
    );
}

#[test]
fn libraries_for_gpus_are_called_from_c() {
    let folder = Folder::new();
    folder.succeed("build scale.mlir -o libscale.so --target nvvm");
    let header = std::fs::read_to_string(folder.path("libscale.h")).unwrap();
    let says = "All arrays are in the memory of a GPU.";
    assert!(header.contains(says), "{header}");
    let c = source("device.c");
    let library = ["-I.", "-L.", "-lscale", "-Wl,-rpath,$ORIGIN"];
    folder.compile("clang-22", &[&[&c, "-o", "program"], &library[..]].concat());
    let mut program = Command::new(folder.path("program"));
    let driver = common::emulated_driver();
    program.env("COMB_CUDA_LIBRARY", &driver);
    insta::assert_snapshot!(folder.execute(&mut program).transcript(), @r"
    code 0
    5 10 15 20
    timed
    ");
    folder.succeed("build scale.mlir -o scale --target nvvm");
    folder.write_npy("xs.npy", &floats(&[1.0, -2.0, 0.5]));
    let mut program = Command::new(folder.path("scale"));
    program.args(["-i", "xs=xs.npy", "-i", "factor=4"]);
    program.env("COMB_CUDA_LIBRARY", folder.path("none.so"));
    let without = folder.execute(&mut program);
    assert_eq!(without.code, Some(1));
    let says = "error: there is no driver for a GPU of NVIDIA: ";
    assert!(without.stderr.starts_with(says), "{}", without.stderr);
    program.env("COMB_CUDA_LIBRARY", driver);
    insta::assert_snapshot!(folder.execute(&mut program).transcript(), @r"
    code 0
    scaled: tensor<3xf32> = [ 4.0 -8.0  2.0]
    ");
}

// S27
#[test]
fn results_share_no_memory() {
    let folder = Folder::new();
    folder.succeed("build results.mlir -o libresults.so");
    let c = source("results.c");
    let library = ["-I.", "-L.", "-lresults", "-Wl,-rpath,$ORIGIN"];
    folder.compile("clang-22", &[&[&c, "-o", "program"], &library[..]].concat());
    let outcome = folder.execute(&mut Command::new(folder.path("program")));
    insta::assert_snapshot!(outcome.transcript(), @r"
    code 0
    2 2 2 2 7 7 7 2
    2 2 2 2 7 7 9 9
    2 2 2 2 7 7 18 18
    ");
}

#[test]
fn the_header_is_readable() {
    let folder = Folder::new();
    folder.succeed("build scale.mlir -o libscale.so");
    let header = std::fs::read_to_string(folder.path("libscale.h")).unwrap();
    insta::assert_snapshot!(header);
}

#[test]
fn headers_say_what_to_link_with() {
    let folder = Folder::new();
    for (file, link, name) in [
        ("libscale-2.so", "-lscale-2.", "scale_2_entry_main("),
        ("scale.so", "scale.so.", "scale_entry_main("),
        ("lib.so", "lib.so.", "lib_entry_main("),
        (
            "libscale-2.o",
            "libscale-2.o libcomb_runtime.a",
            "scale_2_entry_main(",
        ),
    ] {
        folder.succeed(&format!("build scale.mlir -o {file}"));
        let path = folder.path(file).with_extension("h");
        let header = std::fs::read_to_string(path).unwrap();
        assert!(header.contains(&format!("Link with {link}")), "{header}");
        assert!(header.contains(name), "{header}");
    }
}

#[test]
fn objects_link_with_the_runtime_library() {
    let folder = Folder::new();
    // The program is the one for the shared libraries, here linked statically.
    folder.succeed("build scale.mlir -o libscale.o");
    folder.succeed("build several.mlir -o libseveral.o");
    let c = source("scale.c");
    let libraries = folder.libraries_of_objects();
    let mut arguments = vec!["-std=c11", &c, "-I.", "libscale.o", "libseveral.o"];
    arguments.extend(libraries.iter().map(String::as_str));
    arguments.extend(["-o", "program"]);
    folder.compile("clang-22", &arguments);
    let shared = "shared_libraries_are_called_from_c_and_cpp";
    let outcome = folder.execute(&mut Command::new(folder.path("program")));
    insta::assert_snapshot!(shared, outcome.transcript());
}

#[test]
fn errors_that_leave_a_call_leave_no_memory() {
    let folder = Folder::new();
    folder.succeed("build leaving.mlir -o libleaving.o");
    let c = source("leaving.c");
    let libraries = folder.libraries_of_objects();
    let mut arguments = vec!["-std=c11", &c, "-I.", "libleaving.o"];
    arguments.extend(libraries.iter().map(String::as_str));
    arguments.extend(["-o", "program"]);
    folder.compile("clang-22", &arguments);
    for threads in ["1", "3"] {
        let outcome =
            folder.execute(Command::new(folder.path("program")).env("OMP_NUM_THREADS", threads));
        assert_eq!(
            outcome.transcript(),
            "code 0\nno more memory\nno more memory"
        );
    }
}

#[test]
fn libraries_that_are_unloaded_leave_no_memory() {
    let folder = Folder::new();
    folder.succeed("build scale.mlir -o libscale.so");
    let c = source("reload.c");
    folder.compile("clang-22", &["-std=c11", &c, "-o", "program"]);
    let library = folder.path("libscale.so");
    for threads in ["1", "3"] {
        let outcome = folder.execute(
            Command::new(folder.path("program"))
                .arg(&library)
                .env("OMP_NUM_THREADS", threads),
        );
        assert_eq!(outcome.transcript(), "code 0\nno more memory");
    }
}

#[test]
fn external_functions_are_linked_in() {
    let folder = Folder::new();
    let double = source("double.c");
    folder.compile("clang-22", &["-c", &double, "-o", "double.o"]);
    folder.succeed("build external.mlir -o external --link double.o");
    let outcome =
        folder.execute(Command::new(folder.path("external")).args("-i xs=iota:f32[4]".split(' ')));
    insta::assert_snapshot!(outcome.transcript(), @r"
    code 0
    result: tensor<4xf32> = [0.0 2.0 4.0 6.0]
    ");
}

#[test]
fn texts_are_what_they_say() {
    let folder = Folder::new();
    for (name, content) in [
        ("scale.ll", "define void @comb_entry_main("),
        ("scale.s", "comb_entry_main:"),
        ("lowered.mlir", "llvm.func @comb_entry_main("),
    ] {
        let outcome = folder.succeed(&format!("build scale.mlir -o {name}"));
        assert_eq!(outcome.stdout, format!("{name}\n"));
        let text = std::fs::read_to_string(folder.path(name)).unwrap();
        assert!(text.contains(content), "{text}");
    }
}

#[test]
fn a_device_gets_the_code_alone() {
    let folder = Folder::new();
    let before = folder.names();
    folder.succeed("build scale.mlir -o scale.ll");
    let text = std::fs::read_to_string(folder.path("scale.ll")).unwrap();
    std::fs::remove_file(folder.path("scale.ll")).unwrap();
    for output in ["-", "/dev/stdout"] {
        let outcome = folder.succeed(&format!("build scale.mlir -o {output} --emit llvm"));
        assert_eq!(outcome.stdout, text);
    }
    assert_eq!(folder.names(), before);
    let outcome = folder.comb("build scale.mlir -o -");
    assert_eq!(outcome.code, Some(2));
    assert!(
        outcome.stderr.contains("cannot tell from the name '-'"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn the_same_program_gives_the_same_files() {
    let folder = Folder::new();
    for name in ["a.s", "b.s"] {
        folder.succeed(&format!("build several.mlir -o {name}"));
    }
    let read = |name| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(read("a.s"), read("b.s"));
}

#[test]
fn a_failing_build_keeps_what_was_there() {
    let folder = Folder::new();
    folder.write("external", "precious");
    let before = folder.names();
    let outcome = folder.comb("build external.mlir -o external");
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert_eq!(std::fs::read(folder.path("external")).unwrap(), b"precious");
    assert_eq!(folder.names(), before);
}
