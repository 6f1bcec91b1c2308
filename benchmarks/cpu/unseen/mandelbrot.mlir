// How many steps, of at most 64, z = z * z + c stays within 2 of 0, for a grid of c.
func.func @mandelbrot(%im: tensor<?xf32>, %re: tensor<?xf32>, %m: index, %n: index) -> tensor<?x?xi32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %four = arith.constant 4.0 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 64 : i32
  %ims, %res = soac.cross %im by %re
      : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %counts = soac.map %ims, %res : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi32>
      (%cy: f32, %cx: f32) {
    %last_x, %last_y, %steps = scf.while (%x = %zero, %y = %zero, %step = %none)
        : (f32, f32, i32) -> (f32, f32, i32) {
      %xx = arith.mulf %x, %x : f32
      %yy = arith.mulf %y, %y : f32
      %square = arith.addf %xx, %yy : f32
      %inside = arith.cmpf ole, %square, %four : f32
      %below = arith.cmpi slt, %step, %limit : i32
      %go_on = arith.andi %inside, %below : i1
      scf.condition(%go_on) %x, %y, %step : f32, f32, i32
    } do {
    ^bb0(%x: f32, %y: f32, %step: i32):
      %xx = arith.mulf %x, %x : f32
      %yy = arith.mulf %y, %y : f32
      %difference = arith.subf %xx, %yy : f32
      %new_x = arith.addf %difference, %cx : f32
      %xy = arith.mulf %x, %y : f32
      %twice = arith.mulf %two, %xy : f32
      %new_y = arith.addf %twice, %cy : f32
      %next = arith.addi %step, %one : i32
      scf.yield %new_x, %new_y, %next : f32, f32, i32
    }
    soac.yield %steps : i32
  }
  return %counts : tensor<?x?xi32>
}
