// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.fold %arg0 neutral %arg1 : (tensor<?x8xf32>, f32) -> tensor<?xf32> (%arg2: f32, %arg3: f32) {
// CHECK: soac.yield %1 : f32
func.func @example(%x: tensor<?x8xf32>, %zero: f32) -> tensor<?xf32> {
  %sums = soac.fold %x neutral %zero : (tensor<?x8xf32>, f32) -> tensor<?xf32>
      (%sum: f32, %element: f32) {
    %s = arith.addf %sum, %element : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?xf32>
}

// CHECK-LABEL: func.func @all_dimensions(
// CHECK: %0 = soac.fold %arg0 neutral %arg1 inner 3 : (tensor<?x8x?xi64>, i64) -> tensor<i64> (%arg2: i64, %arg3: i64) {
// CHECK: soac.yield %1 : i64
func.func @all_dimensions(%x: tensor<?x8x?xi64>, %one: i64) -> tensor<i64> {
  %r = soac.fold %x neutral %one inner 3 : (tensor<?x8x?xi64>, i64) -> tensor<i64>
      (%p: i64, %e: i64) {
    %m = arith.muli %p, %e : i64
    soac.yield %m : i64
  }
  return %r : tensor<i64>
}

// `inner 1` is the default and not printed.
// CHECK-LABEL: func.func @one_dimension(
// CHECK: %0 = soac.fold %arg0 neutral %arg1 : (tensor<4x8xi1>, i1) -> tensor<4xi1> (%arg2: i1, %arg3: i1) {
// CHECK: soac.yield %1 : i1
func.func @one_dimension(%x: tensor<4x8xi1>, %no: i1) -> tensor<4xi1> {
  %r = soac.fold %x neutral %no inner 1 : (tensor<4x8xi1>, i1) -> tensor<4xi1> (%a: i1, %e: i1) {
    %o = arith.ori %a, %e : i1
    soac.yield %o : i1
  }
  return %r : tensor<4xi1>
}

// The position of the maximum.
// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.fold %arg0, %arg1 neutral %arg2, %arg3 {mine = 1 : i32} : (tensor<?xf32>, tensor<?xindex>, f32, index) -> (tensor<f32>, tensor<index>) (%arg4: f32, %arg5: index, %arg6: f32, %arg7: index) {
// CHECK: soac.yield %2, %3 : f32, index
func.func @several_arrays(%x: tensor<?xf32>, %i: tensor<?xindex>, %least: f32, %none: index)
    -> (tensor<f32>, tensor<index>) {
  %r:2 = soac.fold %x, %i neutral %least, %none {mine = 1 : i32}
      : (tensor<?xf32>, tensor<?xindex>, f32, index) -> (tensor<f32>, tensor<index>)
      (%a: f32, %ai: index, %b: f32, %bi: index) {
    %greater = arith.cmpf ogt, %b, %a : f32
    %m = arith.select %greater, %b, %a : f32
    %mi = arith.select %greater, %bi, %ai : index
    soac.yield %m, %mi : f32, index
  }
  return %r#0, %r#1 : tensor<f32>, tensor<index>
}
