// Strategies of scatters that there are not, or that the operator does not allow.

// RUN: comb-opt %s --comb-fuse --soac-to-nest -split-input-file -verify-diagnostics

func.func @unknown(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.scatter' has to be one of "sequential", "privatised", "partitioned", and not "parallel"}}
  %y = soac.scatter %x into %dest at %x {soac.scatter = "parallel"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

func.func @number(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.scatter' has to be one of "sequential", "privatised", "partitioned", and not 3 : i64}}
  %y = soac.scatter %x into %dest at %x {soac.scatter = 3}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

// There is none by atomic instructions: one thread is faster than two that wait for each other.
func.func @atomic(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.scatter' has to be one of "sequential", "privatised", "partitioned", and not "atomic"}}
  %y = soac.scatter %x into %dest at %x {soac.scatter = "atomic"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

// The last one has to win.
func.func @replaces(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.scatter' op cannot be privatised: it does not combine each element with the one that is there by a single op that is commutative and has a neutral element; "partitioned" and "sequential" do for every function}}
  %y = soac.scatter %x into %dest at %x {soac.scatter = "privatised"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

// A floating-point sum is rounded otherwise in another order.
func.func @rounds(%x: tensor<?xf32>, %at: tensor<?xi32>, %dest: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{'soac.scatter' op cannot be privatised: its result depends on the order in which elements are combined; "partitioned" and "sequential" do for every function, and floating-point sums and products may be privatised if they say `fastmath<reassoc>`}}
  %y = soac.scatter %x into %dest at %at {soac.scatter = "privatised"}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %y : tensor<?xf32>
}
