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

// S35: of two zeros, the one without a sign is the greater, in every type, for
// one number and for many.
// RUN: comb run %s --entry zeros --target interp -i n=9 -i a=-0 -i b=0 | FileCheck %s --check-prefix=zeros
// RUN: comb run %s --entry zeros --target cpu -i n=9 -i a=-0 -i b=0 | FileCheck %s --check-prefix=zeros
// RUN: comb run %s --entry zeros --target interp -i n=9 -i a=0 -i b=-0 | FileCheck %s --check-prefix=zeros
// RUN: comb run %s --entry zeros --target cpu -i n=9 -i a=0 -i b=-0 | FileCheck %s --check-prefix=zeros
// zeros: result0: tensor<9xf16> = [0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0]
// zeros-NEXT: result1: tensor<9xbf16> = [-0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0]
// zeros-NEXT: result2: tensor<9xf32> = [0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0]
// zeros-NEXT: result3: tensor<9xf64> = [-0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0]
// zeros-NEXT: result4: f64 = 0.0
// zeros-NEXT: result5: f32 = -0.0
// zeros-NEXT: result6: bf16 = 0.0
// zeros-NEXT: result7: f16 = -0.0
func.func @zeros(%n: index, %a: f64, %b: f64) -> (tensor<?xf16>, tensor<?xbf16>, tensor<?xf32>, tensor<?xf64>, f64, f32, bf16, f16) {
  %a16 = arith.truncf %a : f64 to f16
  %b16 = arith.truncf %b : f64 to f16
  %abf = arith.truncf %a : f64 to bf16
  %bbf = arith.truncf %b : f64 to bf16
  %a32 = arith.truncf %a : f64 to f32
  %b32 = arith.truncf %b : f64 to f32
  %x16, %xbf, %x32, %x64 = soac.fill %a16, %abf, %a32, %a [%n] : (f16, bf16, f32, f64) -> (tensor<?xf16>, tensor<?xbf16>, tensor<?xf32>, tensor<?xf64>)
  %0 = soac.map %x16 : (tensor<?xf16>) -> tensor<?xf16> (%x: f16) {
    %m = arith.maximumf %x, %b16 : f16
    soac.yield %m : f16
  }
  %1 = soac.map %xbf : (tensor<?xbf16>) -> tensor<?xbf16> (%x: bf16) {
    %m = arith.minimumf %x, %bbf : bf16
    soac.yield %m : bf16
  }
  %2 = soac.map %x32 : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %m = arith.maxnumf %x, %b32 : f32
    soac.yield %m : f32
  }
  %3 = soac.map %x64 : (tensor<?xf64>) -> tensor<?xf64> (%x: f64) {
    %m = arith.minnumf %x, %b : f64
    soac.yield %m : f64
  }
  %4 = arith.maximumf %a, %b : f64
  %5 = arith.minimumf %a32, %b32 : f32
  %6 = arith.maxnumf %abf, %bbf : bf16
  %7 = arith.minnumf %a16, %b16 : f16
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<?xf16>, tensor<?xbf16>, tensor<?xf32>, tensor<?xf64>, f64, f32, bf16, f16
}

// S35: where one number is known not to be NaN.
// RUN: comb run %s --entry one_number --target interp -i a=-2 | FileCheck %s --check-prefix=one_number
// RUN: comb run %s --entry one_number --target cpu -i a=-2 | FileCheck %s --check-prefix=one_number
// one_number: result0: f64 = -2.0
// one_number-NEXT: result1: f64 = -2.0
func.func @one_number(%a: i32) -> (f64, f64) {
  %x = arith.sitofp %a : i32 to f64
  %nan = math.sqrt %x : f64
  %0 = arith.maxnumf %x, %nan : f64
  %1 = arith.minnumf %nan, %x : f64
  return %0, %1 : f64, f64
}

// S36: close to the true value; the last bits are left open here, and measured in
// math/accuracy.test. Special values are in math/special-values.mlir.
// RUN: comb run %s --entry library --target interp -i a=1 | FileCheck %s --check-prefix=library
// RUN: comb run %s --entry library --target cpu -i a=1 | FileCheck %s --check-prefix=library
// library: result0: f64 = 2.71828182845{{[0-9]+}}
// library-NEXT: result1: f64 = 0.84147098480{{[0-9]+}}
func.func @library(%a: f64) -> (f64, f64) {
  %0 = math.exp %a : f64
  %1 = math.sin %a : f64
  return %0, %1 : f64, f64
}

// Kinds of numbers: zero, the greatest subnormal number, the least normal one, the least of all,
// infinities, and NaN. The first bound of `math.clampf` is the upper one.
// RUN: comb run %s --entry kinds_of_f16 --target interp | FileCheck %s --check-prefix=kinds
// RUN: comb run %s --entry kinds_of_f16 --target cpu | FileCheck %s --check-prefix=kinds
// RUN: comb run %s --entry kinds_of_bf16 --target interp | FileCheck %s --check-prefix=kinds
// RUN: comb run %s --entry kinds_of_bf16 --target cpu | FileCheck %s --check-prefix=kinds
// RUN: comb run %s --entry kinds_of_f32 --target interp | FileCheck %s --check-prefix=kinds
// RUN: comb run %s --entry kinds_of_f32 --target cpu | FileCheck %s --check-prefix=kinds
// RUN: comb run %s --entry kinds_of_f64 --target interp | FileCheck %s --check-prefix=kinds
// RUN: comb run %s --entry kinds_of_f64 --target cpu | FileCheck %s --check-prefix=kinds
// kinds: result0: tensor<7xi1> = [false false false false  true  true false]
// kinds-NEXT: result1: tensor<7xi1> = [false false  true  true false false false]
// kinds-NEXT: result2: tensor<7xi1> = [ true  true  true  true false false false]
// kinds-NEXT: result3: tensor<7xi1> = [false false false false false false  true]
// kinds-NEXT: result4: tensor<4x{{.*}}> = [-1.0 {{ *}}2.0 {{ *}}-1.0 {{ *}}nan]
func.func @kinds_of_f16() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xf16>) {
  %x = arith.constant dense<[0x0000, 0x03FF, 0x0400, 0xFBFF, 0x7C00, 0xFC00, 0x7E00]> : tensor<7xf16>
  %inf = math.isinf %x : tensor<7xf16>
  %normal = math.isnormal %x : tensor<7xf16>
  %finite = math.isfinite %x : tensor<7xf16>
  %nan = math.isnan %x : tensor<7xf16>
  %upper = arith.constant dense<2.0> : tensor<4xf16>
  %lower = arith.constant dense<-1.0> : tensor<4xf16>
  %large = soac.drop %x [3] : (tensor<7xf16>) -> tensor<4xf16>
  %clamped = math.clampf %large to [%upper, %lower] : tensor<4xf16>
  return %inf, %normal, %finite, %nan, %clamped : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xf16>
}

func.func @kinds_of_bf16() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xbf16>) {
  %x = arith.constant dense<[0x0000, 0x007F, 0x0080, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %inf = math.isinf %x : tensor<7xbf16>
  %normal = math.isnormal %x : tensor<7xbf16>
  %finite = math.isfinite %x : tensor<7xbf16>
  %nan = math.isnan %x : tensor<7xbf16>
  %upper = arith.constant dense<2.0> : tensor<4xbf16>
  %lower = arith.constant dense<-1.0> : tensor<4xbf16>
  %large = soac.drop %x [3] : (tensor<7xbf16>) -> tensor<4xbf16>
  %clamped = math.clampf %large to [%upper, %lower] : tensor<4xbf16>
  return %inf, %normal, %finite, %nan, %clamped : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xbf16>
}

func.func @kinds_of_f32() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xf32>) {
  %x = arith.constant dense<[0x00000000, 0x007FFFFF, 0x00800000, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %inf = math.isinf %x : tensor<7xf32>
  %normal = math.isnormal %x : tensor<7xf32>
  %finite = math.isfinite %x : tensor<7xf32>
  %nan = math.isnan %x : tensor<7xf32>
  %upper = arith.constant dense<2.0> : tensor<4xf32>
  %lower = arith.constant dense<-1.0> : tensor<4xf32>
  %large = soac.drop %x [3] : (tensor<7xf32>) -> tensor<4xf32>
  %clamped = math.clampf %large to [%upper, %lower] : tensor<4xf32>
  return %inf, %normal, %finite, %nan, %clamped : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xf32>
}

func.func @kinds_of_f64() -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xf64>) {
  %x = arith.constant dense<[0x0000000000000000, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %inf = math.isinf %x : tensor<7xf64>
  %normal = math.isnormal %x : tensor<7xf64>
  %finite = math.isfinite %x : tensor<7xf64>
  %nan = math.isnan %x : tensor<7xf64>
  %upper = arith.constant dense<2.0> : tensor<4xf64>
  %lower = arith.constant dense<-1.0> : tensor<4xf64>
  %large = soac.drop %x [3] : (tensor<7xf64>) -> tensor<4xf64>
  %clamped = math.clampf %large to [%upper, %lower] : tensor<4xf64>
  return %inf, %normal, %finite, %nan, %clamped : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<4xf64>
}
