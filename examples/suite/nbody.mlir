// One step of n bodies in space that attract each other, of length 0.01. The bodies have
// masses m, and positions p and velocities v of three rows, for x, y and z. Gives the new
// positions and velocities.
//
//     a_i = Σ_j m_j (p_j - p_i) / (|p_j - p_i|² + 0.01)^(3/2)
//     v'_i = v_i + 0.01 a_i        p'_i = p_i + 0.01 v'_i
//
// The acceleration of a body is a fold over all bodies, in a map over bodies. No matrix
// of all pairs is stored.

func.func @nbody(%m: tensor<?xf64>, %p: tensor<3x?xf64>, %v: tensor<3x?xf64>, %n: index)
    -> (tensor<3x?xf64>, tensor<3x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %softening = arith.constant 0.01 : f64
  %dt = arith.constant 0.01 : f64
  %ax, %ay, %az = soac.generate [%n] : tensor<?xf64>, tensor<?xf64>, tensor<?xf64> (%i: index) {
    %x = func.call @row(%p, %c0) : (tensor<3x?xf64>, index) -> tensor<?xf64>
    %y = func.call @row(%p, %c1) : (tensor<3x?xf64>, index) -> tensor<?xf64>
    %z = func.call @row(%p, %c2) : (tensor<3x?xf64>, index) -> tensor<?xf64>
    %x_i = tensor.extract %p[%c0, %i] : tensor<3x?xf64>
    %y_i = tensor.extract %p[%c1, %i] : tensor<3x?xf64>
    %z_i = tensor.extract %p[%c2, %i] : tensor<3x?xf64>
    %pull_x, %pull_y, %pull_z = soac.map %x, %y, %z, %m
        : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
        -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
        (%x_j: f64, %y_j: f64, %z_j: f64, %m_j: f64) {
      %dx = arith.subf %x_j, %x_i fastmath<contract> : f64
      %dy = arith.subf %y_j, %y_i fastmath<contract> : f64
      %dz = arith.subf %z_j, %z_i fastmath<contract> : f64
      %dx2 = arith.mulf %dx, %dx fastmath<contract> : f64
      %dy2 = arith.mulf %dy, %dy fastmath<contract> : f64
      %dz2 = arith.mulf %dz, %dz fastmath<contract> : f64
      %dxy2 = arith.addf %dx2, %dy2 fastmath<contract> : f64
      %dxyz2 = arith.addf %dxy2, %dz2 fastmath<contract> : f64
      %d2 = arith.addf %dxyz2, %softening fastmath<contract> : f64
      %root = math.sqrt %d2 : f64
      %cube = arith.mulf %d2, %root fastmath<contract> : f64
      %strength = arith.divf %m_j, %cube : f64
      %fx = arith.mulf %strength, %dx fastmath<contract> : f64
      %fy = arith.mulf %strength, %dy fastmath<contract> : f64
      %fz = arith.mulf %strength, %dz fastmath<contract> : f64
      soac.yield %fx, %fy, %fz : f64, f64, f64
    }
    %sum_x, %sum_y, %sum_z = soac.fold %pull_x, %pull_y, %pull_z neutral %zero, %zero, %zero
        : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64, f64)
        -> (tensor<f64>, tensor<f64>, tensor<f64>)
        (%sx: f64, %sy: f64, %sz: f64, %fx: f64, %fy: f64, %fz: f64) {
      %tx = arith.addf %sx, %fx fastmath<contract> : f64
      %ty = arith.addf %sy, %fy fastmath<contract> : f64
      %tz = arith.addf %sz, %fz fastmath<contract> : f64
      soac.yield %tx, %ty, %tz : f64, f64, f64
    }
    %ax_i = tensor.extract %sum_x[] : tensor<f64>
    %ay_i = tensor.extract %sum_y[] : tensor<f64>
    %az_i = tensor.extract %sum_z[] : tensor<f64>
    soac.yield %ax_i, %ay_i, %az_i : f64, f64, f64
  }
  %row_x = soac.reshape %ax to [1, %n] : (tensor<?xf64>) -> tensor<1x?xf64>
  %row_y = soac.reshape %ay to [1, %n] : (tensor<?xf64>) -> tensor<1x?xf64>
  %row_z = soac.reshape %az to [1, %n] : (tensor<?xf64>) -> tensor<1x?xf64>
  %a = soac.concat %row_x, %row_y, %row_z dim 0
      : (tensor<1x?xf64>, tensor<1x?xf64>, tensor<1x?xf64>) -> tensor<3x?xf64>
  %new_p, %new_v = soac.map %p, %v, %a
      : (tensor<3x?xf64>, tensor<3x?xf64>, tensor<3x?xf64>) -> (tensor<3x?xf64>, tensor<3x?xf64>)
      (%p_i: f64, %v_i: f64, %a_i: f64) {
    %dv = arith.mulf %dt, %a_i fastmath<contract> : f64
    %v_new = arith.addf %v_i, %dv fastmath<contract> : f64
    %dp = arith.mulf %dt, %v_new fastmath<contract> : f64
    %p_new = arith.addf %p_i, %dp fastmath<contract> : f64
    soac.yield %p_new, %v_new : f64, f64
  }
  return %new_p, %new_v : tensor<3x?xf64>, tensor<3x?xf64>
}

// One row of a matrix of three.
func.func private @row(%p: tensor<3x?xf64>, %row: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %p, %c1 : tensor<3x?xf64>
  %x = soac.backpermute %p [%n] : (tensor<3x?xf64>) -> tensor<?xf64> (%i: index) {
    soac.yield %row, %i : index, index
  }
  return %x : tensor<?xf64>
}
