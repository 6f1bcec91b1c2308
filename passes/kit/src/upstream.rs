//! What of MLIR and LLVM comb leaves out, replaces or checks, since it is wrong, or undefined
//! where comb promises a meaning.
//!
//! [`WORKAROUNDS`] is the one list. The pipelines take from it which patterns of the
//! canonicaliser are off (`comb-canonicalize`), and the page `docs/src/upstream.md` is made of it
//! (`./x docs`). Each entry has a test in `lit-tests/upstream`, of its name, that runs upstream's
//! own tools and finds the fault still there: when it fails after an update of LLVM, the
//! work-around can go.

mod list;
mod page;

pub use list::WORKAROUNDS;
pub use page::page;

/// A fault of upstream, and what comb does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workaround {
    /// A short name, in lower case with hyphens: that of the test, without its ending.
    pub name: &'static str,
    /// The pass, pattern, op or part of code generation.
    pub upstream: &'static str,
    /// What is wrong with it.
    pub fault: &'static str,
    /// What comb does about it, and where.
    pub instead: &'static str,
    /// In which way.
    pub measure: Measure,
    /// LLVM's issues about it; none if none is known.
    pub issues: &'static [u32],
}

/// What comb does about a fault of upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Patterns of the canonicaliser that are off in all of comb's pipelines, by the names that
    /// the canonicaliser has for them (with their C++ namespace).
    PatternsOff(&'static [&'static str]),
    /// Something else that does not run.
    LeftOut,
    /// A pass of comb does the work instead.
    Replaced,
    /// What would meet the fault is checked or rewritten before.
    Checked,
}

/// The canonicaliser, without the patterns of the list, those of a label, if one is given, and with
/// further options, in MLIR's syntax. The pipeline `comb-canonicalize` asks for the patterns
/// ([`patterns_off`]): some names have commas, at which a list would be split.
pub fn canonicalize(label: Option<&str>, options: &str) -> String {
    let label = label.map(|label| format!("disable-patterns={label}"));
    let options = [options.to_owned(), label.unwrap_or_default()];
    let options: Vec<String> = options
        .into_iter()
        .filter(|option| !option.is_empty())
        .collect();
    format!("comb-canonicalize{{{}}}", options.join(" "))
}

/// The patterns of the canonicaliser that are off.
pub fn patterns_off() -> impl Iterator<Item = &'static str> {
    WORKAROUNDS
        .iter()
        .flat_map(|workaround| workaround.measure.patterns())
}

impl Measure {
    /// The patterns of the canonicaliser that are off.
    pub fn patterns(self) -> impl Iterator<Item = &'static str> {
        match self {
            Self::PatternsOff(patterns) => patterns,
            Self::LeftOut | Self::Replaced | Self::Checked => &[],
        }
        .iter()
        .copied()
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    #[test]
    fn every_workaround_has_a_test_and_every_test_one() {
        let tests: BTreeSet<String> = fs::read_dir(root().join("lit-tests/upstream"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        let names: BTreeSet<String> = WORKAROUNDS
            .iter()
            .map(|workaround| workaround.name.to_owned())
            .collect();
        assert_eq!(tests, names);
        assert_eq!(names.len(), WORKAROUNDS.len(), "two entries have one name");
    }

    #[test]
    fn the_page_is_up_to_date() {
        let written = fs::read_to_string(root().join("docs/src/upstream.md")).unwrap();
        assert!(
            written == page(),
            "run ./x docs: docs/src/upstream.md is not what the list says"
        );
    }

    #[test]
    fn the_canonicaliser_has_options() {
        assert_eq!(canonicalize(None, ""), "comb-canonicalize{}");
        assert_eq!(
            canonicalize(Some("soac-sugar"), "top-down=false"),
            "comb-canonicalize{top-down=false disable-patterns=soac-sugar}"
        );
    }
}
