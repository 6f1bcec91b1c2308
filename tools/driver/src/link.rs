//! Links objects with comb's runtime library, without leaving files behind:
//! what the linker reads comes through a pipe or is in an unlinked file, and what
//! it makes comes through a pipe.

use std::{
    env,
    ffi::OsString,
    fs::File,
    io::{self, Write},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    process,
};

use crate::{
    aot::BuildError,
    linker::{CODE, Kind, Linker, Started},
    openmp,
    sanitizer::Sanitizer,
};

const RUNTIME: &str = "libcomb_runtime.a";

/// The same in one object, which `./x build` makes of the library.
const RUNTIME_OBJECT: &str = "comb_runtime.o";

/// What Rust's standard library, and so the runtime library, needs.
const SYSTEM_LIBRARIES: [&str; 6] = ["-lm", "-lgcc_s", "-lutil", "-lrt", "-lpthread", "-ldl"];

/// What a shared library shows besides its entry points: the error handler, the
/// memory of results, and what generated code calls, so that several libraries in
/// one process share one handler and one memory.
pub(crate) const SHARED_RUNTIME: [&str; 16] = [
    "comb_set_error_handler",
    "comb_clear_failure",
    "comb_runtime_begin_call",
    "comb_runtime_end_call",
    "comb_runtime_fail",
    "comb_runtime_stack_is_left",
    "comb_runtime_run_chunks",
    "comb_runtime_run_share",
    "comb_runtime_finish_stores",
    "_mlir_ciface_comb_runtime_signal",
    "_mlir_ciface_comb_runtime_wait",
    "comb_runtime_allocate",
    "comb_runtime_allocate_aligned",
    "comb_runtime_allocate_zeroed",
    "comb_runtime_free",
    "comb_free",
];

/// The same of a library whose functions take arrays in the memory of a GPU.
const SHARED_DEVICE_RUNTIME: [&str; 11] = [
    "comb_device_open",
    "comb_device_allocate",
    "comb_device_read",
    "comb_device_write",
    "comb_device_constant",
    "comb_device_copy",
    "comb_device_report",
    "comb_device_launch",
    "comb_device_synchronize",
    "comb_device_start_clock",
    "comb_device_stop_clock",
];

/// What a program is linked with besides the runtime library.
#[derive(Clone, Copy, Debug)]
pub struct Others<'a> {
    /// Objects and libraries with what the program only declares.
    pub files: &'a [PathBuf],
    /// The sanitizer that its code was made for.
    pub sanitizer: Option<Sanitizer>,
    /// Whether it starts OpenMP's threads.
    pub openmp: bool,
    /// Whether its arrays are in the memory of a GPU.
    pub device: bool,
}

/// A link that waits for the program's code.
pub struct Link {
    linker: Started,
    sanitizer: Option<Sanitizer>,
    /// What the linker reads besides, until it is done.
    _script: Option<File>,
}

impl Link {
    /// Begins to make an executable.
    pub fn executable(others: &Others) -> Result<Self, BuildError> {
        Self::start(Kind::Executable, others, vec![], None)
    }

    /// Begins to make a shared library that shows the symbols.
    pub fn shared_library(
        others: &Others,
        symbols: &[&str],
        soname: &str,
    ) -> Result<Self, BuildError> {
        let device: &[&str] = match others.device {
            true => &SHARED_DEVICE_RUNTIME,
            false => &[],
        };
        let shown: Vec<String> = symbols
            .iter()
            .chain(&SHARED_RUNTIME)
            .chain(device)
            .map(|symbol| format!("{symbol};"))
            .collect();
        let script = format!("{{ global: {} local: *; }};\n", shown.join(" "));
        let script = unlinked_file(script.as_bytes()).map_err(no_temporary)?;
        let mut options = vec![
            "-soname".to_owned(),
            soname.to_owned(),
            format!("--version-script={}", path_of(&script)),
            "--undefined=comb_set_error_handler".to_owned(),
            "--undefined=comb_clear_failure".to_owned(),
            "--undefined=comb_free".to_owned(),
        ];
        options.extend(device.iter().map(|name| format!("--undefined={name}")));
        // A sanitizer's functions are the program's that loads the library.
        if others.sanitizer.is_none() {
            options.extend(["-z", "defs"].map(str::to_owned));
        }
        Self::start(Kind::Library, others, options, Some(script))
    }

    fn start(
        kind: Kind,
        others: &Others,
        options: Vec<String>,
        script: Option<File>,
    ) -> Result<Self, BuildError> {
        let openmp = match others.openmp {
            true => openmp_options()?.to_vec(),
            false => vec![],
        };
        let arguments = ["--gc-sections", "--strip-debug", "-O1"]
            .map(OsString::from)
            .into_iter()
            .chain(options.into_iter().map(OsString::from))
            .chain([CODE.into()])
            .chain(others.files.iter().map(OsString::from))
            .chain([linked_runtime()?.into()])
            .chain(openmp)
            .chain(SYSTEM_LIBRARIES.map(OsString::from));
        let linker = Linker::find(others.sanitizer)?;
        Ok(Self {
            linker: linker.start(kind, others.sanitizer, arguments.collect())?,
            sanitizer: others.sanitizer,
            _script: script,
        })
    }

    /// Links a program's object: the content of a file.
    pub fn finish(self, object: &[u8]) -> Result<Vec<u8>, BuildError> {
        let output = self.linker.link(object)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let output = String::from_utf8_lossy(&output.stderr)
            .replace(CODE, "the program")
            .trim_end()
            .to_owned();
        Err(match self.sanitizer {
            None => BuildError::Link { output },
            Some(sanitizer) => BuildError::LinkSanitized { sanitizer, output },
        })
    }
}

/// Has the program find OpenMP where it is on this machine.
fn openmp_options() -> Result<[OsString; 3], BuildError> {
    let library = openmp::library();
    match library.parent().filter(|_| library.is_file()) {
        Some(folder) => Ok([library.clone().into(), "-rpath".into(), folder.into()]),
        None => Err(BuildError::NoOpenMp { library }),
    }
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

/// What programs are linked with of the runtime library: the object, unless it is missing, or older than the
/// library.
fn linked_runtime() -> Result<PathBuf, BuildError> {
    let library = runtime_library()?;
    let object = library.with_file_name(RUNTIME_OBJECT);
    Ok(match is_older(&object, &library) {
        false => object,
        true => library,
    })
}

/// Whether a file was written before another one, or is missing.
fn is_older(file: &Path, other: &Path) -> bool {
    let written = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    written(file) < written(other)
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn what_is_missing_is_older() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, missing] = ["old", "new", "missing"].map(|name| folder.path().join(name));
        let now = SystemTime::now();
        for (path, time) in [(&old, now - Duration::from_secs(1)), (&new, now)] {
            File::create(path).unwrap().set_modified(time).unwrap();
        }
        assert!(is_older(&old, &new));
        assert!(!is_older(&new, &old));
        assert!(!is_older(&new, &new));
        assert!(is_older(&missing, &old));
    }
}
