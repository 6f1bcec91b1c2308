// RUN: comb-opt %s -soac-insert-checks | FileCheck %s --implicit-check-not=soac.check

// S5: What is known when the program is compiled is not checked when it runs.

// Arrays that are computed from each other have one shape.
// CHECK-LABEL: func @same_origin
func.func @same_origin(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %a : f32
  }
  %z = soac.reverse %y dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %w = soac.map %x, %z : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    soac.yield %b : f32
  }
  return %w : tensor<?xf32>
}

// So do arrays of one size that `tensor.dim` names.
// CHECK-LABEL: func @dimension
func.func @dimension(%x: tensor<4x?xf32>) -> tensor<?xf32> {
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %one : tensor<4x?xf32>
  %i = soac.iota [%n] dim 0 : tensor<?xi32>
  %row = soac.slice %x [2, 0] [1, %n] [1, 1] : (tensor<4x?xf32>) -> tensor<1x?xf32>
  %flat = soac.reshape %row to [%n] : (tensor<1x?xf32>) -> tensor<?xf32>
  %y = soac.map %i, %flat : (tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: i32, %b: f32) {
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}

// And what was concatenated is as long as its parts.
// CHECK-LABEL: func @concatenated
func.func @concatenated(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<6xf32> {
  %u = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %v = tensor.cast %y : tensor<2xf32> to tensor<?xf32>
  %w = soac.concat %u, %v dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %z = tensor.cast %w : tensor<?xf32> to tensor<6xf32>
  return %z : tensor<6xf32>
}

// CHECK-LABEL: func @constant_index
func.func @constant_index(%x: tensor<3x?xf32>, %y: tensor<3xf32>) -> f32 {
  %two = arith.constant 2 : index
  %e = tensor.extract %y[%two] : tensor<3xf32>
  return %e : f32
}

// A stencil, and an array read backwards.
// CHECK-LABEL: func @induction_variable
func.func @induction_variable(%x: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %last = arith.subi %n, %one : index
  %start = arith.constant 0.0 : f32
  %sum = scf.for %i = %one to %last step %one iter_args(%sum = %start) -> f32 {
    %left = arith.subi %i, %one : index
    %right = arith.addi %i, %one : index
    %opposite = arith.subi %last, %i : index
    %a = tensor.extract %x[%left] : tensor<?xf32>
    %b = tensor.extract %x[%i] : tensor<?xf32>
    %c = tensor.extract %x[%right] : tensor<?xf32>
    %d = tensor.extract %x[%opposite] : tensor<?xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.addf %c, %d : f32
    %u = arith.addf %s, %t : f32
    %v = arith.addf %sum, %u : f32
    scf.yield %v : f32
  }
  return %sum : f32
}

// CHECK-LABEL: func @lambda_index
func.func @lambda_index(%x: tensor<?x8xf32>) -> tensor<8x?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x8xf32>
  %y = soac.generate [8, %n] : tensor<8x?xf32> (%i: index, %j: index) {
    %e = tensor.extract %x[%j, %i] : tensor<?x8xf32>
    soac.yield %e : f32
  }
  return %y : tensor<8x?xf32>
}

// CHECK-LABEL: func @remainder
func.func @remainder(%x: tensor<16xf32>, %hash: index) -> f32 {
  %size = arith.constant 16 : index
  %bin = arith.remui %hash, %size : index
  %e = tensor.extract %x[%bin] : tensor<16xf32>
  return %e : f32
}

// CHECK-LABEL: func @arithmetic
func.func @arithmetic(%a: i32) -> (i32, i32, i32) {
  %seven = arith.constant 7 : i32
  %q = arith.divsi %a, %seven : i32
  %r = arith.remui %a, %seven : i32
  // CHECK: arith.divsi %{{.*}}, %[[SEVEN:.*]] : i32
  // CHECK-NEXT: arith.remui %{{.*}}, %[[SEVEN]] : i32
  // CHECK-NEXT: arith.shli %{{.*}}, %[[SEVEN]] : i32
  %s = arith.shli %a, %seven : i32
  return %q, %r, %s : i32, i32, i32
}

// The inner arrays of a map have the sizes of its inputs.
// CHECK-LABEL: func @inner
func.func @inner(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %one : tensor<4x?xf32>
  %y = soac.map %x outer 1 inner (%n) : (tensor<4x?xf32>) -> tensor<4x?xf32>
      (%row: tensor<?xf32>) {
    %r = soac.reverse %row dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %r : tensor<?xf32>
  }
  return %y : tensor<4x?xf32>
}
