// S47: slices that leave out dimensions of size 1: which ones, the op's lists and types say as they are
// written, whatever becomes constant later.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// An operand is constant, and the first dimensions of size 1 are kept.
// CALL-LABEL: unit iota:f32[1,1,6,1] 4
// GIVES: result: tensor<1x4xf32> = {{\[\[}}2.0 3.0 4.0 5.0]]
func.func @unit(%x: tensor<1x1x?x1xf32>, %n: index) -> tensor<1x?xf32> {
  %c2 = arith.constant 2 : index
  %a = tensor.extract_slice %x[0, 0, %c2, 0] [1, 1, %n, 1] [1, 1, 1, 1] : tensor<1x1x?x1xf32> to tensor<1x?xf32>
  return %a : tensor<1x?xf32>
}

// A row of one colour, which a combinator reads.
// CALL-LABEL: row iota:f32[4,5,3] 1
// GIVES: result: tensor<1x5xf32> = {{\[\[}}34.0 40.0 46.0 52.0 58.0]]
func.func @row(%x: tensor<?x?x3xf32>, %r: index) -> tensor<1x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = tensor.dim %x, %c1 : tensor<?x?x3xf32>
  %a = tensor.extract_slice %x[%r, 0, %c2] [1, %w, 1] [1, 1, 1] : tensor<?x?x3xf32> to tensor<1x?xf32>
  %b = soac.map %a : (tensor<1x?xf32>) -> tensor<1x?xf32> (%e: f32) {
    %d = arith.addf %e, %e : f32
    soac.yield %d : f32
  }
  return %b : tensor<1x?xf32>
}

// The same part with the first dimension kept, and with the last one.
// CALL-LABEL: both iota:i32[1,1,8,1] 1
// GIVES: result0: tensor<1x4xi32> = {{\[\[}}3 5 7 9]]
// GIVES: result1: tensor<4x1xi32> = {{\[\[}}2] [3] [4] [5]]
func.func @both(%x: tensor<1x1x8x1xi32>, %n: index) -> (tensor<1x4xi32>, tensor<4x1xi32>) {
  %c2 = arith.constant 2 : index
  %a = tensor.extract_slice %x[0, 0, %n, 0] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x8x1xi32> to tensor<1x4xi32>
  %b = tensor.extract_slice %x[0, 0, %c2, 0] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x8x1xi32> to tensor<4x1xi32>
  %c = tensor.extract_slice %x[0, 0, %c2, 0] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x8x1xi32> to tensor<1x4xi32>
  %sum = arith.addi %a, %c : tensor<1x4xi32>
  return %sum, %b : tensor<1x4xi32>, tensor<4x1xi32>
}

// A row is written.
// CALL-LABEL: written iota:i32[2,3,2] iota:i32[1,3] 1
// GIVES: result: tensor<2x3x2xi32> = {{\[\[\[}}0 1] [2 3] [4 5]]
// GIVES-SAME: {{\[\[}}6 0] [8 1] [10 2]]]
func.func @written(%x: tensor<?x?x2xi32>, %row: tensor<1x?xi32>, %r: index) -> tensor<?x?x2xi32> {
  %c1 = arith.constant 1 : index
  %w = tensor.dim %row, %c1 : tensor<1x?xi32>
  %a = tensor.insert_slice %row into %x[%r, 0, %c1] [1, %w, 1] [1, 1, 1] : tensor<1x?xi32> into tensor<?x?x2xi32>
  return %a : tensor<?x?x2xi32>
}

// A size that is an operand belongs to a dynamic size, even if it turns out to be 1; the other one is left out.
// CALL-LABEL: one iota:i32[2,3,4]
// GIVES: result0: tensor<1x3xi32> = {{\[\[}}13 17 21]]
// GIVES: result1: tensor<3x1xi32> = {{\[\[}}13] [17] [21]]
func.func @one(%x: tensor<?x?x?xi32>) -> (tensor<?x3xi32>, tensor<3x?xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.divui %c2, %c2 : index
  %a = tensor.extract_slice %x[%c1, 0, %c1] [%half, 3, 1] [1, %c1, 1] : tensor<?x?x?xi32> to tensor<?x3xi32>
  %b = tensor.extract_slice %x[%c1, 0, %c1] [1, 3, %half] [%c1, 1, 1] : tensor<?x?x?xi32> to tensor<3x?xi32>
  return %a, %b : tensor<?x3xi32>, tensor<3x?xi32>
}

// Also where they are written, with strides and from inside a loop whose only iteration is known.
// CALL-LABEL: in_loop iota:i32[4,4,1] iota:i32[1,2]
// GIVES: {{\[\[}}8] [0] [10] [1]]
func.func @in_loop(%x: tensor<?x?x1xi32>, %y: tensor<1x?xi32>) -> tensor<?x?x1xi32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c2 to %c3 step %c1 iter_args(%a = %x) -> tensor<?x?x1xi32> {
    %b = tensor.insert_slice %y into %a[%i, %c1, 0] [1, %c2, 1] [1, %c2, 1] : tensor<1x?xi32> into tensor<?x?x1xi32>
    scf.yield %b : tensor<?x?x1xi32>
  }
  return %r : tensor<?x?x1xi32>
}

// To an element, and written by iterations that may run in parallel.
// CALL-LABEL: parallel iota:i32[3,2]
// GIVES: result: tensor<3x1x2xi32> = {{\[\[\[}}0 1]]
// GIVES-SAME: {{\[\[}}2 3]]
// GIVES-SAME: {{\[\[}}4 5]]]
func.func @parallel(%x: tensor<?x2xi32>) -> tensor<?x1x2xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xi32>
  %e = tensor.empty(%n) : tensor<?x1x2xi32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %e) -> tensor<?x1x2xi32> {
    %row = tensor.extract_slice %x[%i, %c0] [1, 2] [1, 1] : tensor<?x2xi32> to tensor<1x2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %o[%i, %c0, %c0] [1, 1, 2] [1, 1, 1] : tensor<1x2xi32> into tensor<?x1x2xi32>
    }
  }
  return %r : tensor<?x1x2xi32>
}

// RUN: not comb run %s --entry written -i x=iota:i32[2,3,2] -i row=iota:i32[1,4] -i r=1 2>&1 | FileCheck %s --check-prefix=LEAVES
// LEAVES: 'tensor.insert_slice' op the slice with offset 0, size 4 and stride 1 leaves dimension 1 of size 3

// The size that a check makes known is the second 1, of which one is left out.
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: claimed iota:index[1,1] 0 1 2
// GIVES: result: tensor<1x1xindex> = {{\[}}[0]]
func.func @claimed(%x: tensor<1x1xindex>, %first: index, %size: index, %stride: index) -> tensor<1x1xindex> {
  %a = tensor.extract_slice %x[%first, 0] [%size, 1] [%stride, 2] : tensor<1x1xindex> to tensor<?xindex>
  %b = tensor.cast %a : tensor<?xindex> to tensor<1xindex>
  %c = tensor.insert_slice %b into %x[0, 0] [1, 1] [1, 1] : tensor<1xindex> into tensor<1x1xindex>
  return %c : tensor<1x1xindex>
}

// The slice has one element in all dimensions, which is only known when the program is simplified; its stride is not.
// CALL-LABEL: single 7 iota:i32[2,1,5] 1
// GIVES: 0 1 2 7 4]]
// GIVES: 5 6 7 8 9]]]
func.func @single(%x: i32, %a: tensor<?x1x5xi32>, %n: index) -> tensor<?x1x5xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = soac.fill %x [%c1] : (i32) -> tensor<?xi32>
  %b = tensor.insert_slice %one into %a[%c0, %c0, %c3] [%n, 1, 1] [%n, %c1, %c2] : tensor<?xi32> into tensor<?x1x5xi32>
  return %b : tensor<?x1x5xi32>
}
