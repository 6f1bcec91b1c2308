// Pixels of three colours and an opacity in front of a background, rounded to nearest.
func.func @blend(%pixels: tensor<?x4xi8>, %background: tensor<?x3xi8>, %n: index)
    -> tensor<?x3xi8> {
  %opaque = arith.constant 255 : i32
  %half = arith.constant 127 : i32
  %colours = soac.slice %pixels [0, 0] [%n, 3] [1, 1] : (tensor<?x4xi8>) -> tensor<?x3xi8>
  %column = soac.slice %pixels [0, 3] [%n, 1] [1, 1] : (tensor<?x4xi8>) -> tensor<?x1xi8>
  %opacities = soac.reshape %column to [%n] : (tensor<?x1xi8>) -> tensor<?xi8>
  %replicated = soac.replicate %opacities [3] : (tensor<?xi8>) -> tensor<3x?xi8>
  %wide = soac.transpose %replicated [1, 0] : (tensor<3x?xi8>) -> tensor<?x3xi8>
  %result = soac.map %colours, %wide, %background
      : (tensor<?x3xi8>, tensor<?x3xi8>, tensor<?x3xi8>) -> tensor<?x3xi8>
      (%colour_byte: i8, %alpha_byte: i8, %behind_byte: i8) {
    %colour = arith.extui %colour_byte : i8 to i32
    %alpha = arith.extui %alpha_byte : i8 to i32
    %behind = arith.extui %behind_byte : i8 to i32
    %transparency = arith.subi %opaque, %alpha : i32
    %front = arith.muli %alpha, %colour : i32
    %back = arith.muli %transparency, %behind : i32
    %sum = arith.addi %front, %back : i32
    %rounded = arith.addi %sum, %half : i32
    %quotient = arith.divui %rounded, %opaque : i32
    %byte = arith.trunci %quotient : i32 to i8
    soac.yield %byte : i8
  }
  return %result : tensor<?x3xi8>
}
