// Blocks of tables, as linear memory access descriptors whose strides are products: they are updated in place, whatever
// their number and size.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb explain --memory %s | FileCheck %s --check-prefix=MEMORY

// MEMORY: memory of antidiagonal_blocks
// MEMORY: before: 5 blocks, 4 copies
// MEMORY: now: 1 block, 0 copies
// MEMORY: memory of antidiagonals
// MEMORY: now: 1 block, 0 copies
// MEMORY: memory of diagonal_and_row
// MEMORY: now: 1 block, 0 copies
// MEMORY: memory of diagonal_and_rotated
// MEMORY: now: 2 blocks, 1 copy
// MEMORY: copy from block 2 to block 1: {{.*}}
// MEMORY-NEXT: 'nest.read' may use an element there that has been overwritten

// Needleman and Wunsch, by blocks of b by b on antidiagonals of a table of q b + 1 columns; here each block becomes the sums of
// what is to the left of its rows and above its columns.
// CALL-LABEL: antidiagonal_blocks iota:i32[25] 2 2
// GIVES: [0 2 4 6 8 10 12 14 20 22 20 22 24 30 32 30 52 54 36 38 40 62 64 46 48]
// CALL-LABEL: antidiagonal_blocks iota:i32[25] 4 1
// CALL-LABEL: antidiagonal_blocks iota:i32[25] 1 4
// CALL-LABEL: antidiagonal_blocks iota:i32[49] 2 3
// CALL-LABEL: antidiagonal_blocks iota:i32[49] 3 2
// CALL-LABEL: antidiagonal_blocks iota:i32[4] 0 2
func.func @antidiagonal_blocks(%x: tensor<?xi32>, %q: index, %b: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %made = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<?xi32>
  %inner = arith.muli %q, %b : index
  %n = arith.addi %inner, %c1 : index
  %down = arith.muli %n, %b : index
  %next = arith.subi %down, %b : index
  %rows = arith.addi %b, %c1 : index
  %l = scf.for %k = %c0 to %q step %c1 iter_args(%it = %mine) -> tensor<?xi32> {
    %blocks = arith.addi %k, %c1 : index
    %corner = arith.muli %k, %b : index
    %above = arith.addi %corner, %c1 : index
    %below = arith.addi %corner, %n : index
    %first = arith.addi %below, %c1 : index
    %left = soac.lmad_slice %it offset [%corner] sizes [%blocks, %rows] strides [%next, %n]
        : tensor<?xi32> -> tensor<?x?xi32>
    %top = soac.lmad_slice %it offset [%above] sizes [%blocks, %b] strides [%next, 1]
        : tensor<?xi32> -> tensor<?x?xi32>
    %r = soac.map %left, %top outer 1 inner(%b, %b) : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?x?xi32>
        (%column: tensor<?xi32>, %row: tensor<?xi32>) {
      %scratch = tensor.empty(%b, %b) : tensor<?x?xi32>
      %all = scf.for %i = %c0 to %b step %c1 iter_args(%outer = %scratch) -> tensor<?x?xi32> {
        %one = scf.for %j = %c0 to %b step %c1 iter_args(%block = %outer) -> tensor<?x?xi32> {
          %i1 = arith.addi %i, %c1 : index
          %c = tensor.extract %column[%i1] : tensor<?xi32>
          %d = tensor.extract %row[%j] : tensor<?xi32>
          %s = arith.addi %c, %d : i32
          %w = tensor.insert %s into %block[%i, %j] : tensor<?x?xi32>
          scf.yield %w : tensor<?x?xi32>
        }
        scf.yield %one : tensor<?x?xi32>
      }
      soac.yield %all : tensor<?x?xi32>
    }
    %w = soac.lmad_update %r into %it offset [%first] strides [%next, %n, 1]
        : tensor<?x?x?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %w : tensor<?xi32>
  }
  return %l : tensor<?xi32>
}

// Each element of an antidiagonal from its neighbour above.
// CALL-LABEL: antidiagonals iota:i32[16] 4
// CALL-LABEL: antidiagonals iota:i32[9] 3
// CALL-LABEL: antidiagonals iota:i32[4] 2
// CALL-LABEL: antidiagonals iota:i32[1] 1
func.func @antidiagonals(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %made = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<?xi32>
  %stride = arith.subi %n, %c1 : index
  %l = scf.for %k = %c0 to %stride step %c1 iter_args(%it = %mine) -> tensor<?xi32> {
    %count = arith.addi %k, %c1 : index
    %here = arith.addi %k, %n : index
    %first = arith.addi %here, %c1 : index
    %above = soac.lmad_slice %it offset [%count] sizes [%count] strides [%stride]
        : tensor<?xi32> -> tensor<?xi32>
    %new = soac.map %above : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %v = arith.addi %e, %e : i32
      soac.yield %v : i32
    }
    %w = soac.lmad_update %new into %it offset [%first] strides [%stride]
        : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %w : tensor<?xi32>
  }
  return %l : tensor<?xi32>
}

// Figure 1 of the paper, left: the first row is added to the diagonal. Iteration i writes i (n + 1), which is no element of the
// first row that another iteration reads.
// CALL-LABEL: diagonal_and_row iota:i32[16] 4
// GIVES: [0 2 4 6 8 11 12 14 16 18 22 22 24 26 28 33]
// CALL-LABEL: diagonal_and_row iota:i32[1] 1
// CALL-LABEL: diagonal_and_row iota:i32[3] 0
func.func @diagonal_and_row(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c1 = arith.constant 1 : index
  %made = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<?xi32>
  %stride = arith.addi %n, %c1 : index
  %diagonal = soac.slice %mine [0] [%n] [%stride] : (tensor<?xi32>) -> tensor<?xi32>
  %row = soac.slice %x [0] [%n] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %mine_row = soac.slice %mine [0] [%n] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %new = soac.map %diagonal, %row, %mine_row : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%d: i32, %e: i32, %f: i32) {
    %g = arith.subi %f, %e : i32
    %v = arith.addi %d, %g : i32
    soac.yield %v : i32
  }
  %w = soac.update %new into %mine at [0] strides [%stride] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %w : tensor<?xi32>
}

// The same with the diagonal itself, from the other end: other iterations read what one writes.
// CALL-LABEL: diagonal_and_rotated iota:i32[16] 4
// GIVES: [30 2 4 6 8 30 12 14 16 18 30 22 24 26 28 30]
func.func @diagonal_and_rotated(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c1 = arith.constant 1 : index
  %made = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<?xi32>
  %stride = arith.addi %n, %c1 : index
  %diagonal = soac.slice %mine [0] [%n] [%stride] : (tensor<?xi32>) -> tensor<?xi32>
  %turned = soac.reverse %diagonal dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %new = soac.map %diagonal, %turned : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%d: i32, %e: i32) {
    %v = arith.addi %d, %e : i32
    soac.yield %v : i32
  }
  %w = soac.update %new into %mine at [0] strides [%stride] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %w : tensor<?xi32>
}
