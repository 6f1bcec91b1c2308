// A cheap map of one array that is read in several orders is computed for each of them, so that it is not stored
// only because it is shifted.

// RUN: comb-opt %s --soac-desugar | FileCheck %s
// RUN: comb-opt %s --comb-set-transformations=disable=maps-again --soac-desugar | FileCheck %s --check-prefix=OFF
// RUN: comb-opt %s --comb-fuse | FileCheck %s --check-prefix=FUSED
// RUN: comb run %s --entry widened -i x=iota:i8[6] | FileCheck %s --check-prefix=GIVES
// GIVES: result: tensor<4xi16> = [ 4 8 12 16]

!b = tensor<6xi8>
!s = tensor<4xi16>

// CHECK-LABEL: func.func @widened
// CHECK-COUNT-3: soac.backpermute %arg0
// OFF-LABEL: func.func @widened
// OFF-NOT: soac.backpermute %arg0
// FUSED-LABEL: func.func @widened
// FUSED: soac.cluster
// FUSED-NOT: soac.cluster
func.func @widened(%x: !b {soac.name = "x"}) -> !s {
  %p = soac.map %x : (!b) -> tensor<6xi16> (%e: i8) {
    %v = arith.extui %e : i8 to i16
    soac.yield %v : i16
  }
  %l = soac.slice %p [0] [4] [1] : (tensor<6xi16>) -> !s
  %m = soac.slice %p [1] [4] [1] : (tensor<6xi16>) -> !s
  %r = soac.slice %p [2] [4] [1] : (tensor<6xi16>) -> !s
  %y = soac.map %l, %m, %r : (!s, !s, !s) -> !s (%a: i16, %b: i16, %c: i16) {
    %mm = arith.addi %b, %b : i16
    %am = arith.addi %a, %mm : i16
    %n = arith.addi %am, %c : i16
    soac.yield %n : i16
  }
  return %y : !s
}

// One that is narrower than what it is of, or costs more, is stored.
// FUSED-LABEL: func.func @narrowed
// CHECK-LABEL: func.func @narrowed
// CHECK-NOT: soac.backpermute %arg0
// CHECK-LABEL: func.func @heavy
// CHECK-NOT: soac.backpermute %arg0
// CHECK: return
func.func @narrowed(%x: tensor<6xi16>) -> tensor<4xi8> {
  %p = soac.map %x : (tensor<6xi16>) -> !b (%e: i16) {
    %v = arith.trunci %e : i16 to i8
    soac.yield %v : i8
  }
  %l = soac.slice %p [0] [4] [1] : (!b) -> tensor<4xi8>
  %m = soac.slice %p [1] [4] [1] : (!b) -> tensor<4xi8>
  %y = soac.map %l, %m : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8> (%a: i8, %b: i8) {
    %n = arith.addi %a, %b : i8
    soac.yield %n : i8
  }
  return %y : tensor<4xi8>
}
func.func @heavy(%x: tensor<6xf32>) -> tensor<4xf32> {
  %p = soac.map %x : (tensor<6xf32>) -> tensor<6xf32> (%e: f32) {
    %v = math.exp %e : f32
    soac.yield %v : f32
  }
  %l = soac.slice %p [0] [4] [1] : (tensor<6xf32>) -> tensor<4xf32>
  %m = soac.slice %p [1] [4] [1] : (tensor<6xf32>) -> tensor<4xf32>
  %y = soac.map %l, %m : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> (%a: f32, %b: f32) {
    %n = arith.addf %a, %b : f32
    soac.yield %n : f32
  }
  return %y : tensor<4xf32>
}
