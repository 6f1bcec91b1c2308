//! Makes files of a compiled program: an object or a shared library with a C
//! header, an executable, or text to look at.
//!
//! Every file appears whole under its name or not at all; on failure or an
//! interrupt nothing is left behind, and what was there stays.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use comb_runtime::{
    atomic_file::AtomicFile, files::is_named_pipe, npy::reason, timings::CodeTimes,
};

use crate::{
    Compiler,
    c_names::identifier,
    code::{self, Code, CodeError, CodeKind, CodeOptions},
    compile::Compiled,
    executable_main, exports, header,
    link::{Link, Others},
    linker::{self, Linker},
    openmp,
    sanitizer::{self, Sanitizer},
    system_files::Missing,
};

pub use crate::link::runtime_library;

/// Where `-` goes.
const STANDARD_OUTPUT: &str = "/dev/stdout";

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// An object file, to be linked with comb's runtime library.
    Object,
    /// A shared library that stands alone.
    Shared,
    /// A program that reads and writes `.npy` files.
    Executable,
    /// Optimised LLVM IR.
    Llvm,
    /// Assembly.
    Assembly,
    /// The LLVM dialect.
    Mlir,
}

/// What to make, where, and how.
#[derive(Clone, Debug)]
pub struct Build {
    output: PathBuf,
    emit: Emit,
    code: CodeOptions,
    prefix: String,
    linked: Vec<PathBuf>,
    soname: String,
}

/// Why nothing was made.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The name does not say what to make: the caller's fault.
    #[error(
        "cannot tell from the name '{}' what to make; .o, .so, .ll, .s, .mlir and no ending are \
         known, or say it with --emit", path.display()
    )]
    UnknownEnding {
        /// The name.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write '{}': {}", path.display(), reason(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What is to be linked cannot be read: the caller's fault.
    #[error("cannot link '{}': {}", path.display(), reason(source))]
    NoFile {
        /// What is to be linked.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something is to be linked with what is not linked yet: the caller's fault.
    #[error(
        "'{}' cannot be linked with '{}', which is not linked: --link is for executables and \
         shared libraries", linked.display(), output.display()
    )]
    NotLinked {
        /// What is to be linked.
        linked: PathBuf,
        /// What is to be made.
        output: PathBuf,
    },
    /// What is no shared library, or nothing, is called so: the caller's fault.
    #[error("--soname '{soname}' is for shared libraries, and not empty")]
    NoSoname {
        /// The name.
        soname: String,
    },
    /// There is no code.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// The runtime library is not there: the installation's fault.
    #[error(
        "comb's runtime library libcomb_runtime.a was not found; it belongs in one of:\n  \
         {searched}"
    )]
    NoRuntime {
        /// The folders that were searched.
        searched: String,
    },
    /// The program has parallel loops, but there is no OpenMP: the installation's
    /// fault.
    #[error(
        "the program has parallel loops, but LLVM's OpenMP library '{}' is missing; install the \
         package {}", library.display(), openmp::PACKAGE
    )]
    NoOpenMp {
        /// Where it should be.
        library: PathBuf,
    },
    /// There is no linker: the installation's fault.
    #[error(
        "no linker was found, which is one of {candidates}; install the package {}",
        linker::PACKAGE
    )]
    NoLinker {
        /// The programs that were tried.
        candidates: String,
    },
    /// Nobody knows what the system adds to programs: the installation's fault.
    #[error(
        "what the linker needs of the system was not found: {missing}; install the packages libc6-dev \
         and gcc, or a C compiler that knows where they are, which is one of {candidates}"
    )]
    NoSystemFiles {
        /// What was not found.
        missing: Missing,
        /// The C compilers that were tried.
        candidates: String,
    },
    /// There is no C compiler: the installation's fault.
    #[error(
        "the sanitizer '{sanitizer}' is linked by a C compiler, of which none was found; install one of \
         {candidates}"
    )]
    NoCompiler {
        /// The sanitizer.
        sanitizer: Sanitizer,
        /// The C compilers that were tried.
        candidates: String,
    },
    /// The linker cannot be run.
    #[error("cannot run '{}': {}", linker.display(), reason(source))]
    RunLinker {
        /// The linker.
        linker: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The linker failed; usually the program declares a function that nothing
    /// defines.
    #[error(
        "linking failed; if the program calls functions that it only declares, name the object \
         or library that defines them with --link PATH\n{output}"
    )]
    Link {
        /// What the linker said.
        output: String,
    },
    /// The linker failed, which was asked for a sanitizer too.
    #[error(
        "linking with the sanitizer '{sanitizer}' failed; its library is in the package {}\n{output}",
        sanitizer::PACKAGE
    )]
    LinkSanitized {
        /// The sanitizer.
        sanitizer: Sanitizer,
        /// What the linker said.
        output: String,
    },
    /// The entry points or `main` are wrong: the compiler's fault.
    #[error("internal error: {0}")]
    Internal(#[from] melior::Error),
}

impl Emit {
    /// What a file's ending asks for.
    pub fn from_path(path: &Path) -> Option<Emit> {
        if Version::of(path).is_some() {
            return Some(Emit::Shared);
        }
        match path.extension().and_then(|ending| ending.to_str()) {
            None if path == Path::new("-") => None,
            None => Some(Emit::Executable),
            Some("o") => Some(Emit::Object),
            Some("so") => Some(Emit::Shared),
            Some("ll") => Some(Emit::Llvm),
            Some("s") => Some(Emit::Assembly),
            Some("mlir") => Some(Emit::Mlir),
            Some(_) => None,
        }
    }

    fn has_header(self) -> bool {
        matches!(self, Emit::Object | Emit::Shared)
    }

    fn is_linked(self) -> bool {
        matches!(self, Emit::Shared | Emit::Executable)
    }
}

/// Whether the linker can read a file. For a pipe it would wait.
fn check_linked(path: &Path) -> io::Result<()> {
    if is_named_pipe(path) {
        return Err(io::Error::other("it is no file"));
    }
    match File::open(path)?.metadata()?.is_dir() {
        true => Err(io::Error::from_raw_os_error(libc::EISDIR)),
        false => Ok(()),
    }
}

impl Build {
    /// Plans a build; without `emit` the output's ending says what to make. The output
    /// `-` is standard output.
    /// `linked` are objects and libraries with functions that the program only
    /// declares.
    /// Checks what can be checked before anything is compiled.
    pub fn new(
        output: &Path,
        emit: Option<Emit>,
        code: CodeOptions,
        linked: &[PathBuf],
    ) -> Result<Self, BuildError> {
        let unknown = || BuildError::UnknownEnding {
            path: output.to_owned(),
        };
        let emit = emit
            .or_else(|| Emit::from_path(output))
            .ok_or_else(unknown)?;
        let output = match output == Path::new("-") {
            true => Path::new(STANDARD_OUTPUT),
            false => output,
        };
        let build = Self {
            output: output.to_owned(),
            emit,
            code,
            prefix: prefix(output, emit),
            linked: linked.to_vec(),
            soname: soname(output),
        };
        for path in build.files() {
            AtomicFile::check_target(&path).map_err(|source| BuildError::Write { path, source })?;
        }
        if emit.is_linked() {
            runtime_library()?;
            Linker::find(build.code.sanitizer)?;
        } else if let Some(linked) = linked.first() {
            return Err(BuildError::NotLinked {
                linked: linked.clone(),
                output: output.to_owned(),
            });
        }
        for path in linked {
            check_linked(path).map_err(|source| BuildError::NoFile {
                path: path.clone(),
                source,
            })?;
        }
        Ok(build)
    }

    /// Has programs that are linked with the library look for this name, and not for that of
    /// the file.
    pub fn with_soname(self, soname: String) -> Result<Self, BuildError> {
        match self.emit {
            Emit::Shared if !soname.is_empty() => Ok(Self { soname, ..self }),
            _ => Err(BuildError::NoSoname { soname }),
        }
    }

    /// What the names of C functions and symbols begin with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether the output is no file but a device, such as standard output. It has nothing
    /// beside it.
    pub fn is_for_device(&self) -> bool {
        self.output.starts_with("/dev")
    }

    fn has_header(&self) -> bool {
        self.emit.has_header() && !self.is_for_device()
    }

    /// What a program is linked with besides the runtime library.
    fn others(&self, compiled: &Compiled) -> Others<'_> {
        Others {
            files: &self.linked,
            sanitizer: self.code.sanitizer,
            openmp: openmp::is_used(&compiled.module),
            device: compiled
                .entries
                .iter()
                .any(|entry| entry.signature.device.is_some()),
        }
    }

    /// What is written: the output, and a header beside it.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = vec![self.output.clone()];
        if self.has_header() {
            files.push(unversioned(&self.output).with_extension("h"));
        }
        files
    }
}

/// The version in the name of a shared library: `libfirst.so.1.2` is `libfirst.so` and `1`.
struct Version<'a> {
    file: &'a str,
    major: &'a str,
}

impl<'a> Version<'a> {
    fn of(path: &'a Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let start = name.find(".so.")? + ".so".len();
        let (file, version) = (&name[..start], &name[start + 1..]);
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let mut parts = version.split('.');
        let major = parts.next().filter(|part| is_number(part))?;
        parts.all(is_number).then_some(Self { file, major })
    }
}

/// The path of a library without a version.
fn unversioned(path: &Path) -> PathBuf {
    match Version::of(path) {
        Some(Version { file, .. }) => path.with_file_name(file),
        None => path.to_owned(),
    }
}

/// What programs that are linked with a shared library look for: its name, with the first
/// number of its version, which is another one when programs must be linked again.
fn soname(path: &Path) -> String {
    match Version::of(path) {
        Some(Version { file, major }) => format!("{file}.{major}"),
        None => {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        }
    }
}

/// The name of a library, which keeps its symbols apart from another's.
fn prefix(output: &Path, emit: Emit) -> String {
    if !emit.has_header() {
        return "comb".to_owned();
    }
    let output = unversioned(output);
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let name = stem.strip_prefix("lib").filter(|name| !name.is_empty());
    identifier(name.unwrap_or(&stem))
}

/// What links, in words.
///
/// # Errors
///
/// What is missing.
pub fn linker() -> Result<String, BuildError> {
    Linker::find(None).map(|linker| linker.to_string())
}

/// Makes the files and returns their paths. The program must have been
/// compiled with the build's prefix.
pub fn build(
    compiler: &Compiler,
    compiled: &Compiled,
    build: &Build,
) -> Result<Vec<PathBuf>, BuildError> {
    let functions = match build.emit.has_header() {
        true => exports::add(compiler.context(), compiled, build.prefix())?,
        false => vec![],
    };
    let code = content(compiler, compiled, &functions, build)?;
    let mut contents = vec![code.bytes];
    if build.has_header() {
        let openmp = openmp::is_needed(&code.externals);
        let file = build.output.file_name().unwrap_or_default();
        let file = file.to_string_lossy();
        let header = header::header(
            compiled,
            &functions,
            build.prefix(),
            &file,
            build.emit,
            openmp,
        );
        contents.push(header.into_bytes());
    }
    let paths = build.files();
    let mut files = vec![];
    for (path, content) in paths.iter().zip(&contents) {
        let file = write(path, content, build.emit).map_err(|source| at(path, source))?;
        files.push((path, file));
    }
    for (path, file) in files {
        file.commit().map_err(|source| at(path, source))?;
    }
    Ok(paths)
}

/// Writes code as text to a file, or to a device such as standard error.
pub fn write_text(path: &Path, text: &[u8]) -> Result<(), BuildError> {
    write(path, text, Emit::Assembly)
        .and_then(AtomicFile::commit)
        .map_err(|source| at(path, source))
}

fn at(path: &Path, source: io::Error) -> BuildError {
    BuildError::Write {
        path: path.to_owned(),
        source,
    }
}

fn write(path: &Path, content: &[u8], emit: Emit) -> io::Result<AtomicFile> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(content)?;
    if emit == Emit::Executable {
        file.make_executable()?;
    }
    Ok(file)
}

/// The file's content, and what it calls that is not in it.
fn content(
    compiler: &Compiler,
    compiled: &Compiled,
    functions: &[String],
    build: &Build,
) -> Result<Code, BuildError> {
    let generate = |kind| code::generate(compiler, compiled, &build.code, kind);
    let linked = |bytes| Code {
        bytes,
        externals: vec![],
        times: CodeTimes::default(),
    };
    Ok(match build.emit {
        Emit::Mlir => linked(compiled.module.as_operation().to_string().into_bytes()),
        Emit::Llvm => generate(CodeKind::LlvmIr)?,
        Emit::Assembly => generate(CodeKind::Assembly)?,
        Emit::Object => generate(CodeKind::Object)?,
        Emit::Shared => {
            let symbols: Vec<&str> = compiled
                .entries
                .iter()
                .map(|entry| entry.symbol.as_str())
                .chain(functions.iter().map(String::as_str))
                .collect();
            let link = Link::shared_library(&build.others(compiled), &symbols, &build.soname)?;
            linked(link.finish(&generate(CodeKind::Object)?.bytes)?)
        }
        Emit::Executable => {
            executable_main::add(compiler.context(), compiled)?;
            let link = Link::executable(&build.others(compiled))?;
            linked(link.finish(&generate(CodeKind::Object)?.bytes)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_in_the_names_of_libraries() {
        for (name, emit, soname_, base) in [
            ("a/libx.so", Some(Emit::Shared), "libx.so", "a/libx.so"),
            ("a/libx.so.1", Some(Emit::Shared), "libx.so.1", "a/libx.so"),
            ("libx.so.1.2.3", Some(Emit::Shared), "libx.so.1", "libx.so"),
            ("libx.so.1.x", None, "libx.so.1.x", "libx.so.1.x"),
            ("libx.so.", None, "libx.so.", "libx.so."),
        ] {
            let path = Path::new(name);
            assert_eq!(Emit::from_path(path), emit, "{name}");
            assert_eq!(soname(path), soname_);
            assert_eq!(unversioned(path), Path::new(base));
        }
    }
}
