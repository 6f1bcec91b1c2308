// Chunks that wait for each other: a scan, then a filter of what it gives.
func.func @main(%xs: tensor<?xi32>) -> (tensor<?xi32> {soac.name = "odd"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums = soac.scanl %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%sum: i32, %x: i32) {
    %new = arith.addi %sum, %x : i32
    soac.yield %new : i32
  }
  %odd = soac.filter %sums : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %bit = arith.andi %x, %one : i32
    %keep = arith.cmpi eq, %bit, %one : i32
    soac.yield %keep : i1
  }
  return %odd : tensor<?xi32>
}
