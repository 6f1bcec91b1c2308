// Heat in a plate: `it` steps, each of which replaces every inner point of a grid of
// (n+2) × (n+2) by the mean of itself and its four neighbours. The border stays. Gives
// the grid, and for every step the sum of all changes (without sign).
//
// A step reads five slices of the grid, shifted against each other. One loop computes
// the new points and adds up the changes; the new points then replace the old ones.

func.func @heat(%g: tensor<?x?xf64>, %n: index, %it: index) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %fifth = arith.constant 0.2 : f64
  %no_changes = soac.fill %zero [%it] : (f64) -> tensor<?xf64>
  %grid, %all_changes = scf.for %step = %c0 to %it step %c1
      iter_args(%old = %g, %changes = %no_changes)
      -> (tensor<?x?xf64>, tensor<?xf64>) {
    %centre = soac.slice %old [1, 1] [%n, %n] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %north = soac.slice %old [0, 1] [%n, %n] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %south = soac.slice %old [2, 1] [%n, %n] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %west = soac.slice %old [1, 0] [%n, %n] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %east = soac.slice %old [1, 2] [%n, %n] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %means = soac.map %centre, %north, %south, %west, %east
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
        -> tensor<?x?xf64>
        (%c: f64, %a: f64, %b: f64, %l: f64, %r: f64) {
      %ca = arith.addf %c, %a fastmath<contract> : f64
      %cab = arith.addf %ca, %b fastmath<contract> : f64
      %cabl = arith.addf %cab, %l fastmath<contract> : f64
      %sum = arith.addf %cabl, %r fastmath<contract> : f64
      %mean = arith.mulf %fifth, %sum fastmath<contract> : f64
      soac.yield %mean : f64
    }
    %differences = soac.map %means, %centre
        : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64> (%new: f64, %c: f64) {
      %difference = arith.subf %new, %c fastmath<contract> : f64
      %size = math.absf %difference : f64
      soac.yield %size : f64
    }
    %total = soac.fold %differences neutral %zero inner 2 : (tensor<?x?xf64>, f64) -> tensor<f64>
        (%a: f64, %b: f64) {
      %s = arith.addf %a, %b fastmath<contract> : f64
      soac.yield %s : f64
    }
    %change = tensor.extract %total[] : tensor<f64>
    %new_changes = tensor.insert %change into %changes[%step] : tensor<?xf64>
    %new = soac.update %means into %old at [1, 1] strides [1, 1]
        : tensor<?x?xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
    scf.yield %new, %new_changes : tensor<?x?xf64>, tensor<?xf64>
  }
  return %grid, %all_changes : tensor<?x?xf64>, tensor<?xf64>
}
