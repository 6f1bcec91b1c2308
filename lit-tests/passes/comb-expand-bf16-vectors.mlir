// RUN: comb-opt %s --split-input-file --comb-expand-bf16-vectors | FileCheck %s

// CHECK-LABEL: @reversed
// CHECK-SAME:    %[[FROM:.*]]: memref<?xbf16, strided<[1], offset: ?>>, %[[TO:.*]]: memref<8xbf16>, %[[I:.*]]: index
// CHECK:         %[[FROM_INTEGERS:.*]] = builtin.unrealized_conversion_cast %[[FROM]] : memref<?xbf16, strided<[1], offset: ?>> to memref<?xi16, strided<[1], offset: ?>>
// CHECK:         %[[V:.*]] = vector.load %[[FROM_INTEGERS]][%[[I]]] : memref<?xi16, strided<[1], offset: ?>>, vector<4xi16>
// CHECK:         %[[R:.*]] = vector.shuffle %[[V]], %[[V]] [3, 2, 1, 0] : vector<4xi16>, vector<4xi16>
// CHECK:         %[[TO_INTEGERS:.*]] = builtin.unrealized_conversion_cast %[[TO]] : memref<8xbf16> to memref<8xi16>
// CHECK:         vector.store %[[R]], %[[TO_INTEGERS]][%[[I]]] {nontemporal = true} : memref<8xi16>, vector<4xi16>
func.func @reversed(%from: memref<?xbf16, strided<[1], offset: ?>>, %to: memref<8xbf16>, %i: index) {
  %v = vector.load %from[%i] : memref<?xbf16, strided<[1], offset: ?>>, vector<4xbf16>
  %r = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xbf16>, vector<4xbf16>
  vector.store %r, %to[%i] {nontemporal = true} : memref<8xbf16>, vector<4xbf16>
  return
}

// -----

// What functions take and give stays.

// CHECK-LABEL: @masked
// CHECK-SAME:    %[[OTHER:[a-z0-9]+]]: vector<8xbf16>) -> vector<8xbf16>
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[OTHER]] : vector<8xbf16> to vector<8xi16>
// CHECK:         vector.maskedload %{{.*}}, %{{.*}}, %[[BITS]] : memref<?xi16>, vector<8xi1>, vector<8xi16> into vector<8xi16>
// CHECK:         vector.gather %{{.*}}, %[[BITS]] : memref<?xi16>, vector<8xindex>, vector<8xi1>, vector<8xi16> into vector<8xi16>
// CHECK:         vector.maskedstore %{{.*}} : memref<?xi16>, vector<8xi1>, vector<8xi16>
// CHECK:         %[[S:.*]] = arith.select {{.*}} : vector<8xi1>, vector<8xi16>
// CHECK:         vector.compressstore {{.*}}, %[[S]] : memref<?xi16>, vector<8xi1>, vector<8xi16>
// CHECK:         %[[RESULT:.*]] = arith.bitcast %[[S]] : vector<8xi16> to vector<8xbf16>
// CHECK:         return %[[RESULT]] : vector<8xbf16>
func.func @masked(%memory: memref<?xbf16>, %i: index, %at: vector<8xindex>, %mask: vector<8xi1>,
                  %other: vector<8xbf16>) -> vector<8xbf16> {
  %v = vector.maskedload %memory[%i], %mask, %other
      : memref<?xbf16>, vector<8xi1>, vector<8xbf16> into vector<8xbf16>
  %g = vector.gather %memory[%i] [%at], %mask, %other
      : memref<?xbf16>, vector<8xindex>, vector<8xi1>, vector<8xbf16> into vector<8xbf16>
  vector.maskedstore %memory[%i], %mask, %v : memref<?xbf16>, vector<8xi1>, vector<8xbf16>
  %s = arith.select %mask, %v, %g : vector<8xi1>, vector<8xbf16>
  vector.compressstore %memory[%i], %mask, %s : memref<?xbf16>, vector<8xi1>, vector<8xbf16>
  return %s : vector<8xbf16>
}

// -----

// Single numbers stay what they are, next to vectors.

// CHECK-LABEL: @numbers
// CHECK-SAME:    %[[X:.*]]: bf16
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[X]] : bf16 to i16
// CHECK:         %[[V:.*]] = vector.broadcast %[[BITS]] : i16 to vector<8xi16>
// CHECK:         %[[E:.*]] = vector.extract %[[V]][3] : i16 from vector<8xi16>
// CHECK:         %[[NUMBER:.*]] = arith.bitcast %[[E]] : i16 to bf16
// CHECK:         return %[[NUMBER]] : bf16
func.func @numbers(%x: bf16) -> bf16 {
  %v = vector.broadcast %x : bf16 to vector<8xbf16>
  %e = vector.extract %v[3] : bf16 from vector<8xbf16>
  return %e : bf16
}

// -----

// Loops and blocks carry integers.

// CHECK-LABEL: @carried
// CHECK:         %[[CONSTANT:.*]] = arith.constant dense<1.000000e+00> : vector<8xbf16>
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[CONSTANT]] : vector<8xbf16> to vector<8xi16>
// CHECK:         scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[BITS]]) -> (vector<8xi16>)
// CHECK:           scf.yield %{{.*}} : vector<8xi16>
// CHECK:         cf.br ^[[NEXT:.*]](%{{.*}} : vector<8xi16>)
// CHECK:       ^[[NEXT]](%{{.*}}: vector<8xi16>):
func.func @carried(%memory: memref<?xbf16>, %n: index, %mask: vector<8xi1>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %ones = arith.constant dense<1.0> : vector<8xbf16>
  %last = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %ones) -> (vector<8xbf16>) {
    %v = vector.load %memory[%i] : memref<?xbf16>, vector<8xbf16>
    %s = arith.select %mask, %v, %sum : vector<8xi1>, vector<8xbf16>
    scf.yield %s : vector<8xbf16>
  }
  cf.br ^next(%last : vector<8xbf16>)
^next(%v: vector<8xbf16>):
  vector.store %v, %memory[%c0] : memref<?xbf16>, vector<8xbf16>
  return
}

// -----

// Arithmetic that somebody left there stays arithmetic of bf16.

// CHECK-LABEL: @arithmetic
// CHECK:         %[[V:.*]] = vector.load {{.*}} : memref<?xi16>, vector<8xi16>
// CHECK:         %[[X:.*]] = arith.bitcast %[[V]] : vector<8xi16> to vector<8xbf16>
// CHECK:         arith.addf %{{.*}}, %{{.*}} : vector<8xbf16>
func.func @arithmetic(%memory: memref<?xbf16>, %i: index) {
  %v = vector.load %memory[%i] : memref<?xbf16>, vector<8xbf16>
  %w = arith.addf %v, %v : vector<8xbf16>
  vector.store %w, %memory[%i] : memref<?xbf16>, vector<8xbf16>
  return
}

// -----

// Other memory, and loads of single elements, are left alone.

// CHECK-LABEL: @others
// CHECK-NOT:     cast
// CHECK:         return
func.func @others(%halves: memref<?xf16>, %brains: memref<?xbf16>, %i: index) -> (vector<8xf16>, bf16) {
  %v = vector.load %halves[%i] : memref<?xf16>, vector<8xf16>
  %b = memref.load %brains[%i] : memref<?xbf16>
  return %v, %b : vector<8xf16>, bf16
}
