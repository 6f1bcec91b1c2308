// Programs whose loops and branches give memory that is there before give what the interpreter gives.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Branches whose result is a part of a concatenation: it is computed there.
// CALL-LABEL: part iota:f32[3] true
// GIVES: [1.0 2.0 3.0 0.0 2.0 4.0]
// CALL-LABEL: part iota:f32[3] false
// GIVES: [-1.0 0.0 1.0 0.0 2.0 4.0]
// CALL-LABEL: part iota:f32[0] false
// RUN: comb-opt %s --comb-cpu --remarks-filter=comb-short-circuit -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACED
// PLACED-COUNT-2: Function=part {{.*}}an array is computed where it would be copied to
func.func @part(%x: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %b = scf.if %c -> (tensor<?xf32>) {
    %up = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
      %v = arith.addf %e, %one : f32
      soac.yield %v : f32
    }
    scf.yield %up : tensor<?xf32>
  } else {
    %down = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
      %v = arith.subf %e, %one : f32
      soac.yield %v : f32
    }
    scf.yield %down : tensor<?xf32>
  }
  %twice = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %v = arith.mulf %e, %two : f32
    soac.yield %v : f32
  }
  %all = soac.concat %b, %twice dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %all : tensor<?xf32>
}

// The size that a branch gives is only known to be none where it is taken.
// CALL-LABEL: sizes 3 true
// GIVES: [0 2 4]
// CALL-LABEL: sizes -2 false
// GIVES: [7]
// CALL-LABEL: sizes -2 true
func.func @sizes(%n: index, %c: i1) -> tensor<?xi32> {
  %two = arith.constant 2 : i32
  %seven = arith.constant 7 : i32
  %r = scf.if %c -> (tensor<?xi32>) {
    %i = soac.iota [%n] dim 0 : tensor<?xi32>
    %up = soac.map %i : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %v = arith.muli %e, %two : i32
      soac.yield %v : i32
    }
    scf.yield %up : tensor<?xi32>
  } else {
    %one = soac.fill %seven [1] : (i32) -> tensor<1xi32>
    %any = tensor.cast %one : tensor<1xi32> to tensor<?xi32>
    scf.yield %any : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// Loops that write into one array, one in the other, in each row of a map.
// CALL-LABEL: rows iota:i32[2,3] 2
// GIVES: [2 4 7] [26 10 13]
// CALL-LABEL: rows iota:i32[2,3] 0
// GIVES: [0 1 2] [6 7 8]
// CALL-LABEL: rows iota:i32[0,3] 2
func.func @rows(%a: tensor<?x3xi32>, %it: index) -> tensor<?x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = soac.map %a outer 1 : (tensor<?x3xi32>) -> tensor<?x3xi32> (%row: tensor<3xi32>) {
    %e = tensor.extract %row[%c0] : tensor<3xi32>
    %scratch = tensor.empty() : tensor<3xi32>
    %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%old = %scratch) -> tensor<3xi32> {
      %x = tensor.extract %row[%k] : tensor<3xi32>
      %y = arith.addi %x, %e : i32
      %w = tensor.insert %y into %old[%k] : tensor<3xi32>
      scf.yield %w : tensor<3xi32>
    }
    %m = scf.for %t = %c0 to %it step %c1 iter_args(%old = %l) -> tensor<3xi32> {
      %n = scf.for %k = %c0 to %c3 step %c1 iter_args(%inner = %old) -> tensor<3xi32> {
        %x = tensor.extract %inner[%k] : tensor<3xi32>
        %i = arith.index_cast %t : index to i32
        %j = arith.index_cast %k : index to i32
        %s = arith.addi %x, %j : i32
        %y = arith.addi %s, %i : i32
        %w = tensor.insert %y into %inner[%k] : tensor<3xi32>
        scf.yield %w : tensor<3xi32>
      }
      %x = tensor.extract %n[%c0] : tensor<3xi32>
      %y = arith.addi %x, %x : i32
      %w = tensor.insert %y into %n[%c0] : tensor<3xi32>
      scf.yield %w : tensor<3xi32>
    }
    soac.yield %m : tensor<3xi32>
  }
  return %r : tensor<?x3xi32>
}

// A map in place, of an array of the function's own, and of one that is needed later.
// CALL-LABEL: in_place iota:i32[5] 3
// GIVES: [0 8 16 24 32]
// GIVES: [0 9 18 27 36]
// CALL-LABEL: in_place iota:i32[5] 0
// CALL-LABEL: in_place iota:i32[0] 3
// CALL-LABEL: in_place iota:i32[100] 4
func.func @in_place(%x: tensor<?xi32>, %it: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %up = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.muli %e, %one : i32
    soac.yield %v : i32
  }
  %mine = soac.force %up : tensor<?xi32>
  %l = scf.for %k = %c0 to %it step %c1 iter_args(%old = %mine) -> tensor<?xi32> {
    %twice = soac.map %old : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %v = arith.addi %e, %e : i32
      soac.yield %v : i32
    }
    scf.yield %twice : tensor<?xi32>
  }
  %m = scf.for %k = %c0 to %it step %c1 iter_args(%old = %l) -> tensor<?xi32> {
    %less = soac.map %old, %l, %x : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32, %g: i32) {
      %v = arith.addi %f, %g : i32
      soac.yield %v : i32
    }
    scf.yield %less : tensor<?xi32>
  }
  return %l, %m : tensor<?xi32>, tensor<?xi32>
}

// Two and three time levels, and what two names exchange.
// CALL-LABEL: wave iota:i32[4] iota:i32[4] 0
// CALL-LABEL: wave iota:i32[4] iota:i32[4] 1
// CALL-LABEL: wave iota:i32[4] iota:i32[4] 2
// GIVES: [6 7 -8 1]
// GIVES: [2 3 4 -3]
// CALL-LABEL: wave iota:i32[50] iota:i32[50] 5
// CALL-LABEL: wave iota:i32[0] iota:i32[0] 3
func.func @wave(%u: tensor<?xi32>, %w: tensor<?xi32>, %it: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %l:2 = scf.for %k = %c0 to %it step %c1 iter_args(%p = %u, %q = %w) -> (tensor<?xi32>, tensor<?xi32>) {
    %r = soac.rotate %p by [1] : (tensor<?xi32>) -> tensor<?xi32>
    %new = soac.map %r, %q : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
      %v = arith.muli %e, %two : i32
      %s = arith.subi %v, %f : i32
      soac.yield %s : i32
    }
    scf.yield %new, %p : tensor<?xi32>, tensor<?xi32>
  }
  return %l#0, %l#1 : tensor<?xi32>, tensor<?xi32>
}

// CALL-LABEL: exchanged iota:i32[4] 0
// CALL-LABEL: exchanged iota:i32[4] 1
// CALL-LABEL: exchanged iota:i32[4] 2
// CALL-LABEL: exchanged iota:i32[4] 3
// GIVES: [0 3 6 9]
// GIVES: [0 2 4 6]
func.func @exchanged(%x: tensor<?xi32>, %it: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %a = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.muli %e, %two : i32
    soac.yield %v : i32
  }
  %b = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.muli %e, %three : i32
    soac.yield %v : i32
  }
  %l:2 = scf.for %k = %c0 to %it step %c1 iter_args(%p = %a, %q = %b) -> (tensor<?xi32>, tensor<?xi32>) {
    scf.yield %q, %p : tensor<?xi32>, tensor<?xi32>
  }
  return %l#0, %l#1 : tensor<?xi32>, tensor<?xi32>
}

// A loop in a loop, each of which overwrites, and one that puts its result together.
// CALL-LABEL: nested iota:i32[3] 2
// GIVES: [0 36 72]
// CALL-LABEL: nested iota:i32[40] 3
// CALL-LABEL: nested iota:i32[3] 0
func.func @nested(%x: tensor<?xi32>, %it: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %up = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.muli %e, %one : i32
    soac.yield %v : i32
  }
  %mine = soac.force %up : tensor<?xi32>
  %l = scf.for %k = %c0 to %it step %c1 iter_args(%old = %mine) -> tensor<?xi32> {
    %m = scf.for %j = %c0 to %k step %c1 iter_args(%inner = %old) -> tensor<?xi32> {
      %y = soac.map %inner : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
        %v = arith.addi %e, %e : i32
        %w = arith.addi %v, %v : i32
        soac.yield %w : i32
      }
      scf.yield %y : tensor<?xi32>
    }
    %z = soac.map %m : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %v = arith.muli %e, %three : i32
      soac.yield %v : i32
    }
    scf.yield %z : tensor<?xi32>
  }
  return %l : tensor<?xi32>
}
