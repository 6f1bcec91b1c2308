// Indices and loops of the affine dialect.

// S48: quotients are rounded down and up, remainders are not negative, and divisors are positive.
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: indices -7 3
// GIVES: result0: index = 2
// GIVES-NEXT: result1: index = -3
// GIVES-NEXT: result2: index = -2
// GIVES-NEXT: result3: index = -7
// GIVES-NEXT: result4: index = 3
// CALL-LABEL: indices -9223372036854775808 3
// GIVES: result0: index = 1
// GIVES-NEXT: result1: index = -3074457345618258603
// GIVES-NEXT: result2: index = -3074457345618258602
// CALL-LABEL: indices 7 0
// GIVES: 'affine.apply' op divides by a number that is not positive
// CALL-LABEL: indices 7 -3
// GIVES: 'affine.apply' op divides by a number that is not positive
func.func @indices(%i: index, %n: index) -> (index, index, index, index, index) {
  %a = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
  %b = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i)[%n]
  %c = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%i)[%n]
  %d = affine.min affine_map<(d0)[s0] -> (d0, s0, 5)>(%i)[%n]
  %e = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]
  return %a, %b, %c, %d, %e : index, index, index, index, index
}

// CALL-LABEL: digits 123 4 6
// GIVES: result0: index = 5
// GIVES-NEXT: result1: index = 0
// GIVES-NEXT: result2: index = 3
// GIVES-NEXT: result3: index = 123
// CALL-LABEL: digits -1 4 6
// GIVES: result0: index = -1
// GIVES-NEXT: result1: index = 3
// GIVES-NEXT: result2: index = 5
// GIVES-NEXT: result3: index = -1
// CALL-LABEL: digits 123 4 0
// GIVES: 'affine.delinearize_index' op divides by a number that is not positive
func.func @digits(%i: index, %n: index, %m: index) -> (index, index, index, index) {
  %d:3 = affine.delinearize_index %i into (7, %n, %m) : index, index, index
  %l = affine.linearize_index [%d#0, %d#1, %d#2] by (7, %n, %m) : index
  return %d#0, %d#1, %d#2, %l : index, index, index, index
}

// S48, in a lambda.
// CALL-LABEL: lambda iota:index[5] 2
// GIVES: result: tensor<5xindex> = [0 1 0 1 0]
// CALL-LABEL: lambda iota:index[5] 0
// GIVES: 'affine.apply' op divides by a number that is not positive
func.func @lambda(%x: tensor<?xindex>, %n: index) -> tensor<?xindex> {
  %r = soac.map %x : (tensor<?xindex>) -> tensor<?xindex> (%i: index) {
    %m = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
    soac.yield %m : index
  }
  return %r : tensor<?xindex>
}

// S41: a loop near the end of index, which carries an array.
// CALL-LABEL: loop iota:i64[8] 9223372036854775800
// GIVES: result: tensor<8xi64> = [1 1 2 4 4 5 7 7]
// CALL-LABEL: loop iota:i64[6] 9223372036854775800
// GIVES: 'tensor.extract' op index 6 is out of range [0, 6) in dimension 0
func.func @loop(%x: tensor<?xi64>, %first: index) -> tensor<?xi64> {
  %one = arith.constant 1 : i64
  %r = affine.for %i = %first to 9223372036854775807 step 3 iter_args(%o = %x) -> tensor<?xi64> {
    %d = affine.apply affine_map<(d0)[s0] -> (d0 - s0)>(%i)[%first]
    %e = tensor.extract %o[%d] : tensor<?xi64>
    %f = arith.addi %e, %one : i64
    %g = tensor.insert %f into %o[%d] : tensor<?xi64>
    affine.yield %g : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// S41: a loop that is longer than half of index. S48: in its bounds.
// CALL-LABEL: long 10 3
// GIVES: result0: index = 9223372036854775806
// GIVES-NEXT: result1: index = 6
// CALL-LABEL: long 10 0
// GIVES: 'affine.for' op divides by a number that is not positive
func.func @long(%n: index, %m: index) -> (index, index) {
  %zero = arith.constant 0 : index
  %a = affine.for %i = -9223372036854775808 to 9223372036854775807 step 9223372036854775807 iter_args(%last = %zero) -> index {
    affine.yield %i : index
  }
  %b = affine.for %i = max affine_map<(d0) -> (0, d0 - 10)>(%n) to min affine_map<(d0)[s0] -> (d0, d0 floordiv s0 + 1)>(%n)[%m] iter_args(%sum = %zero) -> index {
    %c = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%inner = %sum) -> index {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%inner)
      affine.yield %next : index
    }
    affine.yield %c : index
  }
  return %a, %b : index, index
}
