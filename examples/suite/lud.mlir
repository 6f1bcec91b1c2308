// The LU decomposition of a matrix without pivoting: L below the diagonal, whose own
// diagonal is all ones, and U on it and above, in the place of the matrix.
//
// Blocks of 64 columns, so that the matrix is read n/64 times, and not n times. For each:
//
// 1. the block on the diagonal is decomposed, one column after the other, and its triangles
//    are inverted;
// 2. what is to the right of it is multiplied by the inverse of L, and what is below it by
//    that of U;
// 3. what is below and to the right loses the product of the two.
//
// Nearly all of the work is in these products: folds over three-dimensional arrays, which are
// not stored.

func.func @lud(%a: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %block = arith.constant 64 : index
  %result = scf.for %k = %c0 to %n step %block iter_args(%m = %a) -> tensor<?x?xf32> {
    %left = arith.subi %n, %k : index
    %size = arith.minsi %block, %left : index
    %end = arith.addi %k, %size : index
    %rest = arith.subi %n, %end : index

    %old_diagonal = soac.slice %m [%k, %k] [%size, %size] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %diagonal = func.call @decompose(%old_diagonal, %size)
        : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
    %m1 = soac.update %diagonal into %m at [%k, %k] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    %inverse_of_l = func.call @invert_lower(%diagonal, %size)
        : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
    %inverse_of_u = func.call @invert_upper(%diagonal, %size)
        : (tensor<?x?xf32>, index) -> tensor<?x?xf32>

    %right = soac.slice %m1 [%k, %end] [%size, %rest] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_right = func.call @product(%inverse_of_l, %right)
        : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %m2 = soac.update %new_right into %m1 at [%k, %end] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>

    %below = soac.slice %m2 [%end, %k] [%rest, %size] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_below = func.call @product(%below, %inverse_of_u)
        : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %corner = soac.slice %m2 [%end, %end] [%rest, %rest] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_corner = func.call @subtract_product(%corner, %new_below, %new_right)
        : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %m3 = soac.update %new_corner into %m2 at [%end, %end] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    %m4 = soac.update %new_below into %m3 at [%end, %k] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %m4 : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

// The LU decomposition of a square matrix.
func.func private @decompose(%a: tensor<?x?xf32>, %size: index)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %j = %c0 to %size step %c1 iter_args(%m = %a) -> tensor<?x?xf32> {
    %next = arith.addi %j, %c1 : index
    %left = arith.subi %size, %next : index
    %pivot = tensor.extract %m[%j, %j] : tensor<?x?xf32>
    %column = soac.slice %m [%next, %j] [%left, 1] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x1xf32>
    %factors = soac.map %column : (tensor<?x1xf32>) -> tensor<?x1xf32> (%e: f32) {
      %factor = arith.divf %e, %pivot : f32
      soac.yield %factor : f32
    }
    %row = soac.slice %m [%j, %next] [1, %left] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %inner = soac.slice %m [%next, %next] [%left, %left] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_inner = func.call @subtract_outer(%inner, %factors, %row, %left, %left)
        : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1x?xf32>, index, index) -> tensor<?x?xf32>
    %m1 = soac.update %factors into %m at [%next, %j] strides [1, 1]
        : tensor<?x1xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    %m2 = soac.update %new_inner into %m1 at [%next, %next] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %m2 : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

// The inverse of L, whose diagonal is all ones: row i is that of the identity, less the rows
// above it, each times an element of row i of L.
func.func private @invert_lower(%decomposed: tensor<?x?xf32>, %size: index)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %identity = func.call @identity(%size) : (index) -> tensor<?x?xf32>
  %result = scf.for %i = %c0 to %size step %c1 iter_args(%m = %identity) -> tensor<?x?xf32> {
    %factors = soac.slice %decomposed [%i, 0] [1, %i] [1, 1]
        : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %above = soac.slice %m [0, 0] [%i, %size] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %old = soac.slice %m [%i, 0] [1, %size] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %new = func.call @subtract_rows(%old, %factors, %above)
        : (tensor<1x?xf32>, tensor<1x?xf32>, tensor<?x?xf32>) -> tensor<1x?xf32>
    %next = soac.update %new into %m at [%i, 0] strides [1, 1]
        : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

// The inverse of U, from the last row upwards: row i is that of the identity, less the rows
// below it, each times an element of row i of U, and divided by the one on the diagonal.
func.func private @invert_upper(%decomposed: tensor<?x?xf32>, %size: index)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %identity = func.call @identity(%size) : (index) -> tensor<?x?xf32>
  %result = scf.for %below = %c0 to %size step %c1
      iter_args(%m = %identity) -> tensor<?x?xf32> {
    %first = arith.subi %size, %below : index
    %i = arith.subi %first, %c1 : index
    %factors = soac.slice %decomposed [%i, %first] [1, %below] [1, 1]
        : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %rows = soac.slice %m [%first, 0] [%below, %size] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %old = soac.slice %m [%i, 0] [1, %size] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %difference = func.call @subtract_rows(%old, %factors, %rows)
        : (tensor<1x?xf32>, tensor<1x?xf32>, tensor<?x?xf32>) -> tensor<1x?xf32>
    %pivot = tensor.extract %decomposed[%i, %i] : tensor<?x?xf32>
    %new = soac.map %difference : (tensor<1x?xf32>) -> tensor<1x?xf32> (%e: f32) {
      %quotient = arith.divf %e, %pivot : f32
      soac.yield %quotient : f32
    }
    %next = soac.update %new into %m at [%i, 0] strides [1, 1]
        : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

func.func private @identity(%size: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %identity = soac.generate [%size, %size] : tensor<?x?xf32> (%i: index, %j: index) {
    %is_diagonal = arith.cmpi eq, %i, %j : index
    %e = arith.select %is_diagonal, %one, %zero : f32
    soac.yield %e : f32
  }
  return %identity : tensor<?x?xf32>
}

// From a row, the rows of a matrix, each times a factor.
func.func private @subtract_rows(%row: tensor<1x?xf32>, %factors: tensor<1x?xf32>,
                                 %rows: tensor<?x?xf32>) -> tensor<1x?xf32> {
  %a = tensor.cast %row : tensor<1x?xf32> to tensor<?x?xf32>
  %b = tensor.cast %factors : tensor<1x?xf32> to tensor<?x?xf32>
  %difference = func.call @subtract_product(%a, %b, %rows)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %new = tensor.cast %difference : tensor<?x?xf32> to tensor<1x?xf32>
  return %new : tensor<1x?xf32>
}

// a - b c: from a matrix, the product of two others.
func.func private @subtract_product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>,
                                    %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %product = func.call @product(%b, %c)
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %difference = soac.map %a, %product : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%e: f32, %p: f32) {
    %d = arith.subf %e, %p fastmath<contract> : f32
    soac.yield %d : f32
  }
  return %difference : tensor<?x?xf32>
}

// a - column row: from every element, the product of those at the ends of its row and
// column.
func.func private @subtract_outer(%a: tensor<?x?xf32>, %column: tensor<?x1xf32>,
                                  %row: tensor<1x?xf32>, %height: index, %width: index)
    -> tensor<?x?xf32> {
  %lefts = soac.reshape %column to [%height] : (tensor<?x1xf32>) -> tensor<?xf32>
  %tops = soac.reshape %row to [%width] : (tensor<1x?xf32>) -> tensor<?xf32>
  %wide_lefts, %wide_tops = soac.cross %lefts by %tops
      : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %new = soac.map %a, %wide_lefts, %wide_tops
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%e: f32, %left: f32, %top: f32) {
    %product = arith.mulf %left, %top fastmath<contract> : f32
    %difference = arith.subf %e, %product fastmath<contract> : f32
    soac.yield %difference : f32
  }
  return %new : tensor<?x?xf32>
}

// The product of two matrices.
func.func private @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %height = tensor.dim %a, %c0 : tensor<?x?xf32>
  %width = tensor.dim %b, %c1 : tensor<?x?xf32>
  %for_each_column = soac.replicate %a [%width] : (tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %lefts = soac.transpose %for_each_column [1, 0, 2]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %for_each_row = soac.replicate %b [%height] : (tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %rights = soac.transpose %for_each_row [0, 2, 1]
      : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
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
