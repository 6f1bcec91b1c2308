// RUN: comb-opt %s --split-input-file --verify-diagnostics

// A dimension that there is not.
func.func @f() {
  // expected-error @below {{'soac.iota' op names dimension 1 of an array of 1 dimension}}
  %r = soac.iota [3] dim 1 : tensor<3xindex>
  return
}

// -----

// Rank 0 has no dimension.
func.func @f() {
  // expected-error @below {{'soac.iota' op names dimension 0 of an array of 0 dimensions}}
  %r = soac.iota [] dim 0 : tensor<index>
  return
}

// -----

// A negative size.
func.func @f() {
  // expected-error @below {{'soac.iota' op size 0 is negative: -1}}
  %r = soac.iota [-1] dim 0 : tensor<?xindex>
  return
}

// -----

// Elements that cannot count.
func.func @f() {
  // expected-error @below {{'soac.iota' op result #0 must be array (ranked tensor without encoding) of i1 to i64 or index values, but got 'tensor<3xf32>'}}
  %r = soac.iota [3] dim 0 : tensor<3xf32>
  return
}

// -----

// A result of another size.
func.func @f() {
  // expected-error @below {{'soac.iota' op has results (tensor<4xindex>), but its operands say (tensor<3xindex>)}}
  %r = soac.iota [3] dim 0 : tensor<4xindex>
  return
}

// -----

// Fewer operands than entries left open.
func.func @f() {
  // expected-error @below {{'soac.iota' op 'static_sizes' needs 1 operand for its dynamic entries, got 0}}
  %r = "soac.iota"() <{dim = 0 : i64, static_sizes = array<i64: -9223372036854775808>}> : () -> tensor<?xindex>
  return
}
