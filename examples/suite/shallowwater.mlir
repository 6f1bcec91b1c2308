// Waves in shallow water: `it` steps of the equations of height H and momentum (U, V),
// by the method of Lax and Wendroff, on a grid of (n+2) × (n+2) whose border reflects.
// Widths of cells are 1, the time step k is 0.02, and gravity is 9.8.
//
// A step first goes half a step, to the middles of the four sides of a cell, and then
// takes the flow there. The middle of a side belongs to two cells. Those between columns are
// computed once, as arrays of which a fused program keeps a row. Those between rows are
// computed for each of the two rows: to keep them, rows would have to wait for the rows above.
// Fused, all is one pass over three arrays.
//
// Height and momentum in a middle are means of two cells; the program computes twice of
// each, which are sums. Divisions take longest. A middle between two rows has a division
// of its own, the same one in both rows: rows that are computed at once can share it. The
// cells in the west and the east of a side have one together.

func.func @shallowwater(%H: tensor<?x?xf64>, %U: tensor<?x?xf64>, %V: tensor<?x?xf64>,
                        %n: index, %it: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %plus = arith.constant 1.0 : f64
  %minus = arith.constant -1.0 : f64
  %result:3 = scf.for %step = %c0 to %it step %c1 iter_args(%h = %H, %u = %U, %v = %V)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
    // What flows through the n + 1 sides between the columns of a row. V flows along.
    %sides = arith.addi %n, %c1 : index
    %hw, %uw, %vw = func.call @part(%h, %u, %v, %c1, %c0, %n, %sides)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index, index, index, index)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    %he, %ue, %ve = func.call @part(%h, %u, %v, %c1, %c1, %n, %sides)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index, index, index, index)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    %mass, %along, %across = soac.map %hw, %uw, %vw, %he, %ue, %ve
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
           tensor<?x?xf64>, tensor<?x?xf64>)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
        (%h0: f64, %u0: f64, %v0: f64, %h1: f64, %u1: f64, %v1: f64) {
      %i0, %i1 = func.call @inverses(%h0, %h1) : (f64, f64) -> (f64, f64)
      %middle = func.call @half_step(%h0, %h1, %v0, %v1) : (f64, f64, f64, f64) -> f64
      %side = arith.divf %one, %middle : f64
      %m, %l, %c = func.call @flow(%h0, %v0, %u0, %i0, %h1, %v1, %u1, %i1, %middle, %side)
          : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> (f64, f64, f64)
      soac.yield %m, %l, %c : f64, f64, f64
    }
    %mass_w, %along_w, %across_w = func.call @part(%mass, %along, %across, %c0, %c0, %n, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index, index, index, index)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    %mass_e, %along_e, %across_e = func.call @part(%mass, %along, %across, %c0, %c1, %n, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index, index, index, index)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    %hc, %uc, %vc = func.call @part(%h, %u, %v, %c1, %c1, %n, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index, index, index, index)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    %hn, %un, %vn = func.call @part(%h, %u, %v, %c0, %c1, %n, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index, index, index, index)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    %hs, %us, %vs = func.call @part(%h, %u, %v, %c2, %c1, %n, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index, index, index, index)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    %h_inner, %u_inner, %v_inner = soac.map %hc, %uc, %vc, %hn, %un, %vn, %hs, %us, %vs,
                                            %mass_w, %along_w, %across_w,
                                            %mass_e, %along_e, %across_e
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
           tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
           tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
           tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
        -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
        (%h0: f64, %u0: f64, %v0: f64, %h1: f64, %u1: f64, %v1: f64, %h2: f64, %u2: f64,
         %v2: f64, %mass3: f64, %along3: f64, %across3: f64, %mass4: f64, %along4: f64,
         %across4: f64) {
      %i0 = arith.divf %one, %h0 : f64
      %i1 = arith.divf %one, %h1 : f64
      %i2 = arith.divf %one, %h2 : f64
      %middle1 = func.call @half_step(%h1, %h0, %u1, %u0) : (f64, f64, f64, f64) -> f64
      %middle2 = func.call @half_step(%h0, %h2, %u0, %u2) : (f64, f64, f64, f64) -> f64
      %side1 = arith.divf %one, %middle1 : f64
      %side2 = arith.divf %one, %middle2 : f64
      // Through the sides in the north and the south, U flows along.
      %mass1, %along1, %across1 = func.call @flow(%h1, %u1, %v1, %i1, %h0, %u0, %v0, %i0,
                                                  %middle1, %side1)
          : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> (f64, f64, f64)
      %mass2, %along2, %across2 = func.call @flow(%h0, %u0, %v0, %i0, %h2, %u2, %v2, %i2,
                                                  %middle2, %side2)
          : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> (f64, f64, f64)
      %h_new = func.call @balance(%h0, %mass1, %mass2, %mass3, %mass4)
          : (f64, f64, f64, f64, f64) -> f64
      %u_new = func.call @balance(%u0, %along1, %along2, %across3, %across4)
          : (f64, f64, f64, f64, f64) -> f64
      %v_new = func.call @balance(%v0, %across1, %across2, %along3, %along4)
          : (f64, f64, f64, f64, f64) -> f64
      soac.yield %h_new, %u_new, %v_new : f64, f64, f64
    }
    %h_new = func.call @reflect(%h_inner, %h, %plus, %plus, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, f64, f64, index) -> tensor<?x?xf64>
    %u_new = func.call @reflect(%u_inner, %u, %minus, %plus, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, f64, f64, index) -> tensor<?x?xf64>
    %v_new = func.call @reflect(%v_inner, %v, %plus, %minus, %n)
        : (tensor<?x?xf64>, tensor<?x?xf64>, f64, f64, index) -> tensor<?x?xf64>
    scf.yield %h_new, %u_new, %v_new : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
  }
  return %result#0, %result#1, %result#2 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// Parts of three arrays: some rows and columns, from row i and column j on.
func.func private @part(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %z: tensor<?x?xf64>,
                        %i: index, %j: index, %rows: index, %columns: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %x_part, %y_part, %z_part = soac.slice %x, %y, %z [%i, %j] [%rows, %columns] [1, 1]
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %x_part, %y_part, %z_part : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// The inverses of two numbers, by one division.
func.func private @inverses(%x: f64, %y: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %product = arith.mulf %x, %y fastmath<contract> : f64
  %both = arith.divf %one, %product : f64
  %of_x = arith.mulf %both, %y fastmath<contract> : f64
  %of_y = arith.mulf %both, %x fastmath<contract> : f64
  return %of_x, %of_y : f64, f64
}

// Twice what flows through the side between two cells, half a step from now: mass, and
// momentum in the direction of the flow and across it. u is the momentum in that
// direction, i the inverse of the height; h is twice the height in the middle of the side.
func.func private @flow(%h0: f64, %u0: f64, %v0: f64, %i0: f64,
                        %h1: f64, %u1: f64, %v1: f64, %i1: f64, %h: f64, %i: f64)
    -> (f64, f64, f64) {
  %half_gravity = arith.constant 4.9 : f64
  // Of twice the height, the square is four times as large.
  %quarter_gravity = arith.constant 2.45 : f64
  %along0, %across0 = func.call @momentum(%half_gravity, %h0, %u0, %v0, %i0)
      : (f64, f64, f64, f64, f64) -> (f64, f64)
  %along1, %across1 = func.call @momentum(%half_gravity, %h1, %u1, %v1, %i1)
      : (f64, f64, f64, f64, f64) -> (f64, f64)
  %u = func.call @half_step(%u0, %u1, %along0, %along1) : (f64, f64, f64, f64) -> f64
  %v = func.call @half_step(%v0, %v1, %across0, %across1) : (f64, f64, f64, f64) -> f64
  %along, %across = func.call @momentum(%quarter_gravity, %h, %u, %v, %i)
      : (f64, f64, f64, f64, f64) -> (f64, f64)
  return %u, %along, %across : f64, f64, f64
}

// How much momentum flows: u²/h + p h² in the direction of the flow, and u v / h; i is 1/h.
func.func private @momentum(%p: f64, %h: f64, %u: f64, %v: f64, %i: f64) -> (f64, f64) {
  %velocity = arith.mulf %u, %i fastmath<contract> : f64
  %carried = arith.mulf %velocity, %u fastmath<contract> : f64
  %weight = arith.mulf %p, %h fastmath<contract> : f64
  %pressure = arith.mulf %weight, %h fastmath<contract> : f64
  %along = arith.addf %carried, %pressure fastmath<contract> : f64
  %across = arith.mulf %velocity, %v fastmath<contract> : f64
  return %along, %across : f64, f64
}

// Twice the mean, less half a step of change: x0 + x1 - k (f1 - f0).
func.func private @half_step(%x0: f64, %x1: f64, %f0: f64, %f1: f64) -> f64 {
  %k = arith.constant 0.02 : f64
  %sum = arith.addf %x0, %x1 fastmath<contract> : f64
  %difference = arith.subf %f1, %f0 fastmath<contract> : f64
  %change = arith.mulf %k, %difference fastmath<contract> : f64
  %x = arith.subf %sum, %change fastmath<contract> : f64
  return %x : f64
}

// x, less k times what flows out, plus k times what flows in; both are given twice.
func.func private @balance(%x: f64, %north: f64, %south: f64, %west: f64, %east: f64) -> f64 {
  %half_k = arith.constant 0.01 : f64
  %down = arith.subf %south, %north fastmath<contract> : f64
  %right = arith.subf %east, %west fastmath<contract> : f64
  %both = arith.addf %down, %right fastmath<contract> : f64
  %change = arith.mulf %half_k, %both fastmath<contract> : f64
  %new = arith.subf %x, %change fastmath<contract> : f64
  return %new : f64
}

// The array with new inner cells, and the border that mirrors the cells next to it: the
// first and last columns with the sign of columns, then rows with the sign of rows.
func.func private @reflect(%inner: tensor<?x?xf64>, %old: tensor<?x?xf64>,
                           %row_sign: f64, %column_sign: f64, %n: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %width = arith.addi %n, %c2 : index
  %last = arith.addi %n, %c1 : index
  %new = soac.update %inner into %old at [1, 1] strides [1, 1]
      : tensor<?x?xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
  %with_west = func.call @mirror_column(%new, %c1, %c0, %column_sign, %width)
      : (tensor<?x?xf64>, index, index, f64, index) -> tensor<?x?xf64>
  %with_east = func.call @mirror_column(%with_west, %n, %last, %column_sign, %width)
      : (tensor<?x?xf64>, index, index, f64, index) -> tensor<?x?xf64>
  %with_north = func.call @mirror_row(%with_east, %c1, %c0, %row_sign, %width)
      : (tensor<?x?xf64>, index, index, f64, index) -> tensor<?x?xf64>
  %with_south = func.call @mirror_row(%with_north, %n, %last, %row_sign, %width)
      : (tensor<?x?xf64>, index, index, f64, index) -> tensor<?x?xf64>
  return %with_south : tensor<?x?xf64>
}

// Puts one column, times a sign, in the place of another.
func.func private @mirror_column(%array: tensor<?x?xf64>, %from: index, %to: index,
                                 %sign: f64, %width: index) -> tensor<?x?xf64> {
  %column = soac.slice %array [0, %from] [%width, 1] [1, 1]
      : (tensor<?x?xf64>) -> tensor<?x1xf64>
  %mirrored = soac.map %column : (tensor<?x1xf64>) -> tensor<?x1xf64> (%x: f64) {
    %y = arith.mulf %sign, %x fastmath<contract> : f64
    soac.yield %y : f64
  }
  %new = soac.update %mirrored into %array at [0, %to] strides [1, 1]
      : tensor<?x1xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
  return %new : tensor<?x?xf64>
}

// The same for rows.
func.func private @mirror_row(%array: tensor<?x?xf64>, %from: index, %to: index,
                              %sign: f64, %width: index) -> tensor<?x?xf64> {
  %row = soac.slice %array [%from, 0] [1, %width] [1, 1]
      : (tensor<?x?xf64>) -> tensor<1x?xf64>
  %mirrored = soac.map %row : (tensor<1x?xf64>) -> tensor<1x?xf64> (%x: f64) {
    %y = arith.mulf %sign, %x fastmath<contract> : f64
    soac.yield %y : f64
  }
  %new = soac.update %mirrored into %array at [%to, 0] strides [1, 1]
      : tensor<1x?xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
  return %new : tensor<?x?xf64>
}
