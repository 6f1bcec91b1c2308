//! What a C compiler adds to every program that it links: the system's start files, and where its libraries
//! are.
//!
//! They are looked for where Linux distributions have them: the C library's in one of a few folders, those of
//! GCC, which has the code that unwinds the stack, in a folder for each version, of which the newest is taken.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The start files, and the folders with libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemFiles {
    /// Has the entry point of an executable.
    pub entry: PathBuf,
    /// Come before the program's code.
    pub before: [PathBuf; 2],
    /// Come behind the program's code.
    pub behind: [PathBuf; 2],
    /// What loads an executable.
    pub loader: &'static str,
    /// Where libraries are, in the order in which they are searched.
    pub folders: Vec<PathBuf>,
}

/// What was not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// A file, in any of some folders.
    #[error("{file} is in none of {folders}")]
    File {
        /// Its name.
        file: &'static str,
        /// Where it was looked for.
        folders: String,
    },
    /// Nothing is known of this kind of processors.
    #[error("where a system for {0} has its start files is not known")]
    Processor(&'static str),
}

/// What a system has of its own for a kind of processors.
struct System {
    /// How the names of folders for it begin.
    processor: &'static str,
    /// The folder that distributions like Debian have.
    folder: &'static str,
    loader: &'static str,
}

const SYSTEMS: &[System] = &[System {
    processor: "x86_64",
    folder: "x86_64-linux-gnu",
    loader: "/lib64/ld-linux-x86-64.so.2",
}];

/// Files of the C library.
const C_LIBRARY: [&str; 4] = ["Scrt1.o", "crti.o", "crtn.o", "libc.so"];

/// Files of GCC.
const GCC: [&str; 3] = ["crtbeginS.o", "crtendS.o", "libgcc.a"];

impl SystemFiles {
    /// Those of this system.
    pub fn find() -> Result<Self, Missing> {
        Self::find_in(Path::new("/"), env::consts::ARCH)
    }

    /// Those of the system in a folder.
    fn find_in(root: &Path, processor: &'static str) -> Result<Self, Missing> {
        let system = SYSTEMS.iter().find(|system| system.processor == processor);
        let system = system.ok_or(Missing::Processor(processor))?;
        let libraries = library_folders(root, system);
        let c_library = folder_with(&C_LIBRARY, &libraries)?;
        let gcc = folder_with(&GCC, &gcc_folders(root, system))?;
        Ok(Self {
            entry: c_library.join("Scrt1.o"),
            before: [c_library.join("crti.o"), gcc.join("crtbeginS.o")],
            behind: [gcc.join("crtendS.o"), c_library.join("crtn.o")],
            loader: system.loader,
            folders: [vec![gcc], libraries].concat(),
        })
    }
}

/// The first folder that has some files. Of those that have not, the one that has most of them says what is
/// missing.
fn folder_with(files: &[&'static str], folders: &[PathBuf]) -> Result<PathBuf, Missing> {
    let mut has_most = 0;
    for folder in folders {
        let missing = files.iter().position(|file| !folder.join(file).is_file());
        match missing {
            None => return Ok(folder.clone()),
            Some(missing) => has_most = has_most.max(missing),
        }
    }
    let shown = folders.iter().map(|folder| folder.display().to_string());
    Err(Missing::File {
        file: files[has_most],
        folders: shown.collect::<Vec<_>>().join(", "),
    })
}

/// The folders in which systems have libraries.
fn library_folders(root: &Path, system: &System) -> Vec<PathBuf> {
    let own = [
        format!("usr/lib/{}", system.folder),
        format!("lib/{}", system.folder),
    ];
    let common = ["usr/lib64", "lib64", "usr/lib", "lib"].map(str::to_owned);
    own.into_iter()
        .chain(common)
        .map(|folder| root.join(folder))
        .collect()
}

/// The folders of GCC's versions, the newest first.
fn gcc_folders(root: &Path, system: &System) -> Vec<PathBuf> {
    let gcc = root.join("usr/lib/gcc");
    let mut found: Vec<(Vec<u32>, PathBuf)> = folders(&gcc)
        .into_iter()
        .filter(|(name, _)| name.starts_with(system.processor))
        .flat_map(|(_, target)| folders(&target))
        .filter_map(|(name, folder)| Some((version(&name)?, folder)))
        .collect();
    found.sort();
    let found: Vec<PathBuf> = found.into_iter().rev().map(|(_, folder)| folder).collect();
    match found.is_empty() {
        true => vec![gcc],
        false => found,
    }
}

/// What is in a folder, with its names.
fn folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
        .collect()
}

/// The numbers of a version such as `12` or `13.2.1`.
fn version(name: &str) -> Option<Vec<u32>> {
    name.split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system with some files, all of them empty.
    fn system(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        root
    }

    fn with_all(c_library: &str, gcc: &[&str]) -> Vec<String> {
        let c_library = C_LIBRARY.map(|file| format!("{c_library}/{file}"));
        let gcc = gcc
            .iter()
            .flat_map(|folder| GCC.map(|file| format!("usr/lib/gcc/{folder}/{file}")));
        c_library.into_iter().chain(gcc).collect()
    }

    fn find(files: &[String]) -> Result<SystemFiles, Missing> {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let root = system(&files);
        let without_root = |path: &PathBuf| {
            let inside = path.strip_prefix(root.path());
            inside.map_or_else(|_| path.clone(), Path::to_path_buf)
        };
        let found = SystemFiles::find_in(root.path(), "x86_64");
        found
            .map(|found| SystemFiles {
                entry: without_root(&found.entry),
                before: found.before.each_ref().map(without_root),
                behind: found.behind.each_ref().map(without_root),
                folders: found.folders.iter().map(without_root).collect(),
                ..found
            })
            .map_err(|missing| match missing {
                Missing::File { file, folders } => Missing::File {
                    file,
                    folders: folders.replace(&format!("{}/", root.path().display()), "/"),
                },
                other => other,
            })
    }

    #[test]
    fn the_newest_gcc_is_taken() {
        let debian = "usr/lib/x86_64-linux-gnu";
        let gcc =
            ["9", "12", "13.2.1", "current"].map(|version| format!("x86_64-linux-gnu/{version}"));
        let gcc: Vec<&str> = gcc.iter().map(String::as_str).collect();
        let found = find(&with_all(debian, &gcc)).unwrap();
        let newest = Path::new("usr/lib/gcc/x86_64-linux-gnu/13.2.1");
        assert_eq!(found.entry, Path::new(debian).join("Scrt1.o"));
        assert_eq!(found.before[1], newest.join("crtbeginS.o"));
        assert_eq!(found.folders[0], newest);
    }

    #[test]
    fn other_distributions_have_other_folders() {
        let found = find(&with_all("usr/lib64", &["x86_64-redhat-linux/14"])).unwrap();
        assert_eq!(found.behind[1], Path::new("usr/lib64/crtn.o"));
        let foreign = find(&with_all("usr/lib64", &["aarch64-linux-gnu/14"]));
        assert!(foreign.is_err());
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut files = with_all("usr/lib64", &["x86_64-redhat-linux/14"]);
        files.retain(|file| !file.ends_with("crtn.o"));
        assert_eq!(
            find(&files).unwrap_err().to_string(),
            "crtn.o is in none of /usr/lib/x86_64-linux-gnu, /lib/x86_64-linux-gnu, /usr/lib64, /lib64, \
             /usr/lib, /lib"
        );
        let without_gcc = with_all("usr/lib64", &[]);
        assert_eq!(
            find(&without_gcc).unwrap_err().to_string(),
            "crtbeginS.o is in none of /usr/lib/gcc"
        );
        assert_eq!(
            SystemFiles::find_in(Path::new("/"), "vax").unwrap_err(),
            Missing::Processor("vax")
        );
    }
}
