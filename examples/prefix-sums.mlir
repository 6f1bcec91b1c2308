// Prefix sums: result[i] = xs[0] + … + xs[i], modulo 2^64.

func.func @prefix_sums(%xs: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %result = soac.scanl %xs neutral %zero : (tensor<?xi64>, i64) -> tensor<?xi64>
      (%sum: i64, %x: i64) {
    %s = arith.addi %sum, %x : i64
    soac.yield %s : i64
  }
  return %result : tensor<?xi64>
}
