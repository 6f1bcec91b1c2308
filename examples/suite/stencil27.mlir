// A stencil of 27 points: `it` steps, each of which replaces every inner point of a grid
// of (n+2) × (n+2) × (n+2) by the mean of itself and its 26 neighbours. The border stays.
//
// A step reads 27 slices of the grid, shifted against each other, in one loop.

func.func @stencil27(%g: tensor<?x?x?xf64>, %n: index, %it: index) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %share = arith.constant 0.037037037037037035 : f64
  %result = scf.for %step = %c0 to %it step %c1 iter_args(%old = %g) -> tensor<?x?x?xf64> {
    %before = func.call @plane(%old, %c0, %n)
        : (tensor<?x?x?xf64>, index, index) -> tensor<?x?x?xf64>
    %here = func.call @plane(%old, %c1, %n)
        : (tensor<?x?x?xf64>, index, index) -> tensor<?x?x?xf64>
    %behind = func.call @plane(%old, %c2, %n)
        : (tensor<?x?x?xf64>, index, index) -> tensor<?x?x?xf64>
    %sums = func.call @add3(%before, %here, %behind)
        : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %means = soac.map %sums : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64> (%sum: f64) {
      %mean = arith.mulf %sum, %share : f64
      soac.yield %mean : f64
    }
    %new = soac.update %means into %old at [1, 1, 1] strides [1, 1, 1]
        : tensor<?x?x?xf64> into tensor<?x?x?xf64> -> tensor<?x?x?xf64>
    scf.yield %new : tensor<?x?x?xf64>
  }
  return %result : tensor<?x?x?xf64>
}

// For every inner point, the sum of the nine points around it in a plane: z is 0 for the
// plane before it, 1 for its own, and 2 for the one behind.
func.func private @plane(%g: tensor<?x?x?xf64>, %z: index, %n: index) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %above = func.call @row(%g, %z, %c0, %n)
      : (tensor<?x?x?xf64>, index, index, index) -> tensor<?x?x?xf64>
  %level = func.call @row(%g, %z, %c1, %n)
      : (tensor<?x?x?xf64>, index, index, index) -> tensor<?x?x?xf64>
  %below = func.call @row(%g, %z, %c2, %n)
      : (tensor<?x?x?xf64>, index, index, index) -> tensor<?x?x?xf64>
  %sums = func.call @add3(%above, %level, %below)
      : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  return %sums : tensor<?x?x?xf64>
}

// The sum of three points of a row of that plane; y chooses the row.
func.func private @row(%g: tensor<?x?x?xf64>, %z: index, %y: index, %n: index)
    -> tensor<?x?x?xf64> {
  %left = soac.slice %g [%z, %y, 0] [%n, %n, %n] [1, 1, 1]
      : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %middle = soac.slice %g [%z, %y, 1] [%n, %n, %n] [1, 1, 1]
      : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %right = soac.slice %g [%z, %y, 2] [%n, %n, %n] [1, 1, 1]
      : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %sums = func.call @add3(%left, %middle, %right)
      : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  return %sums : tensor<?x?x?xf64>
}

func.func private @add3(%x: tensor<?x?x?xf64>, %y: tensor<?x?x?xf64>, %z: tensor<?x?x?xf64>)
    -> tensor<?x?x?xf64> {
  %sums = soac.map %x, %y, %z
      : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
      (%a: f64, %b: f64, %c: f64) {
    %ab = arith.addf %a, %b : f64
    %abc = arith.addf %ab, %c : f64
    soac.yield %abc : f64
  }
  return %sums : tensor<?x?x?xf64>
}
