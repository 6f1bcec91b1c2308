// RUN: comb-opt %s --comb-expand-bool-vectors | FileCheck %s

// CHECK-LABEL: @copy
// CHECK-SAME:    %[[FROM:.*]]: memref<?xi1, strided<[1], offset: ?>>, %[[TO:.*]]: memref<8xi1>, %[[I:.*]]: index
// CHECK:         %[[FROM_BYTES:.*]] = builtin.unrealized_conversion_cast %[[FROM]] : memref<?xi1, strided<[1], offset: ?>> to memref<?xi8, strided<[1], offset: ?>>
// CHECK:         %[[BYTES:.*]] = vector.load %[[FROM_BYTES]][%[[I]]] : memref<?xi8, strided<[1], offset: ?>>, vector<8xi8>
// CHECK:         %[[ZEROS:.*]] = arith.constant dense<0> : vector<8xi8>
// CHECK:         %[[TRUE:.*]] = arith.cmpi ne, %[[BYTES]], %[[ZEROS]] : vector<8xi8>
// CHECK:         %[[TO_BYTES:.*]] = builtin.unrealized_conversion_cast %[[TO]] : memref<8xi1> to memref<8xi8>
// CHECK:         %[[WIDE:.*]] = arith.extui %[[TRUE]] : vector<8xi1> to vector<8xi8>
// CHECK:         vector.store %[[WIDE]], %[[TO_BYTES]][%[[I]]] {nontemporal = true} : memref<8xi8>, vector<8xi8>
func.func @copy(%from: memref<?xi1, strided<[1], offset: ?>>, %to: memref<8xi1>, %i: index) {
  %v = vector.load %from[%i] : memref<?xi1, strided<[1], offset: ?>>, vector<8xi1>
  vector.store %v, %to[%i] {nontemporal = true} : memref<8xi1>, vector<8xi1>
  return
}

// Masks stay what they are.

// CHECK-LABEL: @masked
// CHECK-SAME:    %[[MEMORY:.*]]: memref<?xi1>, %[[I:.*]]: index, %[[MASK:.*]]: vector<8xi1>, %[[OTHER:.*]]: vector<8xi1>
// CHECK:         %[[WIDE:.*]] = arith.extui %[[OTHER]] : vector<8xi1> to vector<8xi8>
// CHECK:         vector.maskedload %{{.*}}[%[[I]]], %[[MASK]], %[[WIDE]] : memref<?xi8>, vector<8xi1>, vector<8xi8> into vector<8xi8>
// CHECK:         vector.maskedstore %{{.*}}[%[[I]]], %[[MASK]], %{{.*}} : memref<?xi8>, vector<8xi1>, vector<8xi8>
// CHECK:         vector.compressstore %{{.*}}[%[[I]]], %[[MASK]], %{{.*}} : memref<?xi8>, vector<8xi1>, vector<8xi8>
func.func @masked(%memory: memref<?xi1>, %i: index, %mask: vector<8xi1>, %other: vector<8xi1>) {
  %v = vector.maskedload %memory[%i], %mask, %other
      : memref<?xi1>, vector<8xi1>, vector<8xi1> into vector<8xi1>
  vector.maskedstore %memory[%i], %mask, %v : memref<?xi1>, vector<8xi1>, vector<8xi1>
  vector.compressstore %memory[%i], %mask, %v : memref<?xi1>, vector<8xi1>, vector<8xi1>
  return
}

// CHECK-LABEL: @gathered
// CHECK:         vector.gather %{{.*}}[%{{.*}}] [%{{.*}}], %{{.*}}, %{{.*}} : memref<?xi8>, vector<8xindex>, vector<8xi1>, vector<8xi8> into vector<8xi8>
func.func @gathered(%memory: memref<?xi1>, %at: vector<8xindex>, %mask: vector<8xi1>, %other: vector<8xi1>) -> vector<8xi1> {
  %c0 = arith.constant 0 : index
  %v = vector.gather %memory[%c0] [%at], %mask, %other
      : memref<?xi1>, vector<8xindex>, vector<8xi1>, vector<8xi1> into vector<8xi1>
  return %v : vector<8xi1>
}

// Other memory, and single elements, are left alone.

// CHECK-LABEL: @others
// CHECK-NOT:     unrealized_conversion_cast
// CHECK:         return
func.func @others(%bytes: memref<?xi8>, %bools: memref<?xi1>, %i: index) -> (vector<8xi8>, i1) {
  %v = vector.load %bytes[%i] : memref<?xi8>, vector<8xi8>
  %b = memref.load %bools[%i] : memref<?xi1>
  return %v, %b : vector<8xi8>, i1
}
