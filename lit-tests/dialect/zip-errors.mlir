// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.zip' op needs at least one array}}
  "soac.zip"() : () -> ()
  return
}

// -----

// Different shapes.
func.func @f(%x: tensor<4x?xf32>, %y: tensor<5x?xf32>) {
  // expected-error @below {{'soac.zip' op operands 0 and 1 have different shapes: [4, ?] and [5, ?]}}
  %r:2 = soac.zip %x, %y : tensor<4x?xf32>, tensor<5x?xf32>
  return
}

// -----

// Different ranks.
func.func @f(%x: tensor<?xf32>, %y: tensor<?x1xf32>) {
  // expected-error @below {{'soac.zip' op operands 0 and 1 have different shapes: [?] and [?, 1]}}
  %r:2 = soac.zip %x, %y : tensor<?xf32>, tensor<?x1xf32>
  return
}

// -----

// A result too few.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.zip' op has results (tensor<4xf32>), but its operands say (tensor<4xf32>, tensor<4xf32>)}}
  %r = "soac.zip"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
