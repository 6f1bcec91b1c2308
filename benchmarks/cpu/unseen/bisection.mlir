// How many of m sorted numbers are less than each of n queries.
func.func @bisection(%sorted: tensor<?xf32>, %queries: tensor<?xf32>, %m: index, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %places = soac.map %queries : (tensor<?xf32>) -> tensor<?xi32> (%query: f32) {
    %place, %end = scf.while (%low = %c0, %high = %m) : (index, index) -> (index, index) {
      %go_on = arith.cmpi slt, %low, %high : index
      scf.condition(%go_on) %low, %high : index, index
    } do {
    ^bb0(%low: index, %high: index):
      %sum = arith.addi %low, %high : index
      %middle = arith.shrui %sum, %c1 : index
      %element = tensor.extract %sorted[%middle] : tensor<?xf32>
      %less = arith.cmpf olt, %element, %query : f32
      %above = arith.addi %middle, %c1 : index
      %new_low = arith.select %less, %above, %low : index
      %new_high = arith.select %less, %high, %middle : index
      scf.yield %new_low, %new_high : index, index
    }
    %result = arith.index_cast %place : index to i32
    soac.yield %result : i32
  }
  return %places : tensor<?xi32>
}
