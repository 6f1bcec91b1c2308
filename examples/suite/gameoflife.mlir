// Conway's game of life: `it` generations of (n+2) × (n+2) cells, of which those at the
// border stay dead. A cell is 1 if it is alive, and 0 if not.
//
// A generation reads nine slices of the board, shifted against each other, in one loop.
// The neighbours are added up row by row: what three cells of a row give together is also
// needed by the rows next to it.

func.func @gameoflife(%c: tensor<?x?xi8>, %n: index, %it: index) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %two = arith.constant 2 : i8
  %three = arith.constant 3 : i8
  %result = scf.for %generation = %c0 to %it step %c1 iter_args(%old = %c) -> tensor<?x?xi8> {
    %nw = soac.slice %old [0, 0] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %no = soac.slice %old [0, 1] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %ne = soac.slice %old [0, 2] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %we = soac.slice %old [1, 0] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %centre = soac.slice %old [1, 1] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %ea = soac.slice %old [1, 2] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %sw = soac.slice %old [2, 0] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %so = soac.slice %old [2, 1] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %se = soac.slice %old [2, 2] [%n, %n] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
    %cells = soac.map %centre, %nw, %no, %ne, %we, %ea, %sw, %so, %se
        : (tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>,
           tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
        (%cell: i8, %a: i8, %b: i8, %d: i8, %e: i8, %f: i8, %g: i8, %h: i8, %i: i8) {
      %above = func.call @three(%a, %b, %d) : (i8, i8, i8) -> i8
      %beside = arith.addi %e, %f : i8
      %below = func.call @three(%g, %h, %i) : (i8, i8, i8) -> i8
      %other_rows = arith.addi %above, %below : i8
      %neighbours = arith.addi %other_rows, %beside : i8
      %is_three = arith.cmpi eq, %neighbours, %three : i8
      %is_two = arith.cmpi eq, %neighbours, %two : i8
      %survivor = arith.select %is_two, %cell, %zero : i8
      %alive = arith.select %is_three, %one, %survivor : i8
      soac.yield %alive : i8
    }
    %new = soac.update %cells into %old at [1, 1] strides [1, 1]
        : tensor<?x?xi8> into tensor<?x?xi8> -> tensor<?x?xi8>
    scf.yield %new : tensor<?x?xi8>
  }
  return %result : tensor<?x?xi8>
}

// A cell and the two beside it. These come first: the cell itself does not count in its row.
func.func private @three(%left: i8, %cell: i8, %right: i8) -> i8 {
  %beside = arith.addi %left, %right : i8
  %sum = arith.addi %beside, %cell : i8
  return %sum : i8
}
