//! Which linker links, and how it is told what to link.
//!
//! That is LLVM's linker, lld, with the system's start files and libraries where [`SystemFiles`] finds them. A C
//! compiler, which knows where they are, takes twice as long to say it. It is asked where they are not found,
//! and for sanitizers, whose libraries are its own.
//!
//! A linker is started before there is code to link, since it takes about as long to start as to link: it reads
//! the code from its standard input.

use std::{
    env,
    ffi::OsString,
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use crate::{
    aot::BuildError,
    sanitizer::Sanitizer,
    system_files::{Missing, SystemFiles},
};

/// Debian's package that has LLVM's linker.
pub const PACKAGE: &str = "lld-22";

/// The code, for the linker.
pub const CODE: &str = "/proc/self/fd/0";

/// What the linker makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program.
    Executable,
    /// A shared library.
    Library,
}

/// What links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linker {
    /// LLVM's linker itself.
    Own {
        /// Where it is.
        program: PathBuf,
        /// What the system adds to programs.
        system: SystemFiles,
    },
    /// A C compiler, which starts LLVM's linker.
    Compiler {
        /// Where it is.
        program: PathBuf,
        /// Why it is asked, if that is not for a sanitizer.
        why: Option<Missing>,
    },
}

impl Linker {
    /// The linker of this system.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn find(sanitizer: Option<Sanitizer>) -> Result<Self, BuildError> {
        let programs = [
            llvm_programs().join("ld.lld"),
            "ld.lld-22".into(),
            "ld.lld".into(),
        ];
        let lld = first_of(&programs).ok_or_else(|| BuildError::NoLinker {
            candidates: listed(&programs),
        });
        let compilers = [
            llvm_programs().join("clang"),
            "clang-22".into(),
            "clang".into(),
            "cc".into(),
        ];
        let candidates = || listed(&compilers);
        match (sanitizer, SystemFiles::find()) {
            (None, Ok(system)) => Ok(Self::Own {
                program: lld?,
                system,
            }),
            (None, Err(missing)) => match first_of(&compilers) {
                Some(program) => Ok(Self::Compiler {
                    program,
                    why: Some(missing),
                }),
                None => Err(BuildError::NoSystemFiles {
                    missing,
                    candidates: candidates(),
                }),
            },
            (Some(sanitizer), _) => match first_of(&compilers) {
                Some(program) => Ok(Self::Compiler { program, why: None }),
                None => Err(BuildError::NoCompiler {
                    sanitizer,
                    candidates: candidates(),
                }),
            },
        }
    }

    fn program(&self) -> &Path {
        match self {
            Self::Own { program, .. } | Self::Compiler { program, .. } => program,
        }
    }

    /// All arguments, of those that say what is linked.
    fn arguments(
        &self,
        kind: Kind,
        sanitizer: Option<Sanitizer>,
        own: Vec<OsString>,
    ) -> Vec<OsString> {
        match self {
            Self::Own { system, .. } => of_lld(system, kind, own),
            Self::Compiler { .. } => of_compiler(kind, sanitizer, own),
        }
    }

    /// Starts it.
    ///
    /// # Errors
    ///
    /// If it cannot be run.
    pub fn start(
        self,
        kind: Kind,
        sanitizer: Option<Sanitizer>,
        arguments: Vec<OsString>,
    ) -> Result<Started, BuildError> {
        let child = Command::new(self.program())
            .args(self.arguments(kind, sanitizer, arguments))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| self.not_run(source))?;
        Ok(Started {
            linker: self,
            child,
        })
    }

    fn not_run(&self, source: io::Error) -> BuildError {
        let linker = self.program().to_owned();
        BuildError::RunLinker { linker, source }
    }
}

impl fmt::Display for Linker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.program().display().fmt(f)?;
        match self {
            Self::Compiler { why: Some(why), .. } => write!(f, ", since {why}"),
            _ => Ok(()),
        }
    }
}

/// A linker that waits for code. Without any it ends.
pub struct Started {
    linker: Linker,
    child: Child,
}

impl Started {
    /// Links, and gives what the linker wrote.
    ///
    /// # Errors
    ///
    /// If it cannot be run.
    pub fn link(mut self, object: &[u8]) -> Result<Output, BuildError> {
        if let Some(mut input) = self.child.stdin.take() {
            // A linker that has ended does not read, and says why.
            let _ = input.write_all(object);
        }
        let output = self.child.wait_with_output();
        output.map_err(|source| self.linker.not_run(source))
    }
}

/// What a C compiler would tell LLVM's linker.
fn of_lld(system: &SystemFiles, kind: Kind, own: Vec<OsString>) -> Vec<OsString> {
    let texts = |texts: &[&str]| texts.iter().map(OsString::from).collect::<Vec<_>>();
    let paths = |paths: &[PathBuf]| paths.iter().map(OsString::from).collect::<Vec<_>>();
    let folder = |folder: &PathBuf| {
        let mut option = OsString::from("-L");
        option.push(folder);
        option
    };
    let kind = match kind {
        Kind::Library => texts(&["-shared"]),
        Kind::Executable => {
            let options = texts(&["-pie", "-dynamic-linker", system.loader]);
            [options, vec![system.entry.clone().into()]].concat()
        }
    };
    // What is linked is small: threads cost more than they save.
    let common = texts(&[
        "--threads=1",
        "--hash-style=gnu",
        "--build-id",
        "--eh-frame-hdr",
        "-o",
        "-",
    ]);
    let gcc = texts(&["-lgcc", "--as-needed", "-lgcc_s", "--no-as-needed"]);
    [
        common,
        kind,
        paths(&system.before),
        system.folders.iter().map(folder).collect(),
        own,
        gcc.clone(),
        texts(&["-lc"]),
        gcc,
        paths(&system.behind),
    ]
    .concat()
}

/// What a C compiler is told.
fn of_compiler(kind: Kind, sanitizer: Option<Sanitizer>, own: Vec<OsString>) -> Vec<OsString> {
    let kind = match kind {
        Kind::Library => "-shared",
        Kind::Executable => "-pie",
    };
    let options = [
        "-fuse-ld=lld".to_owned(),
        format!("-B{}", llvm_programs().display()),
        kind.to_owned(),
    ];
    let own = own
        .into_iter()
        .flat_map(|argument| ["-Xlinker".into(), argument]);
    options
        .into_iter()
        .chain(sanitizer.map(Sanitizer::link_option))
        .map(OsString::from)
        .chain(own)
        .chain(["-o".into(), "-".into()])
        .collect()
}

fn llvm_programs() -> PathBuf {
    Path::new(env!("COMB_LLVM_PREFIX")).join("bin")
}

/// The first program that is there.
fn first_of(programs: &[PathBuf]) -> Option<PathBuf> {
    programs.iter().find_map(|program| find_program(program))
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

fn listed(programs: &[PathBuf]) -> String {
    let programs = programs.iter().map(|program| program.display().to_string());
    programs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(arguments: Vec<OsString>) -> String {
        let arguments = arguments
            .into_iter()
            .map(|argument| argument.into_string().unwrap());
        arguments.collect::<Vec<_>>().join(" ")
    }

    fn system() -> SystemFiles {
        SystemFiles {
            entry: "/c/Scrt1.o".into(),
            before: ["/c/crti.o".into(), "/gcc/crtbeginS.o".into()],
            behind: ["/gcc/crtendS.o".into(), "/c/crtn.o".into()],
            loader: "/loader",
            folders: vec!["/gcc".into(), "/c".into()],
        }
    }

    #[test]
    fn the_linker_is_told_what_a_c_compiler_would_tell_it() {
        let linked = |kind| texts(of_lld(&system(), kind, vec!["program.o".into()]));
        assert_eq!(
            linked(Kind::Executable),
            "--threads=1 --hash-style=gnu --build-id --eh-frame-hdr -o - -pie -dynamic-linker /loader \
             /c/Scrt1.o /c/crti.o /gcc/crtbeginS.o -L/gcc -L/c program.o -lgcc --as-needed -lgcc_s \
             --no-as-needed -lc -lgcc --as-needed -lgcc_s --no-as-needed /gcc/crtendS.o /c/crtn.o"
        );
        let library = linked(Kind::Library);
        assert!(library.contains("-o - -shared /c/crti.o"), "{library}");
    }

    #[test]
    fn a_c_compiler_passes_arguments_on() {
        let own = vec!["--gc-sections".into(), "program.o".into()];
        let told = texts(of_compiler(Kind::Library, Some(Sanitizer::Thread), own));
        let passed = "-shared -fsanitize=thread -Xlinker --gc-sections -Xlinker program.o -o -";
        assert!(told.ends_with(passed), "{told}");
    }
}
