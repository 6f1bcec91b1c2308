// Where each number is in a permutation: a scatter of the places.
func.func @inversepermutation(%p: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %zeros = soac.fill %zero [%n] : (i32) -> tensor<?xi32>
  %places = soac.iota [%n] dim 0 : tensor<?xi32>
  %inverse = soac.scatter %places into %zeros at %p any_write
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %inverse : tensor<?xi32>
}
