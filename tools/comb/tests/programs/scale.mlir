// Every element times a factor.
func.func @main(%xs: tensor<?xf32>, %factor: f32) -> (tensor<?xf32> {soac.name = "scaled"}) {
  %r = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %y = arith.mulf %x, %factor : f32
    soac.yield %y : f32
  }
  return %r : tensor<?xf32>
}
