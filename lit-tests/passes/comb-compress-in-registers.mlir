// Lanes that a filter keeps are packed in a register, and as many as there are of them are written.

// RUN: comb-opt %s --comb-compress-in-registers | FileCheck %s
// RUN: comb-opt %s --comb-set-machine=cpu=sandybridge --comb-compress-in-registers | FileCheck %s --check-prefix=FEWER

// FEWER-NOT: llvm.call_intrinsic
// FEWER-COUNT-8: vector.compressstore

// With AVX2, lanes are permuted as a row of a table says, and all are written, if there is room for them.

// RUN: comb-opt %s --comb-set-machine=cpu=haswell --comb-compress-in-registers | FileCheck %s --check-prefix=TABLE
// RUN: comb-opt %s --pass-pipeline='builtin.module(comb-set-machine{cpu=haswell},comb-compress-in-registers,convert-vector-to-llvm,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)' -o /dev/null

// TABLE:       memref.global "private" constant @comb_packing_8_ : memref<256x8xi8> = dense<"0x00000000000000000000000000000000010000000000000000010000000000000200000000000000{{.*}}0001020304050607"> {alignment = 64 : i64}
// TABLE:       memref.global "private" constant @comb_packing_4 : memref<16x8xi8> = dense<"0x00000000000000000001000000000000020300000000000000010203000000000405000000000000{{.*}}0001020304050607"> {alignment = 64 : i64}
func.func private @comb_packing_8()

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

// Without room, it stays as it is.

// TABLE-LABEL: func.func @floats(
// TABLE-NOT:     llvm.call_intrinsic
// TABLE:         vector.compressstore

// TABLE-LABEL: func.func @words_with_room(
// TABLE-SAME:    %[[MEMORY:.*]]: memref<?xf32>, %[[AT:.*]]: index, %[[MASK:.*]]: vector<16xi1>, %[[LANES:.*]]: vector<16xf32>)
// TABLE:         %[[ROW:.*]] = vector.bitcast %[[MASK]] : vector<16xi1> to vector<1xi16>
// TABLE:         %[[BITS:.*]] = vector.extract %[[ROW]][0]
// TABLE:         %[[SHIFTED:.*]] = arith.shrui %[[BITS]], %c0
// TABLE:         %[[CHOSEN:.*]] = arith.trunci %[[SHIFTED]] : i16 to i8
// TABLE:         %[[SOME:.*]] = vector.extract_strided_slice %[[LANES]] {offsets = [0], sizes = [8]
// TABLE:         %[[TABLE:.*]] = memref.get_global @comb_packing_8_
// TABLE:         %[[NUMBER:.*]] = arith.index_castui %[[CHOSEN]] : i8 to index
// TABLE:         %[[BYTES:.*]] = vector.load %[[TABLE]][%[[NUMBER]], %c0{{.*}}] : memref<256x8xi8>, vector<8xi8>
// TABLE:         %[[ORDER:.*]] = arith.extui %[[BYTES]] : vector<8xi8> to vector<8xi32>
// TABLE:         %[[WORDS:.*]] = vector.bitcast %[[SOME]] : vector<8xf32> to vector<8xi32>
// TABLE:         %[[PERMUTED:.*]] = llvm.call_intrinsic "llvm.x86.avx2.permd"(%[[WORDS]], %[[ORDER]])
// TABLE:         %[[PACKED:.*]] = vector.bitcast %[[PERMUTED]] : vector<8xi32> to vector<8xf32>
// TABLE:         vector.store %[[PACKED]], %[[MEMORY]][%[[AT]]]
// TABLE:         %[[COUNT:.*]] = llvm.intr.ctpop(%[[CHOSEN]])
// TABLE:         %[[KEPT:.*]] = arith.index_castui %[[COUNT]] : i8 to index
// TABLE:         %[[BEHIND:.*]] = arith.addi %[[AT]], %[[KEPT]]
// TABLE:         llvm.call_intrinsic "llvm.x86.avx2.permd"
// TABLE:         vector.store %{{.*}}, %[[MEMORY]][%[[BEHIND]]]
// TABLE-NOT:     vector.compressstore
func.func @words_with_room(%memory: memref<?xf32>, %at: index, %mask: vector<16xi1>, %lanes: vector<16xf32>) {
  vector.compressstore %memory[%at], %mask, %lanes {comb.has_room}
    : memref<?xf32>, vector<16xi1>, vector<16xf32>
  return
}

// Pairs of words.

// TABLE-LABEL: func.func @pairs_with_room(
// TABLE:         arith.trunci %{{.*}} : i8 to i4
// TABLE:         vector.load %{{.*}} : memref<16x8xi8>, vector<8xi8>
// TABLE:         vector.bitcast %{{.*}} : vector<4xi64> to vector<8xi32>
// TABLE:         llvm.call_intrinsic "llvm.x86.avx2.permd"
// TABLE:         %[[PACKED:.*]] = arith.index_cast %{{.*}} : vector<4xi64> to vector<4xindex>
// TABLE:         vector.store %[[PACKED]]
func.func @pairs_with_room(%memory: memref<?xindex>, %at: index, %mask: vector<8xi1>, %lanes: vector<8xindex>) {
  vector.compressstore %memory[%at], %mask, %lanes {comb.has_room}
    : memref<?xindex>, vector<8xi1>, vector<8xindex>
  return
}

// TABLE-LABEL: func.func @halves_with_room(
// TABLE:         %[[ORDER:.*]] = arith.extui %{{.*}} : vector<8xi8> to vector<8xi16>
// TABLE:         arith.constant 514 : i16
// TABLE:         arith.muli %[[ORDER]]
// TABLE:         arith.constant 256 : i16
// TABLE:         arith.addi
// TABLE:         llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// TABLE:         vector.store %{{.*}} : memref<?xf16>, vector<8xf16>
func.func @halves_with_room(%memory: memref<?xf16>, %at: index, %mask: vector<8xi1>, %lanes: vector<8xf16>) {
  vector.compressstore %memory[%at], %mask, %lanes {comb.has_room}
    : memref<?xf16>, vector<8xi1>, vector<8xf16>
  return
}

// TABLE-LABEL: func.func @bytes_with_room(
// TABLE-COUNT-4: vector.store %{{.*}} : memref<?xi8>, vector<8xi8>
// TABLE-NOT:     vector.store
func.func @bytes_with_room(%memory: memref<?xi8>, %at: index, %mask: vector<32xi1>, %lanes: vector<32xi8>) {
  vector.compressstore %memory[%at], %mask, %lanes {comb.has_room}
    : memref<?xi8>, vector<32xi1>, vector<32xi8>
  return
}
