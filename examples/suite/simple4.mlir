// A gather of the sums of a matrix's rows, from "Fusing Gathers with Integer Linear
// Programming" (van Balen et al., FProPer 2024):
//
//     result[i] = Σ_j x[ix[i], j]
//
// The fold could run in the order of the gather, and would then add up a row as often
// as it is asked for. Whether that pays depends on how often rows are repeated.

func.func @simple4(%ix: tensor<?xi32>, %x: tensor<?x?xf32>, %m: index, %n: index)
    -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = soac.fold %x neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b fastmath<contract> : f32
    soac.yield %s : f32
  }
  %result = soac.gather %sums at %ix : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}
