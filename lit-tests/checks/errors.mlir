// RUN: comb-opt %s -soac-insert-checks -verify-diagnostics

func.func @other_elements(%x: tensor<3xi128>) -> tensor<3xi128> {
  // expected-error @+1 {{'arith.divui' op is not defined on arrays with an encoding, or of other elements than soac's}}
  %y = arith.divui %x, %x : tensor<3xi128>
  return %y : tensor<3xi128>
}
