// Arrays that are known to have no elements, joined, padded, and with other shapes.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: join iota:i32[3,2] zeros:i32[0,2] zeros:i32[1,0]
// GIVES: result0: tensor<3x2xi32>
// GIVES: result1: tensor<2x0xi32> = []
// GIVES: result2: tensor<6x2xi32>
func.func @join(%x: tensor<3x2xi32>, %none: tensor<0x2xi32>, %row: tensor<1x0xi32>) -> (tensor<3x2xi32>, tensor<2x0xi32>, tensor<6x2xi32>) {
  %a = tensor.concat dim(0) %x, %none : (tensor<3x2xi32>, tensor<0x2xi32>) -> tensor<3x2xi32>
  %b = tensor.concat dim(0) %row, %row : (tensor<1x0xi32>, tensor<1x0xi32>) -> tensor<2x0xi32>
  %c = tensor.concat dim(0) %none, %x, %none, %x : (tensor<0x2xi32>, tensor<3x2xi32>, tensor<0x2xi32>, tensor<3x2xi32>) -> tensor<6x2xi32>
  return %a, %b, %c : tensor<3x2xi32>, tensor<2x0xi32>, tensor<6x2xi32>
}

// CALL-LABEL: shapes zeros:f32[0,4] zeros:f32[0,2,3] 0
// GIVES: result0: tensor<0xf32> = []
// GIVES: result1: tensor<0x6xf32> = []
// GIVES: result2: tensor<0x4x2xf32> = []
// GIVES: result3: tensor<4x0xf32> = []
func.func @shapes(%x: tensor<0x?xf32>, %y: tensor<0x?x?xf32>, %n: index) -> (tensor<?xf32>, tensor<0x?xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>) {
  %a = tensor.collapse_shape %x [[0, 1]] : tensor<0x?xf32> into tensor<?xf32>
  %b = tensor.collapse_shape %y [[0], [1, 2]] : tensor<0x?x?xf32> into tensor<0x?xf32>
  %four = arith.constant 4 : index
  %c = tensor.expand_shape %a [[0, 1, 2]] output_shape [%n, %four, 2] : tensor<?xf32> into tensor<?x?x2xf32>
  %list = tensor.from_elements %four, %n : tensor<2xindex>
  %d = tensor.reshape %x(%list) : (tensor<0x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %a, %b, %c, %d : tensor<?xf32>, tensor<0x?xf32>, tensor<?x?x2xf32>, tensor<?x?xf32>
}

// All rows are left out, then there are new ones; and the last part of an array has no elements.
// CALL-LABEL: parts iota:i32[2,3]
// GIVES: result0: tensor<2x4xi32> = {{\[}}[0 1 2 3] [1 2 3 4]]
// GIVES: result1: tensor<2x0xi32> = []
// GIVES: result2: tensor<2x3xi32>
func.func @parts(%x: tensor<2x3xi32>) -> (tensor<?x4xi32>, tensor<?x?xi32>, tensor<2x3xi32>) {
  %less = arith.constant -2 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : index
  %a = tensor.pad %x low[%less, 1] high[%two, 0] {
  ^bb0(%i: index, %j: index):
    %sum = arith.addi %i, %j : index
    %value = arith.index_cast %sum : index to i32
    tensor.yield %value : i32
  } : tensor<2x3xi32> to tensor<?x4xi32>
  %b = tensor.extract_slice %x[0, %three] [%two, %zero] [1, 1] : tensor<2x3xi32> to tensor<?x?xi32>
  %c = tensor.insert_slice %b into %x[0, %three] [%two, %zero] [1, 1] : tensor<?x?xi32> into tensor<2x3xi32>
  return %a, %b, %c : tensor<?x4xi32>, tensor<?x?xi32>, tensor<2x3xi32>
}

// Elements that combinators do not have.
// RUN: comb run %s --entry wide -i n=5 | FileCheck %s --check-prefix=wide
// RUN: comb run %s --entry wide -O 0 -i n=5 | FileCheck %s --check-prefix=wide
// wide: result: i32 = 5
func.func @wide(%n: i32) -> i32 {
  %wide = arith.extsi %n : i32 to i128
  %two = tensor.from_elements %wide, %wide : tensor<2xi128>
  %none = tensor.empty() : tensor<0xi128>
  %joined = tensor.concat dim(0) %none, %two, %none : (tensor<0xi128>, tensor<2xi128>, tensor<0xi128>) -> tensor<2xi128>
  %nothing = tensor.concat dim(0) %none, %none : (tensor<0xi128>, tensor<0xi128>) -> tensor<0xi128>
  %all = tensor.concat dim(0) %joined, %nothing : (tensor<2xi128>, tensor<0xi128>) -> tensor<2xi128>
  %one = arith.constant 1 : index
  %element = tensor.extract %all[%one] : tensor<2xi128>
  %r = arith.trunci %element : i128 to i32
  return %r : i32
}
