//! Links objects with comb's runtime library, without leaving files behind:
//! what the linker reads is in unlinked files, what it makes comes through a
//! pipe. That takes LLVM's linker, lld, driven by a C compiler, which knows
//! where the system's start files and libraries are.

use std::{
    env,
    fs::File,
    io::{self, Write},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    process::{self, Command},
};

use crate::{aot::BuildError, code::Code, openmp, sanitizer::Sanitizer};

const RUNTIME: &str = "libcomb_runtime.a";

/// What Rust's standard library, and so the runtime library, needs.
const SYSTEM_LIBRARIES: [&str; 6] = ["-lm", "-lgcc_s", "-lutil", "-lrt", "-lpthread", "-ldl"];

/// What a shared library shows besides its entry points: the error handler, the
/// memory of results, and what generated code calls, so that several libraries in
/// one process share one handler and one memory.
pub(crate) const SHARED_RUNTIME: [&str; 15] = [
    "comb_set_error_handler",
    "comb_clear_failure",
    "comb_runtime_begin_call",
    "comb_runtime_end_call",
    "comb_runtime_fail",
    "comb_runtime_stack_is_left",
    "comb_runtime_run_chunks",
    "comb_runtime_run_share",
    "_mlir_ciface_comb_runtime_signal",
    "_mlir_ciface_comb_runtime_wait",
    "comb_runtime_allocate",
    "comb_runtime_allocate_aligned",
    "comb_runtime_allocate_zeroed",
    "comb_runtime_free",
    "comb_free",
];

/// What a program is linked with besides the runtime library.
#[derive(Clone, Copy, Debug)]
pub struct Others<'a> {
    /// Objects and libraries with what the program only declares.
    pub files: &'a [PathBuf],
    /// The sanitizer that its code was made for.
    pub sanitizer: Option<Sanitizer>,
}

/// An executable, as the content of a file.
pub fn executable(code: &Code, others: &Others) -> Result<Vec<u8>, BuildError> {
    link(code, others, &["-pie".to_owned()])
}

/// A shared library that shows the symbols, as the content of a file.
pub fn shared_library(
    code: &Code,
    others: &Others,
    symbols: &[&str],
    soname: &str,
) -> Result<Vec<u8>, BuildError> {
    let shown: Vec<String> = symbols
        .iter()
        .chain(&SHARED_RUNTIME)
        .map(|symbol| format!("{symbol};"))
        .collect();
    let script = format!("{{ global: {} local: *; }};\n", shown.join(" "));
    let script = unlinked_file(script.as_bytes()).map_err(no_temporary)?;
    let mut options = vec![
        "-shared".to_owned(),
        format!("-Wl,-soname,{soname}"),
        format!("-Wl,--version-script={}", path_of(&script)),
        "-Wl,--undefined=comb_set_error_handler".to_owned(),
        "-Wl,--undefined=comb_clear_failure".to_owned(),
        "-Wl,--undefined=comb_free".to_owned(),
    ];
    // A sanitizer's functions are the program's that loads the library.
    if others.sanitizer.is_none() {
        options.push("-Wl,-z,defs".to_owned());
    }
    link(code, others, &options)
}

fn link(code: &Code, others: &Others, options: &[String]) -> Result<Vec<u8>, BuildError> {
    let runtime = runtime_library()?;
    let linker = linker()?;
    let object = unlinked_file(&code.bytes).map_err(no_temporary)?;
    let openmp = match openmp::is_needed(&code.externals) {
        true => openmp_options()?,
        false => vec![],
    };
    let output = Command::new(&linker)
        .arg("-fuse-ld=lld")
        .arg(format!("-B{}", llvm_programs().display()))
        .args(options)
        .args(others.sanitizer.map(Sanitizer::link_option))
        .args(["-Wl,--gc-sections", "-Wl,--strip-debug", "-Wl,-O1"])
        .arg(path_of(&object))
        .args(others.files)
        .arg(runtime)
        .args(openmp)
        .args(SYSTEM_LIBRARIES)
        .args(["-o", "-"])
        .output()
        .map_err(|source| BuildError::RunLinker { linker, source })?;
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr)
            .replace(&path_of(&object), "the program")
            .trim_end()
            .to_owned();
        return Err(match others.sanitizer {
            None => BuildError::Link { output },
            Some(sanitizer) => BuildError::LinkSanitized { sanitizer, output },
        });
    }
    Ok(output.stdout)
}

/// Has the program find OpenMP where it is on this machine.
fn openmp_options() -> Result<Vec<String>, BuildError> {
    let library = openmp::library();
    let folder = library.parent().filter(|_| library.is_file());
    let Some(folder) = folder.map(Path::display) else {
        return Err(BuildError::NoOpenMp { library });
    };
    Ok(vec![
        library.display().to_string(),
        format!("-Wl,-rpath,{folder}"),
    ])
}

/// A file that has no name, and so is gone when this process is.
fn unlinked_file(content: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(content)?;
    Ok(file)
}

/// The path by which the linker opens an unlinked file of this process.
fn path_of(file: &File) -> String {
    format!("/proc/{}/fd/{}", process::id(), file.as_raw_fd())
}

fn no_temporary(source: io::Error) -> BuildError {
    BuildError::Write {
        path: env::temp_dir(),
        source,
    }
}

fn llvm_programs() -> PathBuf {
    Path::new(env!("COMB_LLVM_PREFIX")).join("bin")
}

/// The C compiler that links.
pub fn linker() -> Result<PathBuf, BuildError> {
    let own = llvm_programs().join("clang");
    let candidates = [own, "clang-22".into(), "clang".into(), "cc".into()];
    candidates
        .iter()
        .find_map(|candidate| find_program(candidate))
        .ok_or_else(|| BuildError::NoLinker {
            candidates: candidates
                .map(|candidate| candidate.display().to_string())
                .join(", "),
        })
}

/// The path of a program; a bare name is looked for as the shell does.
fn find_program(name: &Path) -> Option<PathBuf> {
    if name.is_absolute() {
        return name.is_file().then(|| name.to_owned());
    }
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// The runtime library: beside the running program, as Cargo leaves them, or
/// in `lib` beside the program's `bin`.
pub fn runtime_library() -> Result<PathBuf, BuildError> {
    let program = env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new("."));
    let parent = folder.parent().unwrap_or(folder);
    let searched = [
        folder.to_owned(),
        folder.join("deps"),
        parent.join("lib"),
        parent.join("lib/comb"),
    ];
    searched
        .iter()
        .map(|folder| folder.join(RUNTIME))
        .find(|path| path.is_file())
        .ok_or_else(|| BuildError::NoRuntime {
            searched: searched.map(|path| path.display().to_string()).join("\n  "),
        })
}
