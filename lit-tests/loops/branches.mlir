// `scf.if` in a lambda: with one condition for all lanes it stays a branch. If lanes differ, both
// branches run, each for the lanes that take it.

// Both branches read memory: reads are masked, so an index that is out of range in a lane of the
// other branch is not read and not checked.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// CALL-LABEL: reads iota:i32[20]
// GIVES: [-1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18]
func.func @reads(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus = arith.constant -1 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %y = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %first = arith.cmpi eq, %i, %c0 : index
    %e = scf.if %first -> (i32) {
      scf.yield %minus : i32
    } else {
      %before = arith.subi %i, %c1 : index
      %b = tensor.extract %x[%before] : tensor<?xi32>
      scf.yield %b : i32
    }
    soac.yield %e : i32
  }
  return %y : tensor<?xi32>
}

// Division by zero in lanes that do not count is none.

// CALL-LABEL: divides iota:i32[21]
// GIVES: [-7 60 30 20 15 12 10 8 7 6 6 5 5 4 4 4 3 3 3 3 3]
func.func @divides(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %sixty = arith.constant 60 : i32
  %seven = arith.constant -7 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %is_zero = arith.cmpi eq, %a, %zero : i32
    %q = scf.if %is_zero -> (i32) {
      scf.yield %seven : i32
    } else {
      %d = arith.divsi %sixty, %a : i32
      scf.yield %d : i32
    }
    soac.yield %q : i32
  }
  return %y : tensor<?xi32>
}

// Division by zero in a lane that counts is one, also in the rest of the last vector.

// CALL-LABEL: all_divide iota:i32[20] 19
// GIVES: error: 'arith.remsi' op division by zero
// CALL-LABEL: all_divide iota:i32[20] 3
// GIVES: error: 'arith.remsi' op division by zero
// CALL-LABEL: all_divide iota:i32[20] 20
// GIVES: result
func.func @all_divide(%x: tensor<?xi32>, %where: i32) -> tensor<?xi32> {
  %sixty = arith.constant 60 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.subi %a, %where : i32
    %q = arith.remsi %sixty, %b : i32
    soac.yield %q : i32
  }
  return %y : tensor<?xi32>
}

// Branches inside branches, several results, and both signs of division.

// CALL-LABEL: nested iota:i64[19]
// GIVES: result0: {{.*}} = [0 -10 100 -33 100 -20 100 -14 100 -11 100 -9 100 -7 100 -6 100 -5 100]
// GIVES: result1: {{.*}} = [5 0 2 2 4 4 6 6 8 8 10 10 12 12 14 14 16 16 18]
func.func @nested(%x: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %ten = arith.constant -10 : i64
  %hundred = arith.constant 100 : i64
  %y, %z = soac.map %x : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) (%a: i64) {
    %is_zero = arith.cmpi eq, %a, %zero : i64
    %q, %r = scf.if %is_zero -> (i64, i64) {
      scf.yield %zero, %five : i64, i64
    } else {
      %m = arith.remui %a, %two : i64
      %is_odd = arith.cmpi eq, %m, %one : i64
      %even = arith.subi %a, %m : i64
      %s = scf.if %is_odd -> (i64) {
        %is_one = arith.cmpi eq, %a, %one : i64
        %t = scf.if %is_one -> (i64) {
          scf.yield %ten : i64
        } else {
          %d = arith.subi %zero, %hundred : i64
          %e = arith.divsi %d, %a : i64
          scf.yield %e : i64
        }
        scf.yield %t : i64
      } else {
        scf.yield %hundred : i64
      }
      scf.yield %s, %even : i64, i64
    }
    soac.yield %q, %r : i64, i64
  }
  return %y, %z : tensor<?xi64>, tensor<?xi64>
}

// One condition for all lanes.

// CALL-LABEL: uniform iota:i32[19] true
// GIVES: [0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36]
// CALL-LABEL: uniform iota:i32[19] false
// GIVES: [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]
func.func @uniform(%x: tensor<?xi32>, %c: i1) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %q = scf.if %c -> (i32) {
      %d = arith.addi %a, %a : i32
      scf.yield %d : i32
    } else {
      scf.yield %zero : i32
    }
    soac.yield %q : i32
  }
  return %y : tensor<?xi32>
}

// A loop in a lambda is no vector code.

// CALL-LABEL: loop iota:index[6]
// GIVES: [1 2 4 8 16 32]
func.func @loop(%x: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = soac.map %x : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %p = scf.for %i = %c0 to %a step %c1 iter_args(%q = %c1) -> (index) {
      %d = arith.addi %q, %q : index
      scf.yield %d : index
    }
    soac.yield %p : index
  }
  return %y : tensor<?xindex>
}
