// RUN: comb-opt %s --comb-set-machine=facts=fma=true -comb-expand-math | FileCheck %s --check-prefixes=CHECK,FMA --implicit-check-not="math.{{(a?(sin|cos|tan)h?|sincos|atan2|expm?[12]?|log(2|10|1p)?|powf|rsqrt|cbrt|erfc?) .*f(32|64)}}"
// RUN: comb-opt %s --comb-set-machine=facts=fma=true -comb-expand-math=mode=fast | FileCheck %s --check-prefixes=CHECK,FMA --implicit-check-not="math.{{(a?(sin|cos|tan)h?|sincos|atan2|expm?[12]?|log(2|10|1p)?|powf|rsqrt|cbrt|erfc?) .*f(32|64)}}"
// RUN: comb-opt %s -comb-expand-math | FileCheck %s --implicit-check-not=math.fma --implicit-check-not="math.{{(a?(sin|cos|tan)h?|sincos|atan2|expm?[12]?|log(2|10|1p)?|powf|rsqrt|cbrt|erfc?) .*f(32|64)}}"
// RUN: not comb-opt %s -comb-expand-math=mode=quick 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not comb-opt %s -comb-expand-math=mode= 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not comb-opt %s -comb-cpu=math=quick 2>&1 | FileCheck %s --check-prefix=MODE

// MODE: error: comb-expand-math: mode is 'precise' or 'fast', not 'quick'
// EMPTY: error: comb-expand-math: mode is 'precise' or 'fast', not ''

// No function is left, and fused multiply-add is there only for CPUs that have it.

// CHECK-LABEL: @exponentials
// FMA:           math.fma %{{.*}} : vector<8xf64>
// CHECK:         return
func.func @exponentials(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %exp_x = math.exp %x : vector<16xf32>
  %exp_y = math.exp %y : vector<8xf64>
  %exp_z = math.exp %z : f32
  %exp2_x = math.exp2 %x : vector<16xf32>
  %exp2_y = math.exp2 %y : vector<8xf64>
  %exp2_z = math.exp2 %z : f32
  %expm1_x = math.expm1 %x : vector<16xf32>
  %expm1_y = math.expm1 %y : vector<8xf64>
  %expm1_z = math.expm1 %z : f32
  return %exp_x, %exp_y, %exp_z, %exp2_x, %exp2_y, %exp2_z, %expm1_x, %expm1_y, %expm1_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @logarithms
// FMA:           math.fma %{{.*}} : vector<8xf64>
// CHECK:         return
func.func @logarithms(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %log_x = math.log %x : vector<16xf32>
  %log_y = math.log %y : vector<8xf64>
  %log_z = math.log %z : f32
  %log2_x = math.log2 %x : vector<16xf32>
  %log2_y = math.log2 %y : vector<8xf64>
  %log2_z = math.log2 %z : f32
  %log10_x = math.log10 %x : vector<16xf32>
  %log10_y = math.log10 %y : vector<8xf64>
  %log10_z = math.log10 %z : f32
  %log1p_x = math.log1p %x : vector<16xf32>
  %log1p_y = math.log1p %y : vector<8xf64>
  %log1p_z = math.log1p %z : f32
  return %log_x, %log_y, %log_z, %log2_x, %log2_y, %log2_z, %log10_x, %log10_y, %log10_z, %log1p_x, %log1p_y, %log1p_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @trigonometric
// CHECK:         vector.reduction <or>, %{{.*}} : vector<16xi1> into i1
// CHECK:         scf.if
// CHECK:         arith.select %{{.*}} : vector<16xi1>
// FMA:           math.fma %{{.*}} : vector<8xf64>
// CHECK:         return
func.func @trigonometric(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %sin_x = math.sin %x : vector<16xf32>
  %sin_y = math.sin %y : vector<8xf64>
  %sin_z = math.sin %z : f32
  %cos_x = math.cos %x : vector<16xf32>
  %cos_y = math.cos %y : vector<8xf64>
  %cos_z = math.cos %z : f32
  %tan_x = math.tan %x : vector<16xf32>
  %tan_y = math.tan %y : vector<8xf64>
  %tan_z = math.tan %z : f32
  return %sin_x, %sin_y, %sin_z, %cos_x, %cos_y, %cos_z, %tan_x, %tan_y, %tan_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @inverse_trigonometric
// FMA:           math.fma %{{.*}} : vector<8xf64>
// CHECK:         return
func.func @inverse_trigonometric(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %asin_x = math.asin %x : vector<16xf32>
  %asin_y = math.asin %y : vector<8xf64>
  %asin_z = math.asin %z : f32
  %acos_x = math.acos %x : vector<16xf32>
  %acos_y = math.acos %y : vector<8xf64>
  %acos_z = math.acos %z : f32
  %atan_x = math.atan %x : vector<16xf32>
  %atan_y = math.atan %y : vector<8xf64>
  %atan_z = math.atan %z : f32
  return %asin_x, %asin_y, %asin_z, %acos_x, %acos_y, %acos_z, %atan_x, %atan_y, %atan_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @hyperbolic
// FMA:           math.fma %{{.*}} : vector<8xf64>
// CHECK:         return
func.func @hyperbolic(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %sinh_x = math.sinh %x : vector<16xf32>
  %sinh_y = math.sinh %y : vector<8xf64>
  %sinh_z = math.sinh %z : f32
  %cosh_x = math.cosh %x : vector<16xf32>
  %cosh_y = math.cosh %y : vector<8xf64>
  %cosh_z = math.cosh %z : f32
  %tanh_x = math.tanh %x : vector<16xf32>
  %tanh_y = math.tanh %y : vector<8xf64>
  %tanh_z = math.tanh %z : f32
  return %sinh_x, %sinh_y, %sinh_z, %cosh_x, %cosh_y, %cosh_z, %tanh_x, %tanh_y, %tanh_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @inverse_hyperbolic
// FMA:           math.fma %{{.*}} : vector<8xf64>
// CHECK:         return
func.func @inverse_hyperbolic(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %asinh_x = math.asinh %x : vector<16xf32>
  %asinh_y = math.asinh %y : vector<8xf64>
  %asinh_z = math.asinh %z : f32
  %acosh_x = math.acosh %x : vector<16xf32>
  %acosh_y = math.acosh %y : vector<8xf64>
  %acosh_z = math.acosh %z : f32
  %atanh_x = math.atanh %x : vector<16xf32>
  %atanh_y = math.atanh %y : vector<8xf64>
  %atanh_z = math.atanh %z : f32
  return %asinh_x, %asinh_y, %asinh_z, %acosh_x, %acosh_y, %acosh_z, %atanh_x, %atanh_y, %atanh_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @error_functions
// FMA:           math.fma %{{.*}} : vector<8xf64>
// CHECK:         return
func.func @error_functions(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %erf_x = math.erf %x : vector<16xf32>
  %erf_y = math.erf %y : vector<8xf64>
  %erf_z = math.erf %z : f32
  %erfc_x = math.erfc %x : vector<16xf32>
  %erfc_y = math.erfc %y : vector<8xf64>
  %erfc_z = math.erfc %z : f32
  return %erf_x, %erf_y, %erf_z, %erfc_x, %erfc_y, %erfc_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @roots
// CHECK:         return
func.func @roots(%x: vector<16xf32>, %y: vector<8xf64>, %z: f32) -> (vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32) {
  %rsqrt_x = math.rsqrt %x : vector<16xf32>
  %rsqrt_y = math.rsqrt %y : vector<8xf64>
  %rsqrt_z = math.rsqrt %z : f32
  %cbrt_x = math.cbrt %x : vector<16xf32>
  %cbrt_y = math.cbrt %y : vector<8xf64>
  %cbrt_z = math.cbrt %z : f32
  return %rsqrt_x, %rsqrt_y, %rsqrt_z, %cbrt_x, %cbrt_y, %cbrt_z : vector<16xf32>, vector<8xf64>, f32, vector<16xf32>, vector<8xf64>, f32
}

// CHECK-LABEL: @binary
// CHECK:         return
func.func @binary(%x: vector<16xf32>, %y: f64) -> (vector<16xf32>, f64) {
  %0 = math.powf %x, %x : vector<16xf32>
  %1 = math.atan2 %y, %y : f64
  return %0, %1 : vector<16xf32>, f64
}

// The condition of a large argument is reduced over all dimensions.
// CHECK-LABEL: @shapes
// CHECK:         vector.shape_cast %{{.*}} : vector<2x8xi1> to vector<16xi1>
// CHECK:         vector.shape_cast %{{.*}} : vector<i1> to vector<1xi1>
// CHECK:         vector.reduction <or>, %{{.*}} : vector<[4]xi1> into i1
func.func @shapes(%x: vector<2x8xf64>, %y: vector<f32>, %z: vector<[4]xf32>)
    -> (vector<2x8xf64>, vector<2x8xf64>, vector<f32>, vector<[4]xf32>) {
  %0, %1 = math.sincos %x : vector<2x8xf64>
  %2 = math.tan %y : vector<f32>
  %3 = math.cos %z : vector<[4]xf32>
  return %0, %1, %2, %3 : vector<2x8xf64>, vector<2x8xf64>, vector<f32>, vector<[4]xf32>
}

// In the precise mode, f32 is computed in f64, and so it is in each mode for powers.
// CHECK-LABEL: @wider
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         arith.truncf %{{.*}} : f64 to f32
func.func @wider(%x: f32) -> f32 {
  %0 = math.powf %x, %x : f32
  return %0 : f32
}

// What is no function of these types stays.
// CHECK-LABEL: @others
// CHECK-NEXT:    math.sqrt %{{.*}} : vector<4xf32>
// CHECK-NEXT:    math.floor %{{.*}} : f64
// CHECK-NEXT:    math.exp %{{.*}} : f16
// CHECK-NEXT:    math.fpowi
func.func @others(%x: vector<4xf32>, %y: f64, %z: f16, %i: i32) -> (vector<4xf32>, f64, f16, f64) {
  %0 = math.sqrt %x : vector<4xf32>
  %1 = math.floor %y : f64
  %2 = math.exp %z : f16
  %3 = math.fpowi %y, %i : f64, i32
  return %0, %1, %2, %3 : vector<4xf32>, f64, f16, f64
}
