// Copies of parts of arrays become loops over rows, in vectors; those of whole arrays stay.

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
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:  %[[ROWS:.*]] = memref.dim %[[A]], %[[C0]]
// CHECK-DAG:  %[[LENGTH:.*]] = memref.dim %[[A]], %[[C1]]
// CHECK-DAG:  %[[STEP:.*]] = arith.constant 16 : index
// CHECK:      %[[REST:.*]] = arith.remui %[[LENGTH]], %[[STEP]]
// CHECK:      %[[WHOLE:.*]] = arith.subi %[[LENGTH]], %[[REST]]
// CHECK:      %[[SOME:.*]] = arith.cmpi ne, %[[REST]], %{{.*}}
// CHECK:      scf.for %[[I:.*]] = %{{.*}} to %[[ROWS]]
// CHECK:        scf.for %[[J:.*]] = %{{.*}} to %[[WHOLE]] step %[[STEP]]
// CHECK-NEXT:     %[[V:.*]] = vector.load %[[A]][%[[I]], %[[J]]] : {{.*}}, vector<16xf32>
// CHECK-NEXT:     vector.store %[[V]], %[[B]][%[[I]], %[[J]]]
// CHECK:        scf.if %[[SOME]]
// CHECK:          %[[MASK:.*]] = vector.create_mask %[[REST]] : vector<16xi1>
// CHECK:          %[[W:.*]] = vector.maskedload %[[A]][%[[I]], %[[WHOLE]]], %[[MASK]]
// CHECK:          vector.maskedstore %[[B]][%[[I]], %[[WHOLE]]], %[[MASK]], %[[W]]
// CHECK-NOT:  memref.copy
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

// Elements that are not adjacent are copied one by one, and so are those of which there are
// no vectors.

// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32, strided<[1, ?]>>, %[[B:.*]]: memref<?x?xf32>
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[A]] : {{.*}}) outs(%[[B]] : {{.*}})
// CHECK-NEXT: ^{{.*}}(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[X]]
func.func @columns(%a: memref<?x?xf32, strided<[1, ?]>>, %b: memref<?x?xf32>) {
  memref.copy %a, %b : memref<?x?xf32, strided<[1, ?]>> to memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @no_vectors(
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
func.func @no_vectors(%a: memref<?x?xbf16, strided<[?, 1], offset: 1>>, %b: memref<?x?xbf16>) {
  memref.copy %a, %b : memref<?x?xbf16, strided<[?, 1], offset: 1>> to memref<?x?xbf16>
  return
}

// CHECK-LABEL: func.func @single_row(
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
func.func @single_row(%a: memref<1x?xf32, strided<[?, 1], offset: 1>>, %b: memref<1x?xf32>) {
  memref.copy %a, %b : memref<1x?xf32, strided<[?, 1], offset: 1>> to memref<1x?xf32>
  return
}

// CHECK-LABEL: func.func @bytes(
// CHECK: vector.load {{.*}}, vector<64xi1>
func.func @bytes(%a: memref<?x?xi1, strided<[?, 1], offset: 1>>, %b: memref<?x?xi1>) {
  memref.copy %a, %b : memref<?x?xi1, strided<[?, 1], offset: 1>> to memref<?x?xi1>
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
