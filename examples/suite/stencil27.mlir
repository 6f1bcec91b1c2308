// A stencil of 27 points: `it` steps, each of which replaces every inner point of a grid
// of (n+2) × (n+2) × (n+2) by the mean of itself and its 26 neighbours. The border stays.
//
// The nine points of a row's neighbours that have the same x are added up first, once
// for each x: the three at a y, which the rows next to it need too, and then those of the
// three rows. A point adds three of these sums. The compiler keeps the sums of one row at
// a time.

func.func @stencil27(%g: tensor<?x?x?xf64>, %n: index, %it: index) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %share = arith.constant 0.037037037037037035 : f64
  %width = arith.addi %n, %c2 : index
  %result = scf.for %step = %c0 to %it step %c1 iter_args(%old = %g) -> tensor<?x?x?xf64> {
    %above = func.call @across_planes(%old, %c0, %n, %width)
        : (tensor<?x?x?xf64>, index, index, index) -> tensor<?x?x?xf64>
    %level = func.call @across_planes(%old, %c1, %n, %width)
        : (tensor<?x?x?xf64>, index, index, index) -> tensor<?x?x?xf64>
    %below = func.call @across_planes(%old, %c2, %n, %width)
        : (tensor<?x?x?xf64>, index, index, index) -> tensor<?x?x?xf64>
    %columns = func.call @add3(%above, %level, %below)
        : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %left = soac.slice %columns [0, 0, 0] [%n, %n, %n] [1, 1, 1]
        : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %middle = soac.slice %columns [0, 0, 1] [%n, %n, %n] [1, 1, 1]
        : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %right = soac.slice %columns [0, 0, 2] [%n, %n, %n] [1, 1, 1]
        : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %sums = func.call @add3(%left, %middle, %right)
        : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %means = soac.map %sums : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64> (%sum: f64) {
      %mean = arith.mulf %sum, %share fastmath<contract> : f64
      soac.yield %mean : f64
    }
    %new = soac.update %means into %old at [1, 1, 1] strides [1, 1, 1]
        : tensor<?x?x?xf64> into tensor<?x?x?xf64> -> tensor<?x?x?xf64>
    scf.yield %new : tensor<?x?x?xf64>
  }
  return %result : tensor<?x?x?xf64>
}

// For every x of every inner row, the sum of the three points at a y that are in the plane
// before the row's own, its own, and the one behind: y is 0 for the row above, 1 for the
// row itself, and 2 for the row below.
func.func private @across_planes(%g: tensor<?x?x?xf64>, %y: index, %n: index, %width: index)
    -> tensor<?x?x?xf64> {
  %before = soac.slice %g [0, %y, 0] [%n, %n, %width] [1, 1, 1]
      : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %here = soac.slice %g [1, %y, 0] [%n, %n, %width] [1, 1, 1]
      : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %behind = soac.slice %g [2, %y, 0] [%n, %n, %width] [1, 1, 1]
      : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %sums = func.call @add3(%before, %here, %behind)
      : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  return %sums : tensor<?x?x?xf64>
}

func.func private @add3(%x: tensor<?x?x?xf64>, %y: tensor<?x?x?xf64>, %z: tensor<?x?x?xf64>)
    -> tensor<?x?x?xf64> {
  %sums = soac.map %x, %y, %z
      : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
      (%a: f64, %b: f64, %c: f64) {
    %ab = arith.addf %a, %b fastmath<contract> : f64
    %abc = arith.addf %ab, %c fastmath<contract> : f64
    soac.yield %abc : f64
  }
  return %sums : tensor<?x?x?xf64>
}
