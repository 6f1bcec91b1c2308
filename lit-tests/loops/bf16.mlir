// Vectors of bf16 are moved as integers, and computed in f32: each result is rounded to bf16, as for single
// numbers. So all ways of compiling give the same bits as the interpreter.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Loads from both ends, branches, constants, and a fold next to a map.

// CALL-LABEL: moved random:bf16(-3..3)[157]:5
// GIVES: result
func.func @moved(%x: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<bf16>) {
  %zero = arith.constant 0.0 : bf16
  %third = arith.constant 0.333 : bf16
  %r = soac.reverse %x dims [0] : (tensor<?xbf16>) -> tensor<?xbf16>
  %y = soac.map %x, %r : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16> (%a: bf16, %b: bf16) {
    %is_less = arith.cmpf olt, %a, %b : bf16
    %c = scf.if %is_less -> bf16 {
      %p = arith.mulf %a, %third : bf16
      scf.yield %p : bf16
    } else {
      %p = math.exp %b : bf16
      scf.yield %p : bf16
    }
    %d = arith.divf %c, %third : bf16
    soac.yield %d : bf16
  }
  %most = soac.fold %y neutral %zero : (tensor<?xbf16>, bf16) -> tensor<bf16> (%a: bf16, %b: bf16) {
    %c = arith.maximumf %a, %b : bf16
    soac.yield %c : bf16
  }
  return %y, %most : tensor<?xbf16>, tensor<bf16>
}

// Gathers, scans from both sides, filters, and other types from and to bf16.

// CALL-LABEL: gathered random:bf16(-1e38..1e38)[157]:5 random:i64(0..156)[203]:6
// GIVES: result
func.func @gathered(%x: tensor<?xbf16>, %at: tensor<?xi64>)
    -> (tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : bf16
  %places = soac.map %at : (tensor<?xi64>) -> tensor<?xindex> (%i: i64) {
    %place = arith.index_cast %i : i64 to index
    soac.yield %place : index
  }
  %g = soac.gather %x at %places : (tensor<?xbf16>, tensor<?xindex>) -> tensor<?xbf16>
  %l = soac.scanl %g neutral %zero : (tensor<?xbf16>, bf16) -> tensor<?xbf16> (%a: bf16, %b: bf16) {
    %c = arith.maxnumf %a, %b : bf16
    soac.yield %c : bf16
  }
  %r = soac.scanr %g neutral %zero : (tensor<?xbf16>, bf16) -> tensor<?xbf16> (%a: bf16, %b: bf16) {
    %c = arith.minimumf %a, %b : bf16
    soac.yield %c : bf16
  }
  %kept = soac.filter %g : (tensor<?xbf16>) -> tensor<?xbf16> (%a: bf16) {
    %keep = arith.cmpf olt, %zero, %a : bf16
    soac.yield %keep : i1
  }
  %wide = soac.map %g, %at : (tensor<?xbf16>, tensor<?xi64>) -> tensor<?xf64> (%a: bf16, %i: i64) {
    %n = arith.sitofp %i : i64 to bf16
    %s = arith.mulf %n, %a : bf16
    %t = arith.negf %s : bf16
    %w = arith.extf %t : bf16 to f64
    soac.yield %w : f64
  }
  return %l, %r, %kept, %g, %wide : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xf64>
}

// The greatest of each column, and functions of each element.

// CALL-LABEL: rows random:bf16(-2..2)[37,41]:5
// GIVES: result
func.func @rows(%x: tensor<?x?xbf16>) -> (tensor<?xbf16>, tensor<?x?xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %t = soac.transpose %x [1, 0] : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %s = soac.fold %t neutral %zero : (tensor<?x?xbf16>, bf16) -> tensor<?xbf16> (%a: bf16, %b: bf16) {
    %c = arith.maximumf %a, %b : bf16
    soac.yield %c : bf16
  }
  %y = soac.map %x : (tensor<?x?xbf16>) -> tensor<?x?xbf16> (%a: bf16) {
    %c = math.tanh %a : bf16
    %d = math.fma %c, %a, %a : bf16
    soac.yield %d : bf16
  }
  return %s, %y : tensor<?xbf16>, tensor<?x?xbf16>
}
