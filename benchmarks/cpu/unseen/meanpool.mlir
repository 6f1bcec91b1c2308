// The means of blocks of two rows and two columns.
func.func @meanpool(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %halves = soac.reshape %x to [%m, 2, %n, 2] : (tensor<?x?xf32>) -> tensor<?x2x?x2xf32>
  %blocks = soac.transpose %halves [0, 2, 1, 3] : (tensor<?x2x?x2xf32>) -> tensor<?x?x2x2xf32>
  %sums = soac.fold %blocks neutral %zero inner 2 : (tensor<?x?x2x2xf32>, f32) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b fastmath<contract> : f32
    soac.yield %s : f32
  }
  %means = soac.map %sums : (tensor<?x?xf32>) -> tensor<?x?xf32> (%sum: f32) {
    %mean = arith.mulf %sum, %quarter fastmath<contract> : f32
    soac.yield %mean : f32
  }
  return %means : tensor<?x?xf32>
}
