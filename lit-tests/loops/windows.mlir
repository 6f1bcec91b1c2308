// Folds over windows that slide by one from an iteration to the next, as in a convolution. The
// lanes of a vector are neighbouring windows, not the elements of one, of which there may be few.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// CALL-LABEL: sums iota:i32[9] iota:i32[3]
// GIVES: result: tensor<7xi32> = [5 8 11 14 17 20 23]
// CALL-LABEL: sums random:i32(-9..9)[100]:1 random:i32(-9..9)[1]:2
// CALL-LABEL: sums random:i32(-9..9)[70]:1 random:i32(-9..9)[70]:2
// CALL-LABEL: sums random:i32(-9..9)[300]:1 random:i32(-9..9)[40]:2
// CALL-LABEL: sums iota:i32[3] zeros:i32[0]
// GIVES: result: tensor<4xi32> = [0 0 0 0]
func.func @sums(%x: tensor<?xi32>, %kernel: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %k = tensor.dim %kernel, %c0 : tensor<?xi32>
  %left = arith.subi %n, %k : index
  %windows = arith.addi %left, %c1 : index
  %products = soac.generate [%windows, %k] : tensor<?x?xi32> (%i: index, %j: index) {
    %place = arith.addi %i, %j : index
    %element = tensor.extract %x[%place] : tensor<?xi32>
    %weight = tensor.extract %kernel[%j] : tensor<?xi32>
    %product = arith.muli %element, %weight : i32
    soac.yield %product : i32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %sum = arith.addi %a, %b : i32
    soac.yield %sum : i32
  }
  return %sums : tensor<?xi32>
}

// CALL-LABEL: images random:i16(-9..9)[19,41]:1 random:i16(-9..9)[3,5]:2
// CALL-LABEL: images random:i16(-9..9)[9,90]:1 random:i16(-9..9)[9,2]:2
func.func @images(%x: tensor<?x?xi16>, %kernel: tensor<?x?xi16>) -> tensor<?x?xi16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i16
  %rows = tensor.dim %x, %c0 : tensor<?x?xi16>
  %columns = tensor.dim %x, %c1 : tensor<?x?xi16>
  %height = tensor.dim %kernel, %c0 : tensor<?x?xi16>
  %width = tensor.dim %kernel, %c1 : tensor<?x?xi16>
  %rows_left = arith.subi %rows, %height : index
  %columns_left = arith.subi %columns, %width : index
  %n = arith.addi %rows_left, %c1 : index
  %m = arith.addi %columns_left, %c1 : index
  %products = soac.generate [%n, %m, %height, %width] : tensor<?x?x?x?xi16>
      (%i: index, %j: index, %a: index, %b: index) {
    %row = arith.addi %i, %a : index
    %column = arith.addi %j, %b : index
    %element = tensor.extract %x[%row, %column] : tensor<?x?xi16>
    %weight = tensor.extract %kernel[%a, %b] : tensor<?x?xi16>
    %product = arith.muli %element, %weight : i16
    soac.yield %product : i16
  }
  %sums = soac.fold %products neutral %zero inner 2 : (tensor<?x?x?x?xi16>, i16) -> tensor<?x?xi16>
      (%a: i16, %b: i16) {
    %sum = arith.addi %a, %b : i16
    soac.yield %sum : i16
  }
  return %sums : tensor<?x?xi16>
}
