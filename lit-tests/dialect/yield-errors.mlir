// RUN: comb-opt %s --split-input-file --verify-diagnostics

// Outside of a lambda.
func.func @f(%x: f32) {
  scf.execute_region {
  // expected-error @below {{'soac.yield' op expects parent op to be one of 'soac.generate, soac.map, soac.scatter, soac.fold, soac.scanl, soac.scanr, soac.filter, soac.sort, soac.backpermute, soac.cluster'}}
    soac.yield %x : f32
  }
  return
}

// -----

// Not at the end.
func.func @f() {
  %r = soac.generate [3] : tensor<3xindex> (%i: index) {
  // expected-error @below {{'soac.yield' op must be the last operation in the parent block}}
    soac.yield %i : index
    soac.yield %i : index
  }
  return
}
