// Bodies in a plane that attract each other: `steps` steps of length dt
// (symplectic Euler). The bodies are arrays of positions, velocities, and
// masses; an array of records is several arrays of one shape.
//
// The acceleration of a body is a fold over all bodies: a mapnest.

func.func @nbody(%x: tensor<?xf64>, %y: tensor<?xf64>, %vx: tensor<?xf64>, %vy: tensor<?xf64>,
                 %mass: tensor<?xf64>, %dt: f64, %steps: index)
    -> (tensor<?xf64> {soac.name = "x"}, tensor<?xf64> {soac.name = "y"},
        tensor<?xf64> {soac.name = "vx"}, tensor<?xf64> {soac.name = "vy"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px, %py, %ux, %uy = scf.for %step = %c0 to %steps step %c1
      iter_args(%x0 = %x, %y0 = %y, %vx0 = %vx, %vy0 = %vy)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %ax, %ay = func.call @accelerations(%x0, %y0, %mass)
        : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    %vx1, %vy1, %x1, %y1 = soac.map %ax, %ay, %vx0, %vy0, %x0, %y0
        : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>,
           tensor<?xf64>)
        -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
        (%ax_i: f64, %ay_i: f64, %vx_i: f64, %vy_i: f64, %x_i: f64, %y_i: f64) {
      %dvx = arith.mulf %ax_i, %dt : f64
      %dvy = arith.mulf %ay_i, %dt : f64
      %new_vx = arith.addf %vx_i, %dvx : f64
      %new_vy = arith.addf %vy_i, %dvy : f64
      %dx = arith.mulf %new_vx, %dt : f64
      %dy = arith.mulf %new_vy, %dt : f64
      %new_x = arith.addf %x_i, %dx : f64
      %new_y = arith.addf %y_i, %dy : f64
      soac.yield %new_vx, %new_vy, %new_x, %new_y : f64, f64, f64, f64
    }
    scf.yield %x1, %y1, %vx1, %vy1
        : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  }
  return %px, %py, %ux, %uy : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Σ_j m_j (p_j - p_i) / (|p_j - p_i|² + ε)^(3/2), with the gravitational
// constant 1 and ε = 0.01, which keeps bodies that meet from flying apart.
func.func private @accelerations(%x: tensor<?xf64>, %y: tensor<?xf64>, %mass: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %softening = arith.constant 0.01 : f64
  %ax, %ay = soac.map %x, %y outer 1
      : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) (%x_i: f64, %y_i: f64) {
    %pull_x, %pull_y = soac.map %x, %y, %mass
        : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
        (%x_j: f64, %y_j: f64, %m_j: f64) {
      %dx = arith.subf %x_j, %x_i : f64
      %dy = arith.subf %y_j, %y_i : f64
      %dx2 = arith.mulf %dx, %dx : f64
      %dy2 = arith.mulf %dy, %dy : f64
      %d2 = arith.addf %dx2, %dy2 : f64
      %soft = arith.addf %d2, %softening : f64
      %root = math.sqrt %soft : f64
      %cube = arith.mulf %soft, %root : f64
      %strength = arith.divf %m_j, %cube : f64
      %fx = arith.mulf %strength, %dx : f64
      %fy = arith.mulf %strength, %dy : f64
      soac.yield %fx, %fy : f64, f64
    }
    %sum_x, %sum_y = soac.fold %pull_x, %pull_y neutral %zero, %zero
        : (tensor<?xf64>, tensor<?xf64>, f64, f64) -> (tensor<f64>, tensor<f64>)
        (%sx: f64, %sy: f64, %fx: f64, %fy: f64) {
      %tx = arith.addf %sx, %fx : f64
      %ty = arith.addf %sy, %fy : f64
      soac.yield %tx, %ty : f64, f64
    }
    %ax_i = tensor.extract %sum_x[] : tensor<f64>
    %ay_i = tensor.extract %sum_y[] : tensor<f64>
    soac.yield %ax_i, %ay_i : f64, f64
  }
  return %ax, %ay : tensor<?xf64>, tensor<?xf64>
}
