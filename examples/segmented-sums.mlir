// The sum of every segment of an array. A segment begins at element 0 and
// wherever `starts` is true:
//
//     starts  true  false true  true  false false
//     xs         1      2    3     4      5     6
//     sums                       [3, 3, 15]
//
// A scan over two arrays at once gives running sums that start anew with each
// segment. Its operator is associative though the segments have any length:
// (f, x) ⊕ (g, y) = (f or g, if g then y else x + y). A segment's sum is the
// running sum at its last element.

func.func @segmented_sums(%starts: tensor<?xi1>, %xs: tensor<?xi64>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %false = arith.constant false
  %true = arith.constant true
  %n = tensor.dim %xs, %c0 : tensor<?xi64>
  %seen, %running = soac.scanl %starts, %xs neutral %false, %zero
      : (tensor<?xi1>, tensor<?xi64>, i1, i64) -> (tensor<?xi1>, tensor<?xi64>)
      (%f: i1, %x: i64, %g: i1, %y: i64) {
    %started = arith.ori %f, %g : i1
    %sum = arith.addi %x, %y : i64
    %kept = arith.select %g, %y, %sum : i64
    soac.yield %started, %kept : i1, i64
  }
  // Element i is the last of its segment if element i+1 starts one, or is none.
  %indices = soac.iota [%n] dim 0 : tensor<?xindex>
  %last = arith.subi %n, %c1 : index
  %ends = soac.map %indices : (tensor<?xindex>) -> tensor<?xi1> (%i: index) {
    %at_end = arith.cmpi eq, %i, %last : index
    %end = scf.if %at_end -> i1 {
      scf.yield %true : i1
    } else {
      %next = arith.addi %i, %c1 : index
      %start = tensor.extract %starts[%next] : tensor<?xi1>
      scf.yield %start : i1
    }
    soac.yield %end : i1
  }
  %kept, %sums = soac.filter %ends, %running
      : (tensor<?xi1>, tensor<?xi64>) -> (tensor<?xi1>, tensor<?xi64>)
      (%end: i1, %sum: i64) {
    soac.yield %end : i1
  }
  return %sums : tensor<?xi64>
}
