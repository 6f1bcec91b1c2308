// A polynomial of degree 9 at n places, by Horner's rule; the coefficient of the highest power is first.
func.func @polynomial(%coefficients: tensor<10xf32>, %x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %value = scf.for %k = %c0 to %c10 step %c1 iter_args(%sum = %zero) -> f32 {
      %coefficient = tensor.extract %coefficients[%k] : tensor<10xf32>
      %product = arith.mulf %sum, %a fastmath<contract> : f32
      %next = arith.addf %product, %coefficient fastmath<contract> : f32
      scf.yield %next : f32
    }
    soac.yield %value : f32
  }
  return %y : tensor<?xf32>
}
