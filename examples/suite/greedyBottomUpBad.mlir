// An example of "Fusing Gathers with Integer Linear Programming" (van Balen et al.,
// FProPer 2024) for which fusing from the results upwards is far from the best. The
// sums of the rows of a large matrix, all plus the product of the first row:
//
//     large[i, j] = x[(i + j) mod n]     for i < n and j < m
//     result[i] = Σ_j large[i, j] + Π_j large[0, j]
//
// The matrix need not be stored if both folds share its loops. If the last map is
// fused with the sums, the products have to come before that loop, and they cannot.
// n must be a power of two.

func.func @greedyBottomUpBad(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %mask = arith.subi %size, %c1 : index
  // The mask keeps all places within x, so that they need not be checked.
  %places = soac.generate [%size, %m] : tensor<?x?xindex> (%i: index, %j: index) {
    %sum = arith.addi %i, %j : index
    %place = arith.andi %sum, %mask : index
    soac.yield %place : index
  }
  %large = soac.gather %x at %places unchecked
      : (tensor<?xf64>, tensor<?x?xindex>) -> tensor<?x?xf64>
  %sums = soac.fold %large neutral %zero : (tensor<?x?xf64>, f64) -> tensor<?xf64>
      (%a: f64, %b: f64) {
    %s = arith.addf %a, %b fastmath<contract> : f64
    soac.yield %s : f64
  }
  %products = soac.fold %large neutral %one : (tensor<?x?xf64>, f64) -> tensor<?xf64>
      (%a: f64, %b: f64) {
    %p = arith.mulf %a, %b fastmath<contract> : f64
    soac.yield %p : f64
  }
  %result = soac.map %sums : (tensor<?xf64>) -> tensor<?xf64> (%sum: f64) {
    %product = tensor.extract %products[%c0] : tensor<?xf64>
    %r = arith.addf %sum, %product fastmath<contract> : f64
    soac.yield %r : f64
  }
  return %result : tensor<?xf64>
}
