// Case 6 that Henriksen and Oancea's T2 graph reduction does not fuse: two arrays of one map,
// each used once.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [-1, -1] :
// ILP:   = soac.map
// ILP:   = soac.fold
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[6]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<i32> = 21
// VALUES-NEXT: result1: tensor<i32> = 0

func.func @f(%as: tensor<?xi32>) -> (tensor<i32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x, %y = soac.map %as : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %r = arith.addi %a, %one : i32
    %s = arith.muli %a, %a : i32
    soac.yield %r, %s : i32, i32
  }
  %u = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %v = soac.fold %y neutral %one : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %r = arith.muli %a, %b : i32
    soac.yield %r : i32
  }
  return %u, %v : tensor<i32>, tensor<i32>
}
