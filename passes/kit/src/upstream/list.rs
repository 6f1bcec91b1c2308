//! The entries.

use super::{Measure, Workaround};

/// All of them, in the order of the page within each of its sections.
pub static WORKAROUNDS: &[Workaround] = &[
    Workaround {
        name: "subview-of-cast",
        upstream: "`canonicalize`, on `memref.subview` of a `memref.cast`",
        fault: "A view of an array that is known to be empty gets a static size that the verifier then \
                rejects: its start is also the array's end.",
        instead: "The canonicaliser runs without the pattern.",
        measure: Measure::PatternsOff(&["(anonymous namespace)::SubViewOpMemRefCastFolder"]),
        issues: &[],
    },
    Workaround {
        name: "for-tensor-cast",
        upstream: "`canonicalize`, on an `scf.for` that begins with a `tensor.cast`",
        fault: "The loop carries an array of the size that it begins with, and what its iterations yield is \
                cast to that size, which it need not have. Nothing checks it.",
        instead: "The canonicaliser runs without the pattern.",
        measure: Measure::PatternsOff(&["(anonymous namespace)::ForOpTensorCastFolder"]),
        issues: &[],
    },
    Workaround {
        name: "while-move-if-down",
        upstream: "`canonicalize`, on an `scf.while` that gives the result of an `scf.if` twice",
        fault: "The `scf.if` moves behind the loop's condition for one of the two; the other one becomes what \
                the branch of the loop's end yields, also where the loop goes on.",
        instead: "The canonicaliser runs without the pattern.",
        measure: Measure::PatternsOff(&["(anonymous namespace)::WhileMoveIfDown"]),
        issues: &[219_456],
    },
    Workaround {
        name: "identity-of-parts",
        upstream: "`canonicalize`, on `linalg.generic` that copies elements at the same indices",
        fault: "The copy is replaced by the array that it copies, also where the indices are those of some elements \
                only: the other ones should stay those of the destination.",
        instead: "The canonicaliser runs without the pattern; `comb-raise-linalg` makes combinators of copies.",
        measure: Measure::PatternsOff(&[
            "(anonymous namespace)::EraseIdentityLinalgOp<mlir::linalg::GenericOp>",
        ]),
        issues: &[],
    },
    Workaround {
        name: "invariants",
        upstream: "`loop-invariant-code-motion`",
        fault: "Ops of the tensor dialect that read, cast or make arrays, and remainders of divisions by what may be \
                0, leave loops that may never run, and the checks in front of them.",
        instead: "`comb-hoist-invariants` moves only what relies on no check.",
        measure: Measure::Replaced,
        issues: &[],
    },
    Workaround {
        name: "one-array-twice",
        upstream: "`one-shot-bufferize` with `allow-return-allocs-from-loops`",
        fault: "A new array that an iteration yields twice, or a function returns twice, is one block of memory, \
                though the next iteration writes to one of the two. An array constant that an iteration \
                yields is written to.",
        instead: "`comb-separate-arrays` copies all but one of them before.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "switch-of-arrays",
        upstream: "`one-shot-bufferize`, on `scf.index_switch` that gives arrays",
        fault: "It does not see that the array which the switch gives is that of a case, and writes to \
                it in place, though it is read later.",
        instead: "`comb-separate-arrays` makes branches of such switches before.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "while-of-arrays",
        upstream: "`one-shot-bufferize`, on `scf.while` that passes on arrays from outside",
        fault: "Where the two regions do not carry the same arrays in the same order, the next iteration \
                writes to an array from outside.",
        instead: "`comb-separate-arrays` copies arrays from outside that an `scf.while` passes on.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "kept-elements",
        upstream: "`one-shot-bufferize`, on ops of `linalg` that do not read their destination",
        fault: "It takes it that they write all of it. Elements that they do not write, as where a loop runs 0 times \
                or the index is `i * 2`, are whatever is in new memory.",
        instead: "`comb-separate-arrays` has an op read its destination unless it is known to write all of it \
                  (`separate_arrays/kept.rs`).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "destinations-of-maps",
        upstream: "`one-shot-bufferize`, on `linalg.map`",
        fault: "It takes it that a map never reads its destination, though its region may: it then reads what is in \
                new memory.",
        instead: "`comb-separate-arrays` gives such maps a copy of their destination \
                  (`separate_arrays/kept.rs`).",
        measure: Measure::Checked,
        issues: &[213_241],
    },
    Workaround {
        name: "rank-reduced-slices",
        upstream: "`canonicalize`, on `tensor.extract_slice`, `tensor.insert_slice` and \
                   `tensor.parallel_insert_slice`",
        fault: "Where an offset, a size or a stride becomes constant, the first dimensions of size 1 are \
                taken for those that the slice's array lacks, whatever its type says.",
        instead: "The canonicaliser runs without the patterns; `soac-desugar` writes constants into \
                  slices (`desugar/slices.rs`).",
        measure: Measure::PatternsOff(&[
            "mlir::OpWithOffsetSizesAndStridesConstantArgumentFolder<mlir::tensor::ExtractSliceOp, \
             SliceReturnTypeCanonicalizer, SliceCanonicalizer>",
            "(anonymous namespace)::InsertSliceOpConstantArgumentFolder<mlir::tensor::InsertSliceOp>",
            "(anonymous namespace)::InsertSliceOpConstantArgumentFolder<mlir::tensor::ParallelInsertSliceOp>",
            // They give what is inserted a type that fits only what the others make.
            "(anonymous namespace)::InsertSliceOpSourceCastInserter<mlir::tensor::InsertSliceOp>",
            "(anonymous namespace)::InsertSliceOpSourceCastInserter<mlir::tensor::ParallelInsertSliceOp>",
            // A size that a cast claims may be the second 1 of which one is left out: a view that
            // `expand-strided-metadata` crashes at.
            "(anonymous namespace)::TensorCastExtractSlice",
        ]),
        issues: &[178_118, 217_361],
    },
    Workaround {
        name: "least-bound-of-forall",
        upstream: "`canonicalize`, on `scf.forall`",
        fault: "A bound of −2^63 is taken for \"not constant\", and written into the op again and again.",
        instead: "The canonicaliser runs without the pattern.",
        measure: Measure::PatternsOff(&["(anonymous namespace)::ForallOpControlOperandsFolder"]),
        issues: &[],
    },
    Workaround {
        name: "least-integer-in-lists",
        upstream: "`canonicalize`, on ops with lists of sizes, offsets and strides",
        fault: "A constant of −2^63 is taken for \"not constant\" when it is written into the list: the op \
                then has too few operands, or is no longer valid.",
        instead: "`soac-insert-checks` gives ops other constants, behind the checks that fail \
                  (`checks/least.rs`).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "negative-padding",
        upstream: "`convert-tensor-to-linalg`, on `tensor.pad`",
        fault: "A negative amount, which leaves out elements, becomes a slice that begins in front of \
                its array.",
        instead: "`soac-insert-checks` gives the op the part of the array that stays (`checks/padding.rs`).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "empty-views",
        upstream: "`one-shot-bufferize`, on `tensor.concat` and `tensor.collapse_shape` of arrays \
                   without elements",
        fault: "The verifier rejects the views of memory that they become: a slice of no elements may \
                begin where the array ends, and 0 times an open size is no open size.",
        instead: "`comb-replace-empty-arrays` makes new arrays of them; `tensor.concat` is \
                  `soac.concat`.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "several-open-sizes",
        upstream: "`expand-strided-metadata`, on `memref.expand_shape`",
        fault: "It crashes if a dimension is expanded to several sizes that are not known.",
        instead: "`comb-lower-expansions` runs before.",
        measure: Measure::Checked,
        issues: &[186_830],
    },
    Workaround {
        name: "sccp-in-place",
        upstream: "`sccp`, on `vector.extract` from what `vector.from_elements` makes",
        fault: "It tries what an op gives for the first of the numbers that a position may be. That number stays \
                in the op, and every iteration of a loop extracts the element of the first one.",
        instead: "No pipeline has the pass.",
        measure: Measure::LeftOut,
        issues: &[],
    },
    Workaround {
        name: "rounding-modes",
        upstream: "`convert-arith-to-llvm`, on `arith.truncf` with a rounding mode",
        fault: "It becomes an intrinsic that takes it that the CPU rounds in that direction, which nothing has \
                told it. The expansion of bf16 has no form for it.",
        instead: "`soac-insert-checks` rounds to nearest, and corrects (S33).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "float-extrema",
        upstream: "`convert-arith-to-llvm` and `arith-expand`, on `arith.maxnumf` and its kin",
        fault: "Of +0 and −0 either may come out; IEEE 754 and comb have −0 less than +0.",
        instead: "`convert-float-extrema-to-llvm` lowers the four ops (S35).",
        measure: Measure::Replaced,
        issues: &[],
    },
    Workaround {
        name: "half-precision-rounding",
        upstream: "`arith-emulate-unsupported-floats`",
        fault: "The conversions that it makes are marked `contract` and folded away in pairs, so that \
                intermediate results keep more bits than their type has.",
        instead: "`comb-widen-half-precision` rounds after every op (S33).",
        measure: Measure::Replaced,
        issues: &[],
    },
    Workaround {
        name: "bool-vectors",
        upstream: "`convert-vector-to-llvm`, on vectors of `i1` in memory",
        fault: "A vector of `i1` is loaded and stored as a row of bits, where an array has a byte for each \
                element.",
        instead: "`comb-expand-bool-vectors` makes bytes of them.",
        measure: Measure::Replaced,
        issues: &[],
    },
    Workaround {
        name: "alloca-in-loop",
        upstream: "`convert-scf-to-cf`, on `memref.alloca` in a loop",
        fault: "What an iteration takes from the stack is kept until the function returns.",
        instead: "`comb-scope-allocas` bounds the stack that loops take.",
        measure: Measure::Replaced,
        issues: &[],
    },
    Workaround {
        name: "index-cast-pair",
        upstream: "`canonicalize`, on `arith.index_cast` from `index` to a narrower type and back",
        fault: "The pair is folded to nothing, and the bits that the narrower type has not come back.",
        instead: "`soac-insert-checks` has such casts go through 64 bits (S28).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "division-folds",
        upstream: "`canonicalize` and LLVM, on `arith.divsi` and its kin, shifts and `arith.fptosi`",
        fault: "Division by zero, the least integer by −1, wide shifts and numbers that do not fit are \
                undefined: a processor's trap, poison, or whatever folds give.",
        instead: "`soac-insert-checks` gives them the meaning of S29 to S31 and S34, in front of everything \
                  that simplifies.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "negative-strides",
        upstream: "`finalize-memref-to-llvm`, on views with negative strides",
        fault: "Indices are multiplied by a stride with `nuw`, which no negative number is: LLVM folds \
                the address wrongly.",
        instead: "Reversed dimensions are read one element at a time, or in vectors that are reversed \
                  (`convert_to_linalg/rearrangement.rs`); no view has a negative stride.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "loop-end",
        upstream: "`convert-scf-to-cf`, on `scf.for` and `scf.parallel`",
        fault: "The step is added to the index until it is not below the bound. Near the end of the type that \
                wraps around: the loop runs too often, or never ends.",
        instead: "`comb-count-loops` lets loops for which that cannot be ruled out count their iterations \
                  (S41).",
        measure: Measure::Checked,
        issues: &[178_506, 175_301, 153_379],
    },
    Workaround {
        name: "long-loop",
        upstream: "`canonicalize`, on `scf.for`, `scf.parallel` and `scf.forall` with constant bounds",
        fault: "Iterations are counted by the difference of the bounds in the loop's type, as a signed number: \
                a loop longer than half the type never runs.",
        instead: "`comb-count-loops` counts the iterations of such loops before (S41).",
        measure: Measure::Checked,
        issues: &[179_985],
    },
    Workaround {
        name: "affine-divisors",
        upstream: "`lower-affine`",
        fault: "Divisors are taken to be positive: others trap, or give numbers. The least integer is rounded up \
                to a positive quotient.",
        instead: "`comb-define-affine` runs before, and checks them (S48).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "switch-bits",
        upstream: "`convert-scf-to-cf`, on `scf.index_switch`",
        fault: "Only the low 32 bits are looked at.",
        instead: "`comb-narrow-switches` makes a number that does not fit them one that is no case (S41).",
        measure: Measure::Checked,
        issues: &[95_246],
    },
    Workaround {
        name: "last-case",
        upstream: "The verifier of `scf.index_switch`, which `lift-cf-to-scf` makes of `cf.switch`",
        fault: "A case of 2^63 − 1 is taken for one that is there twice. Of numbers with more than 64 \
                bits, the lowest are looked at.",
        instead: "`comb-number-cases` numbers the cases before.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "index-division",
        upstream: "`convert-index-to-llvm`, on `index.ceildivs` and `index.floordivs`",
        fault: "Numbers near the ends of the type trap, or give a quotient with the wrong sign.",
        instead: "`soac-insert-checks` says the arithmetic of `index` with `arith` (S30).",
        measure: Measure::Checked,
        issues: &[223_127, 215_696],
    },
    Workaround {
        name: "integer-powers",
        upstream: "`convert-math-to-funcs`, on `math.fpowi`",
        fault: "Numbers are multiplied again and again, each time with a rounding error.",
        instead: "`soac-insert-checks` says it with `math.powf` (S36).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "inline-unregistered",
        upstream: "`inline`, on ops that are not registered and have regions",
        fault: "It crashes.",
        instead: "`comb-check-program` refuses them where they stand.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "dim-in-loop",
        upstream: "`finalize-memref-to-llvm`, on `memref.dim` at an index that varies",
        fault: "Each time it runs it takes more of the stack, which is kept until the function returns.",
        instead: "`comb-scope-allocas` runs once more when all is lowered.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "damaged-bytecode",
        upstream: "MLIR's reader of bytecode",
        fault: "It trusts what a file says of its tables: a group of attributes or types that is larger than \
                their table is written beyond the table's end.",
        instead: "`comb run`, `build`, `explain` and `import`, and `comb-opt`, read a file with code of comb's own \
                  first (`tools/bytecode`).",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "byte-shuffles",
        upstream: "LLVM's code generation for x86, on permutations of bytes",
        fault: "It does not come to an end where some of 64 bytes are permuted: with AVX512-VBMI, and on CPUs \
                that permute across lanes fast.",
        instead: "AVX512-VBMI is not used, and functions with such vectors are compiled as for CPUs that are \
                  slow at it (`tools/driver/src/byte_shuffles.rs`).",
        measure: Measure::LeftOut,
        issues: &[137_422, 224_266],
    },
    Workaround {
        name: "bf16-moves",
        upstream: "LLVM's code generation for x86, on single numbers of `bf16`",
        fault: "Where they are only moved, without optimisation, subnormal numbers are lost. A sign that is \
                given to a number is lost, too.",
        instead: "The conversions of AVX512-BF16 and AVX-NE-CONVERT are not used, programs with `bf16` are \
                  never compiled without optimisation of single instructions, and \
                  `comb-widen-half-precision` sets signs by their bits.",
        measure: Measure::LeftOut,
        issues: &[139_239],
    },
    Workaround {
        name: "nvidia-bits",
        upstream: "LLVM's code generation for NVIDIA's GPUs, on conversions of `i1`",
        fault: "`fptoui` and `fptosi` to `i1` ask whether the number is 0, and give the opposite. `sitofp` from `i1` to `bf16` \
                gives 1 in place of -1.",
        instead: "`comb-call-intrinsics` converts by way of `i32`.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "nvidia-shifts",
        upstream: "LLVM's code generation for NVIDIA's GPUs, on shifts of 64 bits",
        fault: "Where a shift by 64 or more is selected to be 0, the select goes, and the GPU shifts by the lower half of the \
                number: by 2^32, nothing is shifted.",
        instead: "`comb-call-intrinsics` has the lowest six bits of the number shifted by, which LLVM does not take for what is \
                  compared.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "nvidia-layout",
        upstream: "`convert-gpu-to-nvvm`",
        fault: "It does not say how the GPU's memory is laid out. LLVM takes numbers of 64 bits to be aligned to 32, and reads and \
                writes them in halves: slow, though not wrong.",
        instead: "`comb-join-kernels` says it.",
        measure: Measure::Checked,
        issues: &[],
    },
    Workaround {
        name: "nvidia-shared",
        upstream: "LLVM's code generation for NVIDIA's GPUs, on arrays that a block shares",
        fault: "An array without alignment is taken to be aligned to 16 bytes if it is larger than that, and accesses are \
                vectorised so; but what the driver is told is the alignment of an element. A GPU refuses such accesses.",
        instead: "`comb-join-kernels` aligns them to 16 bytes.",
        measure: Measure::Checked,
        issues: &[],
    },
];
