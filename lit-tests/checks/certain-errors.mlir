// RUN: comb-opt %s -soac-insert-checks -canonicalize | FileCheck %s

// An index that is certain to be out of range ends the program when it gets
// there: it may never do.

// S1, S18
// CHECK-LABEL: @extract
// CHECK:         soac.check %false, "'tensor.extract' op index 5 is out of range [0, 5) in dimension 1"
func.func @extract(%x: tensor<3x5xf32>, %i: index) -> f32 {
  %five = arith.constant 5 : index
  %e = tensor.extract %x[%i, %five] : tensor<3x5xf32>
  return %e : f32
}

// CHECK-LABEL: @insert
// CHECK:         soac.check %false, "'tensor.insert' op index -1 is out of range [0, 3) in dimension 0"
func.func @insert(%x: tensor<3xf32>, %e: f32) -> tensor<3xf32> {
  %minus = arith.constant -1 : index
  %y = tensor.insert %e into %x[%minus] : tensor<3xf32>
  return %y : tensor<3xf32>
}

// A size that is known although the type does not say it.
// CHECK-LABEL: @traced
// CHECK:         soac.check %false, "'tensor.extract' op index 3 is out of range [0, 3) in dimension 0"
func.func @traced(%x: tensor<3xf32>) -> f32 {
  %three = arith.constant 3 : index
  %y = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %e = tensor.extract %y[%three] : tensor<?xf32>
  return %e : f32
}
