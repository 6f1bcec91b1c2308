// Arrays of `i1`, which have a byte for each element, are read and written in vectors, next to
// numbers, backwards, at indices, and where a filter keeps them.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Flags and numbers of 32 bits: two vectors of numbers at once.

// CALL-LABEL: flags iota:f32[0] random:i1[0]
// GIVES: result
// CALL-LABEL: flags random:f32[100] random:i1[100]
// GIVES: result
func.func @flags(%x: tensor<?xf32>, %f: tensor<?xi1>) -> (tensor<?xf32>, tensor<?xi1>) {
  %zero = arith.constant 0.0 : f32
  %r, %g = soac.map %x, %f : (tensor<?xf32>, tensor<?xi1>) -> (tensor<?xf32>, tensor<?xi1>) (%e: f32, %b: i1) {
    %s = arith.select %b, %zero, %e : f32
    %p = arith.cmpf ogt, %e, %zero : f32
    %q = arith.xori %p, %b : i1
    soac.yield %s, %q : f32, i1
  }
  return %r, %g : tensor<?xf32>, tensor<?xi1>
}

// Nothing but flags, of which a vector has 64, and a fold, which takes four vectors at once.

// CALL-LABEL: turned random:i1[7]
// GIVES: result
// CALL-LABEL: turned random:i1[300]
// GIVES: result
func.func @turned(%f: tensor<?xi1>) -> (tensor<?xi1>, tensor<i1>) {
  %false = arith.constant false
  %g = soac.reverse %f dims [0] : (tensor<?xi1>) -> tensor<?xi1>
  %r = soac.map %f, %g : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1> (%a: i1, %b: i1) {
    %q = arith.xori %a, %b : i1
    soac.yield %q : i1
  }
  %any = soac.fold %r neutral %false : (tensor<?xi1>, i1) -> tensor<i1> (%a: i1, %b: i1) {
    %q = arith.ori %a, %b : i1
    soac.yield %q : i1
  }
  return %r, %any : tensor<?xi1>, tensor<i1>
}

// CALL-LABEL: kept random:i1[100] random:i32(0..100)[77]
// GIVES: result
func.func @kept(%x: tensor<?xi1>, %at: tensor<?xi32>) -> (tensor<?xi1>, tensor<?xi1>) {
  %y = soac.gather %x at %at : (tensor<?xi1>, tensor<?xi32>) -> tensor<?xi1>
  %k = soac.filter %x : (tensor<?xi1>) -> tensor<?xi1> (%b: i1) { soac.yield %b : i1 }
  return %y, %k : tensor<?xi1>, tensor<?xi1>
}

// A scan of segments, which begin where the flag is set.

// CALL-LABEL: segments iota:f32[9] random:i1[9]
// GIVES: result
// CALL-LABEL: segments iota:f32[500] random:i1[500]
// GIVES: result
func.func @segments(%x: tensor<?xf32>, %f: tensor<?xi1>) -> (tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %false = arith.constant false
  %r, %g = soac.scanl %x, %f neutral %zero, %false : (tensor<?xf32>, tensor<?xi1>, f32, i1) -> (tensor<?xf32>, tensor<?xi1>) (%a: f32, %p: i1, %b: f32, %q: i1) {
    %s = arith.addf %a, %b : f32
    %v = arith.select %q, %b, %s : f32
    %o = arith.ori %p, %q : i1
    soac.yield %v, %o : f32, i1
  }
  return %r : tensor<?xf32>
}
