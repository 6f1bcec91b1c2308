// The row of each column's least element, the first of equal ones, and that element.
func.func @columnargmin(%x: tensor<?x?xf32>, %m: index, %n: index)
    -> (tensor<?xi32>, tensor<?xf32>) {
  %zero = arith.constant 0 : i32
  %infinity = arith.constant 0x7F800000 : f32
  %columns = soac.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %rows = soac.iota [%n, %m] dim 1 : tensor<?x?xi32>
  %where, %least = soac.fold %rows, %columns neutral %zero, %infinity
      : (tensor<?x?xi32>, tensor<?x?xf32>, i32, f32) -> (tensor<?xi32>, tensor<?xf32>)
      (%i: i32, %a: f32, %j: i32, %b: f32) {
    %less = arith.cmpf olt, %b, %a : f32
    %row = arith.select %less, %j, %i : i32
    %value = arith.select %less, %b, %a : f32
    soac.yield %row, %value : i32, f32
  }
  return %where, %least : tensor<?xi32>, tensor<?xf32>
}
