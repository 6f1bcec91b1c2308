// Conway's game of life on a torus, a number of generations. Rotations of the
// board bring each of the eight neighbours to its cell.

func.func @life(%board: tensor<?x?xi8>, %generations: index) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %generation = %c0 to %generations step %c1
      iter_args(%cells = %board) -> tensor<?x?xi8> {
    %next = func.call @generation(%cells) : (tensor<?x?xi8>) -> tensor<?x?xi8>
    scf.yield %next : tensor<?x?xi8>
  }
  return %result : tensor<?x?xi8>
}

// One generation: a cell is alive next if three neighbours are, or if two are
// and it is itself.
func.func private @generation(%cells: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %two = arith.constant 2 : i8
  %three = arith.constant 3 : i8
  // Sums of three cells in a column, then of three such sums in a row.
  %above = soac.rotate %cells by [-1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %below = soac.rotate %cells by [1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %columns = func.call @add3(%above, %cells, %below)
      : (tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
  %left = soac.rotate %columns by [0, -1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %right = soac.rotate %columns by [0, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %blocks = func.call @add3(%left, %columns, %right)
      : (tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
  %next = soac.map %cells, %blocks
      : (tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8> (%cell: i8, %block: i8) {
    %neighbours = arith.subi %block, %cell : i8
    %is_three = arith.cmpi eq, %neighbours, %three : i8
    %is_two = arith.cmpi eq, %neighbours, %two : i8
    %survivor = arith.select %is_two, %cell, %zero : i8
    %alive = arith.select %is_three, %one, %survivor : i8
    soac.yield %alive : i8
  }
  return %next : tensor<?x?xi8>
}

func.func private @add3(%x: tensor<?x?xi8>, %y: tensor<?x?xi8>, %z: tensor<?x?xi8>)
    -> tensor<?x?xi8> {
  %sums = soac.map %x, %y, %z
      : (tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
      (%a: i8, %b: i8, %c: i8) {
    %ab = arith.addi %a, %b : i8
    %abc = arith.addi %ab, %c : i8
    soac.yield %abc : i8
  }
  return %sums : tensor<?x?xi8>
}
