// Lanes that a filter keeps are packed in a register, and as many as there are of them are written.

// RUN: comb-opt %s --comb-compress-in-registers | FileCheck %s
// RUN: comb-opt %s --comb-compress-in-registers='registers=16' | FileCheck %s --check-prefix=FEWER

// FEWER-NOT: llvm.call_intrinsic
// FEWER-COUNT-4: vector.compressstore

// CHECK-LABEL: func.func @floats(
// CHECK-SAME:    %[[MEMORY:.*]]: memref<?xf32>, %[[AT:.*]]: index, %[[MASK:.*]]: vector<16xi1>, %[[LANES:.*]]: vector<16xf32>)
// CHECK-DAG:     %[[REST:.*]] = ub.poison : vector<16xf32>
// CHECK-DAG:     %[[PACKED:.*]] = llvm.call_intrinsic "llvm.experimental.vector.compress"(%[[LANES]], %[[MASK]], %[[REST]])
// CHECK-DAG:     %[[ROW:.*]] = vector.bitcast %[[MASK]] : vector<16xi1> to vector<1xi16>
// CHECK-DAG:     %[[BITS:.*]] = vector.extract %[[ROW]][0]
// CHECK-DAG:     %[[NUMBER:.*]] = llvm.intr.ctpop(%[[BITS]])
// CHECK-DAG:     %[[KEPT:.*]] = arith.index_castui %[[NUMBER]] : i16 to index
// CHECK:         %[[FIRST:.*]] = vector.create_mask %[[KEPT]] : vector<16xi1>
// CHECK:         vector.maskedstore %[[MEMORY]][%[[AT]]], %[[FIRST]], %[[PACKED]]
// CHECK-NOT:     vector.compressstore
func.func @floats(%memory: memref<?xf32>, %at: index, %mask: vector<16xi1>, %lanes: vector<16xf32>) {
  vector.compressstore %memory[%at], %mask, %lanes
    : memref<?xf32>, vector<16xi1>, vector<16xf32>
  return
}

// Two registers, one after the other: the second is written behind what the first has kept.

// CHECK-LABEL: func.func @two_registers(
// CHECK:         offsets = [0], sizes = [8]
// CHECK:         arith.index_cast %{{.*}} : vector<8xindex> to vector<8xi64>
// CHECK:         %[[KEPT:.*]] = arith.index_castui
// CHECK:         vector.maskedstore %{{.*}}[%{{.*}}, %[[AT:.*]]],
// CHECK:         %[[BEHIND:.*]] = arith.addi %[[AT]], %[[KEPT]]
// CHECK:         offsets = [8], sizes = [8]
// CHECK:         vector.maskedstore %{{.*}}[%{{.*}}, %[[BEHIND]]],
func.func @two_registers(%memory: memref<?x?xindex>, %row: index, %at: index, %mask: vector<16xi1>,
                         %lanes: vector<16xindex>) {
  vector.compressstore %memory[%row, %at], %mask, %lanes
    : memref<?x?xindex>, vector<16xi1>, vector<16xindex>
  return
}

// CHECK-LABEL: func.func @bytes(
// CHECK:         llvm.call_intrinsic "llvm.experimental.vector.compress"({{.*}}) : (vector<16xi8>,
func.func @bytes(%memory: memref<?xi8>, %at: index, %mask: vector<16xi1>, %lanes: vector<16xi8>) {
  vector.compressstore %memory[%at], %mask, %lanes
    : memref<?xi8>, vector<16xi1>, vector<16xi8>
  return
}

// CHECK-LABEL: func.func @halves(
// CHECK:         %[[INTEGERS:.*]] = vector.bitcast %{{.*}} : vector<16xf16> to vector<16xi16>
// CHECK:         %[[PACKED:.*]] = llvm.call_intrinsic "llvm.experimental.vector.compress"(%[[INTEGERS]],
// CHECK:         %[[HALVES:.*]] = vector.bitcast %[[PACKED]] : vector<16xi16> to vector<16xf16>
// CHECK:         vector.maskedstore {{.*}}, %[[HALVES]]
func.func @halves(%memory: memref<?xf16>, %at: index, %mask: vector<16xi1>, %lanes: vector<16xf16>) {
  vector.compressstore %memory[%at], %mask, %lanes
    : memref<?xf16>, vector<16xi1>, vector<16xf16>
  return
}
