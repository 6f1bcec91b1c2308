// S33: `arith.truncf` rounds in the direction that it names. 0.1 is not a number of these types, and
// lies above the nearest f16, but below the nearest bf16 and f32.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: directions 0.1
// GIVES: result0: tensor<2xi32> = [1036831948 1036831948]
// GIVES-NEXT: result1: tensor<2xi32> = [1036831949 1036831949]
// GIVES-NEXT: result2: tensor<2xi16> = [11878 11878]
// GIVES-NEXT: result3: tensor<2xi16> = [11879 11879]
// GIVES-NEXT: result4: tensor<2xi16> = [15820 15820]
// GIVES-NEXT: result5: tensor<2xi16> = [15821 15821]
func.func @directions(%number: f64) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>) {
  %two = tensor.from_elements %number, %number : tensor<2xf64>
  %x = tensor.cast %two : tensor<2xf64> to tensor<?xf64>
  %a, %b, %c, %d, %e, %f = soac.map %x : (tensor<?xf64>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>) (%n: f64) {
    %0 = arith.truncf %n downward : f64 to f32
    %1 = arith.truncf %n upward : f64 to f32
    %2 = arith.truncf %n toward_zero : f64 to f16
    %3 = arith.truncf %n upward : f64 to f16
    %4 = arith.truncf %n downward : f64 to bf16
    %5 = arith.truncf %n to_nearest_away : f64 to bf16
    %6 = arith.bitcast %0 : f32 to i32
    %7 = arith.bitcast %1 : f32 to i32
    %8 = arith.bitcast %2 : f16 to i16
    %9 = arith.bitcast %3 : f16 to i16
    %10 = arith.bitcast %4 : bf16 to i16
    %11 = arith.bitcast %5 : bf16 to i16
    soac.yield %6, %7, %8, %9, %10, %11 : i32, i32, i16, i16, i16, i16
  }
  return %a, %b, %c, %d, %e, %f : tensor<?xi32>, tensor<?xi32>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>
}

// Ties, overflow, zeros and infinities: 1 + 2^-8 lies in the middle between two bf16.
// CALL-LABEL: scalar 1.00390625
// GIVES: result0: i16 = 16256
// GIVES-NEXT: result1: i16 = 16257
// GIVES-NEXT: result2: i16 = 16256
// GIVES-NEXT: result3: i16 = 16256
// GIVES-NEXT: result4: i16 = 16257
// CALL-LABEL: scalar -3.4e38
// GIVES: result0: i16 = -128
// GIVES-NEXT: result1: i16 = -129
// GIVES-NEXT: result2: i16 = -129
// CALL-LABEL: scalar -1e-45
// GIVES: result0: i16 = -32767
// GIVES-NEXT: result1: i16 = -32768
// GIVES-NEXT: result2: i16 = -32768
// CALL-LABEL: scalar inf
// GIVES: result0: i16 = 32640
// GIVES-NEXT: result1: i16 = 32640
// GIVES-NEXT: result2: i16 = 32640
func.func @scalar(%x: f32) -> (i16, i16, i16, i16, i16) {
  %0 = arith.truncf %x downward : f32 to bf16
  %1 = arith.truncf %x upward : f32 to bf16
  %2 = arith.truncf %x toward_zero : f32 to bf16
  %3 = arith.truncf %x to_nearest_even : f32 to bf16
  %4 = arith.truncf %x to_nearest_away : f32 to bf16
  %5 = arith.bitcast %0 : bf16 to i16
  %6 = arith.bitcast %1 : bf16 to i16
  %7 = arith.bitcast %2 : bf16 to i16
  %8 = arith.bitcast %3 : bf16 to i16
  %9 = arith.bitcast %4 : bf16 to i16
  return %5, %6, %7, %8, %9 : i16, i16, i16, i16, i16
}
