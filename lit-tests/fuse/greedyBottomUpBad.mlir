// greedyBottomUpBad of "Fusing Gathers with Integer Linear Programming": a greedy algorithm that goes
// from the results to the inputs fuses the last map with the first fold, and has to store what
// both folds read.

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes levels=1" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads+writes levels=1" -o %t.greedy
// RUN: comb-opt %s --comb-fuse="cost=reads+writes levels=1" -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=GREEDY --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// GREEDY-LABEL: func.func @greedyBottomUpBad(
// GREEDY: = soac.cluster {{.*}}reads [2] writes [0, 0] :
// GREEDY:   = soac.generate
// GREEDY:   = soac.gather {{.*}}label = 2
// GREEDY:   = soac.fold
// GREEDY: soac.yield {{.*}}: tensor
// GREEDY: = soac.cluster {{.*}}reads [0, -1] writes [0] :
// GREEDY:   = soac.fold
// GREEDY:   = soac.map
// GREEDY: soac.yield {{.*}}: tensor

// ILP-LABEL: func.func @greedyBottomUpBad(
// ILP: = soac.cluster {{.*}}reads [2] writes [0, 0] :
// ILP:   = soac.generate
// ILP:   = soac.gather {{.*}}label = 2
// ILP:   = soac.fold
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor
// ILP: = soac.map

// RUN: comb explain %s --cost reads+writes --levels 1 | FileCheck %s --check-prefix=COST
// RUN: comb solve %comb_root/passes/fusion/graphs/greedyBottomUpBad.json --report | FileCheck %s --check-prefix=COST
// COST: ilp 5 2 2 3

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[4] -i arg1=3
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xi32> = [0 3 6 9]

func.func @greedyBottomUpBad(%xs: tensor<?xi32>, %m: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %xs, %c0 : tensor<?xi32>
  %is = soac.generate [%n, %m] : tensor<?x?xindex> (%i: index, %j: index) {
    %r = arith.addi %i, %c0 : index
    soac.yield %r : index
  }
  %large = soac.gather %xs at %is
      : (tensor<?xi32>, tensor<?x?xindex>) -> tensor<?x?xi32>
  %ys = soac.fold %large neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %zs = soac.fold %large neutral %one : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %r = arith.muli %a, %b : i32
    soac.yield %r : i32
  }
  %result = soac.map %ys : (tensor<?xi32>) -> tensor<?xi32> (%y: i32) {
    %z = tensor.extract %zs[%c0] : tensor<?xi32>
    %r = arith.addi %y, %z : i32
    soac.yield %r : i32
  }
  return %result : tensor<?xi32>
}
