// simple3 of "Fusing Gathers with Integer Linear Programming": the map and the gather may not be
// fused, as the gather may leave out elements of the map, which is a result. They cost what they cost
// there. But the map is cheap, so the gather computes it again (gather-of-needed-map.mlir).

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads+writes" -o %t.greedy
// RUN: comb-opt %s --comb-fuse=cost=reads+writes -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @simple3(
// ILP: = soac.map
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [0] :
// ILP:   = soac.gather
// ILP:   = soac.map

// RUN: comb explain %s --cost reads+writes | FileCheck %s --check-prefix=COST
// RUN: comb solve %comb_root/passes/fusion/graphs/simple3.json --report | FileCheck %s --check-prefix=COST
// COST: ilp 5 2 3 2

// DEFINE: %{run} = comb run --target interp -i arg0=random:index(0..5)[3]:1 -i arg1=iota:f32[5]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<5xf32> = [0.0 2.0 4.0 6.0 8.0]
// VALUES-NEXT: result1: tensor<3xf32> = [4.0 6.0 8.0]

func.func @simple3(%is: tensor<?xindex>, %xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %two = arith.constant 2.0 : f32
  %as = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.mulf %a, %two : f32
    soac.yield %r : f32
  }
  %bs = soac.gather %as at %is
      : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %as, %bs : tensor<?xf32>, tensor<?xf32>
}
