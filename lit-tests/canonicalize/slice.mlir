// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// Parts of parts are parts of the whole, if the first part is known to lie
// inside: otherwise the error of what is not read again would be lost.

// CHECK-LABEL: func.func @take(
// CHECK-NEXT: %0 = soac.take %arg0 [2, 3] : (tensor<9x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %0 : tensor<2x3xf32>
func.func @take(%x: tensor<9x4xf32>) -> tensor<2x3xf32> {
  %a = soac.take %x [5, 3] : (tensor<9x4xf32>) -> tensor<5x3xf32>
  %b = soac.take %a [2] : (tensor<5x3xf32>) -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @not_take(
// CHECK-NEXT: %0 = soac.take %arg0 [5] : (tensor<?xf32>) -> tensor<5xf32>
// CHECK-NEXT: %1 = soac.take %0 [2] : (tensor<5xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %1 : tensor<2xf32>
func.func @not_take(%x: tensor<?xf32>) -> tensor<2xf32> {
  %a = soac.take %x [5] : (tensor<?xf32>) -> tensor<5xf32>
  %b = soac.take %a [2] : (tensor<5xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @drop(
// CHECK-NEXT: %0 = soac.drop %arg0 [7, 1] : (tensor<9x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %0 : tensor<2x3xf32>
func.func @drop(%x: tensor<9x4xf32>) -> tensor<2x3xf32> {
  %a = soac.drop %x [5, 1] : (tensor<9x4xf32>) -> tensor<4x3xf32>
  %b = soac.drop %a [2] : (tensor<4x3xf32>) -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}

// The sum is too large exactly if one of the two counts is.
// CHECK-LABEL: func.func @drop_dynamic_size(
// CHECK-NEXT: %0 = soac.drop %arg0 [7] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @drop_dynamic_size(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = soac.drop %x [5] : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.drop %a [2] : (tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_drop_values(
// CHECK-NEXT: %0 = soac.drop %arg0 [5] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.drop %0 [%arg1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @not_drop_values(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = soac.drop %x [5] : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.drop %a [%n] : (tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// x[9 - 2*(3 - 3*i)][1 + 2*(1 + j)]
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %0 = soac.slice %arg0 [3, 3] [2, 3] [6, 2] : (tensor<10x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %0 : tensor<2x3xf32>
func.func @slice(%x: tensor<10x10xf32>) -> tensor<2x3xf32> {
  %a = soac.slice %x [9, 1] [5, 4] [-2, 2] : (tensor<10x10xf32>) -> tensor<5x4xf32>
  %b = soac.slice %a [3, 1] [2, 3] [-3, 1] : (tensor<5x4xf32>) -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @take_of_drop_of_slice(
// CHECK-NEXT: %0 = soac.slice %arg0 [5, 1] [2, 2] [-2, 2] : (tensor<10x10xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %0 : tensor<2x2xf32>
func.func @take_of_drop_of_slice(%x: tensor<10x10xf32>) -> tensor<2x2xf32> {
  %a = soac.slice %x [9, 1] [5, 4] [-2, 2] : (tensor<10x10xf32>) -> tensor<5x4xf32>
  %b = soac.drop %a [2] : (tensor<5x4xf32>) -> tensor<3x4xf32>
  %c = soac.take %b [2, 2] : (tensor<3x4xf32>) -> tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @several(
// CHECK-NEXT: %0:2 = soac.slice %arg0, %arg1 [8] [2] [-2] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<2xf32>, tensor<2xi8>)
// CHECK-NEXT: return %0#0, %0#1 : tensor<2xf32>, tensor<2xi8>
func.func @several(%x: tensor<9xf32>, %y: tensor<9xi8>) -> (tensor<2xf32>, tensor<2xi8>) {
  %a:2 = soac.slice %x, %y [8] [5] [-2] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<5xf32>, tensor<5xi8>)
  %b:2 = soac.take %a#0, %a#1 [2] : (tensor<5xf32>, tensor<5xi8>) -> (tensor<2xf32>, tensor<2xi8>)
  return %b#0, %b#1 : tensor<2xf32>, tensor<2xi8>
}

// What was promised to lie inside stays a promise.
// CHECK-LABEL: func.func @unchecked(
// CHECK-NEXT: %0 = soac.slice %arg0 [%arg1] [2] [1] unchecked : (tensor<?xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %0 : tensor<2xf32>
func.func @unchecked(%x: tensor<?xf32>, %o: index) -> tensor<2xf32> {
  %a = soac.slice %x [%o] [5] [1] unchecked : (tensor<?xf32>) -> tensor<5xf32>
  %b = soac.take %a [2] : (tensor<5xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @not_inner_that_may_fail(
// CHECK-NEXT: %0 = soac.slice %arg0 [1] [5] [1] : (tensor<?xf32>) -> tensor<5xf32>
// CHECK-NEXT: %1 = soac.take %0 [2] : (tensor<5xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %1 : tensor<2xf32>
func.func @not_inner_that_may_fail(%x: tensor<?xf32>) -> tensor<2xf32> {
  %a = soac.slice %x [1] [5] [1] : (tensor<?xf32>) -> tensor<5xf32>
  %b = soac.take %a [2] : (tensor<5xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @not_outer_that_may_fail(
// CHECK-NEXT: %0 = soac.slice %arg0 [0] [5] [1] : (tensor<9xf32>) -> tensor<5xf32>
// CHECK-NEXT: %1 = soac.take %0 [%arg1] : (tensor<5xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @not_outer_that_may_fail(%x: tensor<9xf32>, %n: index) -> tensor<?xf32> {
  %a = soac.slice %x [0] [5] [1] : (tensor<9xf32>) -> tensor<5xf32>
  %b = soac.take %a [%n] : (tensor<5xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}
