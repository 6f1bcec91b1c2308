// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: func.func @gather_of_iota(
// CHECK-NEXT: %cast = tensor.cast %arg1 : tensor<128xf32> to tensor<?xf32>
// CHECK-NEXT: return %arg0, %cast : tensor<8x3xf32>, tensor<?xf32>
func.func @gather_of_iota(%x: tensor<8x3xf32>, %y: tensor<128xf32>) -> (tensor<8x3xf32>, tensor<?xf32>) {
  %i = soac.iota [8] dim 0 : tensor<8xi64>
  %a = soac.gather %x at %i : (tensor<8x3xf32>, tensor<8xi64>) -> tensor<8x3xf32>
  %j = soac.iota [128] dim 0 : tensor<128xi8>
  %b = soac.gather %y at %j : (tensor<128xf32>, tensor<128xi8>) -> tensor<?xf32>
  return %a, %b : tensor<8x3xf32>, tensor<?xf32>
}

// 128 and above wrap to negative indices.
// CHECK-LABEL: func.func @not_iota_that_wraps(
// CHECK-NEXT: %0 = soac.iota [129] dim 0 : tensor<129xi8>
// CHECK-NEXT: %1 = soac.gather %arg0 at %0 : (tensor<129xf32>, tensor<129xi8>) -> tensor<129xf32>
// CHECK-NEXT: return %1 : tensor<129xf32>
func.func @not_iota_that_wraps(%y: tensor<129xf32>) -> tensor<129xf32> {
  %i = soac.iota [129] dim 0 : tensor<129xi8>
  %a = soac.gather %y at %i : (tensor<129xf32>, tensor<129xi8>) -> tensor<129xf32>
  return %a : tensor<129xf32>
}

// CHECK-LABEL: func.func @not_iota_of_another_size(
// CHECK-NEXT: %0 = soac.iota [4] dim 0 : tensor<4xindex>
// CHECK-NEXT: %1 = soac.gather %arg0 at %0 : (tensor<8xf32>, tensor<4xindex>) -> tensor<4xf32>
// CHECK-NEXT: %2 = soac.gather %arg1 at %0 : (tensor<?xf32>, tensor<4xindex>) -> tensor<4xf32>
// CHECK-NEXT: return %1, %2 : tensor<4xf32>, tensor<4xf32>
func.func @not_iota_of_another_size(%x: tensor<8xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %i = soac.iota [4] dim 0 : tensor<4xindex>
  %a = soac.gather %x at %i : (tensor<8xf32>, tensor<4xindex>) -> tensor<4xf32>
  %b = soac.gather %y at %i : (tensor<?xf32>, tensor<4xindex>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @gather_of_fill(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?x3xindex>
// CHECK-NEXT: %0 = soac.fill %arg0 [%dim, 3] : (f32) -> tensor<?x3xf32>
// CHECK-NEXT: return %0 : tensor<?x3xf32>
func.func @gather_of_fill(%v: f32, %is: tensor<?x3xindex>) -> tensor<?x3xf32> {
  %x = soac.fill %v [5] : (f32) -> tensor<5xf32>
  %a = soac.gather %x at %is unchecked : (tensor<5xf32>, tensor<?x3xindex>) -> tensor<?x3xf32>
  return %a : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @not_checked_gather_of_fill(
// CHECK-NEXT: %0 = soac.fill %arg0 [5] : (f32) -> tensor<5xf32>
// CHECK-NEXT: %1 = soac.gather %0 at %arg1 : (tensor<5xf32>, tensor<?xindex>) -> tensor<?xf32>
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @not_checked_gather_of_fill(%v: f32, %is: tensor<?xindex>) -> tensor<?xf32> {
  %x = soac.fill %v [5] : (f32) -> tensor<5xf32>
  %a = soac.gather %x at %is : (tensor<5xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// CHECK-LABEL: func.func @scatter_of_nothing(
// CHECK-NEXT: return %arg1 : tensor<?xf32>
func.func @scatter_of_nothing(%x: tensor<0xf32>, %d: tensor<?xf32>, %i: tensor<0xindex>) -> tensor<?xf32> {
  %a = soac.scatter %x into %d at %i : (tensor<0xf32>, tensor<?xf32>, tensor<0xindex>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// There may be more indices than sources, which is an error.
// CHECK-LABEL: func.func @not_scatter_that_may_fail(
// CHECK-NEXT: %0 = soac.scatter %arg0 into %arg1 at %arg2 : (tensor<0xf32>, tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_scatter_that_may_fail(%x: tensor<0xf32>, %d: tensor<?xf32>, %i: tensor<?xindex>) -> tensor<?xf32> {
  %a = soac.scatter %x into %d at %i : (tensor<0xf32>, tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
