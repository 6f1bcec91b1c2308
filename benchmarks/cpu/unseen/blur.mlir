// A binomial blur of five rows, and then of five columns: weights 1, 4, 6, 4 and 1 sixteenths.
func.func @blur(%x: tensor<?x?xf32>, %h: index, %w: index) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %height = arith.subi %h, %c4 : index
  %width = arith.subi %w, %c4 : index
  %r0 = soac.slice %x [0, 0] [%height, %w] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r1 = soac.slice %x [1, 0] [%height, %w] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r2 = soac.slice %x [2, 0] [%height, %w] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r3 = soac.slice %x [3, 0] [%height, %w] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r4 = soac.slice %x [4, 0] [%height, %w] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %down = func.call @binomial(%r0, %r1, %r2, %r3, %r4)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?xf32>
  %s0 = soac.slice %down [0, 0] [%height, %width] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s1 = soac.slice %down [0, 1] [%height, %width] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s2 = soac.slice %down [0, 2] [%height, %width] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s3 = soac.slice %down [0, 3] [%height, %width] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s4 = soac.slice %down [0, 4] [%height, %width] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %both = func.call @binomial(%s0, %s1, %s2, %s3, %s4)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %both : tensor<?x?xf32>
}

func.func private @binomial(%p: tensor<?x?xf32>, %q: tensor<?x?xf32>, %r: tensor<?x?xf32>,
                            %s: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %far = arith.constant 0.0625 : f32
  %near = arith.constant 0.25 : f32
  %own = arith.constant 0.375 : f32
  %means = soac.map %p, %q, %r, %s, %t
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?xf32> (%a: f32, %b: f32, %c: f32, %d: f32, %e: f32) {
    %ae = arith.addf %a, %e fastmath<contract> : f32
    %bd = arith.addf %b, %d fastmath<contract> : f32
    %from_far = arith.mulf %far, %ae fastmath<contract> : f32
    %from_near = arith.mulf %near, %bd fastmath<contract> : f32
    %from_own = arith.mulf %own, %c fastmath<contract> : f32
    %outer = arith.addf %from_far, %from_near fastmath<contract> : f32
    %mean = arith.addf %outer, %from_own fastmath<contract> : f32
    soac.yield %mean : f32
  }
  return %means : tensor<?x?xf32>
}
