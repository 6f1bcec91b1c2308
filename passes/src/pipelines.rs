//! comb's pass pipelines, as text in MLIR's syntax.

/// A named sequence of passes.
pub struct Pipeline {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub description: &'static str,
    passes: &'static [&'static str],
}

impl Pipeline {
    /// The pipeline in MLIR's syntax, without the anchor.
    pub fn text(&self) -> String {
        self.passes.join(",")
    }
}

/// All pipelines.
pub static PIPELINES: &[Pipeline] = &[Pipeline {
    name: "comb-cpu",
    description: "lowers soac to the LLVM dialect for CPUs",
    passes: &[
        "soac-insert-checks",
        "convert-soac-to-linalg",
        "convert-soac-checks-to-llvm",
    ],
}];
