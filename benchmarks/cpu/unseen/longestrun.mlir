// How many equal numbers follow each other at most. The scan counts equal neighbours; its operator is
// that of a segmented sum: (f, x) and (g, y) become (f or g, if g then y else x + y).
func.func @longestrun(%x: tensor<?xi32>, %n: index) -> tensor<1xi32> {
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.subi %n, %c1 : index
  %left = soac.take %x [%last] : (tensor<?xi32>) -> tensor<?xi32>
  %right = soac.drop %x [1] : (tensor<?xi32>) -> tensor<?xi32>
  %starts, %counts = soac.map %left, %right : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi1>, tensor<?xi32>)
      (%a: i32, %b: i32) {
    %start = arith.cmpi ne, %a, %b : i32
    %count = arith.select %start, %zero, %one : i32
    soac.yield %start, %count : i1, i32
  }
  %seen, %running = soac.scanl %starts, %counts neutral %false, %zero
      : (tensor<?xi1>, tensor<?xi32>, i1, i32) -> (tensor<?xi1>, tensor<?xi32>)
      (%f: i1, %p: i32, %g: i1, %q: i32) {
    %started = arith.ori %f, %g : i1
    %sum = arith.addi %p, %q : i32
    %kept = arith.select %g, %q, %sum : i32
    soac.yield %started, %kept : i1, i32
  }
  %most = soac.fold %running neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%p: i32, %q: i32) {
    %max = arith.maxsi %p, %q : i32
    soac.yield %max : i32
  }
  %neighbours = tensor.extract %most[] : tensor<i32>
  %longest = arith.addi %neighbours, %one : i32
  %result = tensor.from_elements %longest : tensor<1xi32>
  return %result : tensor<1xi32>
}
