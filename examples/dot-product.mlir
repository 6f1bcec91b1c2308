// The dot product of two vectors: a zipWith, then a fold.

func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %products = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    soac.yield %p : f32
  }
  %sum = soac.fold %products neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  %result = tensor.extract %sum[] : tensor<f32>
  return %result : f32
}
