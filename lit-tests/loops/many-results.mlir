// Many results that are written past the caches, to addresses that differ by multiples of 1 KiB, or not.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefix=CALL

func.func @layers(%x: tensor<16x?x?xf64>, %n: index, %m: index) -> tensor<16x?x?xf64> {
  %x0 = soac.slice %x [0, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x1 = soac.slice %x [1, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x2 = soac.slice %x [2, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x3 = soac.slice %x [3, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x4 = soac.slice %x [4, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x5 = soac.slice %x [5, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x6 = soac.slice %x [6, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x7 = soac.slice %x [7, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x8 = soac.slice %x [8, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x9 = soac.slice %x [9, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x10 = soac.slice %x [10, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x11 = soac.slice %x [11, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x12 = soac.slice %x [12, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x13 = soac.slice %x [13, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x14 = soac.slice %x [14, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %x15 = soac.slice %x [15, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %r:16 = soac.map
      %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15
      : (tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>)
      -> (tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
          tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
          tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
          tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>)
      (%e0: f64, %e1: f64, %e2: f64, %e3: f64, %e4: f64, %e5: f64, %e6: f64, %e7: f64,
       %e8: f64, %e9: f64, %e10: f64, %e11: f64, %e12: f64, %e13: f64, %e14: f64, %e15: f64) {
    %s1 = arith.addf %e0, %e1 : f64
    %s2 = arith.addf %s1, %e2 : f64
    %s3 = arith.addf %s2, %e3 : f64
    %s4 = arith.addf %s3, %e4 : f64
    %s5 = arith.addf %s4, %e5 : f64
    %s6 = arith.addf %s5, %e6 : f64
    %s7 = arith.addf %s6, %e7 : f64
    %s8 = arith.addf %s7, %e8 : f64
    %s9 = arith.addf %s8, %e9 : f64
    %s10 = arith.addf %s9, %e10 : f64
    %s11 = arith.addf %s10, %e11 : f64
    %s12 = arith.addf %s11, %e12 : f64
    %s13 = arith.addf %s12, %e13 : f64
    %s14 = arith.addf %s13, %e14 : f64
    %s15 = arith.addf %s14, %e15 : f64
    %z0 = arith.mulf %e0, %s15 : f64
    %z1 = arith.mulf %e1, %s15 : f64
    %z2 = arith.mulf %e2, %s15 : f64
    %z3 = arith.mulf %e3, %s15 : f64
    %z4 = arith.mulf %e4, %s15 : f64
    %z5 = arith.mulf %e5, %s15 : f64
    %z6 = arith.mulf %e6, %s15 : f64
    %z7 = arith.mulf %e7, %s15 : f64
    %z8 = arith.mulf %e8, %s15 : f64
    %z9 = arith.mulf %e9, %s15 : f64
    %z10 = arith.mulf %e10, %s15 : f64
    %z11 = arith.mulf %e11, %s15 : f64
    %z12 = arith.mulf %e12, %s15 : f64
    %z13 = arith.mulf %e13, %s15 : f64
    %z14 = arith.mulf %e14, %s15 : f64
    %z15 = arith.mulf %e15, %s15 : f64
    soac.yield %z0, %z1, %z2, %z3, %z4, %z5, %z6, %z7, %z8, %z9, %z10, %z11, %z12, %z13, %z14, %z15
        : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  }
  %all = soac.concat
      %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13,
      %r#14, %r#15 dim 0
      : (tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>) -> tensor<16x?x?xf64>
  return %all : tensor<16x?x?xf64>
}

// CALL-LABEL: layers random:f64[16,4,32]:1 4 32
// CALL-LABEL: layers random:f64[16,3,256]:1 3 256
// Addresses that are not alike.
// CALL-LABEL: layers random:f64[16,3,40]:1 3 40
// Rows that are no whole lines.
// CALL-LABEL: layers random:f64[16,128,31]:1 128 31

// Indices that wrap around at the ends of rows.
// CALL-LABEL: rotated random:f64[16,3,256]:2 3 256
// CALL-LABEL: rotated random:f64[16,16,8]:2 16 8
func.func @rotated(%x: tensor<16x?x?xf64>, %n: index, %m: index) -> tensor<16x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %x0 = soac.slice %x [0, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y0 = soac.rotate %x0 by [0, %c1, %c0] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x1 = soac.slice %x [1, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y1 = soac.rotate %x1 by [0, %c0, %c1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x2 = soac.slice %x [2, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y2 = soac.rotate %x2 by [0, %m1, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x3 = soac.slice %x [3, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y3 = soac.rotate %x3 by [0, %c0, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x4 = soac.slice %x [4, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y4 = soac.rotate %x4 by [0, %c1, %c0] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x5 = soac.slice %x [5, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y5 = soac.rotate %x5 by [0, %c0, %c1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x6 = soac.slice %x [6, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y6 = soac.rotate %x6 by [0, %m1, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x7 = soac.slice %x [7, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y7 = soac.rotate %x7 by [0, %c0, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x8 = soac.slice %x [8, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y8 = soac.rotate %x8 by [0, %c1, %c0] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x9 = soac.slice %x [9, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y9 = soac.rotate %x9 by [0, %c0, %c1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x10 = soac.slice %x [10, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y10 = soac.rotate %x10 by [0, %m1, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x11 = soac.slice %x [11, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y11 = soac.rotate %x11 by [0, %c0, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x12 = soac.slice %x [12, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y12 = soac.rotate %x12 by [0, %c1, %c0] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x13 = soac.slice %x [13, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y13 = soac.rotate %x13 by [0, %c0, %c1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x14 = soac.slice %x [14, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y14 = soac.rotate %x14 by [0, %m1, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %x15 = soac.slice %x [15, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<16x?x?xf64>) -> tensor<1x?x?xf64>
  %y15 = soac.rotate %x15 by [0, %c0, %m1] : (tensor<1x?x?xf64>) -> tensor<1x?x?xf64>
  %r:16 = soac.map
      %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12, %y13, %y14, %y15
      : (tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>)
      -> (tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
          tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
          tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
          tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>)
      (%e0: f64, %e1: f64, %e2: f64, %e3: f64, %e4: f64, %e5: f64, %e6: f64, %e7: f64,
       %e8: f64, %e9: f64, %e10: f64, %e11: f64, %e12: f64, %e13: f64, %e14: f64, %e15: f64) {
    %s1 = arith.addf %e0, %e1 : f64
    %s2 = arith.addf %s1, %e2 : f64
    %s3 = arith.addf %s2, %e3 : f64
    %s4 = arith.addf %s3, %e4 : f64
    %s5 = arith.addf %s4, %e5 : f64
    %s6 = arith.addf %s5, %e6 : f64
    %s7 = arith.addf %s6, %e7 : f64
    %s8 = arith.addf %s7, %e8 : f64
    %s9 = arith.addf %s8, %e9 : f64
    %s10 = arith.addf %s9, %e10 : f64
    %s11 = arith.addf %s10, %e11 : f64
    %s12 = arith.addf %s11, %e12 : f64
    %s13 = arith.addf %s12, %e13 : f64
    %s14 = arith.addf %s13, %e14 : f64
    %s15 = arith.addf %s14, %e15 : f64
    %z0 = arith.mulf %e0, %s15 : f64
    %z1 = arith.mulf %e1, %s15 : f64
    %z2 = arith.mulf %e2, %s15 : f64
    %z3 = arith.mulf %e3, %s15 : f64
    %z4 = arith.mulf %e4, %s15 : f64
    %z5 = arith.mulf %e5, %s15 : f64
    %z6 = arith.mulf %e6, %s15 : f64
    %z7 = arith.mulf %e7, %s15 : f64
    %z8 = arith.mulf %e8, %s15 : f64
    %z9 = arith.mulf %e9, %s15 : f64
    %z10 = arith.mulf %e10, %s15 : f64
    %z11 = arith.mulf %e11, %s15 : f64
    %z12 = arith.mulf %e12, %s15 : f64
    %z13 = arith.mulf %e13, %s15 : f64
    %z14 = arith.mulf %e14, %s15 : f64
    %z15 = arith.mulf %e15, %s15 : f64
    soac.yield %z0, %z1, %z2, %z3, %z4, %z5, %z6, %z7, %z8, %z9, %z10, %z11, %z12, %z13, %z14, %z15
        : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  }
  %all = soac.concat
      %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13,
      %r#14, %r#15 dim 0
      : (tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>,
         tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>, tensor<1x?x?xf64>) -> tensor<16x?x?xf64>
  return %all : tensor<16x?x?xf64>
}
