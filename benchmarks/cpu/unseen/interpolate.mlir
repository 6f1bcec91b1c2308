// Values of a table, whose elements lie evenly from 0 to 1, at positions, linear between them.
func.func @interpolate(%table: tensor<1024xf32>, %positions: tensor<?xf32>, %n: index)
    -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 1023.0 : f32
  %one = arith.constant 1 : i32
  %last_place = arith.constant 1022 : i32
  %places, %nexts, %parts = soac.map %positions
      : (tensor<?xf32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xf32>) (%position: f32) {
    %scaled = arith.mulf %position, %last : f32
    %not_below = arith.maximumf %scaled, %zero : f32
    %inside = arith.minimumf %not_below, %last : f32
    %floor = arith.fptosi %inside : f32 to i32
    %place = arith.minsi %floor, %last_place : i32
    %next = arith.addi %place, %one : i32
    %whole = arith.sitofp %place : i32 to f32
    %part = arith.subf %inside, %whole : f32
    soac.yield %place, %next, %part : i32, i32, f32
  }
  %lefts = soac.gather %table at %places : (tensor<1024xf32>, tensor<?xi32>) -> tensor<?xf32>
  %rights = soac.gather %table at %nexts : (tensor<1024xf32>, tensor<?xi32>) -> tensor<?xf32>
  %values = soac.map %lefts, %rights, %parts
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%left: f32, %right: f32, %part: f32) {
    %difference = arith.subf %right, %left : f32
    %more = arith.mulf %part, %difference fastmath<contract> : f32
    %value = arith.addf %left, %more fastmath<contract> : f32
    soac.yield %value : f32
  }
  return %values : tensor<?xf32>
}
