// singleLoop of "Fusing Gathers with Integer Linear Programming": all in one loop that reads its
// input forwards and backwards.

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads+writes" -o %t.greedy
// RUN: comb-opt %s --comb-fuse=cost=reads+writes -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @singleLoop(
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [0] :
// ILP:   = soac.backpermute {{.*}}label = 2
// ILP:   = soac.map
// ILP:   = soac.map
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s --cost reads+writes | FileCheck %s --check-prefix=COST
// RUN: comb solve %comb_root/passes/fusion/graphs/singleLoop.json --report | FileCheck %s --check-prefix=COST
// COST: ilp 3 1 2 1

// DEFINE: %{run} = comb run --target interp -i arg0=iota:f32[6]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<6xf32> = [ 5.3125  5.3125  5.8125  6.8125  8.3125 10.3125]

func.func @singleLoop(%as: tensor<?xf32>) -> tensor<?xf32> {
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %bs = soac.reverse %as dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %cs = soac.map %as : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %s = arith.mulf %a, %half : f32
    %r = arith.addf %s, %quarter : f32
    soac.yield %r : f32
  }
  %ds = soac.map %cs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.mulf %a, %a : f32
    soac.yield %r : f32
  }
  %result = soac.map %bs, %cs, %ds : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %b: f32, %c: f32) {
    %s = arith.addf %a, %b : f32
    %r = arith.addf %s, %c : f32
    soac.yield %r : f32
  }
  return %result : tensor<?xf32>
}
