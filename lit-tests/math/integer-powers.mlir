// S36: powers with integer exponents are rounded once, and have the sign of an odd one.

// RUN: comb run %s --entry f64 --target interp -i a=-1 -i n=9223372036854775807 | FileCheck %s --check-prefix=odd
// RUN: comb run %s --entry f64 -i a=-1 -i n=9223372036854775807 | FileCheck %s --check-prefix=odd
// odd: result: f64 = -1.0
// RUN: comb run %s --entry f64 -i a=-0.0 -i n=-9007199254740993 | FileCheck %s --check-prefix=pole
// pole: result: f64 = -inf
// RUN: comb run %s --entry f64 -i a=nan -i n=0 | FileCheck %s --check-prefix=one
// one: result: f64 = 1.0
// e to the power of 2.05 * 10^-16 times the exponent; half as much is lost by rounding the exponent.
// RUN: comb run %s --entry f64 -i a=1.0000000000000002220446 -i n=1000000000000000511 | FileCheck %s --check-prefix=long
// long: result: f64 = 2.70861110897{{[0-9]+}}e96
func.func @f64(%a: f64, %n: i64) -> f64 {
  %r = math.fpowi %a, %n : f64, i64
  return %r : f64
}

// RUN: comb run %s --entry half -i a=1.5 -i b=1.5 -i n=7 | FileCheck %s --check-prefix=half
// RUN: comb run %s --entry half -O 0 -i a=1.5 -i b=1.5 -i n=7 | FileCheck %s --check-prefix=half
// half: result0: f16 = 17.1
// half-NEXT: result1: bf16 = 17.1
func.func @half(%a: f16, %b: bf16, %n: i32) -> (f16, bf16) {
  %r = math.fpowi %a, %n : f16, i32
  %s = math.fpowi %b, %n : bf16, i32
  return %r, %s : f16, bf16
}

// RUN: comb run %s --entry map -i x=iota:f32[4] -i n=iota:i8[4] | FileCheck %s --check-prefix=map
// map: result0: tensor<4xf32> = [ 1.0  1.0  4.0 27.0]
// map: result1: tensor<4xf32> = [       inf        1.0        0.5 0.33333334]
func.func @map(%x: tensor<?xf32>, %n: tensor<?xi8>) -> (tensor<?xf32>, tensor<?xf32>) {
  %minus = arith.constant -1 : i32
  %r, %s = soac.map %x, %n : (tensor<?xf32>, tensor<?xi8>) -> (tensor<?xf32>, tensor<?xf32>) (%a: f32, %b: i8) {
    %p = math.fpowi %a, %b : f32, i8
    %q = math.fpowi %a, %minus : f32, i32
    soac.yield %p, %q : f32, f32
  }
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}
