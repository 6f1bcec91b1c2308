// The mean of the numbers of each of 64 groups: sums and counts in one scatter, then quotients.
func.func @groupmeans(%labels: tensor<?xi32>, %x: tensor<?xf32>, %n: index) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = soac.fill %zero [64] : (f32) -> tensor<64xf32>
  %nones = soac.fill %none [64] : (i32) -> tensor<64xi32>
  %ones = soac.fill %one [%n] : (i32) -> tensor<?xi32>
  %sums, %counts = soac.scatter %x, %ones into %zeros, %nones at %labels
      : (tensor<?xf32>, tensor<?xi32>, tensor<64xf32>, tensor<64xi32>, tensor<?xi32>)
      -> (tensor<64xf32>, tensor<64xi32>)
      (%sum: f32, %count: i32, %element: f32, %more: i32) {
    %s = arith.addf %sum, %element fastmath<reassoc,contract> : f32
    %c = arith.addi %count, %more : i32
    soac.yield %s, %c : f32, i32
  }
  %means = soac.map %sums, %counts : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
      (%sum: f32, %count: i32) {
    %size = arith.sitofp %count : i32 to f32
    %mean = arith.divf %sum, %size : f32
    soac.yield %mean : f32
  }
  return %means : tensor<64xf32>
}
