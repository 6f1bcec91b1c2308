// The temperatures t of a chip whose cells give off power p: `it` explicit steps of
//
//     t + 0.1 (p + 0.3 (north + south - 2t) + 0.2 (west + east - 2t) + 0.05 (80 - t))
//   = 0.895 t + 0.1 p + 0.03 (north + south) + 0.02 (west + east) + 0.4
//
// Beyond the edge it is as warm as at it: neighbours are read at positions that are kept
// within the grid, so that none needs to be checked. One loop does a step.

func.func @hotspot(%t: tensor<?x?xf32>, %p: tensor<?x?xf32>, %n: index, %it: index)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own_part = arith.constant 0.895 : f32
  %power_part = arith.constant 0.1 : f32
  %down = arith.constant 0.03 : f32
  %across = arith.constant 0.02 : f32
  %ambient_part = arith.constant 0.4 : f32
  %result = scf.for %step = %c0 to %it step %c1 iter_args(%old = %t) -> tensor<?x?xf32> {
    %height = tensor.dim %old, %c0 : tensor<?x?xf32>
    %width = tensor.dim %old, %c1 : tensor<?x?xf32>
    %last_row = arith.subi %height, %c1 : index
    %last_column = arith.subi %width, %c1 : index
    %north = soac.backpermute %old [%height, %width] unchecked
        : (tensor<?x?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
      %above = arith.subi %i, %c1 : index
      %row = arith.maxsi %above, %c0 : index
      soac.yield %row, %j : index, index
    }
    %south = soac.backpermute %old [%height, %width] unchecked
        : (tensor<?x?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
      %below = arith.addi %i, %c1 : index
      %row = arith.minsi %below, %last_row : index
      soac.yield %row, %j : index, index
    }
    %west = soac.backpermute %old [%height, %width] unchecked
        : (tensor<?x?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
      %before = arith.subi %j, %c1 : index
      %column = arith.maxsi %before, %c0 : index
      soac.yield %i, %column : index, index
    }
    %east = soac.backpermute %old [%height, %width] unchecked
        : (tensor<?x?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
      %behind = arith.addi %j, %c1 : index
      %column = arith.minsi %behind, %last_column : index
      soac.yield %i, %column : index, index
    }
    %new = soac.map %old, %p, %north, %south, %west, %east
        : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>,
           tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
        (%c: f32, %power: f32, %a: f32, %b: f32, %l: f32, %r: f32) {
      %own = arith.mulf %own_part, %c fastmath<contract> : f32
      %s1 = arith.addf %own, %ambient_part fastmath<contract> : f32
      %from_power = arith.mulf %power_part, %power fastmath<contract> : f32
      %s2 = arith.addf %s1, %from_power fastmath<contract> : f32
      %ab = arith.addf %a, %b fastmath<contract> : f32
      %from_rows = arith.mulf %down, %ab fastmath<contract> : f32
      %s3 = arith.addf %s2, %from_rows fastmath<contract> : f32
      %lr = arith.addf %l, %r fastmath<contract> : f32
      %from_columns = arith.mulf %across, %lr fastmath<contract> : f32
      %warm = arith.addf %s3, %from_columns fastmath<contract> : f32
      soac.yield %warm : f32
    }
    scf.yield %new : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}
