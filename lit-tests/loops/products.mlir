// Folds of products: lanes are columns of the result, and several rows are computed at once. All
// sizes that leave rows or lanes over give what the interpreter gives.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// The sums of columns: each lane is one, and no lanes are folded. A chunk has whole vectors.

// CALL-LABEL: columns iota:i32[3,5]
// GIVES: result: tensor<5xi32> = [15 18 21 24 27]
// CALL-LABEL: columns random:i32[17,100]
// GIVES: result
// CALL-LABEL: columns zeros:i32[0,7]
// GIVES: result: tensor<7xi32> = [0 0 0 0 0 0 0]
func.func @columns(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %columns = soac.transpose %x [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %sums = soac.fold %columns neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %sums : tensor<?xi32>
}

// The product of two matrices: several rows at once, whose
// accumulators go through the innermost loop. Rows that are left over are computed one by one.

// CALL-LABEL: product iota:i32[2,3] iota:i32[3,2]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}10 13] [28 40]]
// CALL-LABEL: product random:i32[7,17] random:i32[17,64]
// GIVES: result
// CALL-LABEL: product random:i32[9,0] random:i32[0,40]
// GIVES: result
func.func @product(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %columns = soac.transpose %b [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %products = func.call @times_transposed(%a, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

// The sum and the largest of all products, for all pairs of a row and a column: four rows at once.
// What is mapped beside the folds is written as vectors.

// CALL-LABEL: several random:i32[9,17] random:i32[17,32]
// GIVES: result
func.func @several(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>)
    -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) {
  %zero = arith.constant 0 : i32
  %lowest = arith.constant -2147483648 : i32
  %columns = soac.transpose %b [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %lefts, %rights = func.call @pairs(%a, %columns)
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
  %maxima = soac.fold %products neutral %lowest : (tensor<?x?x?xi32>, i32) -> tensor<?x?xi32>
      (%p: i32, %q: i32) {
    %m = arith.maxsi %p, %q : i32
    soac.yield %m : i32
  }
  %differences = soac.map %sums, %maxima
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%s: i32, %m: i32) {
    %d = arith.subi %s, %m : i32
    soac.yield %d : i32
  }
  return %sums, %maxima, %differences : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>
}

// A function that is not commutative, the composition of p x + q, goes in order in each lane.

// CALL-LABEL: composed random:i32[9,17] random:i32[17,40]
// GIVES: result
func.func @composed(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>)
    -> (tensor<?x?xi32>, tensor<?x?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %columns = soac.transpose %b [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %lefts, %rights = func.call @pairs(%a, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> (tensor<?x?x?xi32>, tensor<?x?x?xi32>)
  %factors, %terms = soac.fold %lefts, %rights neutral %one, %zero
      : (tensor<?x?x?xi32>, tensor<?x?x?xi32>, i32, i32) -> (tensor<?x?xi32>, tensor<?x?xi32>)
      (%p: i32, %q: i32, %r: i32, %s: i32) {
    %pr = arith.muli %p, %r : i32
    %qr = arith.muli %q, %r : i32
    %qrs = arith.addi %qr, %s : i32
    soac.yield %pr, %qrs : i32, i32
  }
  return %factors, %terms : tensor<?x?xi32>, tensor<?x?xi32>
}

// Rows in memory between loops, one for each of the rows that are computed at once: weights of
// scores, and sums of what they weight, as in attention. The loop that reads no matrix runs for one
// row after the other.

// CALL-LABEL: weighted random:i32[7,17] random:i32[17,100] random:i32[100,7]
// GIVES: result
// CALL-LABEL: weighted random:i32[9,4] random:i32[4,0] random:i32[0,5]
// GIVES: result
func.func @weighted(%queries: tensor<?x?xi32>, %keys: tensor<?x?xi32>, %values: tensor<?x?xi32>)
    -> (tensor<?x?xi32>, tensor<?xi32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %lowest = arith.constant -2147483648 : i32
  %columns = soac.transpose %keys [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %scores = func.call @times_transposed(%queries, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %maxima = soac.fold %scores neutral %lowest : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %max = arith.maxsi %a, %b : i32
    soac.yield %max : i32
  }
  %n = tensor.dim %keys, %c1 : tensor<?x?xi32>
  %replicated = soac.replicate %maxima [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
  %wide = soac.transpose %replicated [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %weights = soac.map %scores, %wide
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%score: i32, %max: i32) {
    %shifted = arith.subi %max, %score : i32
    %weight = arith.muli %shifted, %shifted : i32
    soac.yield %weight : i32
  }
  %sums = soac.fold %weights neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %transposed = soac.transpose %values [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %result = func.call @times_transposed(%weights, %transposed)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %result, %sums : tensor<?x?xi32>, tensor<?xi32>
}

// Rows of the right matrix are gathered. The message has the index that is wrong, and the same
// rows are read by all lanes.

// CALL-LABEL: gathered iota:i32[3,7] iota:i32[9,20] 9
// GIVES: result
// CALL-LABEL: gathered iota:i32[9,7] iota:i32[9,40] 5
// GIVES: error: 'soac.gather' op index 9 is out of range [0, 9) in dimension 0
func.func @gathered(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %where: index) -> tensor<?x?xi32> {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %depth = tensor.dim %a, %c1 : tensor<?x?xi32>
  %at = soac.generate [%depth] : tensor<?xindex> (%c: index) {
    %is_wrong = arith.cmpi eq, %c, %where : index
    %index = arith.select %is_wrong, %c9, %c : index
    soac.yield %index : index
  }
  %chosen = soac.gather %b at %at : (tensor<?x?xi32>, tensor<?xindex>) -> tensor<?x?xi32>
  %columns = soac.transpose %chosen [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %products = func.call @times_transposed(%a, %columns)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %products : tensor<?x?xi32>
}

// A matrix times a vector reads neighbours in the innermost loop, and stays as it is.

// CALL-LABEL: matrix_times_vector random:i32[17,100] random:i32[100]
// GIVES: result
func.func @matrix_times_vector(%a: tensor<?x?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %height = tensor.dim %a, %c0 : tensor<?x?xi32>
  %wide = soac.replicate %x [%height] : (tensor<?xi32>) -> tensor<?x?xi32>
  %products = soac.map %a, %wide
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%p: i32, %q: i32) {
    %pq = arith.muli %p, %q : i32
    soac.yield %pq : i32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%p: i32, %q: i32) {
    %s = arith.addi %p, %q : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?xi32>
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
