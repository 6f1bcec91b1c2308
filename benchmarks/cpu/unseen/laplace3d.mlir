// The sum of a point's six neighbours less six times itself; the border stays.
func.func @laplace3d(%x: tensor<?x?x?xf32>, %n: index) -> tensor<?x?x?xf32> {
  %c2 = arith.constant 2 : index
  %minus_six = arith.constant -6.0 : f32
  %m = arith.subi %n, %c2 : index
  %above = soac.slice %x [0, 1, 1] [%m, %m, %m] [1, 1, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %below = soac.slice %x [2, 1, 1] [%m, %m, %m] [1, 1, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %north = soac.slice %x [1, 0, 1] [%m, %m, %m] [1, 1, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %south = soac.slice %x [1, 2, 1] [%m, %m, %m] [1, 1, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %west = soac.slice %x [1, 1, 0] [%m, %m, %m] [1, 1, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %east = soac.slice %x [1, 1, 2] [%m, %m, %m] [1, 1, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %own = soac.slice %x [1, 1, 1] [%m, %m, %m] [1, 1, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %inner = soac.map %above, %below, %north, %south, %west, %east, %own
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
         tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
      (%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %f: f32, %g: f32) {
    %ab = arith.addf %a, %b fastmath<contract> : f32
    %cd = arith.addf %c, %d fastmath<contract> : f32
    %ef = arith.addf %e, %f fastmath<contract> : f32
    %abcd = arith.addf %ab, %cd fastmath<contract> : f32
    %around = arith.addf %abcd, %ef fastmath<contract> : f32
    %less = arith.mulf %minus_six, %g fastmath<contract> : f32
    %sum = arith.addf %around, %less fastmath<contract> : f32
    soac.yield %sum : f32
  }
  %y = soac.update %inner into %x at [1, 1, 1] strides [1, 1, 1]
      : tensor<?x?x?xf32> into tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}
