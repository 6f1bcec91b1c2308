// What loops carry and functions give is different arrays, also where a program gives one array twice.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// One new array, as two carried arrays; the next iteration writes to one and reads the other.
// CALL-LABEL: twice iota:i32[3] ones:i32[3] 3
// GIVES: result0: tensor<3xi32> = [8 8 8]
// GIVES: result1: tensor<3xi32> = [8 8 8]
func.func @twice(%x: tensor<?xi32>, %b: tensor<?xi32>, %k: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 77 : i32
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%cur = %x, %old = %b) -> (tensor<?xi32>, tensor<?xi32>) {
    %u = tensor.insert %v into %cur[%c0] : tensor<?xi32>
    %e = tensor.extract %u[%c1] : tensor<?xi32>
    %s = soac.map %old : (tensor<?xi32>) -> tensor<?xi32> (%p: i32) {
      %q = arith.addi %p, %e : i32
      soac.yield %q : i32
    }
    scf.yield %s, %s : tensor<?xi32>, tensor<?xi32>
  }
  return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
}

// The same through a cast and a slice of everything, and from two branches.
// CALL-LABEL: views iota:i32[4] ones:i32[4] 3
// GIVES: result0: tensor<4xi32> = [27 27 27 27]
// GIVES: result1: tensor<4xi32> = [27 27 27 27]
// GIVES: result2: tensor<2x2xi32> = {{\[}}[27 27] [27 27]]
func.func @views(%x: tensor<4xi32>, %b: tensor<4xi32>, %k: index) -> (tensor<4xi32>, tensor<?xi32>, tensor<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 77 : i32
  %bd = tensor.cast %b : tensor<4xi32> to tensor<?xi32>
  %sq = soac.reshape %b to [2, 2] : (tensor<4xi32>) -> tensor<2x2xi32>
  %r:3 = scf.for %i = %c0 to %k step %c1 iter_args(%cur = %x, %old = %bd, %square = %sq) -> (tensor<4xi32>, tensor<?xi32>, tensor<2x2xi32>) {
    %u = tensor.insert %v into %cur[%c0] : tensor<4xi32>
    %w = tensor.insert %v into %square[%c1, %c1] : tensor<2x2xi32>
    %e = tensor.extract %u[%c1] : tensor<4xi32>
    %f = tensor.extract %w[%c0, %c0] : tensor<2x2xi32>
    %s = soac.map %old : (tensor<?xi32>) -> tensor<4xi32> (%p: i32) {
      %q = arith.addi %p, %e : i32
      %t = arith.addi %q, %f : i32
      soac.yield %t : i32
    }
    %dyn = tensor.cast %s : tensor<4xi32> to tensor<?xi32>
    %again = soac.reshape %s to [2, 2] : (tensor<4xi32>) -> tensor<2x2xi32>
    scf.yield %s, %dyn, %again : tensor<4xi32>, tensor<?xi32>, tensor<2x2xi32>
  }
  return %r#0, %r#1, %r#2 : tensor<4xi32>, tensor<?xi32>, tensor<2x2xi32>
}

// CALL-LABEL: branches iota:i32[4] ones:i32[4] 5
// GIVES: result0: tensor<4xi32> = [16 16 16 85]
// GIVES: result1: tensor<4xi32> = [85 16 16 16]
func.func @branches(%x: tensor<?xi32>, %b: tensor<?xi32>, %k: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 77 : i32
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%cur = %x, %old = %b) -> (tensor<?xi32>, tensor<?xi32>) {
    %u = tensor.insert %v into %cur[%c0] : tensor<?xi32>
    %e = tensor.extract %u[%c1] : tensor<?xi32>
    %s = soac.map %old : (tensor<?xi32>) -> tensor<?xi32> (%p: i32) {
      %q = arith.addi %p, %e : i32
      soac.yield %q : i32
    }
    %odd = arith.remui %i, %c2 : index
    %one = arith.cmpi eq, %odd, %c1 : index
    %y:2 = scf.if %one -> (tensor<?xi32>, tensor<?xi32>) {
      scf.yield %s, %s : tensor<?xi32>, tensor<?xi32>
    } else {
      %t = soac.reverse %s dims [0] : (tensor<?xi32>) -> tensor<?xi32>
      scf.yield %t, %s : tensor<?xi32>, tensor<?xi32>
    }
    %z:2 = scf.index_switch %i -> tensor<?xi32>, tensor<?xi32>
    case 1 {
      scf.yield %y#0, %y#0 : tensor<?xi32>, tensor<?xi32>
    }
    case 3 {
      scf.yield %u, %u : tensor<?xi32>, tensor<?xi32>
    }
    default {
      scf.yield %y#1, %y#0 : tensor<?xi32>, tensor<?xi32>
    }
    scf.yield %z#1, %z#0 : tensor<?xi32>, tensor<?xi32>
  }
  return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
}

// Loops with a condition: in front of it, and behind it.
// CALL-LABEL: while iota:i32[3] 40
// GIVES: result0: tensor<3xi32> = [5 62 94]
// GIVES: result1: tensor<3xi32> = [95 62 94]
// GIVES: result2: tensor<3xi32> = [90 31 47]
func.func @while(%x: tensor<?xi32>, %limit: i32) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 5 : i32
  %r:3 = scf.while (%a = %x, %b = %x) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
    %w = tensor.insert %v into %a[%c0] : tensor<?xi32>
    %s = soac.map %w, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%p: i32, %q: i32) {
      %t = arith.addi %p, %q : i32
      soac.yield %t : i32
    }
    %e = tensor.extract %s[%c1] : tensor<?xi32>
    %go = arith.cmpi slt, %e, %limit : i32
    scf.condition(%go) %s, %s, %b : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  } do {
  ^bb0(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xi32>):
    %u = tensor.insert %v into %a[%c0] : tensor<?xi32>
    %s = soac.map %u, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%p: i32, %q: i32) {
      %t = arith.subi %q, %p : i32
      %one = arith.constant 1 : i32
      %m = arith.addi %q, %one : i32
      %n = arith.addi %m, %t : i32
      soac.yield %n : i32
    }
    scf.yield %s, %s : tensor<?xi32>, tensor<?xi32>
  }
  %u = tensor.insert %v into %r#0[%c0] : tensor<?xi32>
  return %u, %r#1, %r#2 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// Arrays that a loop begins with, and that iterations exchange.
// CALL-LABEL: turn iota:i32[3] ones:i32[3] 4
// GIVES: result0: tensor<3xi32> = [1 3 1]
// GIVES: result1: tensor<3xi32> = [0 5 2]
// GIVES: result2: tensor<3xi32> = [0 8 2]
func.func @turn(%x: tensor<?xi32>, %y: tensor<?xi32>, %k: index) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %k step %c1 iter_args(%a = %x, %b = %y, %c = %x) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
    %e = tensor.extract %c[%c1] : tensor<?xi32>
    %f = tensor.extract %b[%c1] : tensor<?xi32>
    %g = arith.addi %e, %f : i32
    %u = tensor.insert %g into %a[%c1] : tensor<?xi32>
    scf.yield %b, %c, %u : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  }
  return %r#0, %r#1, %r#2 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// A loop in a loop in the lambda of a map over rows.
// CALL-LABEL: nested iota:i32[2,3] 3
// GIVES: result: tensor<2x3xi32> = {{\[}}[27 8 16] [30 32 40]]
func.func @nested(%x: tensor<?x?xi32>, %k: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %v = arith.constant 9 : i32
  %r = soac.map %x outer 1 inner(%n) : (tensor<?x?xi32>) -> tensor<?x?xi32> (%row: tensor<?xi32>) {
    %p:2 = scf.for %i = %c0 to %k step %c1 iter_args(%a = %row, %b = %row) -> (tensor<?xi32>, tensor<?xi32>) {
      %q:2 = scf.for %j = %c0 to %c1 step %c1 iter_args(%c = %a, %d = %b) -> (tensor<?xi32>, tensor<?xi32>) {
        %u = tensor.insert %v into %c[%c0] : tensor<?xi32>
        %s = soac.map %u, %d : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
          %g = arith.addi %e, %f : i32
          soac.yield %g : i32
        }
        scf.yield %s, %s : tensor<?xi32>, tensor<?xi32>
      }
      scf.yield %q#1, %q#0 : tensor<?xi32>, tensor<?xi32>
    }
    soac.yield %p#1 : tensor<?xi32>
  }
  return %r : tensor<?x?xi32>
}

// A recursion gives one array twice, and its caller writes to one of them.
// CALL-LABEL: calls 3 4
// GIVES: result0: tensor<4xindex> = [0 8 16 24]
// GIVES: result1: tensor<4xindex> = [6 8 16 24]
func.func private @pair(%n: index, %m: index) -> (tensor<?xindex>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.cmpi eq, %n, %c0 : index
  %r:2 = scf.if %end -> (tensor<?xindex>, tensor<?xindex>) {
    %y = soac.iota [%m] dim 0 : tensor<?xindex>
    scf.yield %y, %y : tensor<?xindex>, tensor<?xindex>
  } else {
    %less = arith.subi %n, %c1 : index
    %p:2 = func.call @pair(%less, %m) : (index, index) -> (tensor<?xindex>, tensor<?xindex>)
    %u = tensor.insert %n into %p#0[%c0] : tensor<?xindex>
    %s = soac.map %u, %p#1 : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex> (%e: index, %f: index) {
      %g = arith.addi %e, %f : index
      soac.yield %g : index
    }
    scf.yield %s, %s : tensor<?xindex>, tensor<?xindex>
  }
  return %r#0, %r#1 : tensor<?xindex>, tensor<?xindex>
}
func.func @calls(%n: index, %m: index) -> (tensor<?xindex>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %p:2 = func.call @pair(%n, %m) : (index, index) -> (tensor<?xindex>, tensor<?xindex>)
  %u = tensor.insert %c0 into %p#0[%c0] : tensor<?xindex>
  return %u, %p#1 : tensor<?xindex>, tensor<?xindex>
}

// A recursion gives its parameter twice, and its caller writes to one of them (in memory, the two are one unless one is
// copied).
// CALL-LABEL: parameter 2 [5,6,7]
// GIVES: result0: tensor<3xindex> = [5 6 7]
// GIVES: result1: tensor<3xindex> = [0 6 7]
func.func private @same(%n: index, %a: tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.cmpi eq, %n, %c0 : index
  %r:2 = scf.if %end -> (tensor<?xindex>, tensor<?xindex>) {
    scf.yield %a, %a : tensor<?xindex>, tensor<?xindex>
  } else {
    %less = arith.subi %n, %c1 : index
    %p:2 = func.call @same(%less, %a) : (index, tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>)
    scf.yield %a, %a : tensor<?xindex>, tensor<?xindex>
  }
  return %r#0, %r#1 : tensor<?xindex>, tensor<?xindex>
}
func.func @parameter(%n: index, %a: tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %p:2 = func.call @same(%n, %a) : (index, tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>)
  %u = tensor.insert %c0 into %p#1[%c0] : tensor<?xindex>
  return %p#0, %u : tensor<?xindex>, tensor<?xindex>
}

// An array becomes shorter, and another one becomes what it was one iteration before: blocks that the loop goes round
// for that are not always as long.
// CALL-LABEL: shorter [4,6] 1
// GIVES: result0: tensor<1xi64> = [6]
// GIVES: result1: tensor<2xi64> = [4 6]
// GIVES: result2: tensor<1xi64> = [9]
// CALL-LABEL: shorter [4,6] 2
// GIVES: result0: tensor<1xi64> = [6]
// GIVES: result1: tensor<1xi64> = [6]
// GIVES: result2: tensor<1xi64> = [9]
func.func @shorter(%x: tensor<?xi64>, %n: index) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9 : i64
  %short = tensor.extract_slice %x[1] [%c1] [1] : tensor<?xi64> to tensor<?xi64>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x)
      -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
    %z = tensor.insert %nine into %short[%c0] : tensor<?xi64>
    scf.yield %short, %a, %z : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
  }
  return %r#0, %r#1, %r#2 : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}
