// The mean of a matrix and its transpose.
func.func @symmetrise(%a: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %half = arith.constant 0.5 : f32
  %t = soac.transpose %a [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %means = soac.map %a, %t : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%p: f32, %q: f32) {
    %sum = arith.addf %p, %q fastmath<contract> : f32
    %mean = arith.mulf %sum, %half fastmath<contract> : f32
    soac.yield %mean : f32
  }
  return %means : tensor<?x?xf32>
}
