// Prewitt's edges of bytes: differences across, of three rows, and down, of three columns.
func.func @edges(%x: tensor<?x?xi8> {soac.unsigned}, %h: index, %w: index)
    -> (tensor<?x?xi8> {soac.unsigned}) {
  %c2 = arith.constant 2 : index
  %most = arith.constant 255 : i16
  %height = arith.subi %h, %c2 : index
  %width = arith.subi %w, %c2 : index
  %greys = soac.map %x : (tensor<?x?xi8>) -> tensor<?x?xi16> (%byte: i8) {
    %grey = arith.extui %byte : i8 to i16
    soac.yield %grey : i16
  }
  %top = soac.slice %greys [0, 0] [%height, %w] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %middle = soac.slice %greys [1, 0] [%height, %w] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %bottom = soac.slice %greys [2, 0] [%height, %w] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %rows = func.call @add3(%top, %middle, %bottom)
      : (tensor<?x?xi16>, tensor<?x?xi16>, tensor<?x?xi16>) -> tensor<?x?xi16>
  %left = soac.slice %greys [0, 0] [%h, %width] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %centre = soac.slice %greys [0, 1] [%h, %width] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %right = soac.slice %greys [0, 2] [%h, %width] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %columns = func.call @add3(%left, %centre, %right)
      : (tensor<?x?xi16>, tensor<?x?xi16>, tensor<?x?xi16>) -> tensor<?x?xi16>
  %west = soac.slice %rows [0, 0] [%height, %width] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %east = soac.slice %rows [0, 2] [%height, %width] [1, 1] : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %north = soac.slice %columns [0, 0] [%height, %width] [1, 1]
      : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %south = soac.slice %columns [2, 0] [%height, %width] [1, 1]
      : (tensor<?x?xi16>) -> tensor<?x?xi16>
  %edges = soac.map %west, %east, %north, %south
      : (tensor<?x?xi16>, tensor<?x?xi16>, tensor<?x?xi16>, tensor<?x?xi16>) -> tensor<?x?xi8>
      (%l: i16, %r: i16, %t: i16, %b: i16) {
    %across = arith.subi %r, %l : i16
    %down = arith.subi %b, %t : i16
    %much_across = math.absi %across : i16
    %much_down = math.absi %down : i16
    %sum = arith.addi %much_across, %much_down : i16
    %bounded = arith.minsi %sum, %most : i16
    %byte = arith.trunci %bounded : i16 to i8
    soac.yield %byte : i8
  }
  return %edges : tensor<?x?xi8>
}

func.func private @add3(%x: tensor<?x?xi16>, %y: tensor<?x?xi16>, %z: tensor<?x?xi16>)
    -> tensor<?x?xi16> {
  %sums = soac.map %x, %y, %z
      : (tensor<?x?xi16>, tensor<?x?xi16>, tensor<?x?xi16>) -> tensor<?x?xi16>
      (%a: i16, %b: i16, %c: i16) {
    %ab = arith.addi %a, %b : i16
    %abc = arith.addi %ab, %c : i16
    soac.yield %abc : i16
  }
  return %sums : tensor<?x?xi16>
}
