// Matrix products as mapnests: a map over the outer dimension, whose lambda
// takes whole rows and computes with combinators.

// A matrix times a vector: the dot product of every row with x.
func.func @matrix_vector(%a: tensor<?x?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
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

// A matrix times a matrix: row i of the result is row i of a times b. The
// lambda yields arrays, whose size is given by `inner`.
func.func @matrix_matrix(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %b, %c1 : tensor<?x?xf32>
  %columns_of_b = soac.transpose %b [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = soac.map %a outer 1 inner(%columns) : (tensor<?x?xf32>) -> tensor<?x?xf32>
      (%row: tensor<?xf32>) {
    %products = func.call @matrix_vector(%columns_of_b, %row)
        : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
    soac.yield %products : tensor<?xf32>
  }
  return %c : tensor<?x?xf32>
}
