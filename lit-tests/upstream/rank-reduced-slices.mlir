// The first dimension of the part is kept, and the last one left out, until an offset is constant.
// RUN: %mlir_opt %s --canonicalize | FileCheck %s

// CHECK: tensor.extract_slice {{.*}} : tensor<1x?x1xf32> to tensor<?x1xf32>
// CHECK: tensor.cast {{.*}} : tensor<?x1xf32> to tensor<1x?xf32>
func.func @read(%x: tensor<1x?x1xf32>, %n: index) -> tensor<1x?xf32> {
  %c2 = arith.constant 2 : index
  %a = tensor.extract_slice %x[0, %c2, 0] [1, %n, 1] [1, 1, 1] : tensor<1x?x1xf32> to tensor<1x?xf32>
  return %a : tensor<1x?xf32>
}

// CHECK: tensor.cast {{.*}} : tensor<1x?xf32> to tensor<?x1xf32>
func.func @write(%x: tensor<?x?x3xf32>, %row: tensor<1x?xf32>, %n: index) -> tensor<?x?x3xf32> {
  %c2 = arith.constant 2 : index
  %a = tensor.insert_slice %row into %x[0, 0, %c2] [1, %n, 1] [1, 1, 1] : tensor<1x?xf32> into tensor<?x?x3xf32>
  return %a : tensor<?x?x3xf32>
}
