// The softmax of every row: exp(x - m) / Σ exp(x - m), where m is the row's
// maximum, subtracted so that exp does not overflow. Folds work on the
// innermost dimension, so no loop over rows is written down.

func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %maxima = soac.fold %x neutral %lowest : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %m = arith.maximumf %a, %b : f32
    soac.yield %m : f32
  }
  // A maximum for each element: replicate adds an outer dimension, transpose
  // makes it the inner one.
  %wide_maxima = soac.replicate %maxima [%columns] : (tensor<?xf32>) -> tensor<?x?xf32>
  %row_maxima = soac.transpose %wide_maxima [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %powers = soac.map %x, %row_maxima
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %m: f32) {
    %shifted = arith.subf %e, %m : f32
    %p = math.exp %shifted : f32
    soac.yield %p : f32
  }
  %sums = soac.fold %powers neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  %wide_sums = soac.replicate %sums [%columns] : (tensor<?xf32>) -> tensor<?x?xf32>
  %row_sums = soac.transpose %wide_sums [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = soac.map %powers, %row_sums
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%p: f32, %s: f32) {
    %q = arith.divf %p, %s : f32
    soac.yield %q : f32
  }
  return %result : tensor<?x?xf32>
}
