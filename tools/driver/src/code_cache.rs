//! Machine code of programs that were run before, in a folder.
//!
//! A file's name is a hash of all that its content depends on: the program's text,
//! the function, the options, the CPU, and which comb this is ([`Key`]). The content
//! begins with its own hash, so that a damaged file is as good as none. Files
//! appear whole or not at all, so that several processes can share the folder. When
//! there is too much in it, those files go that were not used for longest.
//!
//! Nothing here is an error: without a folder that can be used, programs are
//! compiled. A folder that others may write to is not used, since what is in it is
//! executed.

use std::{
    env, fs,
    fs::{DirBuilder, File},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    time::SystemTime,
};

use comb_runtime::{Signature, atomic_file::AtomicFile};
use sha2::{Digest, Sha256};

use crate::{
    code::{self, CodeOptions},
    compile::PassOptions,
    cpu::Cpu,
    machine_code::{Description, MachineCode},
    source::Source,
};

/// How much is kept if nothing else is said.
pub const DEFAULT_LIMIT: u64 = 256 << 20;

/// What a file begins with: the format.
const MAGIC: &[u8] = b"comb machine code 2\n";

/// The ending of the files, by which they are known.
const ENDING: &str = "code";

/// The length of a hash.
const HASH: usize = 32;

/// A folder with machine code.
#[derive(Clone, Debug)]
pub struct CodeCache {
    folder: PathBuf,
    limit: u64,
}

/// What the code of a program depends on, as a hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key of a function of a program; nothing if it cannot be known which comb
    /// this is.
    pub fn new(
        source: &Source,
        function: &Signature,
        prefix: &str,
        passes: &PassOptions,
        code: &CodeOptions,
    ) -> Option<Self> {
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add(source.name().as_bytes());
        add(source.bytes());
        add(function.to_string().as_bytes());
        add(prefix.as_bytes());
        add(format!("{passes:?} {code:?}").as_bytes());
        add(format!("{:?}", Cpu::host()).as_bytes());
        add(code::llvm_version().as_bytes());
        add(this_program()?.as_bytes());
        Some(Self(hexadecimal(&hash.finalize())))
    }
}

/// The program that this is, which changes when comb is built anew.
fn this_program() -> Option<String> {
    let program = env::current_exe().ok()?;
    let metadata = program.metadata().ok()?;
    let (seconds, nanoseconds) = (metadata.mtime(), metadata.mtime_nsec());
    Some(format!(
        "{} {} {} {seconds}.{nanoseconds:09}",
        env!("CARGO_PKG_VERSION"),
        program.display(),
        metadata.size(),
    ))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl CodeCache {
    /// A cache in a folder, which need not be there yet, of at most `limit` bytes.
    pub fn new(folder: impl Into<PathBuf>, limit: u64) -> Self {
        Self {
            folder: folder.into(),
            limit,
        }
    }

    /// The folder that `COMB_CACHE` names, or else `comb` in the user's folder for
    /// caches. None if `COMB_CACHE` is `off`, or there is no such folder.
    pub fn from_environment() -> Option<Self> {
        let absolute = |name: &str| {
            let path = PathBuf::from(env::var_os(name)?);
            path.is_absolute().then_some(path)
        };
        let folder = match env::var_os("COMB_CACHE") {
            Some(off) if off == "off" => return None,
            Some(folder) if !folder.is_empty() => PathBuf::from(folder),
            _ => absolute("XDG_CACHE_HOME")
                .or_else(|| Some(absolute("HOME")?.join(".cache")))?
                .join("comb"),
        };
        Some(Self::new(folder, DEFAULT_LIMIT))
    }

    /// Where the files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The code that was kept under a key.
    pub fn load(&self, key: &Key) -> Option<MachineCode> {
        if !is_own(&self.folder) {
            return None;
        }
        let path = self.path(key);
        let content = read(&path)?;
        let Some(code) = decode(&content) else {
            let _ = fs::remove_file(&path);
            return None;
        };
        // It was used now. If that cannot be noted, it goes earlier.
        let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(code)
    }

    /// Keeps code under a key, if that is possible.
    pub fn store(&self, key: &Key, code: &MachineCode) {
        let stored = encode(code).map(|content| self.write(&self.path(key), &content));
        if let Some(Ok(())) = stored {
            let _ = self.trim();
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(&key.0).with_extension(ENDING)
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        if !is_own(&self.folder) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut file = AtomicFile::create(path)?;
        file.write_all(content)?;
        file.commit()
    }

    /// Removes what was not used for longest until the limit is kept. Other
    /// processes may be doing the same.
    fn trim(&self) -> io::Result<()> {
        let mut files = vec![];
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let path = entry.path();
            let is_code = path.extension().is_some_and(|ending| ending == ENDING);
            if let (true, Ok(metadata)) = (is_code, entry.metadata()) {
                files.push((metadata.modified()?, metadata.len(), path));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in files {
            if total <= self.limit {
                break;
            }
            let _ = fs::remove_file(path);
            total -= size;
        }
        Ok(())
    }
}

/// The content of a file. What is something else, such as a pipe, is none of the cache's.
fn read(path: &Path) -> Option<Vec<u8>> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file.then(|| fs::read(path).ok())?
}

/// Whether a folder is this user's, and only this user can write to it.
fn is_own(folder: &Path) -> bool {
    let owner = |path: &Path| fs::metadata(path).map(|metadata| (metadata.uid(), metadata.mode()));
    match (owner(folder), owner(Path::new("/proc/self"))) {
        (Ok((owner, mode)), Ok((user, _))) => owner == user && mode & 0o022 == 0,
        _ => false,
    }
}

/// Format, hash of the rest; and that: the description and the objects, each behind its
/// length.
fn encode(code: &MachineCode) -> Option<Vec<u8>> {
    let description = serde_json::to_vec(&code.description).ok()?;
    let mut rest = vec![];
    for part in std::iter::once(&description).chain(&code.objects) {
        rest.extend((part.len() as u64).to_le_bytes());
        rest.extend(part);
    }
    Some([MAGIC, &Sha256::digest(&rest), &rest].concat())
}

fn decode(content: &[u8]) -> Option<MachineCode> {
    let (hash, mut rest) = content.strip_prefix(MAGIC)?.split_at_checked(HASH)?;
    if Sha256::digest(rest).as_slice() != hash {
        return None;
    }
    let mut parts = vec![];
    while !rest.is_empty() {
        let (length, behind) = rest.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (part, behind) = behind.split_at_checked(length)?;
        parts.push(part);
        rest = behind;
    }
    let (description, objects) = parts.split_first()?;
    Some(MachineCode {
        objects: objects.iter().map(|object| object.to_vec()).collect(),
        description: serde_json::from_slice::<Description>(description).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{os::unix::fs::PermissionsExt, thread};

    fn code(object: &[u8]) -> MachineCode {
        MachineCode {
            objects: vec![object.to_vec(), b"another object".to_vec()],
            description: Description {
                externals: vec!["expf".to_owned()],
                entries: vec![],
            },
        }
    }

    fn key(name: &str) -> Key {
        Key(name.to_owned())
    }

    fn cache(limit: u64) -> (tempfile::TempDir, CodeCache) {
        let directory = tempfile::tempdir().unwrap();
        let cache = CodeCache::new(directory.path().join("a/b"), limit);
        (directory, cache)
    }

    #[test]
    fn what_is_stored_is_found() {
        let (_directory, cache) = cache(DEFAULT_LIMIT);
        assert_eq!(cache.load(&key("one")), None);
        cache.store(&key("one"), &code(b"first"));
        cache.store(&key("one"), &code(b"second"));
        assert_eq!(cache.load(&key("one")), Some(code(b"second")));
        assert_eq!(cache.load(&key("two")), None);
    }

    #[test]
    fn damaged_files_are_as_good_as_none() {
        let (_directory, cache) = cache(DEFAULT_LIMIT);
        let path = cache.path(&key("one"));
        cache.store(&key("one"), &code(b"machine code"));
        let content = fs::read(&path).unwrap();
        for position in 0..content.len() {
            let mut damaged = content.clone();
            damaged[position] ^= 1;
            fs::write(&path, &damaged).unwrap();
            assert_eq!(cache.load(&key("one")), None, "byte {position}");
            assert!(!path.exists());
            fs::write(&path, &content[..position]).unwrap();
            assert_eq!(cache.load(&key("one")), None, "{position} bytes");
        }
        fs::write(&path, &content).unwrap();
        assert_eq!(cache.load(&key("one")), Some(code(b"machine code")));
    }

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let size = encode(&code(&[0; 100])).unwrap().len() as u64;
        let (_directory, cache) = cache(2 * size);
        let names = ["one", "two", "three"];
        fs::create_dir_all(&cache.folder).unwrap();
        fs::write(cache.folder.join("other.txt"), [0; 1000]).unwrap();
        for name in &names[..2] {
            cache.store(&key(name), &code(&[0; 100]));
        }
        let past = SystemTime::UNIX_EPOCH;
        for name in &names[..2] {
            File::open(cache.path(&key(name)))
                .unwrap()
                .set_modified(past)
                .unwrap();
        }
        assert!(cache.load(&key("one")).is_some());
        cache.store(&key("three"), &code(&[0; 100]));
        let there = names.map(|name| cache.path(&key(name)).exists());
        assert_eq!(there, [true, false, true]);
        assert!(cache.folder.join("other.txt").exists());
    }

    #[test]
    fn a_folder_that_others_can_write_to_is_not_used() {
        let (_directory, cache) = cache(DEFAULT_LIMIT);
        cache.store(&key("one"), &code(b"code"));
        fs::set_permissions(&cache.folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(cache.load(&key("one")), None);
        cache.store(&key("two"), &code(b"code"));
        assert!(!cache.path(&key("two")).exists());
    }

    #[test]
    fn threads_share_a_folder() {
        let size = encode(&code(&[0; 1000])).unwrap().len() as u64;
        let (_directory, cache) = cache(3 * size);
        thread::scope(|scope| {
            for thread in 0..8_usize {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..50 {
                        let number = (thread + round) % 5;
                        let key = key(&number.to_string());
                        let expected = code(&[number as u8; 1000]);
                        cache.store(&key, &expected);
                        assert!(cache.load(&key).is_none_or(|found| found == expected));
                    }
                });
            }
        });
        let left = fs::read_dir(&cache.folder).unwrap().count();
        assert!((1..=3).contains(&left), "{left} files");
    }
}
