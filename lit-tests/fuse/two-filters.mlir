// Case 2 that Henriksen and Oancea's T2 graph reduction does not fuse: a map of two filters.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.filter
// ILP: = soac.filter
// ILP: = soac.map

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(-2..3)[9]:1 -i arg1=random:i32(-2..3)[9]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xi32> = [2 4 2 4]

func.func @f(%as: tensor<?xi32>, %bs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %x = soac.filter %as : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  %y = soac.filter %bs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  %z = soac.map %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %z : tensor<?xi32>
}
