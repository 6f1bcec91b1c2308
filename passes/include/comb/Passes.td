//===- Passes.td - comb's passes ------------------------------------------===//
//
// Names, options and documentation of every pass. What a pass does is a Rust
// function (see passes/src/implementations.rs), called by the bridge in passes/cpp.
//
//===----------------------------------------------------------------------===//

#ifndef COMB_PASSES_TD
#define COMB_PASSES_TD

include "mlir/Pass/PassBase.td"

// Passes without an op look at no more than what they run on, so that a
// pipeline may run them on one function, and on several at the same time. Those
// on modules declare functions, or look at several.

def SoacInsertChecks : Pass<"soac-insert-checks", "::mlir::ModuleOp"> {
  let summary = "makes run-time checks explicit";
  let description = [{
    Inserts a `soac.check` in front of every op for everything that it needs and
    that is not known to hold when the program is compiled:

    * the requirements of `soac` ops: shapes that must agree, sizes that must not
      be negative, slices that must lie inside their array; sizes that a result's
      type claims; sizes of inner arrays that a lambda yields; and shapes with
      more than 2^59 elements, whose bytes could not be counted;
    * indices and slices of `tensor` ops, casts to static sizes, and sizes that
      arrays are reshaped to, padded to and joined with;
    * shapes of the operands of structured ops of `linalg` on tensors;
    * divisors of integer divisions, and steps of `scf.for`.

    A `cf.assert` becomes a `soac.check` with its message.

    What the gathers, scatters and backpermutes read and write at computed
    indices is checked where it happens, by `convert-soac-to-linalg`.

    Arithmetic gets the defined meaning that docs/src/semantics.md gives it: the
    least integer divided by -1 wraps around, shifts by the width or more shift
    everything out, and conversions from floating point saturate. Arithmetic on
    whole arrays becomes `soac.map`. Vectors are left alone.

    Sizes are traced to where they come from, so that arrays computed from each
    other are known to have one shape; indices are bounded by the loops and
    lambdas that they come from.

    The array of a `bufferization.to_tensor` becomes a copy where memory may be
    written afterwards. Constant arrays of equal elements become `soac.fill` where
    combinators read them.

    Functions get the attribute `soac.has_checks`. If the pass runs again, it adds
    nothing to such functions. Of modules that have functions without it, too, the
    attribute becomes `soac.clusters_have_checks`: then it adds nothing to clusters,
    which were made of ops with checks. Where combinators are lowered, both go.
  }];
  let options = [
    Option<"unchecked", "unchecked", "bool", "false",
           "Take for granted that the program does not fail: insert no checks "
           "(behaviour is undefined if it does)">
  ];
  let statistics = [
    Statistic<"checksInserted", "checks-inserted", "Number of checks inserted">,
    Statistic<"checksProven", "checks-proven",
              "Number of requirements that are known to hold">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::tensor::TensorDialect", "::soac::SoacDialect"];
}

def SoacFuse : Pass<"soac-fuse"> {
  let summary = "puts combinators that are to share loops into clusters";
  let description = [{
    Decides for every block of every function which combinators share which
    loops, and in which order each goes over its array, so that the cost is as
    low as possible; and writes that into the program as `soac.cluster` ops
    (docs/src/clusters.md). Clusters inside clusters share the inner loops too.
    The program means the same without them (`soac-erase-clusters`).

    Expects that `soac-insert-checks` and `soac-desugar` have run: the pipeline
    `comb-fuse` does all that is useful before. What they leave in is fused as
    far as it is understood.

    Combinators may say what is wanted of them: those with the same
    `soac.together = "name"` share their outermost loop, no two of those with
    the same `soac.apart = "name"` do, and one with `soac.alone` is fused with
    nothing. That a wish cannot be fulfilled is an error (with the algorithm
    `ilp`; the others do what they can).

    Parameters may say how large they usually are, for the cost: an `index` by
    `soac.extent = 1000`, an array by `soac.extent = array<i64: 1000, -1>`, with -1
    where nothing is known. The option `extent` says the same, and goes before.
  }];
  let options = [
    Option<"cost", "cost", "std::string", "\"prices\"",
           "What is to be as low as possible: clusters, edges, manifest, reads, "
           "reads+writes, ext-bytes, max-contract, max-locality, robinson, "
           "filter-weights, prices, or a weighted sum such as "
           "2*reads+writes+0.1*clusters">,
    Option<"algorithm", "algorithm", "std::string", "\"ilp\"",
           "How: ilp (the optimum), greedy, greedy-top-down, greedy-bottom-up, "
           "linear, unintrusive, singleton (nothing is fused), branch-and-bound">,
    Option<"solver", "solver", "std::string", "\"comb\"",
           "What solves integer programs: comb, highs, cbc">,
    Option<"formulation", "formulation", "std::string", "\"own\"",
           "The integer program: own, figure4, compact">,
    Option<"timeLimit", "time-limit", "double",
           "std::numeric_limits<double>::infinity()",
           "After so many seconds, take the best answer known (0: what is found at "
           "once, inf: no limit, the default)">,
    Option<"levels", "levels", "int64_t", "16",
           "How many loops may be shared: with 1, only the outermost">,
    Option<"maxArguments", "max-arguments", "int64_t", "0",
           "How many arrays a cluster may read and write (0: any number)">,
    Option<"maxMemory", "max-memory", "int64_t", "0",
           "How many bytes of arrays may be stored at a time (0: any number)">,
    Option<"solverMemory", "solver-memory", "int64_t", "0",
           "How many MiB comb's own solver may take (0: the usual number)">,
    ListOption<"extents", "extent", "std::string",
               "NAME=N: how large a size usually is, for the cost; a parameter n, or "
               "xs.0 for the first dimension of xs">,
    Option<"recomputation", "recomputation", "bool", "true",
           "Pay for work that is done again in the order of a gather">
  ];
  let statistics = [
    Statistic<"clusters", "clusters", "Number of clusters written">,
    Statistic<"combinators", "combinators", "Number of combinators seen">,
    Statistic<"unproven", "unproven",
              "Number of blocks whose answer is not known to be the best">
  ];
  let dependentDialects = ["::soac::SoacDialect"];
}

def SoacEraseClusters : Pass<"soac-erase-clusters"> {
  let summary = "takes combinators out of clusters";
  let description = [{
    Replaces every `soac.cluster` by the combinators in it, and removes the orders
    that `soac-fuse` wrote at them; labels of gathers stay. The program means the
    same.
  }];
}

def SoacDesugar : Pass<"soac-desugar"> {
  let summary = "rewrites structured combinators to the few core ones";
  let description = [{
    Says with the combinators that fusion knows what the structured ones say:

    * `iota` and `fill` become `generate`;
    * `replicate`, `reverse`, `rotate`, `slice`, `take`, `drop`, `transpose`, and
      `reshape` that only adds and removes dimensions of size 1 for a combinator that reads
      it, become an unchecked `backpermute` with an affine lambda, which yields its own argument
      where an index does not change;
    * `cross` becomes two of these, one for the arrays on each side;
    * `concat` along the last of several dimensions, if rows are narrow and their sizes known,
      becomes a `map` that chooses among such a `backpermute` of each part, by the place in the
      row that a `generate` gives;
    * `zip` becomes its operands;
    * `scatter` of what `concat` joins along the first dimension becomes a scatter of each part, one
      after the other, if nobody else needs the whole;
    * combinators that read a `tensor.extract_slice` read such a `backpermute` instead.

    A `tensor.extract_slice` or `tensor.insert_slice` with strides that leaves out some of
    its dimensions of size 1, and keeps others, is reshaped instead, since MLIR cannot tell
    in memory which ones it leaves out.

    Then an unchecked `backpermute` of an unchecked `backpermute` becomes one that
    reads the arrays which the first one reads, also if the first one has other
    users; and one that changes nothing is replaced by its inputs. Checked ones
    take part if their indices are known to be in range.

    A `tensor.extract` of a cheap `map`'s result at an index that is the same in all
    iterations reads the map's inputs instead, and computes the element itself. So does
    a `gather` from a cheap `map` that somebody else reads, too, if the map reads one
    array only, an argument of the function or of a loop: then neither waits for the
    other.

    What a `generate` or `map` reads by `tensor.extract` at the index of its own loops, or of the
    outer ones, becomes an operand, if it is computed beside it; a `generate` that reads becomes
    a `map`. Filters, scans, folds and scatters lose arrays whose results nobody uses, if the
    others do without them.

    Before, a reshape (of `soac` or `tensor`) between combinators is removed, if the ones before or
    behind it can be computed in the other's shape: maps, the indices of gathers, the sources of
    scatters, and folds of all dimensions. What they read from elsewhere, and what others read of
    theirs, is reshaped instead.

    Other reshapes and `lmad_slice` stay, and so does all that is inside clusters.

    Expects that `soac-insert-checks` has run; what an op requires of its operands
    is taken for granted. The canonicaliser's patterns with the label `soac-sugar`
    do the opposite.
  }];
  let options = [
    Option<"unchecked", "unchecked", "bool", "false",
           "Take every index to be in range, as if every `backpermute` were "
           "`unchecked`">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::soac::SoacDialect"];
}

def ConvertSoacSortsToLoops : Pass<"convert-soac-sorts-to-loops", "::mlir::ModuleOp"> {
  let summary = "lowers sorts to loops on memory";
  let description = [{
    Lowers every `soac.sort` that is in no other combinator. A sort reads a row whole before it
    writes any of it, so it is no loop nest like others.

    Rows are sorted into new memory. Threads share rows, or the parts of a row if there is only
    one, in an `scf.parallel` whose attribute `comb.schedule` says which thread takes which:
    `contiguous` for blocks. A row is sorted by merging, or, if it is long and the function compares
    numbers that it computes alike of both sides, by the digits of these numbers.

    Bufferization learns from `soac.needed` how long arrays are read. So what simplifies may run
    before it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::soac::SoacDialect"];
}

def ConvertSoacToLinalg : Pass<"convert-soac-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lowers combinators to linalg, scf and tensor ops";
  let description = [{
    Lowers every op of the dialect except `soac.check`, on tensors:
    structured ops to `linalg.generic`, the others to `scf` loops. Indices of
    gathers, scatters and backpermutes are checked in the loops unless the op is
    `unchecked`. Expects that `soac-insert-checks` has run; what an op requires
    of its operands is taken for granted.
  }];
  let options = [
    Option<"unchecked", "unchecked", "bool", "false",
           "Take every index to be in range, as if every op were `unchecked`">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def CombMarkEntryPoints : Pass<"comb-mark-entry-points", "::mlir::ModuleOp"> {
  let summary = "gives public functions the interface that callers rely on";
  let description = [{
    Public functions are what C programs and the tools call: they get MLIR's C
    interface (`llvm.emit_c_interface`), and their array arguments are marked
    `bufferization.writable = false`, so that a call never changes its inputs.
    Private functions stay as they are; bufferization decides for them.
  }];
}

def CombCheckLowered : Pass<"comb-check-lowered", "::mlir::ModuleOp"> {
  let summary = "refuses ops that comb-cpu does not lower";
  let description = [{
    Gives an error for each name of an op that the pipeline `comb-cpu` does not
    lower, where the op is written: ops of dialects that it does not know, and
    some of those that it knows (`linalg.pack`, `tensor.gather` and others).
    With `finished`, for each op that is not of the LLVM dialect.
  }];
  let options = [
    Option<"finished", "finished", "bool", "false",
           "Everything has been lowered to the LLVM dialect">
  ];
}

def CombLimitUnrolling : Pass<"comb-limit-unrolling"> {
  let summary = "lets LLVM unroll only loops for which that is worth it";
  let description = [{
    Marks two kinds of `scf.for` and `scf.while`, so that LLVM does not unroll them:

    * those with another loop inside: that would make a multiple of the code
      inside, and is worth nothing. Up to 16 iterations in all are left to LLVM;
    * those that read or write vectors with a mask that is the same in all iterations:
      they are for what whole vectors leave over.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CombSetMachine : Pass<"comb-set-machine", "::mlir::ModuleOp"> {
  let summary = "says at the module what machine its code is for";
  let description = [{
    Gives the module the attribute `comb.machine`, which passes ask what registers, caches
    and instructions there are ([a table](../machine.md) says what each fact means, and which
    CPUs there are). A module that has it keeps it, if it describes a machine; all else is an
    error. Without the attribute, passes take the machine to be `default`.
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"default\"",
           "A CPU of the table, as LLVM calls it">,
    Option<"gpu", "gpu", "std::string", "\"\"",
           "A GPU of the table, as LLVM calls it, in place of a CPU">,
    ListOption<"facts", "facts", "std::string",
               "KEY=VALUE: what is otherwise than with this CPU or GPU">
  ];
}

def CombSetTransformations
    : Pass<"comb-set-transformations", "::mlir::ModuleOp"> {
  let summary = "says at the module which optional transformations are off";
  let description = [{
    Gives the module the attribute `comb.transformations`, of which all passes ask whether they
    may apply an optional transformation ([a table](../transformations.md) lists these). A module
    that has it keeps it, if it is as it has to be; all else is an error. Without the
    attribute, all transformations are on.
  }];
  let options = [
    ListOption<"disabled", "disable", "std::string",
               "Transformations that are off, or all">,
    Option<"limit", "limit", "int64_t", "-1",
           "How often the others are applied in all; -1 is no limit">
  ];
}

def CombReduceStrength : Pass<"comb-reduce-strength"> {
  let summary = "lets loops carry vectors that go up by a step";
  let description = [{
    A vector that is computed of the index of an `scf.for` by broadcasts, casts that keep
    the lowest bits, sums, and products with what is the same in all iterations, goes up
    by the same vector in each iteration. If there is a product in it, and it fits a
    register, the loop carries it, and adds once instead.

    So it does with a vector that is converted to floating point, product or not: to
    broadcast a number takes the units that convert and add floating-point numbers. Vectors
    of 64-bit integers are carried for that if the CPU has instructions for them, and may take
    four registers of 512 bits then. For a machine without `conversions`, `comb-expand-conversions`
    converts an index in another way, and others may take one register.
  }];
}

def CombBalanceSquareRoots
    : Pass<"comb-balance-square-roots"> {
  let summary = "computes some of a loop's square roots by multiplications";
  let description = [{
    CPUs take as long for a vector of divisions or square roots as for ten to twenty
    multiplications, which they can do besides. In an innermost `scf.for` that does little
    else, this computes some of the roots of vectors of 512 bits by multiplications, from the
    CPU's estimate of their reciprocals, so that both take about as long. If there is only one root
    in an iteration, the loop does two iterations at once. Roots are rounded correctly, and
    results are the same bits.

    An estimate is an intrinsic of LLVM for x86, so nothing changes unless the machine
    has `estimates`. It runs while loops are `scf` ops, and before `math` is lowered.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def CombHoistInvariants : Pass<"comb-hoist-invariants"> {
  let summary = "moves what cannot fail, and does not change, out of loops";
  let description = [{
    Moves ops whose operands a loop of `scf` does not change in front of it, as
    `loop-invariant-code-motion` does, but for those that rely on a `soac.check` in front
    of them: ops of the tensor dialect that `soac-insert-checks` would check, and
    remainders of divisions by what may be 0.
  }];
}

def CombCheckProgram : Pass<"comb-check-program", "::mlir::ModuleOp"> {
  let summary = "refuses what passes after it do not survive";
  let description = [{
    MLIR's inliner crashes at ops that are not registered and have regions, which
    `--allow-unregistered-dialect` lets in. This pass refuses them where they are.
  }];
}

def CombExpandOps : Pass<"comb-expand-ops"> {
  let summary = "replaces ops of other dialects that are made of combinators";
  let description = [{
    Ops with the interface `soac::ExpandsToSoac` are replaced by what they build, so
    that they share loops with their neighbours; see
    [comb in your compiler](../plugin.md#your-ops). So are those among what was built.

    An op that gives values of other types, or another number of them, is an error at its
    place, and so is one that is expanded to itself again and again.
  }];
  let statistics = [
    Statistic<"opsExpanded", "ops-expanded", "Number of ops that were replaced">
  ];
  let dependentDialects = [
    "::mlir::tensor::TensorDialect", "::soac::SoacDialect"];
}

def CombSeparateArrays : Pass<"comb-separate-arrays", "::mlir::ModuleOp"> {
  let summary = "copies arrays that loops or functions would give twice";
  let description = [{
    `one-shot-bufferize` with `allow-return-allocs-from-loops` takes it that the arrays
    that an iteration of an `scf.for` or `scf.while` yields share no memory with each other, and
    so for the results of functions. Where they may, because they are one array, or views of
    one, this pass copies all but one of them by `bufferization.alloc_tensor`. It also copies array
    constants that are in a loop, and that the loop yields.

    `one-shot-bufferize` also takes it that an op of `linalg` which does not read its destination
    writes all of it. Where that is not known, as of a loop that may run 0 times, this pass has the
    op's region read what was there; a `linalg.map` that reads its destination gets a copy.

    It has to run just before bufferization, so that nothing is simplified in between.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def CombElideCopies : Pass<"comb-elide-copies"> {
  let summary = "removes copies of arguments that nobody writes to";
  let description = [{
    Bufferization takes it that a loop writes to the arrays that it carries, and copies
    an argument of a public function before it becomes one. This pass removes every
    `memref.copy` of a function's argument to new memory if nothing is written to the
    argument, nor anything else to the new memory: not by any name that views, loops
    and branches give them. It has to run before deallocation, which finds out who
    owns what: a result that turns out to be an argument is copied there.
  }];
}

def CombLowerCopies : Pass<"comb-lower-copies"> {
  let summary = "lowers strided copies to loops";
  let description = [{
    Lowers every `memref.copy` whose source or target is not contiguous, without
    library functions. If there are several rows of adjacent elements, and vectors of
    them, it becomes a loop over rows, of whole vectors, and of one with a mask for what is
    left over; if not, a `linalg.generic`. Contiguous copies stay: they become `memcpy`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def CombReplaceEmptyArrays
    : Pass<"comb-replace-empty-arrays"> {
  let summary = "makes new arrays of parts and shapes of empty ones";
  let description = [{
    Bufferization makes views of memory of slices and reshapes, and of what pads and joins arrays.
    Some views of memory without elements are rejected then. In front of it, this pass replaces
    slices, expansions, collapses and reshapes of arrays that are known to be empty by
    `tensor.empty`, what pads them by `tensor.generate`, and leaves them out where they are
    inserted or joined.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def CombLowerExpansions : Pass<"comb-lower-expansions"> {
  let summary = "lowers expansions of memory to several sizes known at run time";
  let description = [{
    Lowers every `memref.expand_shape` that expands a dimension to more than one size that is
    known only at run time, to a `memref.reinterpret_cast`: the strides are products of the sizes
    that the op gives. Others are left to `expand-strided-metadata`, which knows one such size
    for each dimension.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def CombCheckRecursion : Pass<"comb-check-recursion", "::mlir::ModuleOp"> {
  let summary = "makes a recursion that is too deep a run-time error";
  let description = [{
    Inserts a `soac.check` in front of every call that may be part of a recursion:
    of functions that call each other by name, and of functions that are computed. It
    fails if the runtime library says that there is hardly any stack left for the
    thread. Without it the process would end there.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::soac::SoacDialect"];
}

def CombParallelToOpenMP : Pass<"comb-parallel-to-openmp", "::mlir::ModuleOp"> {
  let summary = "runs loops over chunks of work on several threads";
  let description = [{
    Lowers every `scf.parallel` with the attribute `comb.schedule`. Such a loop
    goes over chunks of work; it has one dimension, which it counts from 0 in steps of
    1, no reductions, and a body that works on memory. The attribute says which chunks a
    thread gets:

    * `"contiguous"`: one part of them, and then, if that took long, what others
      have not begun of theirs;
    * `"interleaved"`: thread t of T gets t, t + T, t + 2T, and so on, in this
      order, so that a chunk may wait for those before it.

    The body becomes a function of its own, which the runtime library calls: from the
    team of an `omp.parallel` if there are several chunks, and directly if there is
    one. A check that fails in a chunk stops it; chunks that have not begun are left
    out, and the failure is reported when all are done, by the thread that started
    them.

    Other parallel loops are left alone.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::omp::OpenMPDialect",
    "::mlir::scf::SCFDialect"];
}

def CombCountLoops : Pass<"comb-count-loops"> {
  let summary = "lets loops that may run to the end of their type count";
  let description = [{
    Upstream's lowering of `scf.for` and `scf.parallel` adds the step to the index
    until it is not below the bound. Near the end of the type that wraps around, and
    the loop never ends. A loop of which that is not known to be impossible gets a
    counter: the number of iterations is computed beforehand.

    Steps have to be positive, as `soac-insert-checks` makes sure.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CombDefineAffine : Pass<"comb-define-affine"> {
  let summary = "rewrites indices and loops of the affine dialect, with checks";
  let description = [{
    Rewrites `affine.apply`, `min`, `max`, `delinearize_index` and `linearize_index` to ops of `arith`,
    `affine.for` to `scf.for`, and `affine.load` and `store` to accesses of memory. A divisor that is not a positive constant is checked to be positive.
    Upstream's `lower-affine` takes that for granted, and some long loops for ones that never run.
  }];
  let options = [
    Option<"unchecked", "unchecked", "bool", "false",
           "Take all divisors to be positive">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::soac::SoacDialect"];
}

def CombNumberCases : Pass<"comb-number-cases"> {
  let summary = "numbers the cases of branches that have no form in scf";
  let description = [{
    `lift-cf-to-scf` makes an `scf.index_switch` of a `cf.switch`. Its cases have 64 bits, and its
    verifier does not take 2^63 - 1. In front of it, this pass numbers the cases of a `cf.switch`
    that has such a case, or more bits.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertStablehloToSoac
    : Pass<"convert-stablehlo-to-soac", "::mlir::ModuleOp"> {
  let summary = "makes combinators of StableHLO, which JAX and PyTorch write";
  let description = [{
    Ops of `stablehlo` and `chlo` in their generic form become combinators, `arith`,
    `math` and `scf`, function by function. No such dialect has to be registered:
    `comb-opt --allow-unregistered-dialect` reads what is in generic form. Where one is
    registered, the pass does the same.

    Unsigned integers become signless ones; parameters and results that were unsigned
    have `soac.unsigned`. A parameter whose location is a name has it as
    `soac.name`. What is not supported yet is an error at its place.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::soac::SoacDialect"];
}

def CombRaiseLinalg : Pass<"comb-raise-linalg"> {
  let summary = "makes combinators of ops of linalg and tensor";
  let description = [{
    Ops of `linalg` on arrays become combinators, so that they are fused with all
    others. A structured op, named or generic, is a map or a fold of what its
    indexing maps read; [a table](../linalg.md#ops) says what becomes of each op.

    A fold combines iterations by an op that is known to be associative, in the order
    that folds have (S39). An op that has no form as combinators stays, and is
    lowered by MLIR. A remark, which `--remarks-filter=comb-raise-linalg` shows, says
    why.

    Arithmetic on arrays and constant arrays of equal elements become combinators as well, as in
    [`soac-insert-checks`](#-soac-insert-checks), which runs before such ops come of what is simplified.

    What an op needs of its operands is checked in front of it. Functions with
    `soac.has_checks` have these checks already.
  }];
  let options = [
    Option<"unchecked", "unchecked", "bool", "false",
           "Take for granted that operands fit (behaviour is undefined if they do "
           "not)">,
    Option<"remarks", "remarks", "bool", "true",
           "Say of each op that stays why">
  ];
  let statistics = [
    Statistic<"opsRaised", "ops-raised", "Number of ops that became combinators">,
    Statistic<"opsLeft", "ops-left", "Number of ops that have no form as combinators">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::soac::SoacDialect"];
}

def SoacToNest : Pass<"soac-to-nest"> {
  let summary = "makes a loop nest over scalars of each cluster and combinator";
  let description = [{
    Makes one `nest.kernel` of every cluster, and of every combinator in none: the
    loops that [Clusters](../clusters.md#loops) speaks of, what each reads and writes,
    and what goes from one iteration to the next. The [dialect](nest.md) is for no
    machine. The program means the same, and the interpreter runs it.

    What a cluster gives, and what a scatter updates, are outputs of its kernel. What
    one loop computes and another one reads at the same iteration of the loops around
    both is an array that is local to it. All else is there while its iteration runs.

    Combinators in the lambdas of maps over inner arrays become loops in the kernel.
    A cluster without such a form is taken apart, and its combinators become kernels one by
    one; `soac-fuse` makes no such clusters. Sorts stay as they are, and so do combinators
    without such a form; a remark says why (`--remarks-filter=soac-to-nest`). With `required`,
    all that has no such form is an error.

    Expects what `comb-fuse` gives: sugar is not known here. Indices are checked where
    they are used.
  }];
  let options = [
    Option<"required", "required", "bool", "false",
           "What would stay as it is is an error">,
    Option<"unchecked", "unchecked", "bool", "false",
           "Take every index to be in range, as if every op were `unchecked`">
  ];
  let statistics = [
    Statistic<"kernels", "kernels",
              "Number of clusters and combinators that became kernels">,
    Statistic<"left", "left", "Number of combinators that have no such form">,
    Statistic<"clustersTakenApart", "taken-apart", "Number of clusters that have no such form">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::nest::NestDialect", "::soac::SoacDialect"];
}

def CarryBlocks : Pass<"comb-carry-blocks"> {
  let summary = "loops and branches give memory that is there before";
  let description = [{
    What an `scf.for` carries, and hands on as it was given, is no longer carried: inside
    and behind the loop it is what the loop was given. Memory that is carried, and that
    nobody else knows, is overwritten by an op that computes what the loop hands on, if
    that reads each element before, and is handed on in another place without a copy. What
    both branches of an `scf.if`
    allocate and give is allocated in front of it, once, if its size is known there.

    `--remarks-filter=comb-carry-blocks` shows what was done.
  }];
  let statistics = [
    Statistic<"changed", "changed", "Number of loops and branches that give less">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def ShortCircuit : Pass<"comb-short-circuit"> {
  let summary = "computes arrays where they would be copied to";
  let description = [{
    An array that is copied into a part of another one is computed there, and the copy
    goes. A copy is a `memref.copy`, or a loop nest of a `nest.kernel` in memory form
    that does nothing else. That is done where it is known that nobody needs what was in
    that part before, and nobody overwrites it while the array is needed: what is read
    and written are sets of elements with symbolic bounds, of which some are proven
    disjoint. Checks that stand in front of the copy are executed before the array is
    computed.

    `--remarks-filter=comb-short-circuit` shows what was done, and why a copy stays.

    Source: Munksgaard et al., Memory Optimizations in an Array Language, SC 2022.
  }];
  let statistics = [
    Statistic<"removed", "removed", "Number of copies that went">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::nest::NestDialect"];
}

def ReuseBlocks : Pass<"comb-reuse-blocks"> {
  let summary = "uses memory again that nobody needs any more";
  let description = [{
    An array takes the memory of one that is dead when it is first used, if both have the
    same type and size. Both may be used by one op, if that is known to read each element
    before it overwrites it, as a map of a dead array does. A loop that carries an array,
    and needs all of it for the next one, has two blocks in front of it, which it writes in
    turn; it may have up to four.

    `--remarks-filter=comb-reuse-blocks` shows what was done.
  }];
  let statistics = [
    Statistic<"reused", "reused", "Number of arrays that have no memory of their own any more">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::nest::NestDialect"];
}

def NestSchedule : Pass<"nest-schedule"> {
  let summary = "decides how a CPU runs loop nests";
  let description = [{
    Writes at each `nest.loop` how the machine that `comb.machine` describes runs it: a
    `schedule` with its lanes, accumulators and chunks, and what goes past the caches. A
    loop that has one keeps it. So a schedule can be written or changed by hand. Nothing else is changed.

    `--remarks-filter=nest-schedule` shows the reasons, and `comb explain --loops` as
    well.
  }];
  let options = [
    Option<"scalar", "scalar", "bool", "false",
           "One iteration after the other, by one thread, whatever the machine">,
    Option<"versions", "versions", "bool", "true",
           "Kernels may be changed in ways for which they are there in two versions">
  ];
}

def NestDistribute : Pass<"nest-distribute"> {
  let summary = "distributes loops of nests";
  let description = [{
    Obeys the entry `blocks` of schedules: a loop becomes one over blocks of so many
    iterations, in which two loops follow each other. The first has what the loop
    computes before a gather at positions that another gather gives, or before a scatter,
    and keeps in buffers what the second needs of it. The loops have no schedules, which
    `nest-schedule` chooses then. The nests are in memory form. A loop for which that
    cannot be done is an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::nest::NestDialect"];
}

def NestPack : Pass<"nest-pack"> {
  let summary = "copies operands in the order in which lanes read them";
  let description = [{
    Obeys the entry `pack` of schedules: what lanes of a loop read apart, and the loops
    around it read again at each iteration, is copied before the kernel, side by side, as
    many columns as there are lanes in a panel; the loop is strip-mined to panels. If it
    is not known that there are enough rows and columns, the kernel is there once more as
    it was, without schedules, and the program asks which of them is to run. The nests are
    in memory form. A loop for which that cannot be done is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::nest::NestDialect"
  ];
}

def NestSplit : Pass<"nest-split"> {
  let summary = "cuts loops of nests where an index wraps around";
  let description = [{
    Obeys the entry `split` of schedules: a loop that reads at an index such as
    `(i + k) mod n` becomes one over pieces, in which the index goes up by one, and one
    over the iterations of each. The kernel is there once more as it was, without
    schedules, and the program asks whether pieces are as long as the schedule says. The
    nests are in memory form. A loop for which that cannot be done is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::nest::NestDialect"
  ];
}

def NestScheduleGPU : Pass<"nest-schedule-gpu"> {
  let summary = "decides how a GPU runs loop nests";
  let description = [{
    Writes at each `nest.loop` how the GPU that `comb.machine` describes runs it: the
    attribute `gpu`, whose `level` says who shares its iterations ([how that is
    decided](../gpu.md)). A loop that has one keeps it. Nothing else is changed.

    `--remarks-filter=nest-schedule-gpu` shows the reasons.
  }];
}

def ConvertNestToGPU : Pass<"convert-nest-to-gpu", "::mlir::ModuleOp"> {
  let summary = "makes GPU kernels of loop nests, as their schedules say";
  let description = [{
    Makes a `gpu.launch` of each outermost loop of a `nest.kernel` in memory form, or several
    where threads have to wait for each other across the grid. It decides nothing: the
    attributes `gpu` of loops say what is shared by whom. A schedule that cannot be obeyed is
    an error, which says why. What checks find in a kernel is told to the host, which
    fails behind the kernel.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def GPUOrderScatters : Pass<"gpu-order-scatters", "::mlir::ModuleOp"> {
  let summary = "puts the elements of scatters in the order of their places";
  let description = [{
    A `soac.scatter` that is in no other combinator, and whose result depends on the order of its
    elements, such as a sum of floating-point numbers or one in which the last element wins, is done by place: a sort
    brings the elements of each place beside each other, a map combines them in their order, and
    a scatter in which each place is there once takes them there. So is one of elements for which there are no
    atomics. Those with few elements, and those that wish to be `"sequential"`, stay.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GPUSortsToMaps : Pass<"gpu-sorts-to-maps", "::mlir::ModuleOp"> {
  let summary = "makes maps of sorts, which a GPU's threads can share";
  let description = [{
    A `soac.sort` that is in no other combinator becomes a loop of `soac.generate`: rows are merged of
    runs that are twice as long each time, if the function compares numbers that it computes
    alike of both sides, or go through a network of comparisons otherwise.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GPUSinkElements : Pass<"gpu-sink-elements", "::mlir::ModuleOp"> {
  let summary = "has kernels read elements that the host only hands on";
  let description = [{
    Where the host reads elements of arrays only for kernels, or to write them elsewhere, with
    arithmetic in between, a `gpu.launch` that needs them gets a copy of that, and an element that is
    written is written by a new one with one thread. So the host need not wait for them. What
    conditions, sizes and checks need stays with the host. Numbers that loops carry, and only hand on,
    become elements; a number that a kernel of one thread copies is computed where it goes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CombJoinKernels : Pass<"comb-join-kernels", "::mlir::ModuleOp"> {
  let summary = "puts all GPU kernels of a module into one `gpu.module`";
  let description = [{
    A GPU's driver compiles the code of each `gpu.module` for itself, so all kernels go into
    one. They get names of letters, digits and `_`, each another one. The module says how the
    GPU's memory is laid out, so that LLVM knows numbers of 64 bits to be aligned; arrays that a
    block shares are aligned for the widest access.
  }];
  let options = [
    Option<"dataLayout", "data-layout", "std::string", "\"\"",
           "How the GPU's memory is laid out, as LLVM says it; nothing leaves that to others">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ConvertGPUHostToRuntime
    : Pass<"convert-gpu-host-to-runtime", "::mlir::ModuleOp"> {
  let summary = "makes the host of GPU kernels call comb's runtime library";
  let description = [{
    Takes a module with a `gpu.binary`, functions that launch its kernels, and all arrays in the
    memory of a GPU. Launches, copies, constants, and elements that the host reads or writes
    become calls of the runtime library, which uses the GPU's driver; the code of kernels becomes
    a constant. What is allocated stays `memref.alloc`, for `finalize-memref-to-llvm` with
    `use-generic-functions`. What else the host would do with elements is an error.
  }];
  let options = [
    Option<"vendor", "vendor", "std::string", "\"nvidia\"",
           "Who makes the GPU: nvidia or amd">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CombCallIntrinsics : Pass<"comb-call-intrinsics", "::mlir::ModuleOp"> {
  let summary = "calls LLVM's intrinsics for functions in kernels for NVIDIA's GPUs";
  let description = [{
    In kernels, replaces functions of the math dialect for which the GPU has instructions by
    calls of LLVM's intrinsics: square roots, rounding, and the like. Other functions, of
    which `comb-expand-math` has made no arithmetic, are errors; upstream would call a library
    that has to be linked.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def NestJam : Pass<"nest-jam"> {
  let summary = "unrolls loops of nests and jams the loops inside";
  let description = [{
    Obeys the entry `jam` of schedules: so many iterations of a loop are unrolled, and
    the copies of each loop inside become one, which reads once what they share. What is
    left over runs behind it. The nests are in memory form. A loop that cannot be jammed
    is an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::nest::NestDialect"];
}

def NestWavefront : Pass<"nest-wavefront", "::mlir::ModuleOp"> {
  let summary = "has threads go through sequential loops one behind the other";
  let description = [{
    Obeys the entry `wavefront` of schedules: in an `scf.for` whose iterations run the kernel of
    a loop, threads take ranges of that loop's iterations, and go through all of the
    `scf.for`. Each waits for the range on its left to be done with some iterations before it
    goes on with them. What scans carry from range to range is in memory. The loop is there
    once more as it was, for one thread, or little work. The nests are in memory form. A loop
    for which that cannot be done is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::nest::NestDialect"
  ];
}

def NestToVectors : Pass<"nest-to-vectors", "::mlir::ModuleOp"> {
  let summary = "lowers loop nests to vectors and threads, as their schedules say";
  let description = [{
    Lowers every `nest.kernel` in memory form to `scf` loops on vectors and numbers, and
    loops over chunks that threads share. What the loops' schedules ask for is done; a
    loop without a schedule runs one iteration after the other. What cannot be done as
    a schedule says is an error.

    Whole vectors of a loop whose schedule has a `stream` are there twice: in one of them
    they are written past the caches, if the arrays are as large as that. Other threads
    see them behind a loop over chunks, or after a call of
    `comb_runtime_finish_stores` behind a loop without.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def NestToSCF : Pass<"nest-to-scf"> {
  let summary = "lowers loop nests to scf, one iteration after the other";
  let description = [{
    Lowers every `nest.kernel` to `scf` loops on scalars, in value form and in memory
    form: no threads, no vectors, no schedule. It is what faster lowerings are compared
    with, and what a new target can begin from.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def CombNarrowSwitches : Pass<"comb-narrow-switches"> {
  let summary = "lets switches look at all bits";
  let description = [{
    Upstream's lowering of `scf.index_switch` looks at 32 bits. Here a number that
    does not fit them becomes one that is no case. Cases that do not fit are
    numbered.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CombScopeAllocas : Pass<"comb-scope-allocas"> {
  let summary = "bounds the stack that loops take";
  let description = [{
    The memory of a `memref.alloca` in an `scf` loop is free again after the
    iteration, but upstream's lowering of loops keeps it until the function
    returns. Here an allocation of constant size moves to the start of its
    function, which takes the memory once; around others, the iteration saves and
    restores the stack. An `llvm.alloca` of constant size moves to the first block of
    its function, too, or of what threads run for themselves.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CombSkipEmptyLoops : Pass<"comb-skip-empty-loops"> {
  let summary = "does not run loops whose iterations do nothing";
  let description = [{
    An array of shape `[10000000000, 0]` has no elements, but a loop over its rows
    has iterations. Where a loop `scf.for` or `scf.parallel` without results does
    something only if a loop inside it has iterations, and their number, or the
    condition of a branch around them, can be computed in front of the loop, it
    gets no iterations if it would do nothing. Reading, computing, and memory that
    is allocated and freed are nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CombWidenHalfPrecision : Pass<"comb-widen-half-precision"> {
  let summary = "computes half-precision arithmetic in a wider type";
  let description = [{
    Computes bf16 arithmetic, and f16 functions of the math dialect, in f32 (f16
    `math.fma` in f64), and rounds the result of every op to its type, so that
    the result does not depend on which ops stand next to each other.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CombExpandMath : Pass<"comb-expand-math"> {
  let summary = "replaces functions of the math dialect by arithmetic";
  let description = [{
    Replaces functions of the math dialect on f32 and f64, and on vectors of them
    of any shape, by additions, multiplications, comparisons and bit operations,
    without branches: code that has the same result in every lane of vectors of
    any width, and needs no library. (Only sin, cos and tan branch, around the
    code for large arguments.) The functions are exp, exp2, expm1, log, log2,
    log10, log1p, powf, sqrt's reciprocal and cbrt, sin, cos, sincos and tan,
    asin, acos, atan and atan2, sinh, cosh, tanh and their inverses, erf and erfc.
    Fast-math flags are not kept, since the formulas rely on rounding. There are other
    formulas for machines that have `fma`.
    There is shorter code, with the same results, for exp and exp2 of numbers that
    can be seen to be never positive, such as products of squares with -0.5.

    With `mode=precise`, results are off by about one unit in the last place at
    most, and infinities, NaN, signed zeros and subnormal numbers are treated as
    in C. With `mode=fast`, they are off by four units at most, and subnormal
    numbers may count as 0.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"precise\"",
           "How accurate results are: precise, fast">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def CombExpandBf16Vectors : Pass<"comb-expand-bf16-vectors"> {
  let summary = "moves vectors of bf16 as vectors of i16";
  let description = [{
    Without instructions for `bf16`, LLVM calls a function for each lane of a
    vector that is shuffled, or loaded with a mask. This makes vectors of `i16` of
    those that are loaded, stored, moved and chosen from. Others are cast. It runs
    behind `arith-expand{include-bf16=true}`, which leaves no arithmetic of `bf16`,
    and right before `convert-vector-to-llvm`, since it casts memory to a type that
    only lowering to the LLVM dialect makes the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def CombExpandNarrowMasks
    : Pass<"comb-expand-narrow-masks"> {
  let summary = "loads and stores the first lanes of vectors of narrow numbers without masks";
  let description = [{
    CPUs with AVX2 have masked loads and stores of numbers of 32 and 64 bits only, and
    CPUs without AVX have none. For others LLVM makes a branch for each lane. Where the
    mask is a `vector.create_mask`, this pass copies the first lanes through memory on the
    stack: 16 bytes at a time, and then one by one. Elements that have `masked_bits` of the
    machine, or more, stay as they are. It runs while loops are `scf` ops.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def CombCompressInRegisters
    : Pass<"comb-compress-in-registers", "::mlir::ModuleOp"> {
  let summary = "packs a filter's vectors before they are written";
  let description = [{
    Makes of every `vector.compressstore` LLVM's `vector.compress`, which packs lanes
    in a register, and a `vector.maskedstore` of as many lanes as there are: CPUs with
    AVX-512 have one instruction for both together, but it takes some of them over a
    hundred cycles. Vectors longer than 512 bits go part by part.

    A machine that has `permutes`, but no `compress`, is one with AVX2 and without AVX-512:
    lanes are permuted instead. The bits of the mask say which row of a table has the numbers of those that
    are kept. This is done to a `vector.compressstore` with the attribute
    `comb.has_room`, which says that all lanes may be written from there on: then no mask
    is needed. For machines with neither, nothing changes.

    It runs right before `convert-vector-to-llvm`, when elements are numbers of the LLVM
    dialect.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"];
}

def CombExpandBoolVectors : Pass<"comb-expand-bool-vectors"> {
  let summary = "loads and stores vectors of i1 as bytes";
  let description = [{
    An array of `i1` has a byte for each element, but upstream's
    `convert-vector-to-llvm` takes a vector of `i1` in memory for a row of bits.
    This makes `vector.load`, `store`, `maskedload`, `maskedstore`,
    `compressstore` and `gather` see `i8`: a lane is true if its byte is not 0.
    It runs right before that pass, since it casts memory to a type that only
    lowering to the LLVM dialect makes the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def CombExpandConversions : Pass<"comb-expand-conversions"> {
  let summary = "converts vectors of 64-bit integers to floating point by arithmetic";
  let description = [{
    CPUs with AVX-512 convert vectors of `i64` to `f64` or `f32`, as `conversions` of the
    machine says; then nothing changes. For others, LLVM does it lane by lane. This makes arithmetic of vectors of `arith.sitofp` to
    `f64`, and of `arith.sitofp` and `arith.uitofp` to `f32`: the halves of an
    integer become numbers of `f64` by their bits, and are added. Where a vector is
    a number plus constants that do not wrap around, as indices in loops are, its
    lanes have the halves in common. Results are the same bits: they are rounded
    once. Vectors of several dimensions, and of narrower integers, stay as they are, and
    so do signed ones that are only loaded to become `f32`, which LLVM converts from memory.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def CombExpandExtrema : Pass<"comb-expand-extrema"> {
  let summary = "finds maxima and minima of vectors as AVX-512 does";
  let description = [{
    For machines with `ranges`, `arith.maximumf` and `minimumf` of vectors of `f32` and `f64` become the
    instruction that AVX-512 has for all but NaN, and two more for NaN. A loop that carries an extremum
    carries it without NaN, and a mask of the lanes in which there was some. For other machines, and where NaN is ruled out,
    nothing changes. It runs while loops are `scf` ops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertFloatExtremaToLLVM
    : Pass<"convert-float-extrema-to-llvm"> {
  let summary = "lowers maxima and minima of floating-point numbers";
  let description = [{
    Lowers `arith.maximumf`, `minimumf`, `maxnumf` and `minnumf` to intrinsics of
    LLVM for which −0 is less than +0. Upstream's `arith-expand` lowers the first
    two to a comparison, which takes either zero for the greater, so it must run
    later.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertSoacChecksToLLVM : Pass<"convert-soac-checks-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lowers run-time checks to calls of the runtime library";
  let description = [{
    Lowers `soac.check` to a branch to `comb_runtime_fail`, a function of comb's
    runtime library that does not return. The message starts with the op's
    location, `file:line:column`; that of inlined code is where it was written.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // COMB_PASSES_TD
