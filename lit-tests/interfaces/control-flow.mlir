// RUN: comb-opt %s --sccp | FileCheck %s

// A lambda runs any number of times, on anything: constants do not flow through
// its arguments. A cluster runs once, on its operands.

// CHECK-LABEL: func.func @fold(
// CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT: %0 = soac.fold %arg0 neutral %c0_i32 : (tensor<?xi32>, i32) -> tensor<i32> (%arg1: i32, %arg2: i32) {
// CHECK-NEXT: %1 = arith.addi %arg1, %c0_i32 : i32
// CHECK-NEXT: soac.yield %1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<i32>
func.func @fold(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %r = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %zero : i32
    soac.yield %s : i32
  }
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @generate(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = soac.generate [%arg0] : tensor<?xindex> (%arg1: index) {
// CHECK-NEXT: %1 = arith.addi %arg1, %c3 : index
// CHECK-NEXT: soac.yield %1 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xindex>
func.func @generate(%n: index) -> tensor<?xindex> {
  %r = soac.generate [%n] : tensor<?xindex> (%i: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.addi %c1, %c2 : index
    %s = arith.addi %i, %c3 : index
    soac.yield %s : index
  }
  return %r : tensor<?xindex>
}

// CHECK-LABEL: func.func @not_result_of_map(
// CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<4xi32>) -> tensor<4xi32> (%arg1: i32) {
// CHECK-NEXT: soac.yield %c5_i32 : i32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<4xi32>
func.func @not_result_of_map(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = soac.map %x : (tensor<4xi32>) -> tensor<4xi32> (%a: i32) {
    %c = arith.constant 5 : i32
    soac.yield %c : i32
  }
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @cluster(
// CHECK-NEXT: %cst = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: return %cst : tensor<2xi32>
func.func @cluster() -> tensor<2xi32> {
  %c = arith.constant dense<[1, 2]> : tensor<2xi32>
  %r = soac.cluster %c : (tensor<2xi32>) -> tensor<2xi32> (%a: tensor<2xi32>) {
    %f = soac.reverse %a dims [0] : (tensor<2xi32>) -> tensor<2xi32>
    soac.yield %a : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}
