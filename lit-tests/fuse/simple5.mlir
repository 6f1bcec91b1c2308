// simple5 of "Fusing Gathers with Integer Linear Programming": one array is read in two orders.

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads+writes" -o %t.greedy
// RUN: comb-opt %s --comb-fuse=cost=reads+writes -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @simple5(
// ILP: = soac.cluster {{.*}}reads [0, 2, 0] writes [0] :
// ILP:   = soac.map
// ILP:   = soac.gather {{.*}}label = 2
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s --cost reads+writes | FileCheck %s --check-prefix=COST
// RUN: comb solve %comb_root/passes/fusion/graphs/simple5.json --report | FileCheck %s --check-prefix=COST
// COST: ilp 4 1 3 1

// DEFINE: %{run} = comb run --target interp -i arg0=random:index(0..6)[6]:1 -i arg1=iota:f32[6]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<6xf32> = [ 3.0  6.0  9.0  8.0 10.0 14.0]

func.func @simple5(%is: tensor<?xindex>, %xs: tensor<?xf32>) -> tensor<?xf32> {
  %two = arith.constant 2.0 : f32
  %as = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.mulf %a, %two : f32
    soac.yield %r : f32
  }
  %bs = soac.gather %xs at %is
      : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  %cs = soac.map %as, %bs : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  return %cs : tensor<?xf32>
}
