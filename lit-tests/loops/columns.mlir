// Columns that are joined are chosen from by their place in the row: vectors of the parts are shuffled, and
// nothing is stored element by element.

// RUN: comb-opt %s --comb-fuse | FileCheck %s --check-prefix=FUSED
// RUN: comb build %s --entry pairs --cpu x86-64-v4 -o %t.s && FileCheck %s --check-prefix=ASM --input-file=%t.s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: pairs iota:f32[4] random:f32[4]
// GIVES: result: tensor<4x2xf32>
// CALL-LABEL: pairs iota:f32[0] random:f32[0]
// CALL-LABEL: pairs random:f32[1] random:f32[1]
// CALL-LABEL: pairs random:f32[1000] random:f32[1000]
// RUN: not comb run %s --entry pairs -i x=iota:f32[4] -i y=iota:f32[5] 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: {{.*}}columns.mlir:{{[0-9]+}}:{{[0-9]+}}: 'soac.concat' op operands 0 and 1, apart from dimension 1, have different shapes: [4] and [5]

// FUSED-LABEL: func.func @pairs(
// FUSED-NOT:     = soac.concat
// FUSED:         soac.map

// ASM:         vpermt2ps {{.*}}%zmm
// ASM:         vmovup{{.}} %zmm
func.func @pairs(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %p = soac.reshape %x to [%m, 1] : (tensor<?xf32>) -> tensor<?x1xf32>
  %q = soac.reshape %y to [%n, 1] : (tensor<?xf32>) -> tensor<?x1xf32>
  %r = soac.concat %p, %q dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// Parts of several widths, one of them empty; the first comes twice.

// CALL-LABEL: widths iota:i16[2,1] random:i16[2,0] iota:i16[2,3]
// GIVES: result: tensor<2x5xi16> = {{\[\[}}0 0 1 2 0] [1 3 4 5 1]]
// CALL-LABEL: widths random:i16[333,1] random:i16[333,0] random:i16[333,3]
func.func @widths(%x: tensor<?x1xi16>, %y: tensor<?x0xi16>, %z: tensor<?x3xi16>)
    -> tensor<?x5xi16> {
  %r = soac.concat %x, %y, %z, %x dim 1
      : (tensor<?x1xi16>, tensor<?x0xi16>, tensor<?x3xi16>, tensor<?x1xi16>) -> tensor<?x5xi16>
  return %r : tensor<?x5xi16>
}

// In three dimensions, with parts that are computed, one of them by a fold.

// CALL-LABEL: planes random:i64[5,7,2] random:i64[5,7,11]
// GIVES: result: tensor<5x7x3xi64>
// CALL-LABEL: planes random:i64[50,70,2] random:i64[50,70,0]
func.func @planes(%x: tensor<?x?x2xi64>, %y: tensor<?x?x?xi64>) -> tensor<?x?x3xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %m = tensor.dim %x, %c0 : tensor<?x?x2xi64>
  %n = tensor.dim %x, %c1 : tensor<?x?x2xi64>
  %d = soac.map %x : (tensor<?x?x2xi64>) -> tensor<?x?x2xi64> (%a: i64) {
    %b = arith.muli %a, %a : i64
    soac.yield %b : i64
  }
  %s = soac.fold %y neutral %zero : (tensor<?x?x?xi64>, i64) -> tensor<?x?xi64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  %t = soac.reshape %s to [%m, %n, 1] : (tensor<?x?xi64>) -> tensor<?x?x1xi64>
  %r = soac.concat %d, %t dim 2 : (tensor<?x?x2xi64>, tensor<?x?x1xi64>) -> tensor<?x?x3xi64>
  return %r : tensor<?x?x3xi64>
}

// Nothing is stored of rows that are folded at once.

// CALL-LABEL: lengths random:i32[77,3]
// GIVES: result: tensor<77xi32>

// FUSED-LABEL: func.func @lengths(
// FUSED-NOT:     = soac.concat
// FUSED:         soac.fold

func.func @lengths(%x: tensor<?x3xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %x, %c0 : tensor<?x3xi32>
  %ones = soac.fill %one [%n, 1] : (i32) -> tensor<?x1xi32>
  %h = soac.concat %x, %ones dim 1 : (tensor<?x3xi32>, tensor<?x1xi32>) -> tensor<?x4xi32>
  %s = soac.map %h : (tensor<?x4xi32>) -> tensor<?x4xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %t = soac.fold %s neutral %zero : (tensor<?x4xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %t : tensor<?xi32>
}

// Rows that are wide, or of sizes that are not known, are copied as they are.

// CALL-LABEL: wide random:i32[9,8] random:i32[9,8]
// GIVES: result: tensor<9x16xi32>
// CALL-LABEL: unknown random:i32[9,2] random:i32[9,3]
// GIVES: result: tensor<9x5xi32>

// FUSED-LABEL: func.func @wide(
// FUSED:         = soac.concat
func.func @wide(%x: tensor<?x8xi32>, %y: tensor<?x8xi32>) -> tensor<?x16xi32> {
  %r = soac.concat %x, %y dim 1 : (tensor<?x8xi32>, tensor<?x8xi32>) -> tensor<?x16xi32>
  return %r : tensor<?x16xi32>
}

// FUSED-LABEL: func.func @unknown(
// FUSED:         = soac.concat
func.func @unknown(%x: tensor<?x2xi32>, %y: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = soac.concat %x, %y dim 1 : (tensor<?x2xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}
