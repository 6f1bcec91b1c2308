// Alignment of two sequences by Needleman and Wunsch, from a matrix s of how similar each
// element of one is to each of the other. The table h of best scores is
//
//     h[0, j] = h[j, 0] = -10 j
//     h[i+1, j+1] = max(h[i, j] + s[i, j], h[i, j+1] - 10, h[i+1, j] - 10)
//
// One row after the other. What a row is without the last of the three, the one in the
// row itself, is a map of the row before. The last one says: the best of all to the left,
// less 10 for every step. With 10 j added to every element j, that is a running maximum,
// a scan; and a loop does the map, the scan, and the subtraction of what was added.

func.func @nw(%s: tensor<?x?xi32>, %n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lowest = arith.constant -2147483648 : i32
  %penalty = arith.constant 10 : i32
  %width = arith.addi %n, %c1 : index

  // The first row and column; all else is computed below.
  %top = soac.generate [1, %width] : tensor<1x?xi32> (%row: index, %j: index) {
    %cost = func.call @edge(%j) : (index) -> i32
    soac.yield %cost : i32
  }
  %left = soac.generate [%width, 1] : tensor<?x1xi32> (%i: index, %column: index) {
    %cost = func.call @edge(%i) : (index) -> i32
    soac.yield %cost : i32
  }
  %nothing = tensor.empty(%width, %width) : tensor<?x?xi32>
  %with_top = soac.update %top into %nothing at [0, 0] strides [1, 1]
      : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
  %edges = soac.update %left into %with_top at [0, 0] strides [1, 1]
      : tensor<?x1xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
  %scores = scf.for %i = %c0 to %n step %c1 iter_args(%h = %edges) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %diagonals = soac.slice %h [%i, 0] [1, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %aboves = soac.slice %h [%i, 1] [1, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %similar = soac.slice %s [%i, 0] [1, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %gaps = soac.generate [1, %n] : tensor<1x?xi32> (%row: index, %j: index) {
      %column = arith.addi %j, %c1 : index
      %edge = func.call @edge(%column) : (index) -> i32
      soac.yield %edge : i32
    }
    %raised = soac.map %diagonals, %aboves, %similar, %gaps
        : (tensor<1x?xi32>, tensor<1x?xi32>, tensor<1x?xi32>, tensor<1x?xi32>)
        -> tensor<1x?xi32>
        (%diagonal: i32, %above: i32, %similarity: i32, %edge: i32) {
      %aligned = arith.addi %diagonal, %similarity : i32
      %gap = arith.subi %above, %penalty : i32
      %best = arith.maxsi %aligned, %gap : i32
      %level = arith.subi %best, %edge : i32
      soac.yield %level : i32
    }
    %running = soac.scanl %raised neutral %lowest : (tensor<1x?xi32>, i32) -> tensor<1x?xi32>
        (%a: i32, %b: i32) {
      %max = arith.maxsi %a, %b : i32
      soac.yield %max : i32
    }
    %first = func.call @edge(%next) : (index) -> i32
    %row = soac.map %running, %gaps : (tensor<1x?xi32>, tensor<1x?xi32>) -> tensor<1x?xi32>
        (%level: i32, %edge: i32) {
      %best = arith.maxsi %level, %first : i32
      %score = arith.addi %best, %edge : i32
      soac.yield %score : i32
    }
    %new = soac.update %row into %h at [%next, 1] strides [1, 1]
        : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %new : tensor<?x?xi32>
  }
  return %scores : tensor<?x?xi32>
}

// The score of k gaps at the edge of the table: -10 k. It is computed of the index, which
// goes up by one from lane to lane of a vector: so it needs no product of vectors.
func.func private @edge(%k: index) -> i32 {
  %minus_penalty = arith.constant -10 : index
  %gaps = arith.muli %k, %minus_penalty : index
  %score = arith.index_cast %gaps : index to i32
  return %score : i32
}
