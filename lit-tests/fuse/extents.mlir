// How large sizes usually are: attributes of parameters, and the option extent, which goes before.

// RUN: comb-opt %s --comb-fuse --remarks-filter=soac-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: Function=said | Remark="prices = 320020, which is the least"
// SAID: Function=equal | Remark="prices = 2520, which is the least"
// RUN: comb-opt %s --comb-fuse="extent=xs.0=10,xs.1=20,arg1=7" --remarks-filter=soac-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: Function=said | Remark="prices = 1628, which is the least"

// The words are the same wherever programs are fused, with the names of the text.
// RUN: comb explain %s --function said --extent xs.0=10 --extent xs.1=20 --extent n=7 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: ilp 1628
// RUN: comb run %s --entry said -i xs=iota:f32[2,3] -i n=3 --extent n=7 --cost 2*reads+writes --levels 1 --algorithm greedy --time-limit 0 --no-recomputation | FileCheck %s --check-prefix=SAME
// RUN: not comb run %s --entry said -i xs=iota:f32[2,3] -i n=3 --solver highs --formulation compact --levels 1 --cost reads+writes 2>&1 | FileCheck %s --check-prefix=HIGHS
// RUN: comb run %s --entry said -i xs=iota:f32[2,3] -i n=3 --algorithm off | FileCheck %s --check-prefix=SAME
// RUN: comb run %s --entry said -i xs=iota:f32[2,3] -i n=3 --max-arguments 2 --max-memory 100000000 --solver-memory 10 | FileCheck %s --check-prefix=SAME
// RUN: comb build %s --entry said --extent n=7 --cost clusters -o %t.ll
// RUN: comb-opt %s --comb-cpu="algorithm=greedy cost=reads extent=xs.0=5 levels=1 solver-memory=0 time-limit=0.5" -o %t.cpu.mlir
// RUN: comb-opt %s --comb-cpu=algorithm=off -o %t.off.mlir
// RUN: comb-opt %s --comb-cpu=fusion=off -o %t.old.mlir
// RUN: cmp %t.off.mlir %t.old.mlir
// HIGHS: error: this block cannot be fused: the formulation does not support graphs of several levels or ranks

// RUN: not comb explain %s --extent m=7 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not comb run %s --entry said -i xs=iota:f32[2,3] -i n=3 --extent m=7 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not comb-opt %s --comb-fuse=extent=m=7 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no function has a size 'm': 'n' is an index parameter, and 'xs.0' the first dimension of an array
// RUN: not comb run %s --entry said --extent n 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not comb-opt %s --comb-fuse=extent=n=-1 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: is no extent: NAME=N is expected, such as n=1000, with a whole number from 0 to 2^64 - 1
// RUN: not comb run %s --entry said --levels 0 -i xs=iota:f32[2,3] -i n=3 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not comb build %s --levels 0 -o %t.ll 2>&1 | FileCheck %s --check-prefix=LEVELS
// LEVELS: error: levels is 0; 1 to 16 is expected
// RUN: not comb run %s --entry said --solver highs --solver-memory 4 -i xs=iota:f32[2,3] -i n=3 2>&1 | FileCheck %s --check-prefix=SOLVER
// SOLVER: error: solver-memory is for comb's own solver only

// RUN: sed 's/array<i64: 4, -1>/array<i64: 4>/' %s | not comb explain - 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: :{{[0-9]+}}:{{[0-9]+}}: error: 'soac.extent' of parameter 'xs' of type tensor<?x?xf32> is array<i64: 4>; it has to be array<i64: …> with 2 of them, 0 or more, or -1 for one that is not known
// RUN: sed 's/soac.extent = 5/soac.extent = -5/' %s | not comb explain - 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: 'soac.extent' of parameter 'arg1' of type index is -5 : i64; it has to be a whole number, 0 or more
// RUN: sed 's/%%z: f32/%%z: f32 {soac.extent = 5}/' %s | not comb explain - 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: 'soac.extent' of parameter 'arg2' of type f32 is 5 : i64; it has to be left out: only arrays and index have one

// Results are the same whatever is fused.
// RUN: comb run %s --entry said -i xs=iota:f32[2,3] -i n=3 | FileCheck %s --check-prefix=SAME
// SAME: result1: tensor<3xf32> =
func.func @said(%xs: tensor<?x?xf32> {soac.name = "xs", soac.extent = array<i64: 4, -1>},
                %n: index {soac.extent = 5}) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %as = soac.map %xs : (tensor<?x?xf32>) -> tensor<?x?xf32> (%x: f32) {
    %r = math.exp %x : f32
    soac.yield %r : f32
  }
  %ys = soac.iota [%n] dim 0 : tensor<?xi32>
  %zs = soac.map %ys : (tensor<?xi32>) -> tensor<?xf32> (%x: i32) {
    %r = arith.sitofp %x : i32 to f32
    soac.yield %r : f32
  }
  return %as, %zs : tensor<?x?xf32>, tensor<?xf32>
}

// What is equal to a size that is said is known, too.
func.func @equal(%x: tensor<?xf32>, %y: tensor<?xf32> {soac.extent = array<i64: 210>}, %z: f32)
    -> tensor<?xf32> {
  %a = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    soac.yield %r : f32
  }
  %b = soac.map %a : (tensor<?xf32>) -> tensor<?xf32> (%p: f32) {
    %r = arith.addf %p, %z : f32
    soac.yield %r : f32
  }
  return %b : tensor<?xf32>
}
