// How often each of the numbers 0 … b-1 occurs: a scatter with +, that adds a one for
// each element to the count of its number.

func.func @histogram(%x: tensor<?xi32>, %n: index, %b: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = soac.fill %zero [%b] : (i32) -> tensor<?xi32>
  %ones = soac.fill %one [%n] : (i32) -> tensor<?xi32>
  %counts = soac.scatter %ones into %zeros at %x
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%old: i32, %new: i32) {
    %sum = arith.addi %old, %new : i32
    soac.yield %sum : i32
  }
  return %counts : tensor<?xi32>
}
