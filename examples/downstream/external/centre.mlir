// Subtracts from every element the median, which a function written in C finds.
// comb does not look into that function; `effects none` says that it only
// computes its result.

func.func private @median(tensor<?xf32>) -> f32

func.func @centre(%xs: tensor<?xf32>) -> tensor<?xf32> {
  %middle = soac.external @median(%xs) effects none : (tensor<?xf32>) -> f32
  %result = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %difference = arith.subf %x, %middle : f32
    soac.yield %difference : f32
  }
  return %result : tensor<?xf32>
}
