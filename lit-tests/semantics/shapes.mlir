// Shapes that are known only when the program runs.

// S8, S9: a size of one is not stretched.
// RUN: comb run %s --entry same --target interp -i x=iota:i32[3] -i y=iota:i32[3] | FileCheck %s --check-prefix=same
// RUN: comb run %s --entry same --target cpu -i x=iota:i32[3] -i y=iota:i32[3] | FileCheck %s --check-prefix=same
// RUN: not comb run %s --entry same --target interp -i x=iota:i32[3] -i y=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=different
// RUN: not comb run %s --entry same --target cpu -i x=iota:i32[3] -i y=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=different
// RUN: not comb run %s --entry same --target interp -i x=iota:i32[3] -i y=iota:i32[1] 2>&1 | FileCheck %s --check-prefix=one
// RUN: not comb run %s --entry same --target cpu -i x=iota:i32[3] -i y=iota:i32[1] 2>&1 | FileCheck %s --check-prefix=one
// same: result: tensor<3xi32> = [0 2 4]
// different: error: {{.*}}shapes.mlir:[[@LINE+3]]:{{[0-9]+}}: 'soac.map' op operands 0 and 1 have different shapes: [3] and [4]
// one: 'soac.map' op operands 0 and 1 have different shapes: [3] and [1]
func.func @same(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %z = soac.map %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %z : tensor<?xi32>
}

// S13: arithmetic on arrays needs one shape, too.
// RUN: comb run %s --entry whole --target interp -i x=iota:f32[2,2] -i y=ones:f32[2,2] | FileCheck %s --check-prefix=whole
// RUN: comb run %s --entry whole --target cpu -i x=iota:f32[2,2] -i y=ones:f32[2,2] | FileCheck %s --check-prefix=whole
// RUN: not comb run %s --entry whole --target interp -i x=iota:f32[2,2] -i y=ones:f32[2,1] 2>&1 | FileCheck %s --check-prefix=whole_different
// RUN: not comb run %s --entry whole --target cpu -i x=iota:f32[2,2] -i y=ones:f32[2,1] 2>&1 | FileCheck %s --check-prefix=whole_different
// whole: result: tensor<2x2xf32> =
// whole-NEXT: {{[[][[]}}1.0 2.0]
// whole-NEXT: [3.0 4.0]{{[]]}}
// whole_different: error: {{.*}}different shapes: [2, 2] and [2, 1]
func.func @whole(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = arith.addf %x, %y : tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}

// S10, S11: the size of a new array. 2^59 elements with sizes of zero counted as one.
// RUN: comb run %s --entry iota --target interp -i n=0 -i m=3 | FileCheck %s --check-prefix=iota
// RUN: comb run %s --entry iota --target cpu -i n=0 -i m=3 | FileCheck %s --check-prefix=iota
// RUN: not comb run %s --entry iota --target interp -i n=-1 -i m=3 2>&1 | FileCheck %s --check-prefix=negative
// RUN: not comb run %s --entry iota --target cpu -i n=-1 -i m=3 2>&1 | FileCheck %s --check-prefix=negative
// RUN: not comb run %s --entry iota --target interp -i n=0 -i m=576460752303423489 2>&1 | FileCheck %s --check-prefix=too_many
// RUN: not comb run %s --entry iota --target cpu -i n=0 -i m=576460752303423489 2>&1 | FileCheck %s --check-prefix=too_many
// RUN: not comb run %s --entry iota --target interp -i n=4294967296 -i m=4294967296 2>&1 | FileCheck %s --check-prefix=product
// RUN: not comb run %s --entry iota --target cpu -i n=4294967296 -i m=4294967296 2>&1 | FileCheck %s --check-prefix=product
// RUN: comb run %s --entry iota --target interp -i n=0 -i m=576460752303423488 | FileCheck %s --check-prefix=most
// RUN: comb run %s --entry iota --target cpu -i n=0 -i m=576460752303423488 | FileCheck %s --check-prefix=most
// iota: result: tensor<0x3xi32> = []
// negative: error: {{.*}}'soac.iota' op size 0 is negative: -1
// too_many: error: {{.*}}'soac.iota' op gives an array of shape [0, 576460752303423489], which has too many elements
// product: error: {{.*}}'soac.iota' op gives an array of shape [4294967296, 4294967296], which has too many elements
// most: result: tensor<0x576460752303423488xi32> = []
func.func @iota(%n: index, %m: index) -> tensor<?x?xi32> {
  %x = soac.iota [%n, %m] dim 0 : tensor<?x?xi32>
  return %x : tensor<?x?xi32>
}

// S11: arrays from outside.
// RUN: not comb run %s --entry given --target interp -i x=zeros:i32[4611686018427387904,0] 2>&1 | FileCheck %s --check-prefix=given
// RUN: not comb run %s --entry given --target cpu -i x=zeros:i32[4611686018427387904,0] 2>&1 | FileCheck %s --check-prefix=given
// RUN: comb build %s --entry given -o %t --emit executable
// RUN: not %t -i x=zeros:i32[4611686018427387904,0] 2>&1 | FileCheck %s --check-prefix=given
// RUN: not %t -i x=zeros:i32[2147483648,0,2147483648] 2>&1 | FileCheck %s --check-prefix=rank
// RUN: comb run %s --entry given --target interp -i x=zeros:i32[0,576460752303423488] | FileCheck %s --check-prefix=given_most
// RUN: comb run %s --entry given --target cpu -i x=zeros:i32[0,576460752303423488] | FileCheck %s --check-prefix=given_most
// given: error: no room for parameter 'x' of @given: an array of type tensor<4611686018427387904x0xi32> has too many elements
// rank: error: 'zeros:i32[2147483648,0,2147483648]' makes tensor<2147483648x0x2147483648xi32>, but parameter 'x' of @given is tensor<?x?xi32>
// given_most: result: tensor<0xi32> = []
func.func @given(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// S12
// RUN: comb run %s --entry claimed --target interp -i x=iota:i32[3] | FileCheck %s --check-prefix=claimed
// RUN: comb run %s --entry claimed --target cpu -i x=iota:i32[3] | FileCheck %s --check-prefix=claimed
// RUN: not comb run %s --entry claimed --target interp -i x=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=claimed_wrong
// RUN: not comb run %s --entry claimed --target cpu -i x=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=claimed_wrong
// claimed: result: tensor<3xi32> = [0 1 2]
// claimed_wrong: error: {{.*}}'soac.map' op size 4 of dimension 0 of result 0 is not 3
func.func @claimed(%x: tensor<?xi32>) -> tensor<3xi32> {
  %z = soac.map %x : (tensor<?xi32>) -> tensor<3xi32> (%a: i32) {
    soac.yield %a : i32
  }
  return %z : tensor<3xi32>
}

// S12
// RUN: comb run %s --entry cast --target interp -i x=iota:i32[3] | FileCheck %s --check-prefix=cast
// RUN: comb run %s --entry cast --target cpu -i x=iota:i32[3] | FileCheck %s --check-prefix=cast
// RUN: not comb run %s --entry cast --target interp -i x=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=cast_wrong
// RUN: not comb run %s --entry cast --target cpu -i x=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=cast_wrong
// cast: result: tensor<3xi32> = [0 1 2]
// cast_wrong: error: {{.*}}'tensor.cast' op size 4 of dimension 0 is not 3
func.func @cast(%x: tensor<?xi32>) -> tensor<3xi32> {
  %z = tensor.cast %x : tensor<?xi32> to tensor<3xi32>
  return %z : tensor<3xi32>
}

// S12
// RUN: comb run %s --entry inner --target interp -i x=iota:index[1] -i n=1 | FileCheck %s --check-prefix=inner
// RUN: comb run %s --entry inner --target cpu -i x=iota:index[1] -i n=1 | FileCheck %s --check-prefix=inner
// RUN: not comb run %s --entry inner --target interp -i x=iota:index[2] -i n=1 2>&1 | FileCheck %s --check-prefix=inner_wrong
// RUN: not comb run %s --entry inner --target cpu -i x=iota:index[2] -i n=1 2>&1 | FileCheck %s --check-prefix=inner_wrong
// inner: result: tensor<1x1xi32> =
// inner_wrong: error: {{.*}}'soac.map' op yields array 0 with size 2 in dimension 0, but 'inner' says 1
func.func @inner(%x: tensor<?xindex>, %n: index) -> tensor<?x?xi32> {
  %one = arith.constant 1 : index
  %y = soac.map %x outer 1 inner (%n) : (tensor<?xindex>) -> tensor<?x?xi32> (%i: index) {
    %m = arith.addi %i, %one : index
    %row = soac.iota [%m] dim 0 : tensor<?xi32>
    soac.yield %row : tensor<?xi32>
  }
  return %y : tensor<?x?xi32>
}
