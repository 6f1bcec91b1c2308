// RUN: comb-opt %s --cse | FileCheck %s

func.func private @random() -> f32

// CHECK-LABEL: func.func @equal(
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: f32) {
// CHECK-NEXT: %2 = arith.mulf %arg1, %arg1 : f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.rotate %0 by [1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %0, %0, %1, %1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
func.func @equal(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = arith.mulf %e, %e : f32
    soac.yield %s : f32
  }
  %b = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%f: f32) {
    %s = arith.mulf %f, %f : f32
    soac.yield %s : f32
  }
  %c = soac.rotate %a by [1] : (tensor<?xf32>) -> tensor<?xf32>
  %d = soac.rotate %b by [1] : (tensor<?xf32>) -> tensor<?xf32>
  return %a, %b, %c, %d : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @different(
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: f32) {
// CHECK-NEXT: %4 = arith.mulf %arg1, %arg1 : f32
// CHECK-NEXT: soac.yield %4 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: f32) {
// CHECK-NEXT: %4 = arith.addf %arg1, %arg1 : f32
// CHECK-NEXT: soac.yield %4 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.rotate %0 by [1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %3 = soac.rotate %0 by [2] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
func.func @different(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = arith.mulf %e, %e : f32
    soac.yield %s : f32
  }
  %b = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%f: f32) {
    %s = arith.addf %f, %f : f32
    soac.yield %s : f32
  }
  %c = soac.rotate %a by [1] : (tensor<?xf32>) -> tensor<?xf32>
  %d = soac.rotate %a by [2] : (tensor<?xf32>) -> tensor<?xf32>
  return %a, %b, %c, %d : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Each map has effects of its own.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: f32) {
// CHECK-NEXT: %2 = soac.external @random() : () -> f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: f32) {
// CHECK-NEXT: %2 = soac.external @random() : () -> f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1 : tensor<?xf32>, tensor<?xf32>
func.func @effects(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = soac.external @random() : () -> f32
    soac.yield %s : f32
  }
  %b = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = soac.external @random() : () -> f32
    soac.yield %s : f32
  }
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
