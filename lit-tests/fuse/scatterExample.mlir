// scatterExample of "Fusing Gathers with Integer Linear Programming": the scatter adds to an
// array that has to be there before, so that one of the maps is not fused.

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads+writes" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads+writes" -o %t.greedy
// RUN: comb-opt %s --comb-fuse=cost=reads+writes -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @scatterExample(
// ILP: = soac.map
// ILP: = soac.cluster {{.*}}reads [0, -1] writes [-1] :
// ILP:   = soac.map
// ILP:   = soac.scatter
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s --cost reads+writes | FileCheck %s --check-prefix=COST
// RUN: comb solve %comb_root/passes/fusion/graphs/scatterExample.json --report | FileCheck %s --check-prefix=COST
// COST: ilp 4 2 2 2

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(0..100)[8]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<8xi32> = [169 269 246  45 477  77  88 227]

func.func @scatterExample(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %mask = arith.constant 7 : i32
  %indices, %doubles = soac.map %xs : (tensor<?xi32>) -> (tensor<?xindex>, tensor<?xi32>)
      (%a: i32) {
    %d = arith.muli %a, %two : i32
    %m = arith.andi %a, %mask : i32
    %i = arith.index_cast %m : i32 to index
    soac.yield %i, %d : index, i32
  }
  %bs = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %result = soac.scatter %doubles into %bs at %indices
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32> (%old: i32, %new: i32) {
    %s = arith.addi %old, %new : i32
    soac.yield %s : i32
  }
  return %result : tensor<?xi32>
}
