// A program with an error, for tiny-compiler.

// CHECK: wrong-types.mlir:[[@LINE+2]]:{{[0-9]+}}: error: 'soac.map' op operands 0 and 1 have different shapes: [2] and [3]
func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %z = soac.map %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
      (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return %z : tensor<2xf32>
}
