// Cube roots by ten steps of Newton's method, from 1.
func.func @cuberoot(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %roots = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %root = scf.for %k = %c0 to %c10 step %c1 iter_args(%y = %one) -> f32 {
      %square = arith.mulf %y, %y fastmath<contract> : f32
      %quotient = arith.divf %a, %square fastmath<contract> : f32
      %twice = arith.mulf %two, %y fastmath<contract> : f32
      %sum = arith.addf %twice, %quotient fastmath<contract> : f32
      %next = arith.divf %sum, %three fastmath<contract> : f32
      scf.yield %next : f32
    }
    soac.yield %root : f32
  }
  return %roots : tensor<?xf32>
}
