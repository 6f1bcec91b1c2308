// simple4 of "Fusing Gathers with Integer Linear Programming": a fold of rows into a gather.
// How often a row is gathered is not known; the paper does not ask.

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes levels=1 recomputation=false" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads+writes levels=1 recomputation=false" -o %t.greedy
// RUN: comb-opt %s --comb-fuse="cost=reads+writes levels=1 recomputation=false" -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// With the usual costs they are apart: rows may be repeated, and are read in their order otherwise.
// RUN: comb-opt %s --comb-fuse | FileCheck %s --check-prefix=NONE

// ILP-LABEL: func.func @simple4(
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [0] :
// ILP:   = soac.fold {{.*}}soac.orders = array<i64: 2>
// ILP:   = soac.gather {{.*}}label = 2
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s --cost reads+writes --levels 1 --no-recomputation | FileCheck %s --check-prefix=COST
// RUN: comb solve %comb_root/passes/fusion/graphs/simple4.json --report | FileCheck %s --check-prefix=COST
// COST: ilp 3 1 2 1

// DEFINE: %{run} = comb run --target interp -i arg0=random:index(0..3)[5]:1 -i arg1=random:f32(0..9)[3,4]:2
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<5xf32> = [19.112865 15.797124 15.797124 19.112865 19.112865]

func.func @simple4(%is: tensor<?xindex>, %xs: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %as = soac.fold %xs neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %bs = soac.gather %as at %is
      : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %bs : tensor<?xf32>
}
