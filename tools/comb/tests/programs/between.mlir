// An element of an array that is neither given nor returned.
func.func @main(%xs: tensor<?xi32>, %at: index) -> (i32 {soac.name = "r"}) {
  %zero = arith.constant 0 : i32
  %sums = soac.scanl %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%sum: i32, %x: i32) {
    %new = arith.addi %sum, %x : i32
    soac.yield %new : i32
  }
  %r = tensor.extract %sums[%at] : tensor<?xi32>
  return %r : i32
}
