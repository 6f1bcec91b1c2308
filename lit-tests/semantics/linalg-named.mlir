// Ops of `linalg` whose names imply what they compute, in the interpreter and compiled.

// RUN: comb run %s --target interp -i x=iota:i32[2,3] -i y=iota:i32[3,2] -i v=iota:i32[3] | FileCheck %s
// RUN: comb run %s --target cpu -i x=iota:i32[2,3] -i y=iota:i32[3,2] -i v=iota:i32[3] | FileCheck %s
// CHECK: result0: tensor<2x2xi32> =
// CHECK-NEXT: {{\[}}[10 13]
// CHECK-NEXT:  [28 40]]
// CHECK-NEXT: result1: tensor<2xi32> = [ 5 14]
// CHECK-NEXT: result2: tensor<2x3xi32> =
// CHECK-NEXT: {{\[}}[ 0  2  4]
// CHECK-NEXT:  [ 6  8 10]]
// CHECK-NEXT: result3: tensor<i32> = 5
func.func @main(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>, %v: tensor<?xi32>)
    -> (tensor<2x2xi32>, tensor<2xi32>, tensor<2x3xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %square = tensor.splat %zero : tensor<2x2xi32>
  %column = tensor.splat %zero : tensor<2xi32>
  %wide = tensor.splat %zero : tensor<2x3xi32>
  %single = tensor.splat %zero : tensor<i32>
  %xs = tensor.cast %x : tensor<?x?xi32> to tensor<2x3xi32>
  %product = linalg.matmul ins(%xs, %y : tensor<2x3xi32>, tensor<?x?xi32>)
      outs(%square : tensor<2x2xi32>) -> tensor<2x2xi32>
  %rows = linalg.matvec ins(%xs, %v : tensor<2x3xi32>, tensor<?xi32>)
      outs(%column : tensor<2xi32>) -> tensor<2xi32>
  %sum = linalg.add ins(%xs, %xs : tensor<2x3xi32>, tensor<2x3xi32>)
      outs(%wide : tensor<2x3xi32>) -> tensor<2x3xi32>
  %dot = linalg.dot ins(%v, %v : tensor<?xi32>, tensor<?xi32>)
      outs(%single : tensor<i32>) -> tensor<i32>
  return %product, %rows, %sum, %dot : tensor<2x2xi32>, tensor<2xi32>, tensor<2x3xi32>, tensor<i32>
}
