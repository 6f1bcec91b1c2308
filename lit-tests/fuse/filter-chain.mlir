// A filter of a map of a filter, and a fold of it.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [0, -1] :
// ILP:   = soac.map
// ILP:   = soac.filter
// ILP:   = soac.map
// ILP:   = soac.filter
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(-5..6)[12]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<3xi32> = [4 1 4]
// VALUES-NEXT: result1: tensor<i32> = 9

func.func @f(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %ys = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %positive = soac.filter %ys : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  %squares = soac.map %positive : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.muli %a, %a : i32
    soac.yield %r : i32
  }
  %small = soac.filter %squares : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi slt, %a, %ten : i32
    soac.yield %k : i1
  }
  %sum = soac.fold %small neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %small, %sum : tensor<?xi32>, tensor<i32>
}
