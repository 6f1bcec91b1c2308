// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The first example of the op's description.
// CHECK-LABEL: func.func @example_sum(
// CHECK: %0 = soac.map %arg0, %arg1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg2: f32, %arg3: f32) {
// CHECK: soac.yield %1 : f32
func.func @example_sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %z : tensor<?xf32>
}

// The second one.
// CHECK-LABEL: func.func @example_rows(
// CHECK: %0 = soac.map %arg0 outer 1 : (tensor<?x8xf32>) -> tensor<?xf32> (%arg2: tensor<8xf32>) {
// CHECK: %1 = soac.fold %arg2 neutral %arg1 : (tensor<8xf32>, f32) -> tensor<f32> (%arg3: f32, %arg4: f32) {
// CHECK: soac.yield %2 : f32
// CHECK: soac.yield %extracted : f32
func.func @example_rows(%rows: tensor<?x8xf32>, %zero: f32) -> tensor<?xf32> {
  %sums = soac.map %rows outer 1 : (tensor<?x8xf32>) -> tensor<?xf32>
      (%row: tensor<8xf32>) {
    %sum = soac.fold %row neutral %zero : (tensor<8xf32>, f32) -> tensor<f32>
        (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      soac.yield %s : f32
    }
    %scalar = tensor.extract %sum[] : tensor<f32>
    soac.yield %scalar : f32
  }
  return %sums : tensor<?xf32>
}

// CHECK-LABEL: func.func @several_results(
// CHECK: %0:2 = soac.map %arg0 : (tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xi1>) (%arg1: i8) {
// CHECK: soac.yield %arg1, %1 : i8, i1
func.func @several_results(%x: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xi1>) {
  %r:2 = soac.map %x : (tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xi1>) (%a: i8) {
    %b = arith.cmpi eq, %a, %a : i8
    soac.yield %a, %b : i8, i1
  }
  return %r#0, %r#1 : tensor<2x3xi8>, tensor<2x3xi1>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0 = soac.map %arg0 : (tensor<f16>) -> tensor<f16> (%arg1: f16) {
// CHECK: soac.yield %arg1 : f16
func.func @rank_zero(%x: tensor<f16>) -> tensor<f16> {
  %r = soac.map %x : (tensor<f16>) -> tensor<f16> (%a: f16) {
    soac.yield %a : f16
  }
  return %r : tensor<f16>
}

// CHECK-LABEL: func.func @static_and_dynamic(
// CHECK: %0 = soac.map %arg0, %arg1 : (tensor<4xi64>, tensor<?xi64>) -> tensor<4xi64> (%arg2: i64, %arg3: i64) {
// CHECK: soac.yield %arg2 : i64
func.func @static_and_dynamic(%x: tensor<4xi64>, %y: tensor<?xi64>) -> tensor<4xi64> {
  %r = soac.map %x, %y : (tensor<4xi64>, tensor<?xi64>) -> tensor<4xi64> (%a: i64, %b: i64) {
    soac.yield %a : i64
  }
  return %r : tensor<4xi64>
}

// Inner arrays in and out; where no dimension remains, the lambda takes
// scalars.
// CHECK-LABEL: func.func @inner_arrays(
// CHECK: %0:3 = soac.map %arg0, %arg1 outer 1 inner(%arg2, %arg3) : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x3x?xindex>) (%arg4: tensor<?xf32>, %arg5: f32) {
// CHECK: %1 = soac.iota [3, %arg3] dim 1 : tensor<3x?xindex>
// CHECK: soac.yield %arg4, %arg5, %1 : tensor<?xf32>, f32, tensor<3x?xindex>
func.func @inner_arrays(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %n: index, %m: index)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x3x?xindex>) {
  %r:3 = soac.map %x, %y outer 1 inner (%n, %m)
      : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x3x?xindex>)
      (%row: tensor<?xf32>, %a: f32) {
    %i = soac.iota [3, %m] dim 1 : tensor<3x?xindex>
    soac.yield %row, %a, %i : tensor<?xf32>, f32, tensor<3x?xindex>
  }
  return %r#0, %r#1, %r#2 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x3x?xindex>
}

// CHECK-LABEL: func.func @captures(
// CHECK: %0 = soac.map %arg0 : (tensor<?xindex>) -> tensor<?xf32> (%arg3: index) {
// CHECK: soac.yield %1 : f32
func.func @captures(%x: tensor<?xindex>, %table: tensor<16xf32>, %scale: f32) -> tensor<?xf32> {
  %r = soac.map %x : (tensor<?xindex>) -> tensor<?xf32> (%i: index) {
    %t = tensor.extract %table[%i] : tensor<16xf32>
    %p = arith.mulf %t, %scale : f32
    soac.yield %p : f32
  }
  return %r : tensor<?xf32>
}
