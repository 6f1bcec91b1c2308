// The greatest sum of neighbours, of which there is at least one: a fold of (sum, best from the left end,
// best to the right end, best).
func.func @maxsubarray(%x: tensor<?xi32>, %n: index) -> tensor<1xi32> {
  %zero = arith.constant 0 : i32
  // Two of them can be added.
  %lowest = arith.constant -1073741824 : i32
  %sum, %left, %right, %best = soac.fold %x, %x, %x, %x neutral %zero, %lowest, %lowest, %lowest
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32, i32, i32, i32)
      -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      (%sum_a: i32, %left_a: i32, %right_a: i32, %best_a: i32,
       %sum_b: i32, %left_b: i32, %right_b: i32, %best_b: i32) {
    %s = arith.addi %sum_a, %sum_b : i32
    %into_b = arith.addi %sum_a, %left_b : i32
    %l = arith.maxsi %left_a, %into_b : i32
    %into_a = arith.addi %right_a, %sum_b : i32
    %r = arith.maxsi %right_b, %into_a : i32
    %across = arith.addi %right_a, %left_b : i32
    %either = arith.maxsi %best_a, %best_b : i32
    %b = arith.maxsi %either, %across : i32
    soac.yield %s, %l, %r, %b : i32, i32, i32, i32
  }
  %result = soac.reshape %best to [1] : (tensor<i32>) -> tensor<1xi32>
  return %result : tensor<1xi32>
}
