// Figure 1 of the paper, left: the first row of a matrix is added to its diagonal.
func.func @diagonal(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %stride = arith.addi %n, %c1 : index
  %diagonal = soac.slice %x [0] [%n] [%stride] : (tensor<?xf32>) -> tensor<?xf32>
  %row = soac.take %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
  %sums = soac.map %diagonal, %row : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%d: f32, %e: f32) {
    %sum = arith.addf %d, %e fastmath<contract> : f32
    soac.yield %sum : f32
  }
  %result = soac.update %sums into %x at [0] strides [%stride]
      : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  return %result : tensor<?xf32>
}
