// The last part of a step of LUD by blocks: from the trailing matrix, the product of the panels to its left and above is subtracted.
func.func @trailing(%a: tensor<?x?xf32>, %n: index, %b: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %m = arith.subi %n, %b : index
  %left = soac.slice %a [%b, 0] [%m, %b] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %above = soac.slice %a [0, %b] [%b, %m] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %rest = soac.slice %a [%b, %b] [%m, %m] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %columns = soac.transpose %above [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %lefts = soac.replicate %left [%m] : (tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %rows = soac.transpose %lefts [1, 0, 2] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %all_columns = soac.replicate %columns [%m] : (tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %products = soac.map %rows, %all_columns : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
      (%p: f32, %q: f32) {
    %product = arith.mulf %p, %q fastmath<contract> : f32
    soac.yield %product : f32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?x?xf32>, f32) -> tensor<?x?xf32> (%p: f32, %q: f32) {
    %sum = arith.addf %p, %q fastmath<contract> : f32
    soac.yield %sum : f32
  }
  %new = soac.map %rest, %sums : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %s: f32) {
    %difference = arith.subf %e, %s fastmath<contract> : f32
    soac.yield %difference : f32
  }
  %result = soac.update %new into %a at [%b, %b] strides [1, 1]
      : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}
