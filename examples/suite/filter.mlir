// The elements that are larger than 1/2, in their order. How many they are is the
// size of the result.

func.func @filter(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %half = arith.constant 0.5 : f32
  %large = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %keep = arith.cmpf ogt, %e, %half : f32
    soac.yield %keep : i1
  }
  return %large : tensor<?xf32>
}
