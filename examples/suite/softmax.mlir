// The softmax of every row: exp(x - max) / Σ exp(x - max), where max is the row's
// maximum, subtracted so that exp does not overflow. Folds work on the innermost
// dimension, so no loop over rows is written down; fusion finds that one is enough.

func.func @softmax(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %maxima = soac.fold %x neutral %lowest : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %max = arith.maximumf %a, %b : f32
    soac.yield %max : f32
  }
  %wide_maxima = func.call @for_each_element(%maxima, %x)
      : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %powers = soac.map %x, %wide_maxima
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %max: f32) {
    %shifted = arith.subf %e, %max fastmath<contract> : f32
    %power = math.exp %shifted : f32
    soac.yield %power : f32
  }
  %sums = soac.fold %powers neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b fastmath<contract> : f32
    soac.yield %s : f32
  }
  %wide_sums = func.call @for_each_element(%sums, %x)
      : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = soac.map %powers, %wide_sums
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%power: f32, %sum: f32) {
    %quotient = arith.divf %power, %sum : f32
    soac.yield %quotient : f32
  }
  return %result : tensor<?x?xf32>
}

// A number for each row, repeated for each element of the row.
func.func private @for_each_element(%numbers: tensor<?xf32>, %x: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %replicated = soac.replicate %numbers [%columns] : (tensor<?xf32>) -> tensor<?x?xf32>
  %wide = soac.transpose %replicated [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %wide : tensor<?x?xf32>
}
