// Floating-point arithmetic.

// S33: rounded in the type that is written, after each operation. In f32,
// 16777216 + 1 is 16777216 (even); reassociated, adding 1 twice would give
// 16777218. The least subnormal number is not flushed to zero.
// RUN: comb run %s --entry rounding --target interp -i big=16777216 -i one=1 -i h=2048 -i tiny=1e-45 | FileCheck %s --check-prefix=rounding
// RUN: comb run %s --entry rounding --target cpu -i big=16777216 -i one=1 -i h=2048 -i tiny=1e-45 | FileCheck %s --check-prefix=rounding
// rounding: result0: f32 = 16777216.0
// rounding-NEXT: result1: f32 = 16777216.0
// rounding-NEXT: result2: f16 = 2048.0
// rounding-NEXT: result3: i1 = true
func.func @rounding(%big: f32, %one: f32, %h: f16, %tiny: f32) -> (f32, f32, f16, i1) {
  %half = arith.constant 1.0 : f16
  %zero = arith.constant 0.0 : f32
  %0 = arith.addf %big, %one : f32
  %1 = arith.addf %0, %one : f32
  %2 = arith.addf %h, %half : f16
  %3 = arith.mulf %tiny, %one : f32
  %4 = arith.cmpf ogt, %3, %zero : f32
  return %0, %1, %2, %4 : f32, f32, f16, i1
}

// S33: a * a - c with c = a * a rounded is 0, unless contracted.
// RUN: comb run %s --entry contracted --target interp -i a=1.0001 | FileCheck %s --check-prefix=contracted
// RUN: comb run %s --entry contracted --target cpu -i a=1.0001 | FileCheck %s --check-prefix=contracted
// contracted: result: f32 = 0.0
func.func @contracted(%a: f32) -> f32 {
  %p = arith.mulf %a, %a : f32
  %q = soac.generate [1] : tensor<1xf32> (%i: index) {
    %r = arith.mulf %a, %a : f32
    soac.yield %r : f32
  }
  %f = soac.force %q : tensor<1xf32>
  %z = arith.constant 0 : index
  %c = tensor.extract %f[%z] : tensor<1xf32>
  %s = arith.subf %p, %c : f32
  return %s : f32
}

// S34
// RUN: comb run %s --entry convert --target interp -i a=3e9 | FileCheck %s --check-prefix=convert
// RUN: comb run %s --entry convert --target cpu -i a=3e9 | FileCheck %s --check-prefix=convert
// RUN: comb run %s --entry convert --target interp -i a=-1000.7 | FileCheck %s --check-prefix=convert_small
// RUN: comb run %s --entry convert --target cpu -i a=-1000.7 | FileCheck %s --check-prefix=convert_small
// RUN: comb run %s --entry convert --target interp -i a=nan | FileCheck %s --check-prefix=convert_nan
// RUN: comb run %s --entry convert --target cpu -i a=nan | FileCheck %s --check-prefix=convert_nan
// RUN: comb run %s --entry convert --target interp -i a=-0.9 | FileCheck %s --check-prefix=convert_truncates
// RUN: comb run %s --entry convert --target cpu -i a=-0.9 | FileCheck %s --check-prefix=convert_truncates
// convert: result0: i8 = 127
// convert-NEXT: result1: i8 = -1
// convert-NEXT: result2: i32 = 2147483647
// convert_small: result0: i8 = -128
// convert_small-NEXT: result1: i8 = 0
// convert_small-NEXT: result2: i32 = -1000
// convert_nan: result0: i8 = 0
// convert_nan-NEXT: result1: i8 = 0
// convert_nan-NEXT: result2: i32 = 0
// convert_truncates: result0: i8 = 0
// convert_truncates-NEXT: result1: i8 = 0
// convert_truncates-NEXT: result2: i32 = 0
func.func @convert(%a: f32) -> (i8, i8, i32) {
  %0 = arith.fptosi %a : f32 to i8
  %1 = arith.fptoui %a : f32 to i8
  %2 = arith.fptosi %a : f32 to i32
  return %0, %1, %2 : i8, i8, i32
}

// S35
// RUN: comb run %s --entry maximum --target interp -i a=nan -i b=1 | FileCheck %s --check-prefix=maximum
// RUN: comb run %s --entry maximum --target cpu -i a=nan -i b=1 | FileCheck %s --check-prefix=maximum
// RUN: comb run %s --entry maximum --target interp -i a=1 -i b=nan | FileCheck %s --check-prefix=maximum
// RUN: comb run %s --entry maximum --target cpu -i a=1 -i b=nan | FileCheck %s --check-prefix=maximum
// maximum: result0: f32 = {{-?}}nan
// maximum-NEXT: result1: f32 = {{-?}}nan
// maximum-NEXT: result2: f32 = 1.0
// maximum-NEXT: result3: f32 = 1.0
func.func @maximum(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.maxnumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// S35: folds, with a NaN at the place given, in a long array.
// RUN: comb run %s --entry folds --target interp -i n=1000 -i at=0 | FileCheck %s --check-prefix=folds
// RUN: comb run %s --entry folds --target cpu -i n=1000 -i at=0 | FileCheck %s --check-prefix=folds
// RUN: comb run %s --entry folds --target interp -i n=1000 -i at=517 | FileCheck %s --check-prefix=folds
// RUN: comb run %s --entry folds --target cpu -i n=1000 -i at=517 | FileCheck %s --check-prefix=folds
// RUN: comb run %s --entry folds --target interp -i n=1000 -i at=999 | FileCheck %s --check-prefix=folds
// RUN: comb run %s --entry folds --target cpu -i n=1000 -i at=999 | FileCheck %s --check-prefix=folds
// folds: result0: tensor<f32> = {{-?}}nan
// folds-NEXT: result1: tensor<f32> = 2000
func.func @folds(%n: index, %at: index) -> (tensor<f32>, tensor<f32>) {
  %least = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %v = arith.constant 2000.0 : f32
  %x = soac.fill %v [%n] : (f32) -> tensor<?xf32>
  %y = tensor.insert %nan into %x[%at] : tensor<?xf32>
  %a = soac.fold %y neutral %least : (tensor<?xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %m = arith.maximumf %p, %q : f32
    soac.yield %m : f32
  }
  %b = soac.fold %y neutral %nan : (tensor<?xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %m = arith.maxnumf %p, %q : f32
    soac.yield %m : f32
  }
  return %a, %b : tensor<f32>, tensor<f32>
}

// S36: close to the true value; the last bits are left open.
// RUN: comb run %s --entry library --target interp -i a=1 | FileCheck %s --check-prefix=library
// RUN: comb run %s --entry library --target cpu -i a=1 | FileCheck %s --check-prefix=library
// library: result0: f64 = 2.71828182845{{[0-9]+}}
// library-NEXT: result1: f64 = 0.84147098480{{[0-9]+}}
func.func @library(%a: f64) -> (f64, f64) {
  %0 = math.exp %a : f64
  %1 = math.sin %a : f64
  return %0, %1 : f64, f64
}
