// How long chunks are: 8 instructions are the least work of an iteration. Vectors of 8 bits have four
// times as many lanes as those of 32, so chunks have four times as many iterations.

// RUN: comb-opt %s --convert-soac-to-loops=chunk=4096 | FileCheck %s

// CHECK-LABEL: func.func @wide(
// CHECK:         %[[LENGTH:.*]] = arith.constant 512 : index
// CHECK:         arith.ceildivsi %{{.*}}, %[[LENGTH]]
func.func @wide(%x: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<?xi32>
}

// CHECK-LABEL: func.func @narrow(
// CHECK:         %[[LENGTH:.*]] = arith.constant 2048 : index
// CHECK:         arith.ceildivsi %{{.*}}, %[[LENGTH]]
func.func @narrow(%x: tensor<?xi8>) -> tensor<?xi8> {
  %y = soac.map %x : (tensor<?xi8>) -> tensor<?xi8> (%a: i8) {
    %b = arith.addi %a, %a : i8
    soac.yield %b : i8
  }
  return %y : tensor<?xi8>
}
