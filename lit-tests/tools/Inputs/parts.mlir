// Two maps, one behind the other; and an array of which a part is replaced by another part.
func.func @parts(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %y = soac.take %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
  %a = soac.map %y : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %v = arith.addf %e, %one : f32
    soac.yield %v : f32
  }
  %kept = soac.force %a : tensor<?xf32>
  %b = soac.map %kept : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %v = arith.mulf %e, %e : f32
    soac.yield %v : f32
  }
  %both = soac.concat %kept, %b dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %both : tensor<?xf32>
}

func.func @moved(%x: tensor<10xi32>, %i: index) -> tensor<10xi32> {
  %two = arith.constant 2 : i32
  %a = soac.map %x : (tensor<10xi32>) -> tensor<10xi32> (%e: i32) {
    %v = arith.muli %e, %two : i32
    soac.yield %v : i32
  }
  %kept = soac.force %a : tensor<10xi32>
  %part = soac.take %kept [8] : (tensor<10xi32>) -> tensor<8xi32>
  %s = soac.map %part : (tensor<8xi32>) -> tensor<8xi32> (%p: i32) {
    %v = arith.addi %p, %two : i32
    soac.yield %v : i32
  }
  %w = soac.update %s into %kept at [%i] strides [1] : tensor<8xi32> into tensor<10xi32> -> tensor<10xi32>
  return %w : tensor<10xi32>
}

func.func @number(%n: index) -> index {
  return %n : index
}
