// RUN: comb-opt %s --split-input-file --verify-diagnostics

// More placeholders than values.
func.func @f(%c: i1, %n: index) {
  // expected-error @below {{'soac.check' op has 2 placeholders in its message for 1 value}}
  soac.check %c, "{} and {}" (%n)
  return
}

// -----

// More values than placeholders.
func.func @f(%c: i1, %n: index) {
  // expected-error @below {{'soac.check' op has 0 placeholders in its message for 1 value}}
  soac.check %c, "no placeholder" (%n)
  return
}

// -----

// A condition that is no truth value.
func.func @f(%c: i32) {
  // expected-error @below {{'soac.check' op operand #0 must be 1-bit signless integer, but got 'i32'}}
  "soac.check"(%c) <{message = "m"}> : (i32) -> ()
  return
}

// -----

// A value that is no index.
func.func @f(%c: i1, %v: f32) {
  // expected-error @below {{'soac.check' op operand #1 must be variadic of index, but got 'f32'}}
  "soac.check"(%c, %v) <{message = "{}"}> : (i1, f32) -> ()
  return
}

// -----

// No message.
func.func @f(%c: i1) {
  // expected-error @below {{'soac.check' op requires attribute 'message'}}
  "soac.check"(%c) : (i1) -> ()
  return
}
