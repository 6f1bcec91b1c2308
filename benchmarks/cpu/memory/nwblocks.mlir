// Figure 9 of the paper: the table of Needleman and Wunsch, by blocks of b by b elements. It has n = q b + 1 rows and columns, and lies
// in memory row by row. The blocks of an antidiagonal are one linear memory access descriptor; they are computed from the
// columns to their left and the rows above them.
func.func @nwblocks(%similarity: tensor<?xi32>, %q: index, %b: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %inner = arith.muli %q, %b : index
  %n = arith.addi %inner, %c1 : index
  %size = arith.muli %n, %n : index
  // The first row and column.
  %empty = soac.generate [%size] : tensor<?xi32> (%i: index) {
    %zero = arith.constant 0 : i32
    %row = arith.divui %i, %n : index
    %column = arith.remui %i, %n : index
    %gaps = arith.maxui %row, %column : index
    %cost = arith.index_cast %gaps : index to i32
    %score = arith.subi %zero, %cost : i32
    soac.yield %score : i32
  }
  %below = arith.muli %n, %b : index
  %next = arith.subi %below, %b : index
  // Antidiagonals that begin in the first row of blocks, and then those that begin in the last column.
  %upper = scf.for %k = %c0 to %q step %c1 iter_args(%table = %empty) -> tensor<?xi32> {
    %blocks = arith.addi %k, %c1 : index
    %corner = arith.muli %k, %b : index
    %new = func.call @antidiagonal(%table, %similarity, %corner, %blocks, %n, %b, %next)
        : (tensor<?xi32>, tensor<?xi32>, index, index, index, index, index) -> tensor<?xi32>
    scf.yield %new : tensor<?xi32>
  }
  %last = arith.subi %inner, %b : index
  %all = scf.for %k = %c1 to %q step %c1 iter_args(%table = %upper) -> tensor<?xi32> {
    %blocks = arith.subi %q, %k : index
    %rows = arith.muli %k, %b : index
    %down = arith.muli %rows, %n : index
    %corner = arith.addi %down, %last : index
    %new = func.call @antidiagonal(%table, %similarity, %corner, %blocks, %n, %b, %next)
        : (tensor<?xi32>, tensor<?xi32>, index, index, index, index, index) -> tensor<?xi32>
    scf.yield %new : tensor<?xi32>
  }
  return %all : tensor<?xi32>
}

func.func private @antidiagonal(%table: tensor<?xi32>, %similarity: tensor<?xi32>, %corner: index,
    %blocks: index, %n: index, %b: index, %next: index) -> tensor<?xi32> {
  %c1 = arith.constant 1 : index
  %rows = arith.addi %b, %c1 : index
  %above = arith.addi %corner, %c1 : index
  %below = arith.addi %corner, %n : index
  %first = arith.addi %below, %c1 : index
  %left = soac.lmad_slice %table offset [%corner] sizes [%blocks, %rows] strides [%next, %n]
      : tensor<?xi32> -> tensor<?x?xi32>
  %top = soac.lmad_slice %table offset [%above] sizes [%blocks, %b] strides [%next, 1]
      : tensor<?xi32> -> tensor<?x?xi32>
  %similar = soac.lmad_slice %similarity offset [%first] sizes [%blocks, %b, %b] strides [%next, %n, 1]
      : tensor<?xi32> -> tensor<?x?x?xi32>
  %new = soac.map %left, %top, %similar outer 1 inner(%b, %b)
      : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
      (%column: tensor<?xi32>, %row: tensor<?xi32>, %own: tensor<?x?xi32>) {
    %block = func.call @block(%column, %row, %own, %b)
        : (tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, index) -> tensor<?x?xi32>
    soac.yield %block : tensor<?x?xi32>
  }
  %result = soac.lmad_update %new into %table offset [%first] strides [%next, %n, 1]
      : tensor<?x?x?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %result : tensor<?xi32>
}

func.func private @block(%column: tensor<?xi32>, %row: tensor<?xi32>, %own: tensor<?x?xi32>, %b: index)
    -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %scratch = tensor.empty(%b, %b) : tensor<?x?xi32>
  %all = scf.for %i = %c0 to %b step %c1 iter_args(%outer = %scratch) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %before = arith.subi %i, %c1 : index
    %is_top = arith.cmpi eq, %i, %c0 : index
    %beside = tensor.extract %column[%next] : tensor<?xi32>
    %corner = tensor.extract %column[%i] : tensor<?xi32>
    %filled, %west_end, %north_west_end = scf.for %j = %c0 to %b step %c1
        iter_args(%block = %outer, %west = %beside, %north_west = %corner) -> (tensor<?x?xi32>, i32, i32) {
      %north = scf.if %is_top -> (i32) {
        %e = tensor.extract %row[%j] : tensor<?xi32>
        scf.yield %e : i32
      } else {
        %e = tensor.extract %block[%before, %j] : tensor<?x?xi32>
        scf.yield %e : i32
      }
      %similarity = tensor.extract %own[%i, %j] : tensor<?x?xi32>
      %aligned = arith.addi %north_west, %similarity : i32
      %gap = arith.maxsi %north, %west : i32
      %with_gap = arith.subi %gap, %one : i32
      %score = arith.maxsi %aligned, %with_gap : i32
      %inserted = tensor.insert %score into %block[%i, %j] : tensor<?x?xi32>
      scf.yield %inserted, %score, %north : tensor<?x?xi32>, i32, i32
    }
    scf.yield %filled : tensor<?x?xi32>
  }
  return %all : tensor<?x?xi32>
}
