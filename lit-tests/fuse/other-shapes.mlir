// Reshapes that join or split neighbouring dimensions do not end fusion: what does not mind its
// shape is computed in the one that its neighbours have.

// RUN: comb-opt %s --comb-fuse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// What is joined is computed in one dimension, by whatever follows; what else needs it gets it back.
// CHECK-LABEL: func.func @joined(
// CHECK: soac.reshape %arg0
// CHECK: = soac.cluster {{.*}}reads [0] writes [0, -1] : (tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>)
// CHECK:   = soac.map
// CHECK:   = soac.map
// CHECK:   = soac.fold
// CHECK-NOT: soac.cluster
// CHECK: return
// CALL-LABEL: joined iota:i32[2,3]
// GIVES: result0: tensor<2x3xi32> = {{\[}}[0 2 4] [6 8 10]]
// GIVES: result1: tensor<i32> = 220
func.func @joined(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %p = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %f = tensor.collapse_shape %p [[0, 1]] : tensor<?x?xi32> into tensor<?xi32>
  %q = soac.map %f : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %s = soac.fold %q neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %p, %s : tensor<?x?xi32>, tensor<i32>
}

// What is split, too, where the other side does not mind. Sizes are checked as before.
// CHECK-LABEL: func.func @split(
// CHECK: soac.check
// CHECK: = soac.cluster {{.*}}reads [0] writes [0] : (tensor<?xi32>) -> tensor<?xi32>
// CHECK:   = soac.map
// CHECK:   = soac.map
// CHECK-NOT: soac.cluster
// CHECK: return
// CALL-LABEL: split iota:i32[6] 2 3
// GIVES: result: tensor<2x3xi32> = {{\[}}[0 4 16] [36 64 100]]
// CALL-LABEL: split iota:i32[6] 2 4
// GIVES: error: 'soac.reshape' op
func.func @split(%x: tensor<?xi32>, %m: index, %n: index) -> tensor<?x?xi32> {
  %p = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %f = soac.reshape %p to [%m, %n] : (tensor<?xi32>) -> tensor<?x?xi32>
  %q = soac.map %f : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  return %q : tensor<?x?xi32>
}

// A fold of rows minds its shape: the map gets the rows, behind the check of their number.
// CHECK-LABEL: func.func @rows(
// CHECK: soac.check
// CHECK: soac.reshape %arg0
// CHECK: = soac.cluster
// CHECK:   = soac.map
// CHECK:   = soac.fold
// CHECK-NOT: soac.reshape
// CHECK: return
// CALL-LABEL: rows iota:i32[6] 2 3
// GIVES: result: tensor<2xi32> = [6 24]
// CALL-LABEL: rows iota:i32[6] 4 3
// GIVES: error: 'soac.reshape' op
func.func @rows(%x: tensor<?xi32>, %m: index, %n: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %p = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %f = soac.reshape %p to [%m, %n] : (tensor<?xi32>) -> tensor<?x?xi32>
  %s = soac.fold %f neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// So does a scan of rows in front: what follows is computed in rows, and a fold of all of both dimensions.
// CHECK-LABEL: func.func @behind_scan(
// CHECK-NOT: soac.reshape
// CHECK: = soac.cluster
// CHECK:   = soac.scanl
// CHECK:   = soac.map
// CHECK:   = soac.fold {{.*}}inner 2
// CHECK: return
// CALL-LABEL: behind_scan iota:i32[2,3]
// GIVES: result: tensor<i32> = 212
func.func @behind_scan(%x: tensor<2x3xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %p = soac.scanl %x neutral %zero : (tensor<2x3xi32>, i32) -> tensor<2x3xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %f = tensor.collapse_shape %p [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  %q = soac.map %f : (tensor<6xi32>) -> tensor<6xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %s = soac.fold %q neutral %zero : (tensor<6xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// Outer dimensions alone; dimensions of size 1; neither shape of neighbours of the other.
// CHECK-LABEL: func.func @others(
// CHECK: = soac.cluster
// CHECK: = soac.cluster
// CHECK: = soac.cluster
// CHECK: return
// CALL-LABEL: others iota:i32[2,2,2] iota:i32[3] iota:i32[2,6]
// GIVES: result0: tensor<4xi32> = [2 10 18 26]
// GIVES: result1: tensor<1x3x1xi32> = {{\[\[\[}}0] [4] [16{{\]\]\]}}
// GIVES: result2: tensor<3x4xi32> = {{\[}}[0 4 16 36] [64 100 144 196] [256 324 400 484]]
func.func @others(%x: tensor<?x?x?xi32>, %y: tensor<?xi32>, %z: tensor<2x6xi32>)
    -> (tensor<?xi32>, tensor<1x?x1xi32>, tensor<3x4xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %p = soac.map %x : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %f = tensor.collapse_shape %p [[0, 1], [2]] : tensor<?x?x?xi32> into tensor<?x?xi32>
  %s = soac.fold %f neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %q = soac.map %y : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %n = tensor.dim %y, %c0 : tensor<?xi32>
  %g = tensor.expand_shape %q [[0, 1, 2]] output_shape [1, %n, 1] : tensor<?xi32> into tensor<1x?x1xi32>
  %t = soac.map %g : (tensor<1x?x1xi32>) -> tensor<1x?x1xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %u = soac.map %z : (tensor<2x6xi32>) -> tensor<2x6xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %h = soac.reshape %u to [3, 4] : (tensor<2x6xi32>) -> tensor<3x4xi32>
  %v = soac.map %h : (tensor<3x4xi32>) -> tensor<3x4xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  return %s, %t, %v : tensor<?xi32>, tensor<1x?x1xi32>, tensor<3x4xi32>
}

// Without elements, the sizes of the reshape count.
// CHECK-LABEL: func.func @empty(
// CALL-LABEL: empty zeros:i32[2,3,0]
// GIVES: result: tensor<7x0xi32> = []
func.func @empty(%x: tensor<2x3x0xi32>) -> tensor<7x0xi32> {
  %p = soac.map %x : (tensor<2x3x0xi32>) -> tensor<2x3x0xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %f = soac.reshape %p to [7, 0] : (tensor<2x3x0xi32>) -> tensor<7x0xi32>
  %q = soac.map %f : (tensor<7x0xi32>) -> tensor<7x0xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  return %q : tensor<7x0xi32>
}
