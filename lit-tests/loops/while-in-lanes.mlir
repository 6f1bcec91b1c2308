// An `scf.while` in a function runs in lanes until it has ended in all of them. Lanes in which it has ended read
// nothing more, and do not fail.

// RUN: comb explain --loops --cpu skylake-avx512 %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-LABEL: in collatz
// EXPLAIN: 16 lanes
// EXPLAIN-LABEL: in searched
// EXPLAIN: 16 lanes
// EXPLAIN-LABEL: in nested
// EXPLAIN: 16 lanes
// EXPLAIN-LABEL: in kept
// EXPLAIN: 16 lanes
// EXPLAIN-LABEL: in remainders
// EXPLAIN: 16 lanes
// EXPLAIN-LABEL: in branches
// EXPLAIN: one by one: 'scf.if' has no form for vectors

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// How many steps it takes to 1.
// CALL-LABEL: collatz iota:i32[50]
// GIVES: result: tensor<50xi32> = [0 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 4 12 20 20 7
// CALL-LABEL: collatz random:i32(1..5000)[333]
// GIVES: result: tensor<333xi32>
func.func @collatz(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %steps = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %last, %count = scf.while (%n = %a, %k = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %n, %one : i32
      scf.condition(%more) %n, %k : i32, i32
    } do {
    ^bb0(%n: i32, %k: i32):
      %odd = arith.andi %n, %one : i32
      %is_odd = arith.cmpi eq, %odd, %one : i32
      %half = arith.divsi %n, %two : i32
      %triple = arith.muli %n, %three : i32
      %up = arith.addi %triple, %one : i32
      %next = arith.select %is_odd, %up, %half : i32
      %k1 = arith.addi %k, %one : i32
      scf.yield %next, %k1 : i32, i32
    }
    soac.yield %count : i32
  }
  return %steps : tensor<?xi32>
}

// The first number in a row that is not smaller: the index would leave the array in lanes that have ended.
// CALL-LABEL: searched iota:i32[40] random:i32(0..60)[101]
// GIVES: result: tensor<101xi32>
// CALL-LABEL: searched iota:i32[0] iota:i32[20]
// GIVES: result: tensor<20xi32> = [0 0 0
func.func @searched(%row: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %row, %c0 : tensor<?xi32>
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %at = scf.while (%i = %c0) : (index) -> index {
      %is_inside = arith.cmpi ult, %i, %n : index
      %more = scf.if %is_inside -> i1 {
        %e = tensor.extract %row[%i] : tensor<?xi32>
        %less = arith.cmpi slt, %e, %a : i32
        scf.yield %less : i1
      } else {
        %no = arith.constant false
        scf.yield %no : i1
      }
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    %r = arith.index_cast %at : index to i32
    soac.yield %r : i32
  }
  return %y : tensor<?xi32>
}

// One in another one, which hands on other numbers than it carries.
// CALL-LABEL: nested random:f32(0..20)[70]
// GIVES: result: tensor<70xf32>
func.func @nested(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %unit = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %f, %k = scf.while (%v = %a) : (f32) -> (f32, i32) {
      %small, %n = scf.while (%w = %v, %m = %zero) : (f32, i32) -> (f32, i32) {
        %large = arith.cmpf ogt, %w, %unit : f32
        scf.condition(%large) %w, %m : f32, i32
      } do {
      ^bb0(%w: f32, %m: i32):
        %h = arith.mulf %w, %half : f32
        %m1 = arith.addi %m, %one : i32
        scf.yield %h, %m1 : f32, i32
      }
      %sum = arith.addf %small, %v : f32
      %more = arith.cmpi sgt, %n, %one : i32
      scf.condition(%more) %sum, %n : f32, i32
    } do {
    ^bb0(%s: f32, %n: i32):
      %h = arith.mulf %s, %half : f32
      %less = arith.subf %h, %half : f32
      scf.yield %less : f32
    }
    %kf = arith.sitofp %k : i32 to f32
    %r = arith.addf %f, %kf : f32
    soac.yield %r : f32
  }
  return %y : tensor<?xf32>
}

// In the condition of a filter.
// CALL-LABEL: kept iota:i32[100]
// GIVES: result: tensor<55xi32> = [0 1 2 3
func.func @kept(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %sum, %rest = scf.while (%s = %zero, %n = %a) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %n, %zero : i32
      scf.condition(%more) %s, %n : i32, i32
    } do {
    ^bb0(%s: i32, %n: i32):
      %digit = arith.remui %n, %ten : i32
      %next = arith.divui %n, %ten : i32
      %sum = arith.addi %s, %digit : i32
      scf.yield %sum, %next : i32, i32
    }
    %is = arith.cmpi slt, %sum, %ten : i32
    soac.yield %is : i1
  }
  return %y : tensor<?xi32>
}

// Euclid's algorithm: nothing is divided by zero in lanes that have ended.
// CALL-LABEL: remainders iota:i32[90] random:i32(0..50)[90]
// GIVES: result: tensor<90xi32>
func.func @remainders(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %g = soac.map %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %p, %q = scf.while (%m = %a, %n = %b) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %n, %zero : i32
      scf.condition(%more) %m, %n : i32, i32
    } do {
    ^bb0(%m: i32, %n: i32):
      %r = arith.remsi %m, %n : i32
      scf.yield %n, %r : i32, i32
    }
    soac.yield %p : i32
  }
  return %g : tensor<?xi32>
}

// In a branch it has no lanes.
// CALL-LABEL: branches iota:i32[40]
// GIVES: result: tensor<40xi32>
func.func @branches(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %is = arith.cmpi sgt, %a, %ten : i32
    %r = scf.if %is -> i32 {
      %h = scf.while (%n = %a) : (i32) -> i32 {
        %more = arith.cmpi sgt, %n, %ten : i32
        scf.condition(%more) %n : i32
      } do {
      ^bb0(%n: i32):
        %next = arith.shrsi %n, %one : i32
        scf.yield %next : i32
      }
      scf.yield %h : i32
    } else {
      scf.yield %a : i32
    }
    soac.yield %r : i32
  }
  return %y : tensor<?xi32>
}
