// A filter of which only the size is asked for counts: nothing is stored, and the count shares a loop with the sum.

// RUN: comb-opt %s --comb-fuse | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CHECK-LABEL: func.func @mean(
// CHECK-NOT: soac.filter
// CHECK: = soac.cluster {{.*}}reads [0] writes [-1, -1]
// CHECK-COUNT-2: soac.fold
// CHECK-NOT: soac.cluster
// CHECK: return
// CALL-LABEL: mean [3,-1,5,0,7]
// GIVES: result: i32 = 5
func.func @mean(%x: tensor<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %kept = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %k = arith.cmpi sgt, %e, %zero : i32
    soac.yield %k : i1
  }
  %n = tensor.dim %kept, %c0 : tensor<?xi32>
  %positive = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %m = arith.maxsi %e, %zero : i32
    soac.yield %m : i32
  }
  %s = soac.fold %positive neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %sum = tensor.extract %s[] : tensor<i32>
  %count = arith.index_cast %n : index to i32
  %mean = arith.divsi %sum, %count : i32
  return %mean : i32
}

// Of two arrays and of a map of what is kept; an error in the lambda stays one.
// CHECK-LABEL: func.func @errors(
// CHECK-NOT: = soac.filter
// CHECK: soac.check {{.*}}division by zero
// CHECK: return
// CALL-LABEL: errors [4,2,1] [2,2,3]
// GIVES: result: index = 1
// CALL-LABEL: errors [4,2,1] [2,0,3]
// GIVES: division by zero
func.func @errors(%x: tensor<?xi32>, %y: tensor<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %p, %q = soac.filter %x, %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %b: i32) {
    %d = arith.divsi %a, %b : i32
    %k = arith.cmpi sgt, %d, %one : i32
    soac.yield %k : i1
  }
  %m = soac.map %q : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %n = tensor.dim %m, %c0 : tensor<?xi32>
  return %n : index
}
