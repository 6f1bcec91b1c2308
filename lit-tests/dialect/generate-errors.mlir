// RUN: comb-opt %s --split-input-file --verify-diagnostics

// A static size is negative.
func.func @f() {
  // expected-error @below {{'soac.generate' op size 0 is negative: -3}}
  %r = soac.generate [-3] : tensor<?xindex> (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// Fewer sizes than entries left open.
func.func @f(%n: index) {
  // expected-error @below {{'soac.generate' op 'static_sizes' needs 2 operands for its dynamic entries, got 1}}
  %r = "soac.generate"(%n) <{static_sizes = array<i64: -9223372036854775808, -9223372036854775808>}> ({
  ^bb0(%i: index, %j: index):
    soac.yield %i : index
  }) : (index) -> tensor<?x?xindex>
  return
}

// -----

// More sizes than entries left open.
func.func @f(%n: index) {
  // expected-error @below {{'soac.generate' op 'static_sizes' needs 0 operands for its dynamic entries, got 1}}
  %r = "soac.generate"(%n) <{static_sizes = array<i64: 4>}> ({
  ^bb0(%i: index):
    soac.yield %i : index
  }) : (index) -> tensor<4xindex>
  return
}

// -----

// Yields nothing.
func.func @f() {
  // expected-error @below {{'soac.generate' op yields nothing}}
  "soac.generate"() <{static_sizes = array<i64: 3>}> ({
  ^bb0(%i: index):
    soac.yield
  }) : () -> ()
  return
}

// -----

// Yields an array.
func.func @f(%x: tensor<2xf32>) {
  // expected-error @below {{'soac.generate' op yields an array, tensor<2xf32>, as an element}}
  %r = soac.generate [3] : tensor<3x2xf32> (%i: index) {
    soac.yield %x : tensor<2xf32>
  }
  return
}

// -----

// Yields what no array holds.
func.func @f(%x: vector<2xf32>) {
  // expected-error @below {{'soac.generate' op yields vector<2xf32>; elements are i1 to i64, index, f16, bf16, f32 or f64}}
  %r = soac.generate [3] : tensor<3xf32> (%i: index) {
    soac.yield %x : vector<2xf32>
  }
  return
}

// -----

// Yields an integer that is too wide.
func.func @f(%x: i128) {
  // expected-error @below {{'soac.generate' op yields i128; elements are i1 to i64, index, f16, bf16, f32 or f64}}
  %r = soac.generate [3] : tensor<3xi64> (%i: index) {
    soac.yield %x : i128
  }
  return
}

// -----

// Too few arguments.
func.func @f() {
  // expected-error @below {{'soac.generate' op has a lambda of (index), expected (index, index)}}
  %r = soac.generate [3, 4] : tensor<3x4xindex> (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// An argument that is no index.
func.func @f(%x: f32) {
  // expected-error @below {{'soac.generate' op has a lambda of (i64), expected (index)}}
  %r = soac.generate [3] : tensor<3xf32> (%i: i64) {
    soac.yield %x : f32
  }
  return
}

// -----

// Another terminator.
func.func @f() {
  // expected-error @below {{'soac.generate' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.generate [3] : tensor<3xindex> (%i: index) {
    ub.unreachable
  }
  return
}

// -----

// No terminator.
func.func @f() {
  // expected-error @below {{'soac.generate' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.generate [3] : tensor<3xindex> (%i: index) {
    %j = arith.addi %i, %i : index
  }
  return
}

// -----

// Several blocks.
func.func @f() {
  // expected-error @below {{'soac.generate' op expects region #0 to have 0 or 1 blocks}}
  %r = soac.generate [3] : tensor<3xindex> (%i: index) {
    cf.br ^next
  ^next:
    soac.yield %i : index
  }
  return
}

// -----

// No block.
func.func @f() {
  // expected-error @below {{'soac.generate' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %r = "soac.generate"() <{static_sizes = array<i64: 3>}> ({
  }) : () -> tensor<3xindex>
  return
}

// -----

// An empty block.
func.func @f() {
  // expected-error @below {{'soac.generate' op expects a non-empty block}}
  %r = "soac.generate"() <{static_sizes = array<i64: 3>}> ({
  ^bb0(%i: index):
  }) : () -> tensor<3xindex>
  return
}

// -----

// No region.
func.func @f() {
  // expected-error @below {{'soac.generate' op requires one region}}
  %r = "soac.generate"() <{static_sizes = array<i64: 3>}> : () -> tensor<3xindex>
  return
}

// -----

// A size that is no index.
func.func @f(%n: i64) {
  // expected-error @below {{'soac.generate' op operand #0 must be variadic of index, but got 'i64'}}
  %r = "soac.generate"(%n) <{static_sizes = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    soac.yield %i : index
  }) : (i64) -> tensor<?xindex>
  return
}

// -----

// No sizes attribute.
func.func @f() {
  // expected-error @below {{'soac.generate' op requires attribute 'static_sizes'}}
  %r = "soac.generate"() ({
  ^bb0(%i: index):
    soac.yield %i : index
  }) : () -> tensor<3xindex>
  return
}

// -----

// A result of another size.
func.func @f() {
  // expected-error @below {{'soac.generate' op has results (tensor<4xindex>), but its operands say (tensor<3xindex>)}}
  %r = soac.generate [3] : tensor<4xindex> (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// A result of other elements.
func.func @f() {
  // expected-error @below {{'soac.generate' op has results (tensor<3xi64>), but its operands say (tensor<3xindex>)}}
  %r = soac.generate [3] : tensor<3xi64> (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// Too few results.
func.func @f() {
  // expected-error @below {{'soac.generate' op has results (tensor<3xindex>), but its operands say (tensor<3xindex>, tensor<3xindex>)}}
  %r = soac.generate [3] : tensor<3xindex> (%i: index) {
    soac.yield %i, %i : index, index
  }
  return
}
