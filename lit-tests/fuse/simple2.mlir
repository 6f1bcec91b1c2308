// simple2 of "Fusing Gathers with Integer Linear Programming": a gather of a gather.

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads+writes" -o %t.greedy
// RUN: comb-opt %s --comb-fuse=cost=reads+writes -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @simple2(
// ILP: = soac.cluster {{.*}}reads [2, 3, 0] writes [0] :
// ILP:   = soac.gather {{.*}}label = 2 {{.*}}soac.orders = array<i64: 3>
// ILP:   = soac.gather {{.*}}label = 3
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s --cost reads+writes | FileCheck %s --check-prefix=COST
// RUN: comb explain %s --cost reads+writes -o - | FileCheck %s --check-prefix=COST
// RUN: comb solve %comb_root/passes/fusion/graphs/simple2.json --report | FileCheck %s --check-prefix=COST
// COST: ilp 4 1 3 1

// DEFINE: %{run} = comb run --target interp -i arg0=random:index(0..5)[7]:1 -i arg1=random:index(0..7)[4]:2 -i arg2=iota:f32[5]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xf32> = [2.0 3.0 2.0 3.0]

func.func @simple2(%is1: tensor<?xindex>, %is2: tensor<?xindex>, %xs: tensor<?xf32>)
    -> tensor<?xf32> {
  %as = soac.gather %xs at %is1
      : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  %bs = soac.gather %as at %is2
      : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %bs : tensor<?xf32>
}
