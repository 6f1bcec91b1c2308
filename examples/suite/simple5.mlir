// A map in order and a gather, both of one array, and a map that uses both, from
// "Fusing Gathers with Integer Linear Programming" (van Balen et al., FProPer 2024):
//
//     result[i] = (2 x[i] + 1) x[ix[i]]
//
// One loop does it all. It reads the input in two orders.

func.func @simple5(%ix: tensor<?xi32>, %x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %as = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %twice = arith.mulf %two, %e fastmath<contract> : f32
    %a = arith.addf %twice, %one fastmath<contract> : f32
    soac.yield %a : f32
  }
  %gathered = soac.gather %x at %ix : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  %result = soac.map %as, %gathered : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %g: f32) {
    %r = arith.mulf %a, %g fastmath<contract> : f32
    soac.yield %r : f32
  }
  return %result : tensor<?xf32>
}
