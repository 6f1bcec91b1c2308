// For each element of an image, the sum of all above and to the left of it, itself included.
func.func @summedarea(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %across = func.call @scan_rows(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %turned = soac.transpose %across [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %both = func.call @scan_rows(%turned) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = soac.transpose %both [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

func.func private @scan_rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = soac.scanl %x neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b fastmath<contract> : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?x?xf32>
}
