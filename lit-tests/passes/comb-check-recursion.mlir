// RUN: comb-opt %s --split-input-file --comb-check-recursion | FileCheck %s

// A function that calls itself, and others that it calls.

// CHECK:         func.func private @comb_runtime_stack_is_left() -> i1
// CHECK-LABEL: func.func @itself(
// CHECK:         scf.if
// CHECK:           %[[LEFT:.*]] = func.call @comb_runtime_stack_is_left() : () -> i1
// CHECK-NEXT:      soac.check %[[LEFT]], "'func.call' op recursion is too deep for the stack"
// CHECK-NEXT:      func.call @itself
// CHECK-NOT:     comb_runtime_stack_is_left
// CHECK:         call @other
func.func @itself(%c: i1) {
  scf.if %c {
    func.call @itself(%c) : (i1) -> ()
  }
  call @other(%c) : (i1) -> ()
  return
}
// CHECK-LABEL: func.func private @other(
// CHECK-NEXT:    return
func.func private @other(%c: i1) {
  return
}

// -----

// Functions that call each other. Who only calls them is not one of them.

// CHECK-LABEL: func.func @caller(
// CHECK-NEXT:    call @even
func.func @caller(%c: i1) {
  call @even(%c) : (i1) -> ()
  return
}
// CHECK-LABEL: func.func private @even(
// CHECK-NEXT:    call @comb_runtime_stack_is_left
// CHECK-NEXT:    soac.check
// CHECK-NEXT:    call @odd
func.func private @even(%c: i1) {
  call @odd(%c) : (i1) -> ()
  return
}
// CHECK-LABEL: func.func private @odd(
// CHECK-NEXT:    call @comb_runtime_stack_is_left
// CHECK-NEXT:    soac.check
// CHECK-NEXT:    call @even
func.func private @odd(%c: i1) {
  call @even(%c) : (i1) -> ()
  return
}

// -----

// A function that is computed may be any.

// CHECK-LABEL: func.func @computed(
// CHECK-NEXT:    call @comb_runtime_stack_is_left
// CHECK-NEXT:    soac.check %{{.*}}, "'func.call_indirect' op recursion is too deep for the stack"
// CHECK-NEXT:    call_indirect
func.func @computed(%f: () -> ()) {
  func.call_indirect %f() : () -> ()
  return
}

// -----

// Names count in the module that they are in.

// CHECK-LABEL: module @outer
// CHECK-NEXT:    func.func @same
// CHECK-NEXT:      call @different
// CHECK:         module @inner
// CHECK-NEXT:      func.func private @comb_runtime_stack_is_left
// CHECK:           func.func private @different
// CHECK-NEXT:        call @comb_runtime_stack_is_left
module @outer {
  func.func @same() {
    call @different() : () -> ()
    return
  }
  func.func private @different()
  module @inner {
    func.func @same() {
      call @different() : () -> ()
      return
    }
    func.func private @different() {
      call @same() : () -> ()
      return
    }
  }
}

// -----

// Without recursions nothing is declared; what is declared is not declared again.

// CHECK-LABEL: module @none
// CHECK-NOT:     comb_runtime_stack_is_left
// CHECK:       module @declared
// CHECK-COUNT-1: func.func private @comb_runtime_stack_is_left
// CHECK-NOT:     func.func private @comb_runtime_stack_is_left
module @none {
  func.func @plain() {
    return
  }
}
module @declared {
  func.func private @comb_runtime_stack_is_left() -> i1
  func.func @itself() {
    call @itself() : () -> ()
    return
  }
}
