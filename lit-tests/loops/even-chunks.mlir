// Few chunks are as many as a power of two, of equal lengths; and two are one, since it takes
// as long to share them.

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

// What a region of threads costs is known to be more than it saves: there is none.

// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @alone(%x: tensor<65536xi32>) -> tensor<65536xi32> {
  %y = soac.map %x : (tensor<65536xi32>) -> tensor<65536xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<65536xi32>
}

// Chunks of a scan are gone through twice, so two are shared.

// CHECK-LABEL: func.func @scanned(
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 2 : index
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[COUNT]])
func.func @scanned(%x: tensor<65536xi32>) -> tensor<65536xi32> {
  %zero = arith.constant 0 : i32
  %y = soac.scanl %x neutral %zero : (tensor<65536xi32>, i32) -> tensor<65536xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %y : tensor<65536xi32>
}

// What another loop gathers from is computed by all threads, and not fetched from the cache of
// one.

// CHECK-LABEL: func.func @gathered(
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 2 : index
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[COUNT]])
// CHECK:         scf.parallel
func.func @gathered(%x: tensor<65536xi32>, %at: tensor<65536xi32>)
    -> (tensor<65536xi32>, tensor<65536xi32>) {
  %y = soac.map %x : (tensor<65536xi32>) -> tensor<65536xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %z = soac.gather %y at %at : (tensor<65536xi32>, tensor<65536xi32>) -> tensor<65536xi32>
  return %y, %z : tensor<65536xi32>, tensor<65536xi32>
}

// How many chunks there are is computed when the program runs, if sizes are not known.

// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[COUNT:.*]] = arith.ceildivsi %[[N:.*]], %{{.*}} : index
// CHECK:         arith.cmpi sle, %[[COUNT]], %c2
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
