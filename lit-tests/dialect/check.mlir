// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: soac.check %arg0, "sizes {} and {} differ"(%arg1, %arg2)
func.func @example(%equal: i1, %n: index, %m: index) {
  soac.check %equal, "sizes {} and {} differ" (%n, %m)
  return
}

// CHECK-LABEL: func.func @no_values(
// CHECK: soac.check %arg0, "a \22quoted\22 reason, 100 %, {braces}, \C3\A9" {mine}
func.func @no_values(%c: i1) {
  soac.check %c, "a \22quoted\22 reason, 100 %, {braces}, é" {mine}
  return
}

// CHECK-LABEL: func.func @in_a_lambda(
// CHECK: %0 = soac.map %arg0 : (tensor<?xindex>) -> tensor<?xindex> (%arg2: index) {
// CHECK: soac.check %1, "index {} is not below {}"(%arg2, %arg1)
// CHECK: soac.yield %arg2 : index
func.func @in_a_lambda(%x: tensor<?xindex>, %n: index) -> tensor<?xindex> {
  %r = soac.map %x : (tensor<?xindex>) -> tensor<?xindex> (%i: index) {
    %inside = arith.cmpi ult, %i, %n : index
    soac.check %inside, "index {} is not below {}" (%i, %n)
    soac.yield %i : index
  }
  return %r : tensor<?xindex>
}
