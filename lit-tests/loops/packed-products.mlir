// Folds of products: the right matrix is copied, as panels of columns, if there are enough rows of
// the left one.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Rows of both matrices: those of the right one are copied as columns if there are 16 of the left
// one, and 32 of the right one, which make a panel; otherwise lanes fold rows.

// CALL-LABEL: transposed random:i32[15,17] random:i32[40,17]
// GIVES: result
// CALL-LABEL: transposed random:i32[33,7] random:i32[300,7]
// GIVES: result
// CALL-LABEL: transposed random:i32[33,7] random:i32[31,7]
// GIVES: result
// CALL-LABEL: transposed random:i32[17,7] random:i32[0,7]
// GIVES: result
func.func @transposed(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %products = func.call @times_transposed(%a, %b)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

// Known numbers of rows and columns need no code for both.

// CALL-LABEL: many_rows random:i32[20,9] random:i32[40,9]
// GIVES: result
// CALL-LABEL: few_rows random:i32[4,9] random:i32[40,9]
// GIVES: result
// CALL-LABEL: few_columns random:i32[20,9] random:i32[31,9]
// GIVES: result
func.func @many_rows(%a: tensor<20x?xi32>, %b: tensor<40x?xi32>) -> tensor<?x?xi32> {
  %rows = tensor.cast %a : tensor<20x?xi32> to tensor<?x?xi32>
  %columns = tensor.cast %b : tensor<40x?xi32> to tensor<?x?xi32>
  %products = func.call @times_transposed(%rows, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

// Of so many rows, the columns decide alone.

// CALL-LABEL: known_rows random:i32[20,9] random:i32[40,9]
// GIVES: result
// CALL-LABEL: known_rows random:i32[20,9] random:i32[31,9]
// GIVES: result
func.func @known_rows(%a: tensor<20x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %rows = tensor.cast %a : tensor<20x?xi32> to tensor<?x?xi32>
  %products = func.call @times_transposed(%rows, %b)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

func.func @few_rows(%a: tensor<4x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %rows = tensor.cast %a : tensor<4x?xi32> to tensor<?x?xi32>
  %products = func.call @times_transposed(%rows, %b)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

func.func @few_columns(%a: tensor<20x?xi32>, %b: tensor<31x?xi32>) -> tensor<?x?xi32> {
  %rows = tensor.cast %a : tensor<20x?xi32> to tensor<?x?xi32>
  %columns = tensor.cast %b : tensor<31x?xi32> to tensor<?x?xi32>
  %products = func.call @times_transposed(%rows, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

// Columns of the right matrix: lanes read neighbours. It is copied if it is large besides, of 8 MiB;
// otherwise there are rows and lanes all the same. Here, it is of 128 bytes with chunks of 20
// iterations.

// CALL-LABEL: untransposed random:i32[17,9] random:i32[9,70]
// GIVES: result
// CALL-LABEL: untransposed random:i32[15,9] random:i32[9,70]
// GIVES: result
// CALL-LABEL: untransposed random:i32[17,9] random:i32[9,31]
// GIVES: result
// CALL-LABEL: untransposed random:i32[17,0] random:i32[0,70]
// GIVES: result
func.func @untransposed(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %columns = soac.transpose %b [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %products = func.call @times_transposed(%a, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

// Known sizes decide before the program runs. (With chunks of 20 iterations, all of these are large.)

// CALL-LABEL: not_large random:i32[16,9] random:i32[9,70]
// GIVES: result
func.func @not_large(%a: tensor<16x9xi32>, %b: tensor<9x70xi32>) -> tensor<?x?xi32> {
  %rows = tensor.cast %a : tensor<16x9xi32> to tensor<?x?xi32>
  %right = tensor.cast %b : tensor<9x70xi32> to tensor<?x?xi32>
  %columns = soac.transpose %right [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %products = func.call @times_transposed(%rows, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

// A product for each of several matrices: each is packed when its turn comes.

// CALL-LABEL: batched random:i32[3,17,9] random:i32[3,40,9]
// GIVES: result
func.func @batched(%a: tensor<?x?x?xi32>, %b: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = tensor.dim %a, %c1 : tensor<?x?x?xi32>
  %width = tensor.dim %b, %c1 : tensor<?x?x?xi32>
  %each_column = soac.replicate %a [%width] : (tensor<?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %lefts = soac.transpose %each_column [1, 2, 0, 3]
      : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %each_row = soac.replicate %b [%height] : (tensor<?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %rights = soac.transpose %each_row [1, 0, 2, 3]
      : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %products = soac.map %lefts, %rights
      : (tensor<?x?x?x?xi32>, tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32> (%p: i32, %q: i32) {
    %pq = arith.muli %p, %q : i32
    soac.yield %pq : i32
  }
  %sums = soac.fold %products neutral %zero
      : (tensor<?x?x?x?xi32>, i32) -> tensor<?x?x?xi32> (%p: i32, %q: i32) {
    %s = arith.addi %p, %q : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?x?x?xi32>
}

// A copy of what is read here would be far larger than the operand: there is none.

// CALL-LABEL: circular random:i32[17,9] random:i32[40]
// GIVES: result
func.func @circular(%a: tensor<?x?xi32>, %x: tensor<?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = tensor.dim %a, %c0 : tensor<?x?xi32>
  %depth = tensor.dim %a, %c1 : tensor<?x?xi32>
  %width = tensor.dim %x, %c0 : tensor<?xi32>
  %lefts = soac.backpermute %a [%height, %width, %depth]
      : (tensor<?x?xi32>) -> tensor<?x?x?xi32> (%i: index, %j: index, %c: index) {
    soac.yield %i, %c : index, index
  }
  %rights = soac.backpermute %x [%height, %width, %depth]
      : (tensor<?xi32>) -> tensor<?x?x?xi32> (%i: index, %j: index, %c: index) {
    %sum = arith.addi %j, %c : index
    %at = arith.remui %sum, %width : index
    soac.yield %at : index
  }
  %products = soac.map %lefts, %rights
      : (tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32> (%p: i32, %q: i32) {
    %pq = arith.muli %p, %q : i32
    soac.yield %pq : i32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?x?xi32>, i32) -> tensor<?x?xi32>
      (%p: i32, %q: i32) {
    %s = arith.addi %p, %q : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?x?xi32>
}

// What is packed is checked while it is copied.

// CALL-LABEL: checked iota:i32[17,5] iota:i32[9,5] 6
// GIVES: error: 'soac.backpermute' op index 106 is out of range [0, 9) in dimension 0
// CALL-LABEL: checked zeros:i32[0,5] iota:i32[9,5] 6
// GIVES: result
func.func @checked(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %where: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %height = tensor.dim %a, %c0 : tensor<?x?xi32>
  %depth = tensor.dim %a, %c1 : tensor<?x?xi32>
  %width = tensor.dim %b, %c0 : tensor<?x?xi32>
  %lefts = soac.backpermute %a [%height, %width, %depth]
      : (tensor<?x?xi32>) -> tensor<?x?x?xi32> (%i: index, %j: index, %c: index) {
    soac.yield %i, %c : index, index
  }
  %rights = soac.backpermute %b [%height, %width, %depth]
      : (tensor<?x?xi32>) -> tensor<?x?x?xi32> (%i: index, %j: index, %c: index) {
    %is_wrong = arith.cmpi eq, %j, %where : index
    %wrong = arith.addi %j, %c100 : index
    %row = arith.select %is_wrong, %wrong, %j : index
    soac.yield %row, %c : index, index
  }
  %products = soac.map %lefts, %rights
      : (tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32> (%p: i32, %q: i32) {
    %pq = arith.muli %p, %q : i32
    soac.yield %pq : i32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?x?xi32>, i32) -> tensor<?x?xi32>
      (%p: i32, %q: i32) {
    %s = arith.addi %p, %q : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?x?xi32>
}

// All pairs of a row of a and a row of b.
func.func private @pairs(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>)
    -> (tensor<?x?x?xi32>, tensor<?x?x?xi32>) {
  %c0 = arith.constant 0 : index
  %height = tensor.dim %a, %c0 : tensor<?x?xi32>
  %width = tensor.dim %b, %c0 : tensor<?x?xi32>
  %for_each_column = soac.replicate %a [%width] : (tensor<?x?xi32>) -> tensor<?x?x?xi32>
  %lefts = soac.transpose %for_each_column [1, 0, 2]
      : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %rights = soac.replicate %b [%height] : (tensor<?x?xi32>) -> tensor<?x?x?xi32>
  return %lefts, %rights : tensor<?x?x?xi32>, tensor<?x?x?xi32>
}

// a bᵀ: the dot products of all rows of a with all rows of b.
func.func private @times_transposed(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %lefts, %rights = func.call @pairs(%a, %b)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> (tensor<?x?x?xi32>, tensor<?x?x?xi32>)
  %products = soac.map %lefts, %rights
      : (tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32> (%p: i32, %q: i32) {
    %pq = arith.muli %p, %q : i32
    soac.yield %pq : i32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?x?xi32>, i32) -> tensor<?x?xi32>
      (%p: i32, %q: i32) {
    %s = arith.addi %p, %q : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?x?xi32>
}
