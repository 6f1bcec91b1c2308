//! The pictures of the book are those that `comb` draws. With COMB_UPDATE_IMAGES set,
//! they are made anew.

mod common;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use common::{Folder, comb};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command in the repository writes to a file.
fn drawn(arguments: &str, output: &str) -> String {
    let folder = Folder::new();
    let file = folder.path("out.svg");
    let mut command = comb();
    command.current_dir(repository());
    command.args(arguments.split(' ')).arg(output).arg(&file);
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    fs::read_to_string(file).unwrap()
}

fn check(image: &str, drawn: &str) {
    let image = repository().join(format!("docs/src/images/{image}.svg"));
    if env::var_os("COMB_UPDATE_IMAGES").is_some() {
        fs::write(&image, drawn).unwrap();
    }
    let stored = fs::read_to_string(&image).unwrap();
    assert!(
        stored == drawn,
        "{} is not current: run this test with COMB_UPDATE_IMAGES=1",
        image.display()
    );
}

#[test]
fn pictures_of_graphs_are_current() {
    for name in ["singleLoop", "FA66"] {
        let graph = format!("solve passes/fusion/graphs/{name}.json");
        check(&format!("fusion-{name}"), &drawn(&graph, "--svg"));
    }
}

#[test]
fn pictures_of_programs_are_current() {
    for (image, arguments) in [
        ("singleLoop", "examples/singleLoop.mlir"),
        ("greedyBottomUpBad", "examples/greedyBottomUpBad.mlir"),
        (
            "greedyBottomUpBad-greedy",
            "examples/greedyBottomUpBad.mlir --algorithm greedy-bottom-up",
        ),
        ("softmax", "examples/softmax.mlir"),
    ] {
        let command = format!("explain {arguments} --format svg");
        check(&format!("explain-{image}"), &drawn(&command, "-o"));
    }
}
