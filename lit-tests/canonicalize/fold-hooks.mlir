// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// Ops that give their inputs back.

// CHECK-LABEL: func.func @identities(
// CHECK-NEXT: return %arg0, %arg0, %arg1, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<1x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
func.func @identities(%x: tensor<?x4xf32>, %one: tensor<1x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<1x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = soac.concat %x dim 0 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = soac.reverse %x dims [] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = soac.reverse %one dims [0] : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %d = soac.transpose %x [0, 1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %e = soac.rotate %x by [0, 0] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %f = soac.drop %x [0] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %g = soac.zip %x : tensor<?x4xf32>
  %h = soac.replicate %x [] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %i = soac.take %x [] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h, %i
      : tensor<?x4xf32>, tensor<?x4xf32>, tensor<1x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: return %arg0, %arg0, %arg0 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
func.func @whole(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %a = soac.take %x [3, 4] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %b = soac.slice %x [0, 0] [3, 4] [1, 1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %c = soac.reshape %x to [3, 4] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %a, %b, %c : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: func.func @zip_of_one_shape(
// CHECK-NEXT: return %arg0, %arg1, %arg2, %arg2 : tensor<3xf32>, tensor<3xi8>, tensor<?xi8>, tensor<?xi8>
func.func @zip_of_one_shape(%x: tensor<3xf32>, %y: tensor<3xi8>, %z: tensor<?xi8>) -> (tensor<3xf32>, tensor<3xi8>, tensor<?xi8>, tensor<?xi8>) {
  %a:2 = soac.zip %x, %y : tensor<3xf32>, tensor<3xi8>
  %b:2 = soac.zip %z, %z : tensor<?xi8>, tensor<?xi8>
  return %a#0, %a#1, %b#0, %b#1 : tensor<3xf32>, tensor<3xi8>, tensor<?xi8>, tensor<?xi8>
}

// CHECK-LABEL: func.func @not_zip(
// CHECK-NEXT: %0:2 = soac.zip %arg0, %arg1 : tensor<?xf32>, tensor<?xi8>
// CHECK-NEXT: return %0#0, %0#1 : tensor<?xf32>, tensor<?xi8>
func.func @not_zip(%x: tensor<?xf32>, %y: tensor<?xi8>) -> (tensor<?xf32>, tensor<?xi8>) {
  %a:2 = soac.zip %x, %y : tensor<?xf32>, tensor<?xi8>
  return %a#0, %a#1 : tensor<?xf32>, tensor<?xi8>
}

// CHECK-LABEL: func.func @not_identities(
// CHECK-NEXT: %0 = soac.reverse %arg0 dims [1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %1 = soac.slice %arg0 [2, 0] [3, 4] [-1, 1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %2 = soac.take %arg1 [%arg2] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %3 = soac.reshape %arg1 to [%arg2] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %4 = soac.slice %arg1 [0] [%arg2] [1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %0, %1, %2, %3, %4 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
func.func @not_identities(%x: tensor<3x4xf32>, %y: tensor<?xf32>, %n: index)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = soac.reverse %x dims [1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %b = soac.slice %x [2, 0] [3, 4] [-1, 1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %c = soac.take %y [%n] : (tensor<?xf32>) -> tensor<?xf32>
  %d = soac.reshape %y to [%n] : (tensor<?xf32>) -> tensor<?xf32>
  %e = soac.slice %y [0] [%n] [1] : (tensor<?xf32>) -> tensor<?xf32>
  return %a, %b, %c, %d, %e : tensor<3x4xf32>, tensor<3x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
