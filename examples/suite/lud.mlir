// The LU decomposition of a matrix without pivoting: L below the diagonal, whose own
// diagonal is all ones, and U on it and above, in the place of the matrix.
//
// Blocks of 64 columns, so that the matrix is read n/64 times, and not n times. For each:
//
// 1. its columns, from the diagonal down, are decomposed, one column after the other;
// 2. its rows, to the right of the diagonal block, are eliminated from each other;
// 3. what is below and to the right loses the product of the two. That is nearly all of
//    the work: a fold over a three-dimensional array of all products, which is not stored.

func.func @lud(%a: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %block = arith.constant 64 : index
  %result = scf.for %k = %c0 to %n step %block iter_args(%m = %a) -> tensor<?x?xf32> {
    %height = arith.subi %n, %k : index
    %size = arith.minsi %block, %height : index
    %end = arith.addi %k, %size : index
    %rest = arith.subi %n, %end : index

    %columns = soac.slice %m [%k, %k] [%height, %size] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %lower = func.call @decompose(%columns, %height, %size)
        : (tensor<?x?xf32>, index, index) -> tensor<?x?xf32>
    %rows = soac.slice %m [%k, %end] [%size, %rest] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %upper = func.call @eliminate(%lower, %rows, %size, %rest)
        : (tensor<?x?xf32>, tensor<?x?xf32>, index, index) -> tensor<?x?xf32>
    %below = soac.slice %lower [%size, 0] [%rest, %size] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %corner = soac.slice %m [%end, %end] [%rest, %rest] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_corner = func.call @subtract_product(%corner, %below, %upper)
        : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>

    %m1 = soac.update %lower into %m at [%k, %k] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    %m2 = soac.update %upper into %m1 at [%k, %end] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    %m3 = soac.update %new_corner into %m2 at [%end, %end] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %m3 : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

// The LU decomposition of a matrix that is at least as high as it is wide.
func.func private @decompose(%a: tensor<?x?xf32>, %height: index, %width: index)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %j = %c0 to %width step %c1 iter_args(%m = %a) -> tensor<?x?xf32> {
    %next = arith.addi %j, %c1 : index
    %below = arith.subi %height, %next : index
    %right = arith.subi %width, %next : index
    %pivot = tensor.extract %m[%j, %j] : tensor<?x?xf32>
    %column = soac.slice %m [%next, %j] [%below, 1] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x1xf32>
    %factors = soac.map %column : (tensor<?x1xf32>) -> tensor<?x1xf32> (%e: f32) {
      %factor = arith.divf %e, %pivot : f32
      soac.yield %factor : f32
    }
    %row = soac.slice %m [%j, %next] [1, %right] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %inner = soac.slice %m [%next, %next] [%below, %right] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_inner = func.call @subtract_outer(%inner, %factors, %row, %below, %right)
        : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1x?xf32>, index, index) -> tensor<?x?xf32>
    %m1 = soac.update %factors into %m at [%next, %j] strides [1, 1]
        : tensor<?x1xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    %m2 = soac.update %new_inner into %m1 at [%next, %next] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %m2 : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

// Multiplies rows by the inverse of the triangle at the top of lower: every row is taken
// off those below it.
func.func private @eliminate(%lower: tensor<?x?xf32>, %rows: tensor<?x?xf32>,
                             %height: index, %width: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %j = %c0 to %height step %c1 iter_args(%m = %rows) -> tensor<?x?xf32> {
    %next = arith.addi %j, %c1 : index
    %below = arith.subi %height, %next : index
    %factors = soac.slice %lower [%next, %j] [%below, 1] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x1xf32>
    %row = soac.slice %m [%j, 0] [1, %width] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %inner = soac.slice %m [%next, 0] [%below, %width] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_inner = func.call @subtract_outer(%inner, %factors, %row, %below, %width)
        : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1x?xf32>, index, index) -> tensor<?x?xf32>
    %new = soac.update %new_inner into %m at [%next, 0] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %new : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
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

// a - left right. The columns of right are stored as rows, so that they are read in their
// order.
func.func private @subtract_product(%a: tensor<?x?xf32>, %left: tensor<?x?xf32>,
                                    %right: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %transposed = soac.transpose %right [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %columns = soac.force %transposed : tensor<?x?xf32>
  %products = func.call @times_transposed(%left, %columns)
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %new = soac.map %a, %products : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%e: f32, %product: f32) {
    %difference = arith.subf %e, %product fastmath<contract> : f32
    soac.yield %difference : f32
  }
  return %new : tensor<?x?xf32>
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
