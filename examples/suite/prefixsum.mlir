// All prefix sums: result[i] = x[0] + … + x[i]. One scan.

func.func @prefixsum(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %sums = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%sum: i32, %e: i32) {
    %s = arith.addi %sum, %e : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?xi32>
}
