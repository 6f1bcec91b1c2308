// A map that calls a function of which nothing is known, so that there are no vectors, runs element
// by element.

func.func private @other(f32) -> f32
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = func.call @other(%a) : (f32) -> f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}
