// Few chunks are as many as a power of two, of equal lengths.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops --canonicalize | FileCheck %s

// 32768 elements are a chunk at most; 100000 elements are four of 25088, and not three. Whole
// vectors and lines of the cache stay together: 25088 is a multiple of 256.

// CHECK-LABEL: func.func @four(
// CHECK-DAG:     %[[LENGTH:.*]] = arith.constant 25088 : index
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 4 : index
// CHECK:         scf.parallel (%[[CHUNK:.*]]) = (%{{.*}}) to (%[[COUNT]])
// CHECK:           %[[FIRST:.*]] = arith.muli %[[CHUNK]]
// CHECK:           arith.addi %[[FIRST]], %[[LENGTH]]
func.func @four(%x: tensor<100000xi32>) -> tensor<100000xi32> {
  %y = soac.map %x : (tensor<100000xi32>) -> tensor<100000xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<100000xi32>
}

// One chunk is not worth a region of threads: there is none.

// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @alone(%x: tensor<32768xi32>) -> tensor<32768xi32> {
  %y = soac.map %x : (tensor<32768xi32>) -> tensor<32768xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<32768xi32>
}

// Vectors of wider numbers have fewer lanes: here, 16384 elements are a chunk.

// CHECK-LABEL: func.func @wide(
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 2 : index
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[COUNT]])
func.func @wide(%x: tensor<32768xi64>) -> tensor<32768xi64> {
  %y = soac.map %x : (tensor<32768xi64>) -> tensor<32768xi64> (%a: i64) {
    %b = arith.addi %a, %a : i64
    soac.yield %b : i64
  }
  return %y : tensor<32768xi64>
}

// What is scattered into next stays in the cache of the thread that does so.

// CHECK-LABEL: func.func @scattered_into(
// CHECK-NOT:     scf.parallel
// CHECK:         vector.store
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @scattered_into(%x: tensor<65536xi32>, %at: tensor<65536xi32>) -> tensor<65536xi32> {
  %y = soac.map %x : (tensor<65536xi32>) -> tensor<65536xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %z = soac.scatter %x into %y at %at
      : (tensor<65536xi32>, tensor<65536xi32>, tensor<65536xi32>) -> tensor<65536xi32>
  return %z : tensor<65536xi32>
}

// Scans are not cut as small.

// CHECK-LABEL: func.func @scanned(
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 2 : index
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[COUNT]])
func.func @scanned(%x: tensor<65536xi64>) -> tensor<65536xi64> {
  %zero = arith.constant 0 : i64
  %y = soac.scanl %x neutral %zero : (tensor<65536xi64>, i64) -> tensor<65536xi64>
      (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %y : tensor<65536xi64>
}

// How many chunks there are is computed when the program runs, if sizes are not known.

// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[COUNT:.*]] = arith.ceildivsi %[[N:.*]], %{{.*}} : index
// CHECK:         arith.cmpi sle, %[[COUNT]], %c1
// CHECK:         math.ctlz
// CHECK:         arith.cmpi sle, %[[COUNT]], %c64
// CHECK:         scf.parallel
func.func @dynamic(%x: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<?xi32>
}
