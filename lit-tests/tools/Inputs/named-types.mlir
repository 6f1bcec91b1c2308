func.func @f(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<3xf32> {
  %r = soac.map %x, %y : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  } loc("total"("model.py":7:2))
  return %r : tensor<3xf32>
}
