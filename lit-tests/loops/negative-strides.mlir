// Arrays that lie backwards in memory, or are read so. LLVM must not take a step back for a large
// step that never wraps around.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Slices of all elements, in the order of memory, whose steps go back.

// CALL-LABEL: slices iota:i32[4,10] -1 -10
// GIVES: result0: tensor<20xi32> = [39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20]
// GIVES-NEXT: result1: tensor<2x18xi32> = {{\[\[}}39 37 35 33 31 29 27 25 23 21 19 17 15 13 11 9 7 5] [38 36 34 32 30 28 26 24 22 20 18 16 14 12 10 8 6 4{{\]\]}}
// GIVES-NEXT: result2: tensor<4x10xi32> = {{\[\[}}30 31 32 33 34 35 36 37 38 39] [20 21 22 23 24 25 26 27 28 29] [10 11 12 13 14 15 16 17 18 19] [0 1 2 3 4 5 6 7 8 9{{\]\]}}
func.func @slices(%x: tensor<?x?xi32>, %back: index, %row: index)
    -> (tensor<?xi32>, tensor<2x18xi32>, tensor<4x?xi32>) {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %x, %c1 : tensor<?x?xi32>
  %n = arith.constant 20 : index
  %a = soac.lmad_slice %x offset [39] sizes [%n] strides [%back] : tensor<?x?xi32> -> tensor<?xi32>
  %b = soac.lmad_slice %x offset [39] sizes [2, 18] strides [-1, -2]
      : tensor<?x?xi32> -> tensor<2x18xi32>
  %c = soac.lmad_slice %x offset [30] sizes [4, %columns] strides [%row, 1]
      : tensor<?x?xi32> -> tensor<4x?xi32>
  return %a, %b, %c : tensor<?xi32>, tensor<2x18xi32>, tensor<4x?xi32>
}

// What is backwards is turned round again, in the order of a gather, and behind it.

// CALL-LABEL: again iota:i32[37]
// GIVES: result0: tensor<37xi32> = [0 3 6 9 12 15 18 21 24 27 30 33 36
// GIVES-NEXT: result1: tensor<37xi32> = [36 71 105 138 170 201 231
func.func @again(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %r = soac.reverse %x dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %m = soac.map %r : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %three : i32
    soac.yield %b : i32
  }
  %s = soac.reverse %m dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %t = soac.scanl %r neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s, %t : tensor<?xi32>, tensor<?xi32>
}

// A view of memory with a negative stride.

// RUN: comb run %s --entry view -O 0 -i x=iota:i32[19] | FileCheck %s --check-prefix=VIEW
// RUN: comb run %s --entry view -O 1 -i x=iota:i32[19] | FileCheck %s --check-prefix=VIEW
// RUN: comb run %s --entry view -O 2 -i x=iota:i32[19] | FileCheck %s --check-prefix=VIEW
// RUN: comb run %s --entry view -O 3 -i x=iota:i32[19] | FileCheck %s --check-prefix=VIEW
// VIEW: result0: tensor<19xi32> = [18 17 16 15 14 13 12 11 10  9  8  7  6  5  4  3  2  1  0]
// VIEW: result1: tensor<19xi32> = [ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18]
func.func @view(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %last = arith.subi %n, %c1 : index
  %m = bufferization.to_buffer %x : tensor<?xi32> to memref<?xi32>
  %v = memref.reinterpret_cast %m to offset: [%last], sizes: [%n], strides: [-1]
      : memref<?xi32> to memref<?xi32, strided<[-1], offset: ?>>
  %a = memref.alloc(%n) : memref<?xi32>
  %b = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %v[%i] : memref<?xi32, strided<[-1], offset: ?>>
    memref.store %e, %a[%i] : memref<?xi32>
    %back = arith.subi %last, %i : index
    %f = memref.load %v[%back] : memref<?xi32, strided<[-1], offset: ?>>
    memref.store %f, %b[%i] : memref<?xi32>
  }
  %r = bufferization.to_tensor %a restrict : memref<?xi32> to tensor<?xi32>
  %s = bufferization.to_tensor %b restrict : memref<?xi32> to tensor<?xi32>
  return %r, %s : tensor<?xi32>, tensor<?xi32>
}
