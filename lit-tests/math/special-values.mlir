// S36: infinities, NaN and signed zeros through the whole compiler, in both modes, and
// without fused multiply-add.
// RUN: comb run %s --entry logarithms | FileCheck %s --check-prefix=logarithms
// RUN: comb run %s --entry logarithms --math fast | FileCheck %s --check-prefix=logarithms
// RUN: comb run %s --entry logarithms -O 0 | FileCheck %s --check-prefix=logarithms
// logarithms: result: tensor<5xf32> = [-inf -inf  nan  inf  nan]
func.func @logarithms() -> tensor<5xf32> {
  %x = arith.constant dense<[0.0, -0.0, -1.0, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %r = soac.map %x : (tensor<5xf32>) -> tensor<5xf32> (%a: f32) {
    %l = math.log %a : f32
    soac.yield %l : f32
  }
  return %r : tensor<5xf32>
}

// RUN: comb run %s --entry exponentials | FileCheck %s --check-prefix=exponentials
// RUN: comb run %s --entry exponentials --math fast | FileCheck %s --check-prefix=exponentials
// exponentials: result: tensor<6xf64> = [1.0 1.0 inf 0.0 inf nan]
func.func @exponentials() -> tensor<6xf64> {
  %x = arith.constant dense<[0.0, -0.0, 1.0e3, -1.0e3, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<6xf64>
  %r = soac.map %x : (tensor<6xf64>) -> tensor<6xf64> (%a: f64) {
    %e = math.exp %a : f64
    soac.yield %e : f64
  }
  return %r : tensor<6xf64>
}

// A NaN to the power of 0 is 1; -8 to a power that is no integer is NaN.
// RUN: comb run %s --entry powers | FileCheck %s --check-prefix=powers
// RUN: comb run %s --entry powers --math fast | FileCheck %s --check-prefix=powers
// powers: result: tensor<6xf64> = [   1.0    1.0    nan -512.0   -inf    0.0]
func.func @powers() -> tensor<6xf64> {
  %x = arith.constant dense<[0x7FF8000000000000, 1.0, -8.0, -8.0, -0.0, 0.5]> : tensor<6xf64>
  %y = arith.constant dense<[0.0, 0x7FF8000000000000, 0.5, 3.0, -3.0, 0x7FF0000000000000]> : tensor<6xf64>
  %r = soac.map %x, %y : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64> (%a: f64, %b: f64) {
    %p = math.powf %a, %b : f64
    soac.yield %p : f64
  }
  return %r : tensor<6xf64>
}

// The sine of 2^120, whose last digits take the bits of pi around the 120th.
// RUN: comb run %s --entry large -i x=1329227995784915872903807060280344576 -i y=1329227995784915872903807060280344576 -i inf=inf | FileCheck %s --check-prefix=large
// RUN: comb run %s --entry large --math fast -i x=1329227995784915872903807060280344576 -i y=1329227995784915872903807060280344576 -i inf=inf | FileCheck %s --check-prefix=large
// large: result0: f32 = 0.377820{{[0-9]+}}
// large-NEXT: result1: f64 = 0.37782010936075{{[0-9]+}}
// large-NEXT: result2: f64 = nan
func.func @large(%x: f32, %y: f64, %inf: f64) -> (f32, f64, f64) {
  %0 = math.sin %x : f32
  %1 = math.sin %y : f64
  %2 = math.sin %inf : f64
  return %0, %1, %2 : f32, f64, f64
}
