// Elements of every type. Those whose vectors are not in memory as one element after the other, or for
// which CPUs have no vector arithmetic, are computed one by one.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: i1 random:i1[101]:3
// GIVES: result
func.func @i1(%x: tensor<?xi1>) -> (tensor<?xi1>, tensor<?xi1>, tensor<i1>) {
  %zero = arith.constant false
  %y = soac.map %x : (tensor<?xi1>) -> tensor<?xi1> (%a: i1) {
    %b = arith.xori %a, %a : i1
    soac.yield %b : i1
  }
  %z = soac.scanl %y neutral %zero : (tensor<?xi1>, i1) -> tensor<?xi1> (%a: i1, %b: i1) {
    %c = arith.xori %a, %b : i1
    soac.yield %c : i1
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi1>, i1) -> tensor<i1> (%a: i1, %b: i1) {
    %c = arith.xori %a, %b : i1
    soac.yield %c : i1
  }
  return %y, %z, %s : tensor<?xi1>, tensor<?xi1>, tensor<i1>
}

// CALL-LABEL: i8 iota:i8[11]
// GIVES: result0: tensor<11xi8> = [0 2 4 6 8 10 12 14 16 18 20]
// GIVES: result1: tensor<11xi8> = [0 2 6 12 20 30 42 56 72 90 110]
// GIVES: result2: tensor<i8> = 110
func.func @i8(%x: tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi8>, tensor<i8>) {
  %zero = arith.constant 0 : i8
  %y = soac.map %x : (tensor<?xi8>) -> tensor<?xi8> (%a: i8) {
    %b = arith.addi %a, %a : i8
    soac.yield %b : i8
  }
  %z = soac.scanl %y neutral %zero : (tensor<?xi8>, i8) -> tensor<?xi8> (%a: i8, %b: i8) {
    %c = arith.addi %a, %b : i8
    soac.yield %c : i8
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi8>, i8) -> tensor<i8> (%a: i8, %b: i8) {
    %c = arith.addi %a, %b : i8
    soac.yield %c : i8
  }
  return %y, %z, %s : tensor<?xi8>, tensor<?xi8>, tensor<i8>
}

// CALL-LABEL: i64 iota:i64[11]
// GIVES: result0: tensor<11xi64> = [0 2 4 6 8 10 12 14 16 18 20]
// GIVES: result1: tensor<11xi64> = [0 2 6 12 20 30 42 56 72 90 110]
// GIVES: result2: tensor<i64> = 110
func.func @i64(%x: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>, tensor<i64>) {
  %zero = arith.constant 0 : i64
  %y = soac.map %x : (tensor<?xi64>) -> tensor<?xi64> (%a: i64) {
    %b = arith.addi %a, %a : i64
    soac.yield %b : i64
  }
  %z = soac.scanl %y neutral %zero : (tensor<?xi64>, i64) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %y, %z, %s : tensor<?xi64>, tensor<?xi64>, tensor<i64>
}

// CALL-LABEL: index iota:index[11]
// GIVES: result0: tensor<11xindex> = [0 2 4 6 8 10 12 14 16 18 20]
// GIVES: result1: tensor<11xindex> = [0 2 6 12 20 30 42 56 72 90 110]
// GIVES: result2: tensor<index> = 110
func.func @index(%x: tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>, tensor<index>) {
  %zero = arith.constant 0 : index
  %y = soac.map %x : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %b = arith.addi %a, %a : index
    soac.yield %b : index
  }
  %z = soac.scanl %y neutral %zero : (tensor<?xindex>, index) -> tensor<?xindex> (%a: index, %b: index) {
    %c = arith.addi %a, %b : index
    soac.yield %c : index
  }
  %s = soac.fold %y neutral %zero : (tensor<?xindex>, index) -> tensor<index> (%a: index, %b: index) {
    %c = arith.addi %a, %b : index
    soac.yield %c : index
  }
  return %y, %z, %s : tensor<?xindex>, tensor<?xindex>, tensor<index>
}

// CALL-LABEL: f16 iota:f16[11]
// GIVES: result0: tensor<11xf16> = [0.0 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0 18.0 20.0]
// GIVES: result1: tensor<11xf16> = [0.0 2.0 6.0 12.0 20.0 30.0 42.0 56.0 72.0 90.0 110.0]
// GIVES: result2: tensor<f16> = 110.0
// CALL-LABEL: f16_rounds random:f16[131]:1
// GIVES: result
func.func @f16(%x: tensor<?xf16>) -> (tensor<?xf16>, tensor<?xf16>, tensor<f16>) {
  %zero = arith.constant 0.0 : f16
  %y = soac.map %x : (tensor<?xf16>) -> tensor<?xf16> (%a: f16) {
    %b = arith.addf %a, %a : f16
    soac.yield %b : f16
  }
  %z = soac.scanl %y neutral %zero : (tensor<?xf16>, f16) -> tensor<?xf16> (%a: f16, %b: f16) {
    %c = arith.addf %a, %b : f16
    soac.yield %c : f16
  }
  %s = soac.fold %y neutral %zero : (tensor<?xf16>, f16) -> tensor<f16> (%a: f16, %b: f16) {
    %c = arith.addf %a, %b : f16
    soac.yield %c : f16
  }
  return %y, %z, %s : tensor<?xf16>, tensor<?xf16>, tensor<f16>
}

// Each op rounds to 16 bits.
func.func @f16_rounds(%x: tensor<?xf16>) -> (tensor<?xf16>, tensor<?xf32>, tensor<?xf16>) {
  %half = arith.constant 0.5 : f16
  %y = soac.map %x : (tensor<?xf16>) -> tensor<?xf16> (%a: f16) {
    %product = arith.mulf %a, %half : f16
    %power = math.exp %product : f16
    %is_small = arith.cmpf olt, %a, %half : f16
    %one = arith.select %is_small, %power, %product : f16
    %quotient = arith.divf %one, %a : f16
    soac.yield %quotient : f16
  }
  %wide = soac.map %y : (tensor<?xf16>) -> tensor<?xf32> (%a: f16) {
    %b = arith.extf %a : f16 to f32
    soac.yield %b : f32
  }
  %kept = soac.filter %x : (tensor<?xf16>) -> tensor<?xf16> (%a: f16) {
    %keep = arith.cmpf olt, %half, %a : f16
    soac.yield %keep : i1
  }
  return %y, %wide, %kept : tensor<?xf16>, tensor<?xf32>, tensor<?xf16>
}

// CALL-LABEL: bf16 iota:bf16[11]
// GIVES: result0: tensor<11xbf16> = [0.0 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0 18.0 20.0]
// GIVES: result1: tensor<11xbf16> = [0.0 2.0 6.0 12.0 20.0 30.0 42.0 56.0 72.0 90.0 110.0]
// GIVES: result2: tensor<bf16> = 110.0
func.func @bf16(%x: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>, tensor<bf16>) {
  %zero = arith.constant 0.0 : bf16
  %y = soac.map %x : (tensor<?xbf16>) -> tensor<?xbf16> (%a: bf16) {
    %b = arith.addf %a, %a : bf16
    soac.yield %b : bf16
  }
  %z = soac.scanl %y neutral %zero : (tensor<?xbf16>, bf16) -> tensor<?xbf16> (%a: bf16, %b: bf16) {
    %c = arith.addf %a, %b : bf16
    soac.yield %c : bf16
  }
  %s = soac.fold %y neutral %zero : (tensor<?xbf16>, bf16) -> tensor<bf16> (%a: bf16, %b: bf16) {
    %c = arith.addf %a, %b : bf16
    soac.yield %c : bf16
  }
  return %y, %z, %s : tensor<?xbf16>, tensor<?xbf16>, tensor<bf16>
}

// CALL-LABEL: f64 iota:f64[11]
// GIVES: result0: tensor<11xf64> = [0.0 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0 18.0 20.0]
// GIVES: result1: tensor<11xf64> = [0.0 2.0 6.0 12.0 20.0 30.0 42.0 56.0 72.0 90.0 110.0]
// GIVES: result2: tensor<f64> = 110.0
func.func @f64(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<f64>) {
  %zero = arith.constant 0.0 : f64
  %y = soac.map %x : (tensor<?xf64>) -> tensor<?xf64> (%a: f64) {
    %b = arith.addf %a, %a : f64
    soac.yield %b : f64
  }
  %z = soac.scanl %y neutral %zero : (tensor<?xf64>, f64) -> tensor<?xf64> (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %s = soac.fold %y neutral %zero : (tensor<?xf64>, f64) -> tensor<f64> (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %y, %z, %s : tensor<?xf64>, tensor<?xf64>, tensor<f64>
}

// A scan of bytes has 32 lanes: with 64, LLVM 22 would not come to an end for this CPU.

// RUN: comb build %s --entry bytes --cpu znver5 -o %t.s
// CALL-LABEL: bytes random:i8[331]:5 3 100
// GIVES: result
func.func @bytes(%x: tensor<?xi8>, %step: index, %n: index) -> tensor<?xi8> {
  %zero = arith.constant 0 : i8
  %xs = soac.backpermute %x [%n] : (tensor<?xi8>) -> tensor<?xi8> (%i: index) {
    %place = arith.muli %i, %step : index
    soac.yield %place : index
  }
  %sums:3 = soac.scanl %xs, %xs, %xs neutral %zero, %zero, %zero
      : (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, i8, i8, i8) -> (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>)
      (%a: i8, %b: i8, %c: i8, %d: i8, %e: i8, %f: i8) {
    %ad = arith.addi %a, %d : i8
    %differs = arith.cmpi ne, %e, %zero : i8
    %be = arith.select %differs, %e, %b : i8
    %cf = arith.xori %c, %f : i8
    soac.yield %ad, %be, %cf : i8, i8, i8
  }
  return %sums#2 : tensor<?xi8>
}
