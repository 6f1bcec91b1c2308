// Attention: every row of q asks all rows of k, and gets a mean of the rows of v, weighted
// by the softmax of the scores.
//
//     scores = q kᵀ / 8        result = softmax(scores) v
//
// A map over the rows of q, so that only one row of scores and of weights exists at a
// time. In it, the scores are dot products with the rows of k, and the result's elements
// dot products with the columns of v, which is transposed beforehand. The row of q is
// divided by 8, and the result by the sum of the weights, as there are fewer columns
// than scores.

func.func @attention(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>,
                     %n: index, %d: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %eighth = arith.constant 0.125 : f32
  %columns = soac.transpose %v [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = soac.map %q outer 1 inner(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
      (%query: tensor<?xf32>) {
    %scaled = soac.map %query : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
      %s = arith.mulf %e, %eighth : f32
      soac.yield %s : f32
    }
    %scores = func.call @matrix_vector(%k, %scaled)
        : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %maximum = soac.fold %scores neutral %lowest : (tensor<?xf32>, f32) -> tensor<f32>
        (%a: f32, %b: f32) {
      %max = arith.maximumf %a, %b : f32
      soac.yield %max : f32
    }
    %max = tensor.extract %maximum[] : tensor<f32>
    %weights = soac.map %scores : (tensor<?xf32>) -> tensor<?xf32> (%score: f32) {
      %shifted = arith.subf %score, %max : f32
      %weight = math.exp %shifted : f32
      soac.yield %weight : f32
    }
    %total = soac.fold %weights neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
        (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      soac.yield %s : f32
    }
    %sum = tensor.extract %total[] : tensor<f32>
    %weighted = func.call @matrix_vector(%columns, %weights)
        : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %means = soac.map %weighted : (tensor<?xf32>) -> tensor<?xf32> (%w: f32) {
      %mean = arith.divf %w, %sum : f32
      soac.yield %mean : f32
    }
    soac.yield %means : tensor<?xf32>
  }
  return %result : tensor<?x?xf32>
}

// The dot product of every row of a with x.
func.func private @matrix_vector(%a: tensor<?x?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %y = soac.map %a outer 1 : (tensor<?x?xf32>) -> tensor<?xf32> (%row: tensor<?xf32>) {
    %products = soac.map %row, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        (%p: f32, %q: f32) {
      %pq = arith.mulf %p, %q : f32
      soac.yield %pq : f32
    }
    %sum = soac.fold %products neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
        (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    %element = tensor.extract %sum[] : tensor<f32>
    soac.yield %element : f32
  }
  return %y : tensor<?xf32>
}
