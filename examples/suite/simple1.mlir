// A map, and then a gather of its result, from "Fusing Gathers with Integer Linear
// Programming" (van Balen et al., FProPer 2024):
//
//     result[i] = 2 x[ix[i]] + 1
//
// The map runs in the order of the gather, so that its result is not stored.

func.func @simple1(%ix: tensor<?xi32>, %x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %as = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %twice = arith.mulf %two, %e fastmath<contract> : f32
    %a = arith.addf %twice, %one fastmath<contract> : f32
    soac.yield %a : f32
  }
  %result = soac.gather %as at %ix : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}
