// Loops over rows that threads go through at the same time: each has a range of the columns, and follows
// the one on its left.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// A table whose rows are scans of what is in the row above. A range waits for the one before, takes over
// what the scan carries, and says when it is done with some rows. What the scan carries is there for each range
// and row. The loop as it was stands beside it.

// CALL-LABEL: table 5 37
// GIVES: result: tensor<6x38xi32> = {{\[\[}}0 1 2 3 4
func.func @table(%rows: index, %columns: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = arith.addi %rows, %c1 : index
  %width = arith.addi %columns, %c1 : index
  %s = soac.generate [%rows, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.muli %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %first = soac.generate [%height, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %diagonal = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %above = soac.slice %h [%i, 1] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %more = soac.slice %s [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %sums = soac.map %diagonal, %above, %more : (tensor<1x?xi32>, tensor<1x?xi32>, tensor<1x?xi32>) -> tensor<1x?xi32> (%a: i32, %b: i32, %c: i32) {
      %d = arith.subi %a, %b : i32
      %e = arith.xori %d, %c : i32
      soac.yield %e : i32
    }
    %row = soac.scanl %sums neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 1] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// What a check of a row says is the same, whichever thread comes there first.

// CALL-LABEL: outside 9 37 7
// GIVES: error: 'soac.slice' op the slice with offset 7, size 1 and stride 1 leaves dimension 0 of size 7
func.func @outside(%rows: index, %columns: index, %fewer: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %height = arith.addi %rows, %c1 : index
  %s = soac.generate [%fewer, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.muli %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %first = soac.generate [%height, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %above = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %more = soac.slice %s [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %row = soac.map %above, %more : (tensor<1x?xi32>, tensor<1x?xi32>) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// If an element needs one on its right, from the row above, nobody can compute the left part of the next
// row before.

// CALL-LABEL: right_neighbour 5 37
// GIVES: result: tensor<6x38xi32> = {{\[\[}}0 1 2 3 4
func.func @right_neighbour(%rows: index, %columns: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = arith.addi %rows, %c1 : index
  %width = arith.addi %columns, %c1 : index
  %first = soac.generate [%height, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %above = soac.slice %h [%i, 1] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %row = soac.scanl %above neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// From the right to the left, it is the other way round.

// CALL-LABEL: from_right 5 37
// GIVES: result: tensor<6x38xi32> = {{\[\[}}0 1 2 3 4
func.func @from_right(%rows: index, %columns: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = arith.addi %rows, %c1 : index
  %width = arith.addi %columns, %c1 : index
  %first = soac.generate [%height, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %above = soac.slice %h [%i, 1] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %row = soac.scanr %above neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// CALL-LABEL: left_neighbour 5 37
// GIVES: result: tensor<6x38xi32> = {{\[\[}}0 1 2 3 4
func.func @left_neighbour(%rows: index, %columns: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = arith.addi %rows, %c1 : index
  %width = arith.addi %columns, %c1 : index
  %first = soac.generate [%height, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %above = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %row = soac.scanr %above neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 1] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// Two tables at once, by rows that are two apart. What is carried may be of several types.

// CALL-LABEL: two_tables 4 37
// GIVES: result0: tensor<9x37xi32> = {{\[\[}}0 1 2 3 4
// GIVES: result1: tensor<9x37xi64> = {{\[\[}}0 1 2 3 4
func.func @two_tables(%rows: index, %columns: index) -> (tensor<?x?xi32>, tensor<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i64
  %twice = arith.muli %rows, %c2 : index
  %height = arith.addi %twice, %c1 : index
  %first = soac.generate [%height, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %second = soac.generate [%height, %columns] : tensor<?x?xi64> (%i: index, %j: index) {
    %p = arith.muli %i, %i : index
    %q = arith.addi %p, %j : index
    %e = arith.index_cast %q : index to i64
    soac.yield %e : i64
  }
  %z:2 = scf.for %i = %c0 to %twice step %c2 iter_args(%g = %first, %h = %second) -> (tensor<?x?xi32>, tensor<?x?xi64>) {
    %next = arith.addi %i, %c2 : index
    %above = soac.slice %g [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %other = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi64>) -> tensor<1x?xi64>
    %row, %sums = soac.scanl %above, %other neutral %zero, %none : (tensor<1x?xi32>, tensor<1x?xi64>, i32, i64) -> (tensor<1x?xi32>, tensor<1x?xi64>) (%a: i32, %b: i64, %c: i32, %d: i64) {
      %e = arith.maxsi %a, %c : i32
      %f = arith.addi %b, %d : i64
      soac.yield %e, %f : i32, i64
    }
    %y = soac.update %row into %g at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    %x = soac.update %sums into %h at [%next, 0] strides [1, 1] : tensor<1x?xi64> into tensor<?x?xi64> -> tensor<?x?xi64>
    scf.yield %y, %x : tensor<?x?xi32>, tensor<?x?xi64>
  }
  return %z#0, %z#1 : tensor<?x?xi32>, tensor<?x?xi64>
}

// All of an array, again and again: an iteration reads the element that it writes.

// CALL-LABEL: again iota:i32[37] 5
// GIVES: result: tensor<37xi32> = [0 1 7 28 84
// There are no rounds if the last one would come before the first, however far away it is.
// CALL-LABEL: between iota:i32[370] 9223372036854775807 -9223372036854775800
// GIVES: result: tensor<370xi32> = [0 1 2 3
// CALL-LABEL: between iota:i32[370] 9223372036854775800 9223372036854775807
func.func @again(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%old = %x) -> tensor<?xi32> {
    %sums = soac.scanl %old neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    %y = soac.update %sums into %old at [0] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %y : tensor<?xi32>
  }
  return %z : tensor<?xi32>
}

func.func @between(%x: tensor<?xi32>, %first: index, %end: index) -> tensor<?xi32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %z = scf.for %i = %first to %end step %c1 iter_args(%old = %x) -> tensor<?xi32> {
    %sums = soac.scanl %old neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    %y = soac.update %sums into %old at [0] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %y : tensor<?xi32>
  }
  return %z : tensor<?xi32>
}

// Rows whose number is computed from that of the round may be any. In a round, they differ; but one may be
// written that an earlier round reads.

// CALL-LABEL: any_rows 5 37
// GIVES: result: tensor<6x38xi32> = {{\[\[}}
func.func @any_rows(%rows: index, %columns: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %height = arith.addi %rows, %c1 : index
  %width = arith.addi %columns, %c1 : index
  %first = soac.generate [%height, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %k = arith.remui %i, %c3 : index
    %next = arith.addi %k, %c1 : index
    %above = soac.slice %h [%next, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %row = soac.scanl %above neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%k, 1] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}
