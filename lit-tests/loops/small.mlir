// Loops that are known to have too little work for several threads:
// its sizes are constants, or those of a block, which are minima with constants.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: triangle iota:f32[5,5] 5
// GIVES: result: tensor<5x5xf32>
func.func @triangle(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 64 : index
  %size = arith.minsi %n, %block : index
  %y = scf.for %i = %c0 to %size step %c1 iter_args(%m = %x) -> tensor<?x?xf32> {
    %next = arith.addi %i, %c1 : index
    %left = arith.subi %size, %next : index
    %inner = soac.slice %m [%next, %next] [%left, %left] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new = soac.map %inner : (tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32) {
      %double = arith.addf %e, %e : f32
      soac.yield %double : f32
    }
    %updated = soac.update %new into %m at [%next, %next] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %updated : tensor<?x?xf32>
  }
  return %y : tensor<?x?xf32>
}

// What is not bounded, or is too much.

// CALL-LABEL: unbounded iota:f32[5] 3
// GIVES: result: tensor<5xf32> = [3.0 4.0 5.0 6.0 7.0]
func.func @unbounded(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %number = arith.index_cast %n : index to i32
  %f = arith.sitofp %number : i32 to f32
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %sum = arith.addf %e, %f : f32
    soac.yield %sum : f32
  }
  return %y : tensor<?xf32>
}

// CALL-LABEL: several iota:f32[4,4] 4
// GIVES: result: tensor<4x4xf32> = {{\[\[}}0.0 2.0 4.0 6.0] [8.0 10.0 12.0 14.0] [16.0 18.0 20.0 22.0] [24.0 26.0 28.0 30.0]]
func.func @several(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %block = arith.constant 1024 : index
  %size = arith.minsi %n, %block : index
  %part = soac.slice %x [0, 0] [%size, %size] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = soac.map %part : (tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32) {
    %double = arith.addf %e, %e : f32
    soac.yield %double : f32
  }
  return %y : tensor<?x?xf32>
}
