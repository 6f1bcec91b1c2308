// Flow of a gas in a box of n × n × n cells that repeats itself in all directions, by the
// lattice Boltzmann method: `it` steps, with 19 directions (D3Q19) and the collisions of
// Bhatnagar, Gross and Krook. f[q, z, y, x] is how much moves in direction q at a cell.
//
// In a step, every cell pulls from its neighbours what moves towards it, and then moves
// all directions towards an equilibrium that depends on density and velocity. One map
// of 19 rotated arrays does both; its 19 results make up the new array.
//
//     q    0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18
//     x    0  1 -1  0  0  0  0  1 -1  1 -1  1 -1  1 -1  0  0  0  0
//     y    0  0  0  1 -1  0  0  1 -1 -1  1  0  0  0  0  1 -1  1 -1
//     z    0  0  0  0  0  1 -1  0  0  0  0  1 -1 -1  1  1 -1 -1  1
//
// From 1 on, directions 2k-1 and 2k are opposites.

!lattice = tensor<19x?x?x?xf64>
// One direction of it.
!layer = tensor<1x?x?x?xf64>

func.func @lbm(%f: !lattice, %n: index, %it: index) -> !lattice {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c18 = arith.constant 18 : index
  %one = arith.constant 1.0 : f64
  %minus_three_halves = arith.constant -1.5 : f64
  // The weights of directions are 1/3, 1/18 and 1/36; here they are multiplied by 0.6, the
  // part of a new number that comes from the equilibrium.
  %weight_rest = arith.constant 0.2 : f64
  %weight_axis = arith.constant 0.033333333333333333 : f64
  %weight_diagonal = arith.constant 0.016666666666666666 : f64
  %result = scf.for %step = %c0 to %it step %c1 iter_args(%old = %f) -> !lattice {
    %f0 = func.call @pull(%old, %c0, %c0, %c0, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f1 = func.call @pull(%old, %c1, %c0, %c0, %c1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f2 = func.call @pull(%old, %c2, %c0, %c0, %m1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f3 = func.call @pull(%old, %c3, %c0, %c1, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f4 = func.call @pull(%old, %c4, %c0, %m1, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f5 = func.call @pull(%old, %c5, %c1, %c0, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f6 = func.call @pull(%old, %c6, %m1, %c0, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f7 = func.call @pull(%old, %c7, %c0, %c1, %c1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f8 = func.call @pull(%old, %c8, %c0, %m1, %m1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f9 = func.call @pull(%old, %c9, %c0, %m1, %c1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f10 = func.call @pull(%old, %c10, %c0, %c1, %m1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f11 = func.call @pull(%old, %c11, %c1, %c0, %c1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f12 = func.call @pull(%old, %c12, %m1, %c0, %m1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f13 = func.call @pull(%old, %c13, %m1, %c0, %c1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f14 = func.call @pull(%old, %c14, %c1, %c0, %m1, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f15 = func.call @pull(%old, %c15, %c1, %c1, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f16 = func.call @pull(%old, %c16, %m1, %m1, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f17 = func.call @pull(%old, %c17, %m1, %c1, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %f18 = func.call @pull(%old, %c18, %c1, %m1, %c0, %n)
        : (!lattice, index, index, index, index, index) -> !layer
    %g0, %g1, %g2, %g3, %g4, %g5, %g6, %g7, %g8, %g9, %g10, %g11, %g12, %g13, %g14, %g15,
        %g16, %g17, %g18 = soac.map
        %f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9, %f10, %f11, %f12, %f13, %f14,
        %f15, %f16, %f17, %f18
        : (!layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer,
           !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer)
        -> (!layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer,
            !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer)
        (%s0: f64, %s1: f64, %s2: f64, %s3: f64, %s4: f64, %s5: f64, %s6: f64, %s7: f64,
         %s8: f64, %s9: f64, %s10: f64, %s11: f64, %s12: f64, %s13: f64, %s14: f64,
         %s15: f64, %s16: f64, %s17: f64, %s18: f64) {
      // Density: the sums of opposites, and then of all.
      %both1 = arith.addf %s1, %s2 fastmath<contract> : f64
      %both3 = arith.addf %s3, %s4 fastmath<contract> : f64
      %both5 = arith.addf %s5, %s6 fastmath<contract> : f64
      %both7 = arith.addf %s7, %s8 fastmath<contract> : f64
      %both9 = arith.addf %s9, %s10 fastmath<contract> : f64
      %both11 = arith.addf %s11, %s12 fastmath<contract> : f64
      %both13 = arith.addf %s13, %s14 fastmath<contract> : f64
      %both15 = arith.addf %s15, %s16 fastmath<contract> : f64
      %both17 = arith.addf %s17, %s18 fastmath<contract> : f64
      %rho1 = arith.addf %s0, %both1 fastmath<contract> : f64
      %rho3 = arith.addf %rho1, %both3 fastmath<contract> : f64
      %rho5 = arith.addf %rho3, %both5 fastmath<contract> : f64
      %rho7 = arith.addf %rho5, %both7 fastmath<contract> : f64
      %rho9 = arith.addf %rho7, %both9 fastmath<contract> : f64
      %rho11 = arith.addf %rho9, %both11 fastmath<contract> : f64
      %rho13 = arith.addf %rho11, %both13 fastmath<contract> : f64
      %rho15 = arith.addf %rho13, %both15 fastmath<contract> : f64
      %rho = arith.addf %rho15, %both17 fastmath<contract> : f64
      // Velocity: what moves in one direction, less what moves in the opposite one.
      // Divisions take longest, so there is only one.
      %inverse = arith.divf %one, %rho : f64
      %net1 = arith.subf %s1, %s2 fastmath<contract> : f64
      %net3 = arith.subf %s3, %s4 fastmath<contract> : f64
      %net5 = arith.subf %s5, %s6 fastmath<contract> : f64
      %net7 = arith.subf %s7, %s8 fastmath<contract> : f64
      %net9 = arith.subf %s9, %s10 fastmath<contract> : f64
      %net11 = arith.subf %s11, %s12 fastmath<contract> : f64
      %net13 = arith.subf %s13, %s14 fastmath<contract> : f64
      %net15 = arith.subf %s15, %s16 fastmath<contract> : f64
      %net17 = arith.subf %s17, %s18 fastmath<contract> : f64
      %flow_x7 = arith.addf %net1, %net7 fastmath<contract> : f64
      %flow_x9 = arith.addf %flow_x7, %net9 fastmath<contract> : f64
      %flow_x11 = arith.addf %flow_x9, %net11 fastmath<contract> : f64
      %flow_x = arith.addf %flow_x11, %net13 fastmath<contract> : f64
      %ux = arith.mulf %flow_x, %inverse fastmath<contract> : f64
      %flow_y7 = arith.addf %net3, %net7 fastmath<contract> : f64
      %flow_y15 = arith.addf %flow_y7, %net15 fastmath<contract> : f64
      %flow_y17 = arith.addf %flow_y15, %net17 fastmath<contract> : f64
      %flow_y = arith.subf %flow_y17, %net9 fastmath<contract> : f64
      %uy = arith.mulf %flow_y, %inverse fastmath<contract> : f64
      %flow_z11 = arith.addf %net5, %net11 fastmath<contract> : f64
      %flow_z15 = arith.addf %flow_z11, %net15 fastmath<contract> : f64
      %flow_z13 = arith.subf %flow_z15, %net13 fastmath<contract> : f64
      %flow_z = arith.subf %flow_z13, %net17 fastmath<contract> : f64
      %uz = arith.mulf %flow_z, %inverse fastmath<contract> : f64
      // 1 - 3/2 |u|²
      %uxx = arith.mulf %ux, %ux fastmath<contract> : f64
      %uyy = arith.mulf %uy, %uy fastmath<contract> : f64
      %uzz = arith.mulf %uz, %uz fastmath<contract> : f64
      %uxy2 = arith.addf %uxx, %uyy fastmath<contract> : f64
      %uxyz2 = arith.addf %uxy2, %uzz fastmath<contract> : f64
      %slower = arith.mulf %minus_three_halves, %uxyz2 fastmath<contract> : f64
      %base = arith.addf %one, %slower fastmath<contract> : f64
      %rest = arith.mulf %weight_rest, %rho fastmath<contract> : f64
      %axis = arith.mulf %weight_axis, %rho fastmath<contract> : f64
      %diagonal = arith.mulf %weight_diagonal, %rho fastmath<contract> : f64
      // Velocities along the diagonals.
      %along7 = arith.addf %ux, %uy fastmath<contract> : f64
      %along9 = arith.subf %ux, %uy fastmath<contract> : f64
      %along11 = arith.addf %ux, %uz fastmath<contract> : f64
      %along13 = arith.subf %ux, %uz fastmath<contract> : f64
      %along15 = arith.addf %uy, %uz fastmath<contract> : f64
      %along17 = arith.subf %uy, %uz fastmath<contract> : f64
      %even0 = arith.mulf %rest, %base fastmath<contract> : f64
      %r0 = func.call @mix(%s0, %even0) : (f64, f64) -> f64
      %r1, %r2 = func.call @relax_pair(%s1, %s2, %axis, %base, %ux)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r3, %r4 = func.call @relax_pair(%s3, %s4, %axis, %base, %uy)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r5, %r6 = func.call @relax_pair(%s5, %s6, %axis, %base, %uz)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r7, %r8 = func.call @relax_pair(%s7, %s8, %diagonal, %base, %along7)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r9, %r10 = func.call @relax_pair(%s9, %s10, %diagonal, %base, %along9)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r11, %r12 = func.call @relax_pair(%s11, %s12, %diagonal, %base, %along11)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r13, %r14 = func.call @relax_pair(%s13, %s14, %diagonal, %base, %along13)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r15, %r16 = func.call @relax_pair(%s15, %s16, %diagonal, %base, %along15)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      %r17, %r18 = func.call @relax_pair(%s17, %s18, %diagonal, %base, %along17)
          : (f64, f64, f64, f64, f64) -> (f64, f64)
      soac.yield %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13,
          %r14, %r15, %r16, %r17, %r18
          : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
            f64, f64, f64
    }
    %new = soac.concat %g0, %g1, %g2, %g3, %g4, %g5, %g6, %g7, %g8, %g9, %g10, %g11, %g12,
        %g13, %g14, %g15, %g16, %g17, %g18 dim 0
        : (!layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer,
           !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer, !layer)
        -> !lattice
    scf.yield %new : !lattice
  }
  return %result : !lattice
}

// What comes to each cell in direction q, from the neighbour in the opposite direction.
func.func private @pull(%f: !lattice, %q: index, %z: index, %y: index, %x: index, %n: index)
    -> !layer {
  %c0 = arith.constant 0 : index
  %layer = soac.slice %f [%q, 0, 0, 0] [1, %n, %n, %n] [1, 1, 1, 1] : (!lattice) -> !layer
  %dz = arith.subi %c0, %z : index
  %dy = arith.subi %c0, %y : index
  %dx = arith.subi %c0, %x : index
  %pulled = soac.rotate %layer by [0, %dz, %dy, %dx] : (!layer) -> !layer
  return %pulled : !layer
}

// Moves s, and t in the opposite direction, towards their equilibria by a factor of 0.6,
// which w_rho has in it: w ρ (1 - 3/2 |u|² + 9/2 c² ± 3 c), where c is the velocity in the
// direction of s. All but 3 c is the same for both.
func.func private @relax_pair(%s: f64, %t: f64, %w_rho: f64, %base: f64, %c: f64)
    -> (f64, f64) {
  %three = arith.constant 3.0 : f64
  %nine_halves = arith.constant 4.5 : f64
  %square = arith.mulf %c, %c fastmath<contract> : f64
  %quadratic = arith.mulf %nine_halves, %square fastmath<contract> : f64
  %both = arith.addf %base, %quadratic fastmath<contract> : f64
  %even = arith.mulf %w_rho, %both fastmath<contract> : f64
  %slope = arith.mulf %three, %w_rho fastmath<contract> : f64
  %odd = arith.mulf %slope, %c fastmath<contract> : f64
  %along = arith.addf %even, %odd fastmath<contract> : f64
  %against = arith.subf %even, %odd fastmath<contract> : f64
  %s_new = func.call @mix(%s, %along) : (f64, f64) -> f64
  %t_new = func.call @mix(%t, %against) : (f64, f64) -> f64
  return %s_new, %t_new : f64, f64
}

// 0.4 s, and 0.6 of the equilibrium, which is given.
func.func private @mix(%s: f64, %equilibrium: f64) -> f64 {
  %kept = arith.constant 0.4 : f64
  %own = arith.mulf %kept, %s fastmath<contract> : f64
  %new = arith.addf %own, %equilibrium fastmath<contract> : f64
  return %new : f64
}
