// Products of complex numbers, which are pairs.
func.func @complexmul(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>, %n: index) -> tensor<?x2xf32> {
  %a, %c = soac.slice %x, %y [0, 0] [%n, 1] [1, 1]
      : (tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x1xf32>, tensor<?x1xf32>)
  %b, %d = soac.slice %x, %y [0, 1] [%n, 1] [1, 1]
      : (tensor<?x2xf32>, tensor<?x2xf32>) -> (tensor<?x1xf32>, tensor<?x1xf32>)
  %real, %imaginary = soac.map %a, %b, %c, %d
      : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>)
      -> (tensor<?x1xf32>, tensor<?x1xf32>) (%p: f32, %q: f32, %r: f32, %s: f32) {
    %pr = arith.mulf %p, %r fastmath<contract> : f32
    %qs = arith.mulf %q, %s fastmath<contract> : f32
    %ps = arith.mulf %p, %s fastmath<contract> : f32
    %qr = arith.mulf %q, %r fastmath<contract> : f32
    %re = arith.subf %pr, %qs fastmath<contract> : f32
    %im = arith.addf %ps, %qr fastmath<contract> : f32
    soac.yield %re, %im : f32, f32
  }
  %products = soac.concat %real, %imaginary dim 1
      : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  return %products : tensor<?x2xf32>
}
