// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.generate [%arg0] : tensor<?xindex> (%arg1: index) {
// CHECK: soac.yield %1 : index
func.func @example(%n: index) -> tensor<?xindex> {
  %squares = soac.generate [%n] : tensor<?xindex> (%i: index) {
    %s = arith.muli %i, %i : index
    soac.yield %s : index
  }
  return %squares : tensor<?xindex>
}

// CHECK-LABEL: func.func @static_shape(
// CHECK: %0 = soac.generate [3, 4] : tensor<3x4xf32> (%arg0: index, %arg1: index) {
// CHECK: soac.yield %cst : f32
func.func @static_shape() -> tensor<3x4xf32> {
  %r = soac.generate [3, 4] : tensor<3x4xf32> (%i: index, %j: index) {
    %zero = arith.constant 0.0 : f32
    soac.yield %zero : f32
  }
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @mixed_shape(
// CHECK: %0 = soac.generate [%arg0, 2, %arg1] : tensor<?x2x?xi1> (%arg2: index, %arg3: index, %arg4: index) {
// CHECK: soac.yield %1 : i1
func.func @mixed_shape(%n: index, %m: index) -> tensor<?x2x?xi1> {
  %r = soac.generate [%n, 2, %m] : tensor<?x2x?xi1> (%i: index, %j: index, %k: index) {
    %b = arith.cmpi slt, %i, %k : index
    soac.yield %b : i1
  }
  return %r : tensor<?x2x?xi1>
}

// CHECK-LABEL: func.func @several_results(
// CHECK: %0:2 = soac.generate [%arg0] : tensor<?xindex>, tensor<?xf64> (%arg1: index) {
// CHECK: soac.yield %arg1, %cst : index, f64
func.func @several_results(%n: index) -> (tensor<?xindex>, tensor<?xf64>) {
  %r:2 = soac.generate [%n] : tensor<?xindex>, tensor<?xf64> (%i: index) {
    %zero = arith.constant 0.0 : f64
    soac.yield %i, %zero : index, f64
  }
  return %r#0, %r#1 : tensor<?xindex>, tensor<?xf64>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0 = soac.generate [] : tensor<bf16> () {
// CHECK: soac.yield %arg0 : bf16
func.func @rank_zero(%x: bf16) -> tensor<bf16> {
  %r = soac.generate [] : tensor<bf16> () {
    soac.yield %x : bf16
  }
  return %r : tensor<bf16>
}

// CHECK-LABEL: func.func @less_static_result(
// CHECK: %0 = soac.generate [7] : tensor<?xindex> (%arg0: index) {
// CHECK: soac.yield %arg0 : index
func.func @less_static_result() -> tensor<?xindex> {
  %r = soac.generate [7] : tensor<?xindex> (%i: index) {
    soac.yield %i : index
  }
  return %r : tensor<?xindex>
}

// CHECK-LABEL: func.func @other_attributes(
// CHECK: %0 = soac.generate [%arg0] {mine = "kept"} : tensor<?xindex> (%arg1: index) {
// CHECK: soac.yield %arg1 : index
func.func @other_attributes(%n: index) -> tensor<?xindex> {
  %r = soac.generate [%n] {mine = "kept"} : tensor<?xindex> (%i: index) {
    soac.yield %i : index
  }
  return %r : tensor<?xindex>
}
