// Attention: every row of q asks all rows of k, and gets a mean of the rows of v, weighted
// by the softmax of the scores.
//
//     scores = q kᵀ / 8        result = softmax(scores) v
//
// The two matrix products are folds over three-dimensional arrays of all products, of
// which nothing is ever stored: fusion finds that one loop over the rows of q is enough
// for everything, and that only one row of scores and of weights has to exist at a time.
// The division by the sum of the weights comes last, as there are fewer columns than
// scores.

func.func @attention(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>,
                     %n: index, %d: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %eighth = arith.constant 0.125 : f32
  %products = func.call @times_transposed(%q, %k)
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %scores = soac.map %products : (tensor<?x?xf32>) -> tensor<?x?xf32> (%product: f32) {
    %score = arith.mulf %product, %eighth fastmath<contract> : f32
    soac.yield %score : f32
  }
  %maxima = soac.fold %scores neutral %lowest : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %max = arith.maximumf %a, %b : f32
    soac.yield %max : f32
  }
  %wide_maxima = func.call @for_each_element(%maxima, %scores)
      : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %weights = soac.map %scores, %wide_maxima
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%score: f32, %max: f32) {
    %shifted = arith.subf %score, %max fastmath<contract> : f32
    %weight = math.exp %shifted : f32
    soac.yield %weight : f32
  }
  %sums = soac.fold %weights neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b fastmath<contract> : f32
    soac.yield %s : f32
  }
  %columns = soac.transpose %v [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %weighted = func.call @times_transposed(%weights, %columns)
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %wide_sums = func.call @for_each_element(%sums, %weighted)
      : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = soac.map %weighted, %wide_sums
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%w: f32, %sum: f32) {
    %mean = arith.divf %w, %sum : f32
    soac.yield %mean : f32
  }
  return %result : tensor<?x?xf32>
}

// a bᵀ: the dot products of all rows of a with all rows of b.
func.func private @times_transposed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %height = tensor.dim %a, %c0 : tensor<?x?xf32>
  %width = tensor.dim %b, %c0 : tensor<?x?xf32>
  %for_each_column = soac.replicate %a [%width] : (tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %lefts = soac.transpose %for_each_column [1, 0, 2]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %rights = soac.replicate %b [%height] : (tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %products = soac.map %lefts, %rights
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32> (%p: f32, %q: f32) {
    %pq = arith.mulf %p, %q fastmath<contract> : f32
    soac.yield %pq : f32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?x?xf32>, f32) -> tensor<?x?xf32>
      (%p: f32, %q: f32) {
    %s = arith.addf %p, %q fastmath<contract> : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?x?xf32>
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
