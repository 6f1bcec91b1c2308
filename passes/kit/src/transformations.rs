//! The optional transformations: a program compiles to right code without any of them.
//!
//! Each has a name, by which it can be [switched off](crate::switches), and a line that says what it
//! does. What a pass has to do for its result to be a program of the next one is not in this list.

use std::fmt;

use thiserror::Error;

macro_rules! transformations {
    ($($variant:ident $name:literal in $pass:literal: $meaning:literal;)*) => {
        /// An optional transformation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Transformation {
            $(#[doc = $meaning] $variant,)*
        }

        impl Transformation {
            /// All of them, in the order of the pipeline.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// What it is called.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The pass that does it.
            pub fn pass(self) -> &'static str {
                match self {
                    $(Self::$variant => $pass,)*
                }
            }

            /// What it does.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)*
                }
            }
        }
    };
}

transformations! {
    HoistInvariants "hoist-invariants" in "comb-hoist-invariants":
        "What does not change from one iteration to the next leaves `scf` loops.";
    ScattersOfParts "scatters-of-parts" in "soac-desugar":
        "What is joined for a scatter is scattered part by part.";
    Reshapes "reshapes" in "soac-desugar":
        "Combinators between which there is a reshape are computed in one shape.";
    Columns "columns" in "soac-desugar":
        "A concatenation of narrow rows is a map that chooses.";
    CarriedSlices "carried-slices" in "soac-desugar":
        "Slices of an array that a loop updates are copied, so that it is updated in place.";
    ComposedReads "composed-reads" in "soac-desugar":
        "A gather by a function of what another one gives reads what that one reads.";
    OwnElements "own-elements" in "soac-desugar":
        "What a function reads at its own index is an operand.";
    Points "points" in "soac-desugar":
        "A single element of a cheap map is computed where it is read.";
    MapsAgain "maps-again" in "soac-desugar":
        "What reads a cheap map in another order, and is not alone, computes it again.";
    CheapArrays "cheap-arrays" in "soac-fuse":
        "Arrays that nothing has to be read for are computed where they are read.";
    AlikeGathers "alike-gathers" in "soac-fuse":
        "Gathers that read at the same places are one.";
    Fusion "fusion" in "soac-fuse":
        "Combinators share loops.";
    UnusedResults "unused-results" in "soac-fuse":
        "A combinator stores no result that nobody uses.";
    CarriedBlocks "carried-blocks" in "comb-carry-blocks":
        "Loops and branches give memory that is there before.";
    ShortCircuiting "short-circuiting" in "comb-short-circuit":
        "An array that is copied into a part of another one is computed there.";
    ForwardedCopies "forwarded-copies" in "comb-short-circuit":
        "What reads a copy reads what that was copied from.";
    ReusedBlocks "reused-blocks" in "comb-reuse-blocks":
        "Memory that nobody needs any more is used again.";
    Wavefronts "wavefronts" in "nest-schedule":
        "Threads go through a sequential loop one behind the other.";
    Threads "threads" in "nest-schedule":
        "Threads share a loop.";
    Tables "tables" in "nest-schedule":
        "Threads share a scatter by a table for each chunk.";
    Buckets "buckets" in "nest-schedule":
        "Threads share a scatter by buckets of places.";
    Vectors "vectors" in "nest-schedule":
        "An innermost loop computes as many iterations at once as a vector has lanes.";
    Accumulators "accumulators" in "nest-schedule":
        "A loop that only folds takes several vectors at once.";
    OuterLanes "outer-lanes" in "nest-schedule":
        "Iterations of a loop around others are lanes.";
    Packing "packing" in "nest-schedule":
        "An operand of a product is copied in the order in which lanes read it.";
    UnrollAndJam "unroll-and-jam" in "nest-schedule":
        "Iterations of a nest's loop are unrolled, and the loops inside jammed.";
    Pieces "pieces" in "nest-schedule":
        "A loop that only folds is cut where an index wraps around.";
    Ahead "ahead" in "nest-schedule":
        "Positions of gathers are computed ahead, in blocks.";
    Streaming "streaming" in "nest-schedule":
        "Large results are written past the caches.";
    RowsAhead "rows-ahead" in "nest-schedule":
        "A stencil that writes past the caches fetches the rows that come next.";
    Prefetch "prefetch" in "nest-schedule":
        "A loop over a segment fetches what a later segment begins with.";
    GuidedReads "guided-reads" in "nest-to-vectors":
        "Lanes that are mostly neighbours are asked whether they are, and loaded as a vector then.";
    GathersByLane "gathers-by-lane" in "nest-to-vectors":
        "Positions that are next to each other in memory are loaded lane by lane.";
    Transposes "transposes" in "nest-to-vectors":
        "Elements that are rows apart from lane to lane are loaded along the rows, and transposed.";
    Digits "digits" in "convert-soac-sorts-to-loops":
        "Long rows are sorted by digits.";
    ElideCopies "elide-copies" in "comb-elide-copies":
        "Arguments that loops only read are not copied.";
    SkipEmptyLoops "skip-empty-loops" in "comb-skip-empty-loops":
        "A loop whose iterations all do nothing is not run.";
    CopiesInVectors "copies-in-vectors" in "comb-lower-copies":
        "Rows of arrays are copied in vectors.";
    ExpandNarrowMasks "expand-narrow-masks" in "comb-expand-narrow-masks":
        "The first lanes of vectors of narrow numbers are copied through memory, without masks.";
    Extrema "extrema" in "comb-expand-extrema":
        "Maxima and minima of vectors are one instruction, and NaN is minded apart.";
    ReduceStrength "reduce-strength" in "comb-reduce-strength":
        "A loop carries vectors that go up with its index.";
    LimitUnrolling "limit-unrolling" in "comb-limit-unrolling":
        "LLVM does not unroll loops for which that is not worth it.";
    BalanceSquareRoots "balance-square-roots" in "comb-balance-square-roots":
        "Some square roots of a loop are computed by multiplications.";
    ExpandConversions "expand-conversions" in "comb-expand-conversions":
        "Vectors of 64-bit integers become floating-point numbers by arithmetic.";
    CompressInRegisters "compress-in-registers" in "comb-compress-in-registers":
        "What a filter keeps of a vector is packed before it is written.";
}

/// In place of a name: all of them.
pub const ALL: &str = "all";

/// No transformation is called so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "there is no transformation '{name}'{}; there are {}",
    hint(name),
    names()
)]
pub struct Unknown {
    /// The name.
    pub name: String,
}

impl Transformation {
    /// The transformations that a name stands for: one, or [`ALL`].
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn named(name: &str) -> Result<Vec<Self>, Unknown> {
        let mut all = Self::ALL.iter().copied();
        match all.clone().find(|known| known.name() == name) {
            Some(known) => Ok(vec![known]),
            None if name == ALL => Ok(all.by_ref().collect()),
            None => Err(Unknown {
                name: name.to_owned(),
            }),
        }
    }
}

impl fmt::Display for Transformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn names() -> String {
    let names: Vec<_> = Transformation::ALL.iter().map(|one| one.name()).collect();
    format!("{}, and {ALL}", names.join(", "))
}

/// What may have been meant.
fn hint(name: &str) -> String {
    let most = (name.chars().count() / 3).max(1);
    let near = Transformation::ALL
        .iter()
        .map(|one| (strsim::damerau_levenshtein(name, one.name()), one))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance);
    near.map_or(String::new(), |(_, one)| {
        format!(" (did you mean '{one}'?)")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_name_of_its_own() {
        for &one in Transformation::ALL {
            assert_eq!(Transformation::named(one.name()), Ok(vec![one]));
            assert!(one.meaning().ends_with('.'), "{one}");
        }
        let all = Transformation::named(ALL).unwrap();
        assert_eq!(all, Transformation::ALL);
    }

    #[test]
    fn unknown_names_are_errors_that_say_what_may_be_meant() {
        let message = Transformation::named("pakcing").unwrap_err().to_string();
        let start = "there is no transformation 'pakcing' (did you mean 'packing'?); there are hoist-invariants,";
        assert!(message.starts_with(start), "{message}");
        let message = Transformation::named("telephone").unwrap_err().to_string();
        let start = "there is no transformation 'telephone'; there are hoist-invariants,";
        assert!(message.starts_with(start), "{message}");
    }
}
