// Global alignment of two sequences of equal length n by Needleman and Wunsch:
// the table of best scores of all pairs of prefixes, of size (n+1) × (n+1).
//
//     t[0, k] = t[k, 0] = -k p
//     t[i, j] = max(t[i-1, j-1] + (a[i-1] = b[j-1] ? 1 : -1),
//                   t[i-1, j] - p, t[i, j-1] - p)
//
// with the penalty p for a gap. The cells of an anti-diagonal do not depend on
// each other, only on the two anti-diagonals before. With w = n+1 columns, cell
// (i, j) is element i w + j of the table; the anti-diagonal i + j = d is the
// linear memory access descriptor with offset (first row) w + d - (first row)
// and stride w - 1. So each step reads three slices and writes one.

func.func @align(%a: tensor<?xi8>, %b: tensor<?xi8>, %penalty: i32) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %match = arith.constant 1 : i32
  %mismatch = arith.constant -1 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi8>
  %width = arith.addi %n, %c1 : index
  %stride = arith.subi %width, %c1 : index
  %twice = arith.muli %n, %c2 : index
  %diagonals = arith.addi %twice, %c1 : index

  // The first row and column.
  %empty = soac.generate [%width, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %gaps_index = arith.maxsi %i, %j : index
    %gaps = arith.index_cast %gaps_index : index to i32
    %cost = arith.muli %gaps, %penalty : i32
    %score = arith.subi %zero, %cost : i32
    soac.yield %score : i32
  }

  %scores = scf.for %d = %c2 to %diagonals step %c1
      iter_args(%table = %empty) -> tensor<?x?xi32> {
    // Rows first … last of the anti-diagonal lie inside, without row and column 0.
    %beyond = arith.subi %d, %n : index
    %first = arith.maxsi %beyond, %c1 : index
    %before = arith.subi %d, %c1 : index
    %last = arith.minsi %before, %n : index
    %span = arith.subi %last, %first : index
    %size = arith.addi %span, %c1 : index

    %row = arith.muli %first, %width : index
    %column = arith.subi %d, %first : index
    %here = arith.addi %row, %column : index
    %west = arith.subi %here, %c1 : index
    %north = arith.subi %here, %width : index
    %north_west = arith.subi %north, %c1 : index
    %wests = soac.lmad_slice %table offset [%west] sizes [%size] strides [%stride]
        : tensor<?x?xi32> -> tensor<?xi32>
    %norths = soac.lmad_slice %table offset [%north] sizes [%size] strides [%stride]
        : tensor<?x?xi32> -> tensor<?xi32>
    %north_wests = soac.lmad_slice %table offset [%north_west] sizes [%size] strides [%stride]
        : tensor<?x?xi32> -> tensor<?xi32>

    // Going down the anti-diagonal, a is read forwards and b backwards.
    %a_first = arith.subi %first, %c1 : index
    %b_first = arith.subi %column, %c1 : index
    %as = soac.slice %a [%a_first] [%size] [1] : (tensor<?xi8>) -> tensor<?xi8>
    %bs = soac.slice %b [%b_first] [%size] [-1] : (tensor<?xi8>) -> tensor<?xi8>

    %new = soac.map %as, %bs, %north_wests, %norths, %wests
        : (tensor<?xi8>, tensor<?xi8>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
        -> tensor<?xi32>
        (%a_i: i8, %b_j: i8, %diagonal: i32, %up: i32, %left: i32) {
      %same = arith.cmpi eq, %a_i, %b_j : i8
      %similarity = arith.select %same, %match, %mismatch : i32
      %aligned = arith.addi %diagonal, %similarity : i32
      %deleted = arith.subi %up, %penalty : i32
      %inserted = arith.subi %left, %penalty : i32
      %gap = arith.maxsi %deleted, %inserted : i32
      %best = arith.maxsi %aligned, %gap : i32
      soac.yield %best : i32
    }
    %updated = soac.lmad_update %new into %table offset [%here] strides [%stride]
        : tensor<?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %updated : tensor<?x?xi32>
  }
  return %scores : tensor<?x?xi32>
}
