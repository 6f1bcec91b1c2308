//! What comb's build scripts share: running mlir-tblgen, compiling the thin
//! C++ layer, and linking MLIR dynamically.
//!
//! Everything is compiled by clang++ of LLVM 22, the compiler of Debian's
//! libMLIR: another compiler names types differently, and MLIR's fallback type
//! ids are those names.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// A build script's surroundings.
pub struct Build {
    /// Where LLVM/MLIR 22 is installed.
    pub prefix: PathBuf,
    /// The crate's folder.
    pub manifest: PathBuf,
    /// Where generated files go.
    pub out: PathBuf,
    includes: Vec<PathBuf>,
}

impl Build {
    /// Reads the surroundings from the environment that cargo sets.
    pub fn from_cargo() -> Self {
        println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
        let variable = |name| PathBuf::from(env::var(name).expect("set by cargo"));
        Self {
            prefix: env::var("MLIR_SYS_220_PREFIX")
                .map_or_else(|_| PathBuf::from("/usr/lib/llvm-22"), PathBuf::from),
            manifest: variable("CARGO_MANIFEST_DIR"),
            out: variable("OUT_DIR"),
            includes: vec![],
        }
    }

    /// Adds a folder of headers and .td files.
    pub fn include(&mut self, folder: impl Into<PathBuf>) -> &mut Self {
        self.includes.push(folder.into());
        self
    }

    /// Adds the headers of a crate that this one depends on, which its build
    /// script published under `links` as `include` and `generated`.
    pub fn include_of(&mut self, links: &str) -> &mut Self {
        for key in ["INCLUDE", "GENERATED"] {
            let links = links.to_uppercase().replace('-', "_");
            if let Ok(folder) = env::var(format!("DEP_{links}_{key}")) {
                self.include(folder);
            }
        }
        self
    }

    /// All folders of headers and .td files.
    pub fn includes(&self) -> &[PathBuf] {
        &self.includes
    }

    /// Publishes this crate's headers for [`Build::include_of`].
    pub fn publish(&self, include: &Path, generated: &Path) {
        println!("cargo:include={}", include.display());
        println!("cargo:generated={}", generated.display());
    }

    /// Runs mlir-tblgen on a .td file.
    pub fn generate(&self, source: &Path, arguments: &[&str], target: &Path) {
        let folder = target.parent().expect("a file in a folder");
        std::fs::create_dir_all(folder).expect("the build folder is writable");
        let mut command = Command::new(self.prefix.join("bin/mlir-tblgen"));
        command.args(arguments).arg(source).arg("-o").arg(target);
        self.with_includes(&mut command);
        let status = command
            .status()
            .expect("mlir-tblgen of LLVM 22 runs (see ./x doctor)");
        assert!(
            status.success(),
            "mlir-tblgen failed for {}",
            target.display()
        );
    }

    /// The records of a .td file, as TableGen gives them in JSON.
    pub fn records(&self, source: &Path) -> serde_json::Value {
        let mut command = Command::new(self.prefix.join("bin/llvm-tblgen"));
        command.arg("--dump-json").arg(source);
        self.with_includes(&mut command);
        let output = command
            .output()
            .expect("llvm-tblgen of LLVM 22 runs (see ./x doctor)");
        assert!(
            output.status.success(),
            "llvm-tblgen failed for {}: {}",
            source.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("TableGen's records are JSON")
    }

    /// Tells TableGen where .td files are.
    fn with_includes(&self, command: &mut Command) {
        command.arg("-I").arg(self.prefix.join("include"));
        for include in &self.includes {
            command.arg("-I").arg(include);
        }
    }

    /// Whether LLVM was built with assertions. Without them, classes such as a pass's statistics are
    /// others, so what is compiled against its headers has to agree.
    fn has_assertions(&self) -> bool {
        let mut command = Command::new(self.prefix.join("bin/llvm-config"));
        let output = command.arg("--assertion-mode").output();
        let output = output.expect("llvm-config of LLVM 22 runs (see ./x doctor)");
        output.stdout.starts_with(b"ON")
    }

    /// Compiles C files of the crate's `c` folder into a static library.
    pub fn compile_c(&self, library: &str, files: &[&str]) {
        println!("cargo:rerun-if-changed=c");
        cc::Build::new()
            .compiler(self.prefix.join("bin/clang"))
            .std("c11")
            .opt_level(2)
            .warnings(true)
            .extra_warnings(true)
            .files(files.iter().map(|file| self.manifest.join("c").join(file)))
            .compile(library);
    }

    /// Compiles C++ files of the crate's `cpp` folder into a static library.
    pub fn compile(&self, library: &str, files: &[&str]) {
        // cargo runs a build script every time when a path it names is missing.
        for folder in ["include", "cpp"] {
            if std::path::Path::new(folder).exists() {
                println!("cargo:rerun-if-changed={folder}");
            }
        }
        let mut compiler = cc::Build::new();
        if !self.has_assertions() {
            compiler.define("NDEBUG", None);
        }
        compiler
            .cpp(true)
            .compiler(self.prefix.join("bin/clang++"))
            .std("c++17")
            .opt_level(2)
            .flag("-fno-rtti")
            .flag("-fno-exceptions")
            .flag("-fvisibility-inlines-hidden")
            .flag("-Wall")
            .flag("-Wno-unused-parameter")
            .define("_GNU_SOURCE", None)
            .define("__STDC_CONSTANT_MACROS", None)
            .define("__STDC_FORMAT_MACROS", None)
            .define("__STDC_LIMIT_MACROS", None)
            .flag("-isystem")
            .flag(
                self.prefix
                    .join("include")
                    .to_str()
                    .expect("the prefix is UTF-8"),
            );
        for include in &self.includes {
            compiler.include(include);
        }
        compiler
            .files(
                files
                    .iter()
                    .map(|file| self.manifest.join("cpp").join(file)),
            )
            .compile(library);
    }
}
