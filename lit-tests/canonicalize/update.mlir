// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: func.func @everything(
// CHECK-NEXT: return %arg0 : tensor<9xf32>
func.func @everything(%s: tensor<9xf32>, %x: tensor<9xf32>) -> tensor<9xf32> {
  %a = soac.update %s into %x at [0] strides [1] : tensor<9xf32> into tensor<9xf32> -> tensor<9xf32>
  return %a : tensor<9xf32>
}

// CHECK-LABEL: func.func @not_backwards(
// CHECK-NEXT: %0 = soac.update %arg0 into %arg1 at [8] strides [-1] : tensor<9xf32> into tensor<9xf32> -> tensor<9xf32>
// CHECK-NEXT: return %0 : tensor<9xf32>
func.func @not_backwards(%s: tensor<9xf32>, %x: tensor<9xf32>) -> tensor<9xf32> {
  %a = soac.update %s into %x at [8] strides [-1] : tensor<9xf32> into tensor<9xf32> -> tensor<9xf32>
  return %a : tensor<9xf32>
}

// The source may be smaller or larger.
// CHECK-LABEL: func.func @not_everything(
// CHECK-NEXT: %0 = soac.update %arg0 into %arg1 at [0] strides [1] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_everything(%s: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %a = soac.update %s into %x at [0] strides [1] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: return %arg1, %arg2 : tensor<9xf32>, tensor<?xf32>
func.func @nothing(%s: tensor<0xf32>, %x: tensor<9xf32>, %y: tensor<?xf32>) -> (tensor<9xf32>, tensor<?xf32>) {
  %a = soac.update %s into %x at [77] strides [3] : tensor<0xf32> into tensor<9xf32> -> tensor<9xf32>
  %b = soac.lmad_update %s into %y offset [77] strides [3] : tensor<0xf32> into tensor<?xf32> -> tensor<?xf32>
  return %a, %b : tensor<9xf32>, tensor<?xf32>
}

// A dynamic stride may be zero, which is an error.
// CHECK-LABEL: func.func @not_nothing_that_may_fail(
// CHECK-NEXT: %0 = soac.update %arg0 into %arg1 at [0] strides [%arg2] : tensor<0xf32> into tensor<9xf32> -> tensor<9xf32>
// CHECK-NEXT: return %0 : tensor<9xf32>
func.func @not_nothing_that_may_fail(%s: tensor<0xf32>, %x: tensor<9xf32>, %t: index) -> tensor<9xf32> {
  %a = soac.update %s into %x at [0] strides [%t] : tensor<0xf32> into tensor<9xf32> -> tensor<9xf32>
  return %a : tensor<9xf32>
}

// A result type that says more than the destination's is kept.
// CHECK-LABEL: func.func @nothing_of_other_type(
// CHECK-NEXT: %0 = soac.update %arg0 into %arg1 at [0] strides [1] : tensor<0xf32> into tensor<?xf32> -> tensor<9xf32>
// CHECK-NEXT: return %0 : tensor<9xf32>
func.func @nothing_of_other_type(%s: tensor<0xf32>, %x: tensor<?xf32>) -> tensor<9xf32> {
  %a = soac.update %s into %x at [0] strides [1] : tensor<0xf32> into tensor<?xf32> -> tensor<9xf32>
  return %a : tensor<9xf32>
}
