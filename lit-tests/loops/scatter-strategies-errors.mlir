// Strategies of scatters that there are not, or that the operator does not allow.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops -split-input-file -verify-diagnostics

func.func @unknown(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.scatter' has to be one of "sequential", "atomic", "privatised", "partitioned", and not "parallel"}}
  %y = soac.scatter %x into %dest at %x {soac.scatter = "parallel"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

func.func @number(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.scatter' has to be one of "sequential", "atomic", "privatised", "partitioned", and not 3 : i64}}
  %y = soac.scatter %x into %dest at %x {soac.scatter = 3}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

// The last one has to win.
func.func @replaces(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.scatter' op cannot be atomic: it does not combine each element with the one that is there by a single op that is commutative and has a neutral element; "partitioned" and "sequential" do for every function}}
  %y = soac.scatter %x into %dest at %x {soac.scatter = "atomic"}
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

// -----

func.func @rounds_atomically(%x: tensor<?xf32>, %at: tensor<?xi32>, %dest: tensor<?xf32>)
    -> tensor<?xf32> {
  // expected-error@+1 {{'soac.scatter' op cannot be atomic: its result depends on the order in which elements are combined; "partitioned" and "sequential" do for every function}}
  %y = soac.scatter %x into %dest at %at {soac.scatter = "atomic"}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b fastmath<reassoc> : f32
    soac.yield %c : f32
  }
  return %y : tensor<?xf32>
}

// -----

func.func @no_instruction(%x: tensor<?xf32>, %at: tensor<?xi32>, %dest: tensor<?xf32>)
    -> tensor<?xf32> {
  // expected-error@+1 {{'soac.scatter' op cannot be atomic: there are no atomic updates by 'arith.maximumf' of elements of type f32, only sums, extrema, and, or and xor of integers of 8, 16, 32 or 64 bits; "privatised" does for small destinations, "partitioned" for large ones}}
  %y = soac.scatter %x into %dest at %at {soac.scatter = "atomic"}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.maximumf %a, %b : f32
    soac.yield %c : f32
  }
  return %y : tensor<?xf32>
}

// -----

func.func @product(%x: tensor<?xi64>, %at: tensor<?xi32>, %dest: tensor<?xi64>) -> tensor<?xi64> {
  // expected-error@+1 {{'soac.scatter' op cannot be atomic: there are no atomic updates by 'arith.muli' of elements of type i64, only}}
  %y = soac.scatter %x into %dest at %at {soac.scatter = "atomic"}
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xi32>) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.muli %a, %b : i64
    soac.yield %c : i64
  }
  return %y : tensor<?xi64>
}
