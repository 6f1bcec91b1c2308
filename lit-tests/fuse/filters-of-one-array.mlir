// Two filters and a fold of one array, and folds of the filters: one loop.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [-1, -1, -1] :
// ILP:   = soac.filter
// ILP:   = soac.filter
// ILP:   = soac.fold
// ILP:   = soac.fold
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(-4..5)[12]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<i32> = 16
// VALUES-NEXT: result1: tensor<i32> = -5
// VALUES-NEXT: result2: tensor<i32> = 4

func.func @f(%xs: tensor<?xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %positive = soac.filter %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  %negative = soac.filter %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi slt, %a, %zero : i32
    soac.yield %k : i1
  }
  %above = soac.fold %positive neutral %zero : (tensor<?xi32>, i32) -> tensor<i32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %below = soac.fold %negative neutral %zero : (tensor<?xi32>, i32) -> tensor<i32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %greatest = soac.fold %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %r = arith.maxsi %a, %b : i32
    soac.yield %r : i32
  }
  return %above, %below, %greatest : tensor<i32>, tensor<i32>, tensor<i32>
}
