// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No such function.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.external' op callee @nowhere is not a function}}
  %r = soac.external @nowhere(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// A symbol that is no function.
module @inner {}
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.external' op callee @inner is not a function}}
  %r = soac.external @inner(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// Another operand type than declared.
func.func private @g(tensor<?xf32>) -> tensor<?xf32>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.external' op calls @g as '(tensor<4xf32>) -> tensor<?xf32>', but it is declared '(tensor<?xf32>) -> tensor<?xf32>'}}
  %r = soac.external @g(%x) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// Another number of results.
func.func private @g(tensor<?xf32>) -> tensor<?xf32>
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.external' op calls @g as '(tensor<?xf32>) -> ()', but it is declared '(tensor<?xf32>) -> tensor<?xf32>'}}
  soac.external @g(%x) : (tensor<?xf32>) -> ()
  return
}

// -----

// An argument that is neither array nor scalar.
func.func private @g(memref<4xf32>)
func.func @f(%x: memref<4xf32>) {
  // expected-error @below {{'soac.external' op operand #0 must be variadic of array (ranked tensor without encoding) of i1 to i64, index, f16, bf16, f32 or f64 values or i1 to i64, index, f16, bf16, f32 or f64, but got 'memref<4xf32>'}}
  soac.external @g(%x) : (memref<4xf32>) -> ()
  return
}

// -----

// No callee.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.external' op requires attribute 'callee'}}
  "soac.external"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

// An effect that there is not.
func.func private @g(tensor<?xf32>)
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{custom op 'soac.external' expected string or keyword containing one of the following enum values for attribute 'effects' [none, read, write, any]}}
  soac.external @g(%x) effects some : (tensor<?xf32>) -> ()
  return
}
