// The first lanes of vectors of narrow numbers are copied through memory where CPUs cannot mask them.

// RUN: comb-opt %s --comb-set-machine=cpu=haswell --comb-expand-narrow-masks | FileCheck %s
// RUN: comb-opt %s --comb-set-machine=cpu=x86-64 --comb-expand-narrow-masks | FileCheck %s --check-prefix=NONE
// RUN: comb-opt %s --comb-expand-narrow-masks | FileCheck %s --check-prefix=ALL

// What is not loaded is there before.

// CHECK-LABEL: func.func @load(
// CHECK:         %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
// CHECK:         scf.for
// CHECK:           vector.store %{{.*}}, %[[BUFFER]]
// CHECK:           %[[POSITIVE:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK:           %[[COUNT:.*]] = arith.minsi %[[POSITIVE]], %c64
// CHECK:           %[[REST:.*]] = arith.remui %[[COUNT]], %c16
// CHECK:           %[[WHOLE:.*]] = arith.subi %[[COUNT]], %[[REST]]
// CHECK:           scf.for %[[PLACE:.*]] = %c0{{.*}} to %[[WHOLE]] step %c16
// CHECK:             vector.load %{{.*}} : memref<?x?xi8>, vector<16xi8>
// CHECK:             vector.store %{{.*}}, %[[BUFFER]][%{{.*}}] : memref<64xi8>, vector<16xi8>
// CHECK:           scf.for %{{.*}} = %[[WHOLE]] to %[[COUNT]] step %c1
// CHECK:             memref.load
// CHECK:             memref.store %{{.*}}, %[[BUFFER]]
// CHECK:           vector.load %[[BUFFER]]
// CHECK-NOT:     masked
// ALL-LABEL:   func.func @load(
// ALL:           vector.maskedload
func.func @load(%x: memref<?x?xi8>, %n: index, %others: vector<64xi8>, %y: memref<?x64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %mask = vector.create_mask %i : vector<64xi1>
    %v = vector.maskedload %x[%i, %i], %mask, %others
        : memref<?x?xi8>, vector<64xi1>, vector<64xi8> into vector<64xi8>
    vector.store %v, %y[%i, %c0] : memref<?x64xi8>, vector<64xi8>
  }
  return
}

// CHECK-LABEL: func.func @store(
// CHECK:         %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32xi16>
// CHECK:         vector.store %{{.*}}, %[[BUFFER]]
// CHECK:         scf.for {{.*}} step %c8
// CHECK:           vector.load %[[BUFFER]][%{{.*}}] : memref<32xi16>, vector<8xi16>
// CHECK:         scf.for {{.*}} step %c1
// CHECK-NOT:     masked
func.func @store(%x: memref<?xi16>, %i: index, %n: index, %v: vector<32xi16>) {
  %mask = vector.create_mask %n : vector<32xi1>
  vector.maskedstore %x[%i], %mask, %v : memref<?xi16>, vector<32xi1>, vector<32xi16>
  return
}

// Wide numbers are masked, but before AVX.

// CHECK-LABEL: func.func @wide(
// CHECK:         vector.maskedstore
// NONE-LABEL:  func.func @wide(
// NONE-NOT:      masked
func.func @wide(%x: memref<?xf32>, %i: index, %n: index, %v: vector<16xf32>) {
  %mask = vector.create_mask %n : vector<16xi1>
  vector.maskedstore %x[%i], %mask, %v : memref<?xf32>, vector<16xi1>, vector<16xf32>
  return
}

// Any lanes may be in other masks.

// CHECK-LABEL: func.func @any(
// NONE-LABEL:  func.func @any(
// CHECK:         vector.maskedload
func.func @any(%x: memref<?xi8>, %i: index, %mask: vector<64xi1>, %others: vector<64xi8>)
    -> vector<64xi8> {
  %v = vector.maskedload %x[%i], %mask, %others
      : memref<?xi8>, vector<64xi1>, vector<64xi8> into vector<64xi8>
  return %v : vector<64xi8>
}
