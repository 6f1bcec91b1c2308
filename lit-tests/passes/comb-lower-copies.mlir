// Copies of parts of arrays become linalg.generic; those of whole arrays stay.

// RUN: comb-opt %s --comb-lower-copies --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @whole(
// CHECK: memref.copy
// CHECK-NOT: linalg.generic
func.func @whole(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[A]] : {{.*}}) outs(%[[B]] : {{.*}})
// CHECK-NEXT: ^{{.*}}(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[X]]
func.func @part(%a: memref<?x?xf32>, %b: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  memref.copy %a, %b : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  return
}

// -----

// CHECK-LABEL: func.func @scalar(
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = []
func.func @scalar(%a: memref<f32, strided<[], offset: 3>>, %b: memref<f32>) {
  memref.copy %a, %b : memref<f32, strided<[], offset: 3>> to memref<f32>
  return
}

// -----

// A copy is lowered where it is.

// CHECK-LABEL: func.func @branch(
// CHECK: scf.if
// CHECK-NEXT: linalg.generic
func.func @branch(%c: i1, %a: memref<?xi8, strided<[2]>>, %b: memref<?xi8>) {
  scf.if %c {
    memref.copy %a, %b : memref<?xi8, strided<[2]>> to memref<?xi8>
  }
  return
}
