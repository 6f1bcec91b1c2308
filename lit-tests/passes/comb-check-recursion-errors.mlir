// RUN: comb-opt %s --split-input-file --verify-diagnostics --comb-check-recursion

func.func @itself() {
  call @itself() : () -> ()
  return
}
// expected-error @below {{'comb_runtime_stack_is_left' is a name of the runtime library or OpenMP}}
func.func @comb_runtime_stack_is_left() -> i1 {
  %r = arith.constant true
  return %r : i1
}

// -----

func.func @itself() {
  call @itself() : () -> ()
  return
}
// expected-error @below {{'comb_runtime_stack_is_left' is a name of the runtime library or OpenMP}}
func.func private @comb_runtime_stack_is_left() -> i8
