// What comb explain calls things: as the program does, and no two the same.

// RUN: comb explain %s | FileCheck %s
// RUN: comb-opt %s | comb explain - | FileCheck %s --check-prefix=NUMBERS

// Arguments of a function and of a loop; what a call has brought is called what it is there, too.
// CHECK-LABEL: block 1, in loop
// CHECK: loop 1: sums ({{.*}}names.mlir:[[# @LINE + 18]]:13) in order 1, totals
// CHECK: reads state in order 1, table in order 1
// NUMBERS-LABEL: in loop
// NUMBERS: loop 1: map1 ({{.*}}) in order 1, scanr1
// NUMBERS: reads arg{{[0-9]}} in order 1, table in order 1
func.func private @plus(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %sums = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  return %sums : tensor<?xi32>
}
func.func @loop(%start: tensor<?xi32>, %xs: tensor<?xi32> {soac.name = "table"}, %n: index)
    -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %start) -> tensor<?xi32> {
    %sums = soac.map %state, %xs : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
        (%x: i32, %y: i32) {
      %s = arith.addi %x, %y : i32
      soac.yield %s : i32
    }
    %totals = soac.scanr %sums neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
        (%x: i32, %y: i32) {
      %s = arith.addi %x, %y : i32
      soac.yield %s : i32
    }
    scf.yield %totals : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// Sugar keeps its name; ops without a name have the mnemonic that the text has; a result has
// that of its attribute.
// CHECK-LABEL: in sugar
// CHECK: loop 1.1: flipped ({{.*}}), transpose1
// CHECK-NEXT: ), sums
// NUMBERS-LABEL: in sugar
// NUMBERS: loop 1.1: transpose1 ({{.*}}), transpose2 ({{.*}}), sums
func.func @sugar(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> (tensor<?x?xi32> {soac.name = "sums"}) {
  %flipped = soac.transpose %x [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %0 = soac.transpose %y [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = soac.map %flipped, %0 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %r : tensor<?x?xi32>
}

// The arrays of a cross product have the names of its results.
// CHECK-LABEL: in outer
// CHECK: loop 1.1: right (
// CHECK: {{^}}vertical  right  product
// CHECK: {{^}}vertical  left   product
// NUMBERS-LABEL: in outer
// NUMBERS: loop 1.1: cross2 (
func.func @outer(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?x?xi32> {
  %left, %right = soac.cross %x by %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>)
  %product = soac.map %left, %right : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %s = arith.muli %a, %b : i32
    soac.yield %s : i32
  }
  return %product : tensor<?x?xi32>
}

// The same name in two functions, one of which is called by the other, twice.
// CHECK-LABEL: in calls
// CHECK: loop 1: sums ({{.*}}), sums.2
// CHECK-NEXT: ), sums.3
func.func @calls(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %a = func.call @plus(%xs) : (tensor<?xi32>) -> tensor<?xi32>
  %b = func.call @plus(%a) : (tensor<?xi32>) -> tensor<?xi32>
  %sums = soac.map %b : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %sums : tensor<?xi32>
}

// Several results: each, and together.
// CHECK-LABEL: in several
// CHECK: writes one, other
// CHECK: vertical both#0 map1 both#0
// CHECK: vertical both#1 map1 both#1
func.func @several(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %both:2 = soac.map %xs : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%x: i32) {
    %r = arith.muli %x, %x : i32
    %s = arith.addi %x, %x : i32
    soac.yield %r, %s : i32, i32
  }
  %one,
  %other = soac.map %both#0, %both#1 : (tensor<?xi32>, tensor<?xi32>)
      -> (tensor<?xi32>, tensor<?xi32>) (%x: i32, %y: i32) {
    %r = arith.muli %x, %y : i32
    %s = arith.addi %x, %y : i32
    soac.yield %s, %r : i32, i32
  }
  return %one, %other : tensor<?xi32>, tensor<?xi32>
}
