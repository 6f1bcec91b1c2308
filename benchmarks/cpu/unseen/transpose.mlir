// A matrix transposed.
func.func @transpose(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %y = soac.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
