// Calls that an error leaves while they own arrays.
func.func private @again(tensor<?xf32>, index) -> tensor<?xf32>

// Fails when the sums are there.
func.func @sums(%xs: tensor<?xf32>, %at: tensor<?xindex>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = soac.scanl %xs neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  %some = soac.gather %sums at %at : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %sums, %some : tensor<?xf32>, tensor<?xf32>
}

// Has sums itself while a function in C calls @sums.
func.func @through(%xs: tensor<?xf32>, %at: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = soac.scanl %xs neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  %more = soac.external @again(%sums, %at) effects any : (tensor<?xf32>, index) -> tensor<?xf32>
  %all = soac.map %sums, %more : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  return %all : tensor<?xf32>
}
