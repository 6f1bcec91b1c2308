//! What the tests share: a folder with `comb` running in it.

#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use comb_runtime::{Array, ElementType, Scalar, Value, npy};

/// A folder that goes when the test ends.
pub struct Folder {
    directory: tempfile::TempDir,
}

/// What a program ended with.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A file of `c`.
pub fn source(name: &str) -> String {
    tests().join("c").join(name).to_str().unwrap().to_owned()
}

/// `comb` itself, without the user's cache.
pub fn comb() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_comb"));
    command.env("COMB_CACHE", "off");
    command
}

pub fn floats(values: &[f64]) -> Value {
    array(ElementType::F32, &[values.len()], |i| {
        Scalar::Float(values[i])
    })
}

pub fn array(element: ElementType, shape: &[usize], value: impl FnMut(usize) -> Scalar) -> Value {
    Value::Array(Array::from_fn(element, shape, value).unwrap())
}

/// The library that stands in for the driver of NVIDIA's GPUs.
#[allow(dead_code)]
pub fn emulated_driver() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_comb")).parent().unwrap();
    let places = [
        folder.join("libcomb_ptx.so"),
        folder.join("deps/libcomb_ptx.so"),
    ];
    let found = places.into_iter().find(|path| path.is_file());
    found.expect("comb-ptx is built with the tests")
}

impl Folder {
    /// With the test programs in it.
    pub fn new() -> Folder {
        let directory = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(tests().join("programs")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, directory.path().join(path.file_name().unwrap())).unwrap();
        }
        Folder { directory }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn write_npy(&self, name: &str, value: &Value) {
        npy::write(&self.path(name), value).unwrap();
    }

    /// The names of the files, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs a program here.
    pub fn execute(&self, command: &mut Command) -> Outcome {
        self.outcome(command.current_dir(self.directory.path()).output().unwrap())
    }

    /// Runs `comb` here; the arguments are separated by spaces.
    pub fn comb(&self, arguments: &str) -> Outcome {
        self.execute(comb().args(arguments.split_whitespace()))
    }

    /// Runs `comb` here, which must succeed.
    pub fn succeed(&self, arguments: &str) -> Outcome {
        let outcome = self.comb(arguments);
        assert_eq!(outcome.code, Some(0), "{arguments}\n{}", outcome.stderr);
        outcome
    }

    /// What objects are linked with, as their headers say: the runtime library, which
    /// is one file, OpenMP, and the system's libraries.
    pub fn libraries_of_objects(&self) -> Vec<String> {
        let doctor = self.succeed("doctor").stdout;
        let runtime = doctor
            .lines()
            .find_map(|line| line.strip_prefix("runtime library:"))
            .unwrap();
        let others = "-L/usr/lib/llvm-22/lib -Wl,-rpath,/usr/lib/llvm-22/lib \
                      -lomp -lm -lpthread -ldl -lgcc_s";
        [runtime.trim()]
            .into_iter()
            .chain(others.split(' '))
            .map(str::to_owned)
            .collect()
    }

    /// Compiles C or C++ here.
    pub fn compile(&self, compiler: &str, arguments: &[&str]) {
        let outcome = self.execute(
            Command::new(compiler)
                .args(["-Wall", "-Wextra", "-Werror", "-pedantic"])
                .args(arguments),
        );
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }

    fn outcome(&self, output: Output) -> Outcome {
        let text = |bytes: Vec<u8>| {
            let folder = self.directory.path().to_str().unwrap();
            String::from_utf8(bytes).unwrap().replace(folder, "FOLDER")
        };
        Outcome {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Outcome {
    /// Code and both outputs, without the line of times.
    pub fn transcript(&self) -> String {
        let shown: Vec<&str> = self
            .stdout
            .lines()
            .filter(|line| !line.starts_with("compile ") && !line.starts_with("load "))
            .collect();
        format!(
            "code {}\n{}\n{}",
            self.code.map_or("none".to_owned(), |code| code.to_string()),
            shown.join("\n"),
            self.stderr
        )
        .trim_end()
        .to_owned()
    }
}
