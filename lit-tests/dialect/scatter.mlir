// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.scatter %arg0 into %arg1 at %arg2 : (tensor<?xi32>, tensor<256xi32>, tensor<?xindex>) -> tensor<256xi32> (%arg3: i32, %arg4: i32) {
// CHECK: soac.yield %1 : i32
func.func @example(%ones: tensor<?xi32>, %zeros: tensor<256xi32>, %bins: tensor<?xindex>)
    -> tensor<256xi32> {
  %histogram = soac.scatter %ones into %zeros at %bins
      : (tensor<?xi32>, tensor<256xi32>, tensor<?xindex>) -> tensor<256xi32>
      (%old: i32, %new: i32) {
    %s = arith.addi %old, %new : i32
    soac.yield %s : i32
  }
  return %histogram : tensor<256xi32>
}

// CHECK-LABEL: func.func @last_write(
// CHECK: %0 = soac.scatter %arg0 into %arg1 at %arg2 : (tensor<5xf32>, tensor<?xf32>, tensor<5xi32>) -> tensor<?xf32>
func.func @last_write(%x: tensor<5xf32>, %d: tensor<?xf32>, %is: tensor<5xi32>) -> tensor<?xf32> {
  %r = soac.scatter %x into %d at %is
      : (tensor<5xf32>, tensor<?xf32>, tensor<5xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @any_write(
// CHECK: %0 = soac.scatter %arg0 into %arg1 at %arg2 unchecked any_write : (tensor<5xf32>, tensor<?xf32>, tensor<5xi32>) -> tensor<?xf32>
func.func @any_write(%x: tensor<5xf32>, %d: tensor<?xf32>, %is: tensor<5xi32>) -> tensor<?xf32> {
  %r = soac.scatter %x into %d at %is unchecked any_write
      : (tensor<5xf32>, tensor<?xf32>, tensor<5xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.scatter %arg0, %arg1 into %arg2, %arg3 at %arg4, %arg5 {mine} : (tensor<?xf32>, tensor<?xi1>, tensor<?x?xf32>, tensor<?x?xi1>, tensor<?xi8>, tensor<?xindex>) -> (tensor<?x?xf32>, tensor<?x?xi1>) (%arg6: f32, %arg7: i1, %arg8: f32, %arg9: i1) {
// CHECK: soac.yield %arg8, %arg9 : f32, i1
func.func @several_arrays(%x: tensor<?xf32>, %y: tensor<?xi1>, %d: tensor<?x?xf32>,
                          %e: tensor<?x?xi1>, %is: tensor<?xi8>, %js: tensor<?xindex>)
    -> (tensor<?x?xf32>, tensor<?x?xi1>) {
  %r:2 = soac.scatter %x, %y into %d, %e at %is, %js {mine}
      : (tensor<?xf32>, tensor<?xi1>, tensor<?x?xf32>, tensor<?x?xi1>, tensor<?xi8>, tensor<?xindex>)
      -> (tensor<?x?xf32>, tensor<?x?xi1>)
      (%a: f32, %b: i1, %c: f32, %g: i1) {
    soac.yield %c, %g : f32, i1
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xi1>
}

// CHECK-LABEL: func.func @sources_of_rank_two(
// CHECK: %0 = soac.scatter %arg0 into %arg1 at %arg2 unchecked : (tensor<2x3xf32>, tensor<9xf32>, tensor<2x3xi32>) -> tensor<9xf32> (%arg3: f32, %arg4: f32) {
// CHECK: soac.yield %1 : f32
func.func @sources_of_rank_two(%x: tensor<2x3xf32>, %d: tensor<9xf32>, %is: tensor<2x3xi32>)
    -> tensor<9xf32> {
  %r = soac.scatter %x into %d at %is unchecked
      : (tensor<2x3xf32>, tensor<9xf32>, tensor<2x3xi32>) -> tensor<9xf32>
      (%old: f32, %new: f32) {
    %m = arith.maximumf %old, %new : f32
    soac.yield %m : f32
  }
  return %r : tensor<9xf32>
}
