// A gather of a gather, from "Fusing Gathers with Integer Linear Programming" (van
// Balen et al., FProPer 2024):
//
//     result[i] = x[i1[i2[i]]]
//
// The first gather runs in the order of the second, so that its result is not stored.

func.func @simple2(%i1: tensor<?xi32>, %i2: tensor<?xi32>, %x: tensor<?xf32>, %n: index)
    -> tensor<?xf32> {
  %first = soac.gather %x at %i1 : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  %result = soac.gather %first at %i2 : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}
