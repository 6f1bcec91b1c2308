// greedyTopDownBad of "Fusing Gathers with Integer Linear Programming": a greedy algorithm that goes
// from the inputs to the results fuses the first two maps, and has to store the second one. (The first
// map divides, so that soac-desugar does not compute its element again where it is read.)

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-top-down cost=reads+writes" -o %t.greedy
// RUN: comb-opt %s --comb-fuse=cost=reads+writes -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=GREEDY --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// GREEDY-LABEL: func.func @greedyTopDownBad(
// GREEDY: = soac.cluster {{.*}}reads [0] writes [0, 0] :
// GREEDY:   = soac.map
// GREEDY:   = soac.map
// GREEDY: soac.yield {{.*}}: tensor
// GREEDY: = soac.cluster {{.*}}reads [-1, 0] writes [-1] :
// GREEDY:   = soac.generate
// GREEDY:   = soac.map
// GREEDY:   = soac.fold
// GREEDY: soac.yield {{.*}}: tensor

// ILP-LABEL: func.func @greedyTopDownBad(
// ILP: = soac.map
// ILP: = soac.cluster {{.*}}reads [0, -1] writes [-1] :
// ILP:   = soac.map
// ILP:   = soac.generate
// ILP:   = soac.map
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s --cost reads+writes | FileCheck %s --check-prefix=COST
// COST: singleton 9 5 5 4
// COST: greedy-bottom-up 3 2 2 1
// COST: ilp 3 2 2 1

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[5]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<i32> = 35

func.func @greedyTopDownBad(%as: tensor<?xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %hundred = arith.constant 100 : i32
  %zero = arith.constant 0 : i32
  %n = tensor.dim %as, %c0 : tensor<?xi32>
  %bs = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %two : i32
    %r = arith.remsi %b, %hundred : i32
    soac.yield %r : i32
  }
  %cs = soac.map %bs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %ds = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %b = tensor.extract %bs[%c0] : tensor<?xi32>
    %j = arith.index_cast %i : index to i32
    %r = arith.addi %j, %b : i32
    soac.yield %r : i32
  }
  %es = soac.map %cs, %ds : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %result = soac.fold %es neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %result : tensor<i32>
}
