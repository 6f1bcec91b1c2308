// Slices that leave out some of their dimensions of size 1, but not all, with strides: MLIR cannot tell in
// memory which ones, so they are reshaped.

// RUN: comb-opt %s --soac-desugar | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: read iota:i32[2,3,7] 1 2 3
// GIVES: result: tensor<1x2xi32> = {{\[\[}}28 31]]
// CALL-LABEL: read iota:i32[2,3,7] 0 7 1
// RUN: not comb run %s --entry read -i x=iota:i32[2,3,7] -i at=1 -i size=4 -i stride=3 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: {{.*}}slices.mlir:{{[0-9]+}}:{{[0-9]+}}: 'tensor.extract_slice' op the slice with offset 0, size 4 and stride 3 leaves dimension 2 of size 7

// CHECK-LABEL: func.func @read(
// CHECK:         tensor.extract_slice %{{.*}} : tensor<2x?x7xi32> to tensor<1x1x?xi32>
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]]
func.func @read(%x: tensor<2x?x7xi32>, %at: index, %size: index, %stride: index) -> tensor<1x?xi32> {
  %y = tensor.extract_slice %x[%at, %at, 0] [1, 1, %size] [1, 1, %stride]
      : tensor<2x?x7xi32> to tensor<1x?xi32>
  return %y : tensor<1x?xi32>
}

// CALL-LABEL: written iota:i32[5,4,1] iota:i32[2,1] 2
// GIVES: {{\[\[}}8] [9] [0] [11]]
// GIVES: {{\[\[}}16] [17] [1] [19]]]

// CHECK-LABEL: func.func @written(
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 1, 1]
// CHECK:         tensor.insert_slice %{{.*}} : tensor<?x1x1xi32> into tensor<?x4x1xi32>
func.func @written(%x: tensor<?x4x1xi32>, %y: tensor<?x1xi32>, %k: index) -> tensor<?x4x1xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x1xi32>
  %z = tensor.insert_slice %y into %x[%k, %k, 0] [%n, 1, 1] [%k, 2, 3]
      : tensor<?x1xi32> into tensor<?x4x1xi32>
  return %z : tensor<?x4x1xi32>
}

// Without strides, too, a slice keeps a dimension of size 1 if it is one of several of which it leaves out some.

// CALL-LABEL: row iota:i32[5,4,1] 3
// GIVES: result: tensor<2x1xi32> = {{\[\[}}12] [14]]

// CHECK-LABEL: func.func @row(
// CHECK:         %[[WHOLE:.*]] = tensor.extract_slice %{{.*}} : tensor<?x4x1xi32> to tensor<1x4x1xi32>
// CHECK:         tensor.collapse_shape %[[WHOLE]] {{\[\[}}0, 1], [2]] : tensor<1x4x1xi32> into tensor<4x1xi32>
func.func @row(%x: tensor<?x4x1xi32>, %at: index) -> tensor<2x1xi32> {
  %y = tensor.extract_slice %x[%at, 0, 0] [1, 4, 1] [1, 1, 1] : tensor<?x4x1xi32> to tensor<4x1xi32>
  %z = tensor.extract_slice %y[0, 0] [2, 1] [2, 1] : tensor<4x1xi32> to tensor<2x1xi32>
  return %z : tensor<2x1xi32>
}
