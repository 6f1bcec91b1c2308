// Loops that carry an array whose size changes, and begin with one of a size that is known.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: another 3 0
// GIVES: result: index = 45
// CALL-LABEL: another 3 1
// GIVES: result: index = 3
// CALL-LABEL: another 12 2
// GIVES: result: index = 66
func.func @another(%n: index, %rounds: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %first = soac.iota [%c10] dim 0 : tensor<?xindex>
  %last = scf.for %i = %c0 to %rounds step %c1 iter_args(%b = %first) -> tensor<?xindex> {
    %next = soac.iota [%n] dim 0 : tensor<?xindex>
    scf.yield %next : tensor<?xindex>
  }
  %sum = soac.fold %last neutral %c0 : (tensor<?xindex>, index) -> tensor<index> (%p: index, %q: index) {
    %r = arith.addi %p, %q : index
    soac.yield %r : index
  }
  %e = tensor.extract %sum[] : tensor<index>
  return %e : index
}

// CALL-LABEL: part 4 2
// GIVES: result0: index = 6
// GIVES: result1: index = 14
// CALL-LABEL: part 11 1
// GIVES: error: 'soac.take' op count 11 is not between 0 and 10, the size of dimension 0
func.func @part(%n: index, %rounds: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = soac.iota [10] dim 0 : tensor<10xindex>
  %known = tensor.cast %first : tensor<10xindex> to tensor<?xindex>
  %last, %sizes = scf.for %i = %c0 to %rounds step %c1 iter_args(%b = %known, %s = %c0) -> (tensor<?xindex>, index) {
    %same = soac.map %b : (tensor<?xindex>) -> tensor<?xindex> (%e: index) {
      soac.yield %e : index
    }
    %next = soac.take %same [%n] : (tensor<?xindex>) -> tensor<?xindex>
    %d = tensor.dim %b, %c0 : tensor<?xindex>
    %t = arith.addi %s, %d : index
    scf.yield %next, %t : tensor<?xindex>, index
  }
  %sum = soac.fold %last neutral %c0 : (tensor<?xindex>, index) -> tensor<index> (%p: index, %q: index) {
    %r = arith.addi %p, %q : index
    soac.yield %r : index
  }
  %e = tensor.extract %sum[] : tensor<index>
  return %e, %sizes : index, index
}

// A loop in the lambda of a map, whose array gets another row in each round.
// CALL-LABEL: rows 3
// GIVES: result: tensor<3xindex> = [2 4 6]
func.func @rows(%n: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xs = soac.iota [%n] dim 0 : tensor<?xindex>
  %r = soac.map %xs : (tensor<?xindex>) -> tensor<?xindex> (%x: index) {
    %first = tensor.from_elements %c1, %c1 : tensor<2xindex>
    %known = tensor.cast %first : tensor<2xindex> to tensor<?xindex>
    %last = scf.for %i = %c0 to %x step %c1 iter_args(%b = %known) -> tensor<?xindex> {
      %two = tensor.from_elements %c1, %c1 : tensor<2xindex>
      %next = soac.concat %b, %two dim 0 : (tensor<?xindex>, tensor<2xindex>) -> tensor<?xindex>
      scf.yield %next : tensor<?xindex>
    }
    %d = tensor.dim %last, %c0 : tensor<?xindex>
    soac.yield %d : index
  }
  return %r : tensor<?xindex>
}

// Loops with a condition.
// CALL-LABEL: while 30
// GIVES: result: tensor<40xindex> = [1 1
// CALL-LABEL: while 0
// GIVES: result: tensor<5xindex> = [1 1 1 1 1]
func.func @while(%n: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = soac.fill %c1 [5] : (index) -> tensor<5xindex>
  %known = tensor.cast %first : tensor<5xindex> to tensor<?xindex>
  %last = scf.while (%a = %known) : (tensor<?xindex>) -> tensor<?xindex> {
    %d = tensor.dim %a, %c0 : tensor<?xindex>
    %more = arith.cmpi slt, %d, %n : index
    scf.condition(%more) %a : tensor<?xindex>
  } do {
  ^bb0(%a: tensor<?xindex>):
    %next = soac.concat %a, %a dim 0 : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
    scf.yield %next : tensor<?xindex>
  }
  return %last : tensor<?xindex>
}
