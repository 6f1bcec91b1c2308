// A new array that is given twice is one block of memory, though an iteration writes to one of the two. A
// constant that a loop carries is written to.

// RUN: %mlir_opt %s --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map" \
// RUN:   --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for {{.*}} iter_args(%[[A:[a-z0-9]*]] =
// CHECK-NOT:       memref.copy
// CHECK:           memref.store %{{.*}}, %[[A]]
// CHECK:           %[[NEW:.*]] = memref.alloc()
// CHECK-NOT:       memref.copy
// CHECK:           scf.yield %[[NEW]], %[[NEW]]
func.func @loop(%x: tensor<3xi32>, %y: tensor<3xi32>, %n: index, %v: i32) -> (tensor<3xi32>, tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<3xi32>, tensor<3xi32>) {
    %u = tensor.insert %v into %a[%c0] : tensor<3xi32>
    %e = tensor.extract %u[%c1] : tensor<3xi32>
    %f = tensor.extract %b[%c0] : tensor<3xi32>
    %s = tensor.from_elements %e, %f, %e : tensor<3xi32>
    scf.yield %s, %s : tensor<3xi32>, tensor<3xi32>
  }
  return %r#0, %r#1 : tensor<3xi32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @function(
// CHECK:         %[[NEW:.*]] = memref.alloc()
// CHECK-NOT:     memref.copy
// CHECK:         return %[[NEW]], %[[NEW]]
func.func @function(%a: i32) -> (tensor<1xi32>, tensor<1xi32>) {
  %s = tensor.from_elements %a : tensor<1xi32>
  return %s, %s : tensor<1xi32>, tensor<1xi32>
}

// CHECK-LABEL: func.func @constant(
// CHECK:         scf.for {{.*}} iter_args(%[[A:[a-z0-9]*]] =
// CHECK:           memref.store %{{.*}}, %[[A]]
// CHECK:           %[[CONSTANT:.*]] = memref.get_global
// CHECK-NOT:       memref.copy
// CHECK:           scf.yield %[[CONSTANT]]
func.func @constant(%x: tensor<3xi32>, %n: index, %v: i32) -> (tensor<3xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %v) -> (tensor<3xi32>, i32) {
    %u = tensor.insert %v into %a[%c0] : tensor<3xi32>
    %e = tensor.extract %u[%c1] : tensor<3xi32>
    %k = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
    scf.yield %k, %e : tensor<3xi32>, i32
  }
  return %r#0, %r#1 : tensor<3xi32>, i32
}
