// RUN: comb-opt %s -soac-insert-checks -split-input-file -verify-diagnostics

// S1, S18
func.func @extract(%x: tensor<3x5xf32>, %i: index) -> f32 {
  %five = arith.constant 5 : index
  // expected-error @+1 {{'tensor.extract' op index 5 is out of range [0, 5) in dimension 1}}
  %e = tensor.extract %x[%i, %five] : tensor<3x5xf32>
  return %e : f32
}

// -----

func.func @insert(%x: tensor<3xf32>, %e: f32) -> tensor<3xf32> {
  %minus = arith.constant -1 : index
  // expected-error @+1 {{'tensor.insert' op index -1 is out of range [0, 3) in dimension 0}}
  %y = tensor.insert %e into %x[%minus] : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// A size that is known although the type does not say it.
func.func @traced(%x: tensor<3xf32>) -> f32 {
  %three = arith.constant 3 : index
  %y = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  // expected-error @+1 {{'tensor.extract' op index 3 is out of range [0, 3) in dimension 0}}
  %e = tensor.extract %y[%three] : tensor<?xf32>
  return %e : f32
}

// -----

func.func @other_elements(%x: tensor<3xi128>) -> tensor<3xi128> {
  // expected-error @+1 {{'arith.divui' op is not defined on arrays with an encoding, or of other elements than soac's}}
  %y = arith.divui %x, %x : tensor<3xi128>
  return %y : tensor<3xi128>
}
