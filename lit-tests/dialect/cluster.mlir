// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.cluster %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: tensor<?xf32>) {
// CHECK: %1 = soac.map %arg1 : (tensor<?xf32>) -> tensor<?xf32> (%arg2: f32) {
// CHECK: soac.yield %2 : f32
// CHECK: soac.yield %1 : tensor<?xf32>
func.func @example(%x: tensor<?xf32>) -> tensor<?xf32> {
  %z = soac.cluster %x : (tensor<?xf32>) -> tensor<?xf32> (%a: tensor<?xf32>) {
    %b = soac.map %a : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
      %s = arith.addf %e, %e : f32
      soac.yield %s : f32
    }
    soac.yield %b : tensor<?xf32>
  }
  return %z : tensor<?xf32>
}

// CHECK-LABEL: func.func @orders(
// CHECK: %0:2 = soac.cluster %arg0, %arg1 reads [2, 0] writes [0, -1] {mine} : (tensor<?xf32>, tensor<?xindex>) -> (tensor<?xf32>, tensor<?xf32>) (%arg2: tensor<?xf32>, %arg3: tensor<?xindex>) {
// CHECK: %1 = soac.gather %arg2 at %arg3 {label = 2 : i64} : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
// CHECK: soac.yield %1, %arg2 : tensor<?xf32>, tensor<?xf32>
func.func @orders(%x: tensor<?xf32>, %is: tensor<?xindex>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = soac.cluster %x, %is reads [2, 0] writes [0, -1] {mine}
      : (tensor<?xf32>, tensor<?xindex>) -> (tensor<?xf32>, tensor<?xf32>)
      (%a: tensor<?xf32>, %b: tensor<?xindex>) {
    %g = soac.gather %a at %b {label = 2} : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
    soac.yield %g, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @only_reads(
// CHECK: %0 = soac.cluster %arg0 reads [1] : (tensor<4xf32>) -> tensor<4xf32> (%arg1: tensor<4xf32>) {
// CHECK: soac.yield %arg1 : tensor<4xf32>
func.func @only_reads(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = soac.cluster %x reads [1] : (tensor<4xf32>) -> tensor<4xf32> (%a: tensor<4xf32>) {
    soac.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @no_inputs(
// CHECK: %0 = soac.cluster writes [0] : () -> tensor<?xindex> () {
// CHECK: %1 = soac.iota [%arg0] dim 0 : tensor<?xindex>
// CHECK: soac.yield %1 : tensor<?xindex>
func.func @no_inputs(%n: index) -> tensor<?xindex> {
  %r = soac.cluster writes [0] : () -> tensor<?xindex> () {
    %i = soac.iota [%n] dim 0 : tensor<?xindex>
    soac.yield %i : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}

// CHECK-LABEL: func.func @no_results(
// CHECK: soac.cluster %arg0 : (tensor<4xf32>) -> () (%arg1: tensor<4xf32>) {
// CHECK: soac.yield
func.func @no_results(%x: tensor<4xf32>) {
  soac.cluster %x : (tensor<4xf32>) -> () (%a: tensor<4xf32>) {
    soac.yield
  }
  return
}
