// Products of arrays, and convolutions.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-raise-linalg --canonicalize --cse | FileCheck %s --check-prefix=IR

// CALL-LABEL: matmul iota:f32[2,3] ones:f32[3,2]
// GIVES: result: tensor<2x2xf32> = {{\[\[}}3.0 3.0] [12.0 12.0]]
// CALL-LABEL: matmul iota:f32[2,4] ones:f32[3,2]
// GIVES: error: 'linalg.matmul' op operands 0 and 1 have shapes [2, 4] and [3, 2], which do not fit
// IR-LABEL: func.func @matmul(
// IR-NOT:     = linalg
// IR:         %[[X:.*]] = soac.backpermute %arg0
// IR:         %[[Y:.*]] = soac.backpermute %arg1
// IR:         %[[P:.*]] = soac.map %[[X]], %[[Y]]
// IR:           arith.mulf
// IR:         %[[S:.*]] = soac.fold %[[P]] neutral %cst
// IR:         return %[[S]]
func.func @matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Integers of 8 bits, the right matrix transposed, and what was there before.
// CALL-LABEL: transposed iota:i8[2,3] iota:i8[2,3] ones:i32[2,2]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}6 15] [15 51]]
// IR-LABEL: func.func @transposed(
// IR-NOT:     = linalg
// IR:         arith.extsi
func.func @transposed(%x: tensor<2x3xi8>, %y: tensor<2x3xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                      affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %y : tensor<2x3xi8>, tensor<2x3xi8>) outs(%z : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// CALL-LABEL: batch iota:f32[2,2,3] iota:f32[2,3,2] zeros:f32[2,2,2]
// GIVES: result: tensor<2x2x2xf32> = {{\[\[\[}}10.0 13.0] [28.0 40.0]]
// GIVES-SAME: {{\[\[}}172.0 193.0] [244.0 274.0]]]
// IR-LABEL: func.func @batch(
// IR-NOT:     = linalg
func.func @batch(%x: tensor<2x2x3xf32>, %y: tensor<2x3x2xf32>, %z: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %r = linalg.batch_matmul ins(%x, %y : tensor<2x2x3xf32>, tensor<2x3x2xf32>) outs(%z : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// CALL-LABEL: vectors iota:f64[2,3] ones:f64[3] ones:f64[]
// GIVES: result: tensor<f64> = 16.0
// IR-LABEL: func.func @vectors(
// IR-NOT:     = linalg
func.func @vectors(%x: tensor<2x3xf64>, %y: tensor<3xf64>, %z: tensor<f64>) -> tensor<f64> {
  %zero = arith.constant 0.0 : f64
  %i = tensor.splat %zero : tensor<2xf64>
  %v = linalg.matvec ins(%x, %y : tensor<2x3xf64>, tensor<3xf64>) outs(%i : tensor<2xf64>) -> tensor<2xf64>
  %one = arith.constant 1.0 : f64
  %ones = tensor.splat %one : tensor<2xf64>
  %d = linalg.dot ins(%v, %ones : tensor<2xf64>, tensor<2xf64>) outs(%z : tensor<f64>) -> tensor<f64>
  return %d : tensor<f64>
}

// CALL-LABEL: contract iota:i32[2,3] iota:i32[3,2]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}10 28] [13 40]]
// IR-LABEL: func.func @contract(
// IR-NOT:     = linalg
func.func @contract(%x: tensor<2x3xi32>, %y: tensor<3x2xi32>) -> tensor<2x2xi32> {
  %zero = arith.constant 0 : i32
  %i = tensor.splat %zero : tensor<2x2xi32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (n, m)>]
      ins(%x, %y : tensor<2x3xi32>, tensor<3x2xi32>) outs(%i : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// CALL-LABEL: image iota:f32[1,3,3,1] ones:f32[2,2,1,1] 2
// GIVES: 8.0] [12.0]
// CALL-LABEL: image iota:f32[1,3,3,1] ones:f32[2,2,1,1] 3
// GIVES: error: 'linalg.conv_2d_nhwc_hwcf' op operand 0 has shape [1, 3, 3, 1], but dimension 1 is read and written outside by loops over [1, 3, 3, 1, 2, 2, 1]
// IR-LABEL: func.func @image(
// IR-NOT:     = linalg
// IR:         soac.fold {{.*}} inner 3
func.func @image(%x: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %n: index) -> tensor<1x?x?x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n, %n) : tensor<1x?x?x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x?x?x1xf32>) -> tensor<1x?x?x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
      outs(%i : tensor<1x?x?x1xf32>) -> tensor<1x?x?x1xf32>
  return %r : tensor<1x?x?x1xf32>
}

// Windows without a kernel: only its size matters.
// CALL-LABEL: pooled iota:f32[1,1,4,4]
// GIVES: result: tensor<1x1x2x2xf32> = {{\[\[\[\[}}5.0 7.0] [13.0 15.0]]]]
// IR-LABEL: func.func @pooled(
// IR-NOT:     = linalg
func.func @pooled(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %z = arith.constant 0xFF800000 : f32
  %i = tensor.splat %z : tensor<1x1x2x2xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x1x4x4xf32>, tensor<2x2xf32>)
      outs(%i : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}
