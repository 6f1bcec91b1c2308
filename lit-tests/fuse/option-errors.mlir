// Options that are wrong: one error, at the program, and no result.

// RUN: not comb-opt %s --comb-fuse=cost=loops 2>&1 | FileCheck %s --check-prefix=COST --implicit-check-not="{{^}}func"
// COST: option-errors.mlir:{{.*}}: error: soac-fuse: there is no cost 'loops'; there are clusters, edges, manifest,
// RUN: not comb-opt %s --comb-fuse=cost=2*reads+ 2>&1 | FileCheck %s --check-prefix=EMPTY-COST
// EMPTY-COST: error: soac-fuse: there is no cost '';
// RUN: not comb-opt %s --comb-fuse=cost=-1*reads 2>&1 | FileCheck %s --check-prefix=WEIGHT
// WEIGHT: error: soac-fuse: '-1' is no weight: a number of 0 to 1e9 with at most 6 digits after the point is expected, as in 2*reads+writes
// RUN: not comb-opt %s --comb-fuse=algorithm=magic 2>&1 | FileCheck %s --check-prefix=ALGORITHM
// ALGORITHM: error: soac-fuse: there is no algorithm 'magic'; there are
// RUN: not comb-opt %s --comb-fuse=solver=cplex 2>&1 | FileCheck %s --check-prefix=SOLVER
// SOLVER: error: soac-fuse: there is no solver 'cplex'; there are comb, highs, cbc
// RUN: not comb-opt %s --comb-fuse=formulation=figure5 2>&1 | FileCheck %s --check-prefix=FORMULATION
// FORMULATION: error: soac-fuse: there is no formulation 'figure5'; there are own, figure4, compact
// RUN: not comb-opt %s --comb-fuse="algorithm=greedy solver=highs" 2>&1 | FileCheck %s --check-prefix=GREEDY-SOLVER
// GREEDY-SOLVER: error: soac-fuse: a solver and a formulation belong to the algorithm ilp
// RUN: not comb-opt %s --comb-fuse=time-limit=-1 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: soac-fuse: time-limit is -1; a number of seconds, 0 to 1000000000, or inf is expected
// RUN: not comb-opt %s --comb-fuse=time-limit=nan 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: soac-fuse: time-limit is NaN; a number of seconds, 0 to 1000000000, or inf is expected
// RUN: not comb-opt %s --comb-fuse=levels=0 2>&1 | FileCheck %s --check-prefix=LEVELS
// LEVELS: error: soac-fuse: levels is 0; 1 to 16 is expected
// RUN: not comb-opt %s --comb-fuse=levels=17 2>&1 | FileCheck %s --check-prefix=MOST-LEVELS
// MOST-LEVELS: error: soac-fuse: levels is 17; 1 to 16 is expected
// RUN: not comb-opt %s --comb-fuse=max-arguments=-1 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS: error: soac-fuse: max-arguments is -1; 0 or more is expected
// RUN: not comb-opt %s --comb-fuse=max-memory=-5 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: soac-fuse: max-memory is -5; 0 or more is expected
// RUN: not comb-opt %s --comb-fuse="algorithm=greedy max-arguments=3" 2>&1 | FileCheck %s --check-prefix=GREEDY-LIMIT
// RUN: not comb-opt %s --comb-fuse="solver=highs max-memory=3" 2>&1 | FileCheck %s --check-prefix=GREEDY-LIMIT
// GREEDY-LIMIT: error: soac-fuse: max-arguments and max-memory are for comb's own solver only
// RUN: not comb-opt %s --comb-fuse=levels=many 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: for the --levels option: 'many' value invalid
// RUN: not comb-opt %s --comb-fuse=nothing=1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: no such option nothing

// Only comb's own solver knows loops inside loops.
// RUN: not comb-opt %s --comb-fuse=solver=highs 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: option-errors.mlir:[[# @LINE + 10]]:9: error: this block cannot be fused: the formulation does not support graphs of several levels or ranks

// The pass itself takes the same, and so does comb explain.
// RUN: not comb-opt %s --soac-fuse=levels=0 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not comb explain %s --levels 0 2>&1 | FileCheck %s --check-prefix=EXPLAIN-LEVELS
// EXPLAIN-LEVELS: levels is 0; 1 to 16 is expected
// RUN: not comb explain %s --cost loops 2>&1 | FileCheck %s --check-prefix=EXPLAIN-COST
// EXPLAIN-COST: there is no cost 'loops'; there are clusters, edges, manifest,

func.func @f(%xs: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %ys = soac.map %xs : (tensor<?x?xi32>) -> tensor<?x?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %zs = soac.map %ys : (tensor<?x?xi32>) -> tensor<?x?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?x?xi32>
}
