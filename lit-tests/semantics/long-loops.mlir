// Loops near the ends of their type, and longer than half of it.

// S41: as written, and with bounds that are constant.
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: forall 0 5 2
// GIVES: result: tensor<8xi64> = [1 0 1 0 1 0 0 0]
// CALL-LABEL: forall 9223372036854775800 9223372036854775807 3
// GIVES: result: tensor<8xi64> = [1 0 0 1 0 0 1 0]
// CALL-LABEL: forall -9223372036854775808 9223372036854775807 9223372036854775807
// GIVES: result: tensor<8xi64> = [1 0 0 0 0 0 1 1]
// CALL-LABEL: forall 0 5 0
// GIVES: 'scf.forall' op step 0 is not positive
func.func @forall(%a: index, %b: index, %s: index) -> tensor<8xi64> {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : index
  %x = tensor.splat %z : tensor<8xi64>
  %t = tensor.from_elements %one : tensor<1xi64>
  %r = scf.forall (%i) = (%a) to (%b) step (%s) shared_outs(%o = %x) -> tensor<8xi64> {
    %m = arith.remui %i, %eight : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%m] [1] [1] : tensor<1xi64> into tensor<8xi64>
    }
  }
  return %r : tensor<8xi64>
}

// S41: loops that are longer than half their type.
// CALL-LABEL: long
// GIVES: result0: i64 = 65
// GIVES-NEXT: result1: i64 = 4
// GIVES-NEXT: result2: tensor<8xi64> = [1 0 1 0 0 1 0 0]
func.func @long() -> (i64, i64, tensor<8xi64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant -69 : i8
  %b = arith.constant 125 : i8
  %s = arith.constant 3 : i8
  %bytes = scf.for %i = %a to %b step %s iter_args(%c = %zero) -> i64 : i8 {
    %next = arith.addi %c, %one : i64
    scf.yield %next : i64
  }
  %first = arith.constant -3000000000000000000 : i64
  %end = arith.constant 7000000000000000000 : i64
  %step = arith.constant 3000000000000000000 : i64
  %words = scf.for %i = %first to %end step %step iter_args(%c = %zero) -> i64 : i64 {
    %next = arith.addi %c, %one : i64
    scf.yield %next : i64
  }
  %x = tensor.splat %zero : tensor<8xi64>
  %t = tensor.from_elements %one : tensor<1xi64>
  %eight = arith.constant 8 : index
  %r = scf.forall (%i) = (-6000000000000000006) to (6000000000000000001) step (6000000000000000003) shared_outs(%o = %x) -> tensor<8xi64> {
    %m = arith.remui %i, %eight : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%m] [1] [1] : tensor<1xi64> into tensor<8xi64>
    }
  }
  return %bytes, %words, %r : i64, i64, tensor<8xi64>
}

// S41: an unsigned loop whose step is more than half its type.
// CALL-LABEL: unsigned_step 0
// GIVES: result: i64 = 1
func.func @unsigned_step(%first: i32) -> i64 {
  %end = arith.constant 1 : i32
  %step = arith.constant -1 : i32
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for unsigned %i = %first to %end step %step iter_args(%c = %zero) -> i64 : i32 {
    %next = arith.addi %c, %one : i64
    scf.yield %next : i64
  }
  return %r : i64
}
