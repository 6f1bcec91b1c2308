// A gather reads an array that is computed in its own loop, at its own iterations: what has the
// gather's label as an order is computed where the gather reads it.

// RUN: comb-opt %s --comb-fuse -o %t.fused
// RUN: FileCheck %s --check-prefix=FUSED --input-file=%t.fused

// The position is computed and checked once, and the input of the map is gathered from memory. No
// other array is stored than the result.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: once iota:i32[30] random:index(0..30)[23]:1
// CALL-LABEL: once iota:i32[30] iota:index[23]
// GIVES: [0 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225 256 289 324

// FUSED-LABEL: func.func @once(
// FUSED:         soac.map {{.*}}soac.orders = array<i64: 2>
// FUSED:         soac.gather {{.*}}label = 2

func.func @once(%x: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %squares = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.gather %squares at %at : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// A transposed matrix is computed in the order in which it is read.

// CALL-LABEL: transposed iota:i32[3,20]
// GIVES: {{\[\[}}1 41 81] [3 43 83]
func.func @transposed(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %one = arith.constant 1 : i32
  %odd = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    %c = arith.addi %b, %one : i32
    soac.yield %c : i32
  }
  %y = soac.transpose %odd [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %y : tensor<?x?xi32>
}

// A label that covers one of two loops: rows are replicated, and each is computed for itself. The map
// stands before the gather, but runs in its inner loop.

// CALL-LABEL: replicated iota:i32[11] 2
// GIVES: {{\[\[}}0 2 4 6 8 10 12 14 16 18 20] [0 2 4 6 8 10 12 14 16 18 20{{\]\]}}
func.func @replicated(%x: tensor<?xi32>, %n: index) -> tensor<?x?xi32> {
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %z = soac.replicate %y [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
  return %z : tensor<?x?xi32>
}

// In the order of a gather that is in the order of another one, which has more loops than the clusters
// around them: both run in the loops of that one.

// CALL-LABEL: chained iota:i32[4,1] iota:i32[4] 3
// GIVES-COUNT-4: {{\[\[7\]\]}}

// FUSED-LABEL: func.func @chained(
// FUSED:         soac.gather {{.*}}soac.orders = array<i64: [[SECOND:[0-9]+]], [[SECOND]]>
// FUSED:         soac.gather {{.*}}label = [[SECOND]] : i64
func.func @chained(%x: tensor<4x1xi32>, %at: tensor<4xi32>, %place: index) -> tensor<4x1x1xi32> {
  %one = arith.constant 1 : i32
  %odd = soac.map %x : (tensor<4x1xi32>) -> tensor<4x1xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    %c = arith.addi %b, %one : i32
    soac.yield %c : i32
  }
  %places = soac.generate [4, 1] : tensor<4x1xindex> (%i: index, %j: index) {
    soac.yield %place : index
  }
  %first = soac.gather %odd at %at : (tensor<4x1xi32>, tensor<4xi32>) -> tensor<4x1xi32>
  %second = soac.gather %first at %places : (tensor<4x1xi32>, tensor<4x1xindex>) -> tensor<4x1x1xi32>
  return %second : tensor<4x1x1xi32>
}
