// Arrays without elements, in the interpreter and compiled.

// S15: a fold of no elements is the neutral element, for each of the others.
// RUN: comb run %s --entry folds --target interp -i x=zeros:i32[3,0] -i y=zeros:i32[0,3] | FileCheck %s --check-prefix=folds
// RUN: comb run %s --entry folds --target cpu -i x=zeros:i32[3,0] -i y=zeros:i32[0,3] | FileCheck %s --check-prefix=folds
// folds: result0: tensor<3xi32> = [7 7 7]
// folds-NEXT: result1: tensor<0xi32> = []
// folds-NEXT: result2: tensor<i32> = 7
func.func @folds(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<i32>) {
  %seven = arith.constant 7 : i32
  %a = soac.fold %x neutral %seven : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%p: i32, %q: i32) {
    %m = arith.minsi %p, %q : i32
    soac.yield %m : i32
  }
  %b = soac.fold %y neutral %seven : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%p: i32, %q: i32) {
    %m = arith.minsi %p, %q : i32
    soac.yield %m : i32
  }
  %c = soac.fold %y neutral %seven inner 2 : (tensor<?x?xi32>, i32) -> tensor<i32> (%p: i32, %q: i32) {
    %m = arith.minsi %p, %q : i32
    soac.yield %m : i32
  }
  return %a, %b, %c : tensor<?xi32>, tensor<?xi32>, tensor<i32>
}

// S3, S14: the lambda, and the division by zero in it, does not run.
// RUN: comb run %s --entry lambda --target interp -i x=zeros:i32[0,4] -i zero=0 | FileCheck %s --check-prefix=lambda
// RUN: comb run %s --entry lambda --target cpu -i x=zeros:i32[0,4] -i zero=0 | FileCheck %s --check-prefix=lambda
// lambda: result: tensor<0x4xi32> = []
func.func @lambda(%x: tensor<?x4xi32>, %zero: i32) -> tensor<?x4xi32> {
  %y = soac.map %x : (tensor<?x4xi32>) -> tensor<?x4xi32> (%a: i32) {
    %q = arith.divsi %a, %zero : i32
    soac.yield %q : i32
  }
  return %y : tensor<?x4xi32>
}

// S16
// RUN: comb run %s --entry nothing --target interp -i x=zeros:i32[0] -i is=zeros:index[0] -i d=iota:i32[3] | FileCheck %s --check-prefix=nothing
// RUN: comb run %s --entry nothing --target cpu -i x=zeros:i32[0] -i is=zeros:index[0] -i d=iota:i32[3] | FileCheck %s --check-prefix=nothing
// nothing: result0: tensor<0xi32> = []
// nothing-NEXT: result1: tensor<0xi32> = []
// nothing-NEXT: result2: tensor<0xi32> = []
// nothing-NEXT: result3: tensor<3xi32> = [0 1 2]
func.func @nothing(%x: tensor<?xi32>, %is: tensor<?xindex>, %d: tensor<?xi32>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %scan = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %filter = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %keep = arith.cmpi eq, %a, %zero : i32
    soac.yield %keep : i1
  }
  %gather = soac.gather %d at %is : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %scatter = soac.scatter %x into %d at %is : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %scan, %filter, %gather, %scatter : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// S16: a slice of size zero is in range wherever it starts.
// RUN: comb run %s --entry slices --target interp -i d=iota:i32[3] -i far=-9223372036854775808 -i n=0 | FileCheck %s --check-prefix=slices
// RUN: comb run %s --entry slices --target cpu -i d=iota:i32[3] -i far=-9223372036854775808 -i n=0 | FileCheck %s --check-prefix=slices
// slices: result0: tensor<0xi32> = []
// slices-NEXT: result1: tensor<0xi32> = []
// slices-NEXT: result2: tensor<3xi32> = [0 1 2]
func.func @slices(%d: tensor<?xi32>, %far: index, %n: index) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %a = soac.slice %d [%far] [%n] [%far] : (tensor<?xi32>) -> tensor<?xi32>
  %b = soac.lmad_slice %d offset [%far] sizes [%n] strides [%far] : tensor<?xi32> -> tensor<?xi32>
  %c = soac.update %a into %d at [%far] strides [%far] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %a, %b, %c : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// S14: arrays whose types say that they are empty, among others of the same
// shape whose types do not.
// RUN: comb run %s --entry half_known --target interp -i x=zeros:f32[0,4] -i y=zeros:f32[0,4] -i is=zeros:index[0] -i js=zeros:index[0] -i n=0 | FileCheck %s --check-prefix=half_known
// RUN: comb run %s --entry half_known --target cpu -i x=zeros:f32[0,4] -i y=zeros:f32[0,4] -i is=zeros:index[0] -i js=zeros:index[0] -i n=0 | FileCheck %s --check-prefix=half_known
// half_known: result0: tensor<0x2xf32> = []
// half_known-NEXT: result1: tensor<0x2xf32> = []
// half_known-NEXT: result2: tensor<0x8xf32> = []
// half_known-NEXT: result3: tensor<0xf32> = []
// half_known-NEXT: result4: tensor<0xf32> = []
// half_known-NEXT: result5: tensor<0x4xf32> = []
func.func @half_known(%x: tensor<?x4xf32>, %y: tensor<0x4xf32>, %is: tensor<?xindex>, %js: tensor<0xindex>, %n: index)
    -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>) {
  %a, %b = soac.take %x, %y [%n, 2] : (tensor<?x4xf32>, tensor<0x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
  %c = soac.concat %y, %x dim 1 : (tensor<0x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %p, %q = soac.gather %x, %y at %is, %js : (tensor<?x4xf32>, tensor<0x4xf32>, tensor<?xindex>, tensor<0xindex>) -> (tensor<?xf32>, tensor<?xf32>)
  %d = soac.take %p [] : (tensor<?xf32>) -> tensor<?xf32>
  %e = soac.update %y into %x at [%n, 0] strides [1, 1] : tensor<0x4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>
  return %a, %b, %c, %d, %q, %e : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>
}

// S14: other sizes take no time.
// RUN: comb run %s --entry rows --target interp -i x=zeros:f32[576460752303423488,0] | FileCheck %s --check-prefix=rows
// RUN: comb run %s --entry rows --target cpu -i x=zeros:f32[576460752303423488,0] | FileCheck %s --check-prefix=rows
// RUN: comb run %s --entry rows --target cpu -O 0 --fusion off -i x=zeros:f32[576460752303423488,0] | FileCheck %s --check-prefix=rows
// RUN: comb run %s --entry rows --target cpu --json -i x=zeros:f32[576460752303423488,0] | FileCheck %s --check-prefix=json
// RUN: comb run %s --entry rows --target cpu -i x=zeros:f32[576460752303423488,0] -o result0=%t.npy | FileCheck %s --check-prefix=file
// RUN: comb run %s --entry rows --target cpu -i x=%t.npy | FileCheck %s --check-prefix=rows
// rows: result0: tensor<576460752303423488x0xf32> = []
// rows-NEXT: result1: tensor<0x576460752303423488xf32> = []
// rows-NEXT: result2: tensor<0x576460752303423488xf32> = []
// json: "abbreviated": "[]"
// file: result0: tensor<576460752303423488x0xf32> written to
func.func @rows(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %m = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %s = arith.addf %a, %a : f32
    soac.yield %s : f32
  }
  %t = soac.transpose %m [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = soac.scanl %t neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?x?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %m, %t, %s : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
