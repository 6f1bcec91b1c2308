// A map whose result is given back, and gathered from as well, from "Fusing Gathers
// with Integer Linear Programming" (van Balen et al., FProPer 2024):
//
//     a = 2x + 1        b[i] = a[ix[i]]
//
// All of a is needed, in its own order; so the map and the gather do not share a loop. The map
// is cheap: the gather reads x, and computes 2x + 1 again, rather than wait for a.

func.func @simple3(%ix: tensor<?xi32>, %x: tensor<?xf32>, %n: index)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %twice = arith.mulf %two, %e fastmath<contract> : f32
    %r = arith.addf %twice, %one fastmath<contract> : f32
    soac.yield %r : f32
  }
  %b = soac.gather %a at %ix : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
