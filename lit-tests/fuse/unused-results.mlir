// Of several arrays, those are neither read nor stored whose results nobody uses.

// RUN: comb-opt %s --comb-fuse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CHECK-LABEL: func.func @without(
// CHECK-DAG: = soac.filter %{{[^,]*}} :
// CHECK-DAG: = soac.scanl %{{[^,]*}} neutral %{{[^,]*}} :
// CHECK-DAG: = soac.scanr %{{[^,]*}} neutral %{{[^,]*}} exclusive :
// CHECK-DAG: = soac.fold %{{[^,]*}} neutral %{{[^,]*}} :
// CHECK-DAG: = soac.scatter %{{[^,]*}} into %{{[^,]*}} at
// CHECK: return
// CALL-LABEL: without iota:i32[4] ones:i32[4] zeros:i32[4] iota:index[4]
// GIVES: result0: tensor<3xi32> = [1 2 3]
// GIVES: result1: tensor<4xi32> = [0 1 3 6]
// GIVES: result2: tensor<4xi32> = [3 2 1 0]
// GIVES: result3: tensor<i32> = 4
// GIVES: result4: tensor<4xi32> = [1 1 1 1]
func.func @without(%x: tensor<?xi32>, %y: tensor<?xi32>, %d: tensor<?xi32>, %at: tensor<?xindex>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<i32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %f:2 = soac.filter %x, %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %b: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  %l:2 = soac.scanl %x, %y neutral %zero, %zero : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %b: i32, %c: i32, %e: i32) {
    %s = arith.addi %a, %c : i32
    %t = arith.addi %b, %e : i32
    soac.yield %s, %t : i32, i32
  }
  %r:2 = soac.scanr %x, %y neutral %zero, %zero exclusive : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %b: i32, %c: i32, %e: i32) {
    %s = arith.addi %a, %c : i32
    %t = arith.addi %b, %e : i32
    soac.yield %s, %t : i32, i32
  }
  %o:2 = soac.fold %x, %y neutral %zero, %zero : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<i32>, tensor<i32>) (%a: i32, %b: i32, %c: i32, %e: i32) {
    %s = arith.addi %a, %c : i32
    %t = arith.addi %b, %e : i32
    soac.yield %s, %t : i32, i32
  }
  %w:2 = soac.scatter %x, %y into %d, %d at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> (tensor<?xi32>, tensor<?xi32>)
  return %f#0, %l#0, %r#1, %o#1, %w#1 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<i32>, tensor<?xi32>
}

// What is needed for others is computed, but not stored: a cluster says so.
// CHECK-LABEL: func.func @needed(
// CHECK: %[[FILTER:.*]] = soac.cluster {{.*}} -> tensor<?xi32> (
// CHECK:   = soac.filter
// CHECK: return %[[FILTER]]
// CALL-LABEL: needed iota:i32[4] ones:i32[4]
// GIVES: result: tensor<2xi32> = [2 3]
func.func @needed(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %f:2 = soac.filter %x, %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %b: i32) {
    %k = arith.cmpi sgt, %a, %b : i32
    soac.yield %k : i1
  }
  return %f#0 : tensor<?xi32>
}

// The value at the greatest index so far.
// CHECK-LABEL: func.func @last(
// CHECK: %[[SCAN:.*]] = soac.cluster {{.*}} -> tensor<?xi32> (
// CHECK:   = soac.scanl
// CHECK: return %[[SCAN]]
// CALL-LABEL: last random:i32[4]:1 iota:i32[4]
// GIVES: result: tensor<4xi32> = [56 74 97 44]
func.func @last(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %l:2 = soac.scanl %x, %y neutral %zero, %zero : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %i: i32, %b: i32, %j: i32) {
    %later = arith.cmpi sge, %j, %i : i32
    %s = arith.select %later, %b, %a : i32
    %t = arith.maxsi %i, %j : i32
    soac.yield %s, %t : i32, i32
  }
  return %l#0 : tensor<?xi32>
}

// A check is done all the same.
// CHECK-LABEL: func.func @checked(
// CHECK: = soac.scanl %{{[^,]*}}, %{{[^,]*}} neutral
// CHECK: soac.check
// CHECK: return
// CALL-LABEL: checked iota:i32[4] zeros:i32[4]
// GIVES: error: 'arith.divsi' op division by zero
func.func @checked(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %l:2 = soac.scanl %x, %y neutral %zero, %zero : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %b: i32, %c: i32, %e: i32) {
    %s = arith.addi %a, %c : i32
    %t = arith.divsi %b, %e : i32
    soac.yield %s, %t : i32, i32
  }
  return %l#0 : tensor<?xi32>
}

// The size of a result is that of another.
// CHECK-LABEL: func.func @sizes(
// CHECK: = soac.filter %{{[^,]*}} :
// CHECK: return
// CALL-LABEL: sizes iota:i32[4] ones:i32[4]
// GIVES: result0: tensor<3xi32> = [1 2 3]
// GIVES: result1: index = 3
func.func @sizes(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %f:2 = soac.filter %x, %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %b: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  %n = tensor.dim %f#1, %c0 : tensor<?xi32>
  return %f#0, %n : tensor<?xi32>, index
}
