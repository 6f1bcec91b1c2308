// RUN: comb-opt %s --inline | FileCheck %s

// A function with combinators is inlined into another function, and into a
// lambda; into a lambda only what has a single block.

func.func private @sum(%x: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %s = soac.fold %x neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    soac.yield %t : f32
  }
  %e = tensor.extract %s[] : tensor<f32>
  return %e : f32
}

// CHECK-LABEL: func.func private @branches(
// CHECK-NEXT: cf.cond_br %arg1, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:  // pred: ^bb0
// CHECK-NEXT: %0 = arith.addf %arg0, %arg0 : f32
// CHECK-NEXT: return %0 : f32
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: return %arg0 : f32
func.func private @branches(%x: f32, %c: i1) -> f32 {
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.addf %x, %x : f32
  return %y : f32
^b:
  return %x : f32
}

// CHECK-LABEL: func.func @into_function(
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = soac.fold %arg0 neutral %cst : (tensor<?xf32>, f32) -> tensor<f32> (%arg1: f32, %arg2: f32) {
// CHECK-NEXT: %1 = arith.addf %arg1, %arg2 : f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %extracted = tensor.extract %0[] : tensor<f32>
// CHECK-NEXT: return %extracted : f32
func.func @into_function(%x: tensor<?xf32>) -> f32 {
  %r = call @sum(%x) : (tensor<?xf32>) -> f32
  return %r : f32
}

// CHECK-LABEL: func.func @into_lambda(
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = soac.map %arg0 outer 1 : (tensor<?x?xf32>) -> tensor<?xf32> (%arg1: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.fold %arg1 neutral %cst : (tensor<?xf32>, f32) -> tensor<f32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: %2 = arith.addf %arg2, %arg3 : f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %extracted = tensor.extract %1[] : tensor<f32>
// CHECK-NEXT: soac.yield %extracted : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @into_lambda(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %r = soac.map %x outer 1 : (tensor<?x?xf32>) -> tensor<?xf32> (%row: tensor<?xf32>) {
    %s = func.call @sum(%row) : (tensor<?xf32>) -> f32
    soac.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @into_cluster(
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = soac.cluster %arg0 : (tensor<?xf32>) -> tensor<2xf32> (%arg1: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.fold %arg1 neutral %cst : (tensor<?xf32>, f32) -> tensor<f32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: %3 = arith.addf %arg2, %arg3 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %extracted = tensor.extract %1[] : tensor<f32>
// CHECK-NEXT: %2 = soac.fill %extracted [2] : (f32) -> tensor<2xf32>
// CHECK-NEXT: soac.yield %2 : tensor<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<2xf32>
func.func @into_cluster(%x: tensor<?xf32>) -> tensor<2xf32> {
  %r = soac.cluster %x : (tensor<?xf32>) -> tensor<2xf32> (%a: tensor<?xf32>) {
    %s = func.call @sum(%a) : (tensor<?xf32>) -> f32
    %f = soac.fill %s [2] : (f32) -> tensor<2xf32>
    soac.yield %f : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @not_several_blocks(
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg2: f32) {
// CHECK-NEXT: %1 = func.call @branches(%arg2, %arg1) : (f32, i1) -> f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_several_blocks(%x: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %r = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %s = func.call @branches(%a, %c) : (f32, i1) -> f32
    soac.yield %s : f32
  }
  return %r : tensor<?xf32>
}
