// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.fill %arg0 [%arg1, 4] : (f32) -> tensor<?x4xf32>
func.func @example(%zero: f32, %n: index) -> tensor<?x4xf32> {
  %zeros = soac.fill %zero [%n, 4] : (f32) -> tensor<?x4xf32>
  return %zeros : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @several_values(
// CHECK: %0:2 = soac.fill %arg0, %arg1 [5] {mine} : (i1, f64) -> (tensor<5xi1>, tensor<5xf64>)
func.func @several_values(%a: i1, %b: f64) -> (tensor<5xi1>, tensor<5xf64>) {
  %r:2 = soac.fill %a, %b [5] {mine} : (i1, f64) -> (tensor<5xi1>, tensor<5xf64>)
  return %r#0, %r#1 : tensor<5xi1>, tensor<5xf64>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0 = soac.fill %arg0 [] : (index) -> tensor<index>
func.func @rank_zero(%a: index) -> tensor<index> {
  %r = soac.fill %a [] : (index) -> tensor<index>
  return %r : tensor<index>
}

// CHECK-LABEL: func.func @empty(
// CHECK: %0 = soac.fill %arg0 [0, 3] : (index) -> tensor<0x3xindex>
func.func @empty(%a: index) -> tensor<0x3xindex> {
  %r = soac.fill %a [0, 3] : (index) -> tensor<0x3xindex>
  return %r : tensor<0x3xindex>
}
