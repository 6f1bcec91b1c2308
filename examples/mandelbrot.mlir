// The Mandelbrot set: for every point c of a grid, how many steps z ← z² + c
// stay within |z| ≤ 2, at most `limit`. The lambda of the generate runs a
// sequential loop, scf.while.
//
// The grid covers -2 … 0.5 by -1.25 … 1.25.

func.func @mandelbrot(%height: index, %width: index, %limit: i32) -> tensor<?x?xi32> {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %four = arith.constant 4.0 : f64
  %extent = arith.constant 2.5 : f64
  %left = arith.constant -2.0 : f64
  %top = arith.constant -1.25 : f64
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %counts = soac.generate [%height, %width] : tensor<?x?xi32> (%row: index, %column: index) {
    %re_offset = func.call @fraction(%column, %width) : (index, index) -> f64
    %im_offset = func.call @fraction(%row, %height) : (index, index) -> f64
    %re_scaled = arith.mulf %re_offset, %extent : f64
    %im_scaled = arith.mulf %im_offset, %extent : f64
    %re = arith.addf %left, %re_scaled : f64
    %im = arith.addf %top, %im_scaled : f64
    %last_x, %last_y, %steps = scf.while (%x = %zero, %y = %zero, %step = %none)
        : (f64, f64, i32) -> (f64, f64, i32) {
      %xx = arith.mulf %x, %x : f64
      %yy = arith.mulf %y, %y : f64
      %distance = arith.addf %xx, %yy : f64
      %inside = arith.cmpf ole, %distance, %four : f64
      %below = arith.cmpi slt, %step, %limit : i32
      %go_on = arith.andi %inside, %below : i1
      scf.condition(%go_on) %x, %y, %step : f64, f64, i32
    } do {
    ^bb0(%x: f64, %y: f64, %step: i32):
      %xx = arith.mulf %x, %x : f64
      %yy = arith.mulf %y, %y : f64
      %difference = arith.subf %xx, %yy : f64
      %new_x = arith.addf %difference, %re : f64
      %xy = arith.mulf %x, %y : f64
      %twice = arith.mulf %two, %xy : f64
      %new_y = arith.addf %twice, %im : f64
      %next = arith.addi %step, %one : i32
      scf.yield %new_x, %new_y, %next : f64, f64, i32
    }
    soac.yield %steps : i32
  }
  return %counts : tensor<?x?xi32>
}

// i / n as a floating-point number.
func.func private @fraction(%i: index, %n: index) -> f64 {
  %i_int = arith.index_cast %i : index to i64
  %n_int = arith.index_cast %n : index to i64
  %i_float = arith.sitofp %i_int : i64 to f64
  %n_float = arith.sitofp %n_int : i64 to f64
  %quotient = arith.divf %i_float, %n_float : f64
  return %quotient : f64
}
