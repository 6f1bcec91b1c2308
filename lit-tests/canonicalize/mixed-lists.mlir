// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// Constants among the values of a list move into it, and the result types say
// them; who uses the results is given what it expects.

// CHECK-LABEL: func.func @generate(
// CHECK-NEXT: %0 = soac.generate [4] : tensor<4xi8> (%arg0: index) {
// CHECK-NEXT: %1 = arith.index_cast %arg0 : index to i8
// CHECK-NEXT: soac.yield %1 : i8
// CHECK-NEXT: }
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4xi8> to tensor<?xi8>
// CHECK-NEXT: return %cast : tensor<?xi8>
func.func @generate() -> tensor<?xi8> {
  %c4 = arith.constant 4 : index
  %r = soac.generate [%c4] : tensor<?xi8> (%i: index) {
    %j = arith.index_cast %i : index to i8
    soac.yield %j : i8
  }
  return %r : tensor<?xi8>
}

// CHECK-LABEL: func.func @iota(
// CHECK-NEXT: %0 = soac.iota [%arg0, 4] dim 0 : tensor<?x4xindex>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<?x4xindex> to tensor<?x?xindex>
// CHECK-NEXT: return %cast : tensor<?x?xindex>
func.func @iota(%n: index) -> tensor<?x?xindex> {
  %c4 = index.constant 4
  %r = soac.iota [%n, %c4] dim 0 : tensor<?x?xindex>
  return %r : tensor<?x?xindex>
}

// CHECK-LABEL: func.func @fill(
// CHECK-NEXT: %0 = soac.fill %arg0 [4, 3] : (f32) -> tensor<4x3xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4x3xf32> to tensor<?x3xf32>
// CHECK-NEXT: return %cast : tensor<?x3xf32>
func.func @fill(%v: f32) -> tensor<?x3xf32> {
  %c4 = arith.constant 4 : index
  %r = soac.fill %v [%c4, 3] : (f32) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @replicate(
// CHECK-NEXT: %0 = soac.replicate %arg0 [4] : (tensor<?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4x?xf32> to tensor<?x?xf32>
// CHECK-NEXT: return %cast : tensor<?x?xf32>
func.func @replicate(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %r = soac.replicate %x [%c4] : (tensor<?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @rotate(
// CHECK-NEXT: %0 = soac.rotate %arg0 by [-4, %arg1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: return %0 : tensor<?x?xf32>
func.func @rotate(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c4 = arith.constant -4 : index
  %r = soac.rotate %x by [%c4, %n] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %0 = soac.slice %arg0 [%arg1] [4] [1] : (tensor<?xf32>) -> tensor<4xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @slice(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = soac.slice %x [%n] [%c4] [%c1] : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @take_and_drop(
// CHECK-NEXT: %0 = soac.take %arg0 [4] : (tensor<9xf32>) -> tensor<4xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: %1 = soac.drop %arg0 [4] : (tensor<9xf32>) -> tensor<5xf32>
// CHECK-NEXT: %cast_0 = tensor.cast %1 : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast, %cast_0 : tensor<?xf32>, tensor<?xf32>
func.func @take_and_drop(%x: tensor<9xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c4 = arith.constant 4 : index
  %r = soac.take %x [%c4] : (tensor<9xf32>) -> tensor<?xf32>
  %s = soac.drop %x [%c4] : (tensor<9xf32>) -> tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %0 = soac.reshape %arg0 to [%arg1, 4] : (tensor<?xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<?x4xf32> to tensor<?x?xf32>
// CHECK-NEXT: return %cast : tensor<?x?xf32>
func.func @reshape(%x: tensor<?xf32>, %n: index) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %r = soac.reshape %x to [%n, %c4] : (tensor<?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @backpermute(
// CHECK-NEXT: %0 = soac.backpermute %arg0 [4] : (tensor<?xf32>) -> tensor<4xf32> (%arg1: index) {
// CHECK-NEXT: %1 = arith.addi %arg1, %arg1 : index
// CHECK-NEXT: soac.yield %1 : index
// CHECK-NEXT: }
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @backpermute(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %r = soac.backpermute %x [%c4] : (tensor<?xf32>) -> tensor<?xf32> (%i: index) {
    %j = arith.addi %i, %i : index
    soac.yield %j : index
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @updates(
// CHECK-NEXT: %0 = soac.update %arg0 into %arg1 at [4] strides [2] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.lmad_slice %arg1 offset [4] sizes [2] strides [2] : tensor<?xf32> -> tensor<2xf32>
// CHECK-NEXT: %cast = tensor.cast %1 : tensor<2xf32> to tensor<?xf32>
// CHECK-NEXT: %2 = soac.lmad_update %arg0 into %arg1 offset [4] strides [2] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: return %0, %cast, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
func.func @updates(%s: tensor<?xf32>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = soac.update %s into %x at [%c4] strides [%c2] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  %t = soac.lmad_slice %x offset [%c4] sizes [%c2] strides [%c2] : tensor<?xf32> -> tensor<?xf32>
  %u = soac.lmad_update %s into %x offset [%c4] strides [%c2] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  return %r, %t, %u : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A result type that says a size already keeps it.
// CHECK-LABEL: func.func @promised_size(
// CHECK-NEXT: %0 = soac.iota [%arg0, 4] dim 0 : tensor<5x4xindex>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<5x4xindex> to tensor<5x?xindex>
// CHECK-NEXT: return %cast : tensor<5x?xindex>
func.func @promised_size(%n: index) -> tensor<5x?xindex> {
  %c4 = arith.constant 4 : index
  %r = soac.iota [%n, %c4] dim 0 : tensor<5x?xindex>
  return %r : tensor<5x?xindex>
}

// What fails when it runs is not made an error of the verifier.

// CHECK-LABEL: func.func @not_negative_size(
// CHECK-NEXT: %c-4 = arith.constant -4 : index
// CHECK-NEXT: %0 = soac.iota [%c-4] dim 0 : tensor<?xindex>
// CHECK-NEXT: return %0 : tensor<?xindex>
func.func @not_negative_size() -> tensor<?xindex> {
  %c = arith.constant -4 : index
  %r = soac.iota [%c] dim 0 : tensor<?xindex>
  return %r : tensor<?xindex>
}

// CHECK-LABEL: func.func @not_outside(
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %0 = soac.take %arg0 [%c4] : (tensor<3xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_outside(%x: tensor<3xf32>) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %r = soac.take %x [%c4] : (tensor<3xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_stride_of_zero(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = soac.update %arg0 into %arg1 at [0] strides [%c0] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_stride_of_zero(%s: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = soac.update %s into %x at [0] strides [%c0] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Nor is a size that contradicts the result type.
// CHECK-LABEL: func.func @not_contradiction(
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %0 = soac.take %arg0 [%c4] : (tensor<9xf32>) -> tensor<5xf32>
// CHECK-NEXT: return %0 : tensor<5xf32>
func.func @not_contradiction(%x: tensor<9xf32>) -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %r = soac.take %x [%c4] : (tensor<9xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// The constant that stands for "given by a value" stays a value.
// CHECK-LABEL: func.func @not_marker(
// CHECK-NEXT: %c-9223372036854775808 = arith.constant -9223372036854775808 : index
// CHECK-NEXT: %0 = soac.rotate %arg0 by [%c-9223372036854775808] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_marker(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant -9223372036854775808 : index
  %r = soac.rotate %x by [%c] : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
