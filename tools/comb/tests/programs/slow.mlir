// Runs until it is interrupted.
func.func @main(%x: i64) -> tensor<2xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 1000000000000000 : index
  %r = scf.for %i = %zero to %many step %one iter_args(%a = %x) -> i64 {
    %b = arith.muli %a, %a : i64
    %j = arith.index_cast %i : index to i64
    %c = arith.addi %b, %j : i64
    scf.yield %c : i64
  }
  %t = tensor.from_elements %r, %x : tensor<2xi64>
  return %t : tensor<2xi64>
}
