// Sorts: runs of a few elements by insertion, then merged there and back; threads share rows, or blocks of
// the only one.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s --implicit-check-not="= soac.sort"
// DEFINE: %{same} = %python %S/Inputs/same.py %s

// RUN: %{same} rise '[5, 3, 9, -1, 7, 7, 2]' | FileCheck %s --check-prefix=RISE
// RISE: result: tensor<7xi32> = [-1 2 3 5 7 7 9]
// RUN: %{same} rise 'random:i32[20000]' | FileCheck %s --check-prefix=MANY
// RUN: %{same} rise 'random:i32[1027]' | FileCheck %s --check-prefix=MANY
// MANY: result: tensor<{{.*}}xi32> = [

// CHECK-LABEL: func.func @rise(
// CHECK: scf.parallel
// CHECK:   scf.while
// CHECK:   scf.while
// CHECK: scf.while
// CHECK:   scf.parallel
// CHECK:   scf.parallel
func.func @rise(%x: tensor<?xi32>) -> tensor<?xi32> {
  %s = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %before = arith.cmpi slt, %a, %b : i32
    soac.yield %before : i1
  }
  return %s : tensor<?xi32>
}

// Rows, several arrays, and floating-point numbers that fall.
// RUN: %{same} rows '[[1, 3, 2], [-0.5, 0, 0.5]]' '[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=ROWS
// ROWS: result0: tensor<2x3xf32> = {{\[}}[3.0 2.0 1.0] [0.5 0.0 -0.5]]
// ROWS: result1: tensor<2x3xi8> = {{\[}}[2 3 1] [6 5 4]]
// RUN: %{same} rows 'random:f32[300,70]' 'random:i8[300,70]' | FileCheck %s --check-prefix=MOREROWS
// RUN: %{same} rows 'random:f32[0,70]' 'random:i8[0,70]' | FileCheck %s --check-prefix=MOREROWS
// RUN: %{same} rows 'random:f32[70,0]' 'random:i8[70,0]' | FileCheck %s --check-prefix=MOREROWS
// MOREROWS: result0: tensor<

// CHECK-LABEL: func.func @rows(
// CHECK: scf.parallel
// CHECK-NOT: scf.parallel
func.func @rows(%x: tensor<?x?xf32>, %y: tensor<?x?xi8>) -> (tensor<?x?xf32>, tensor<?x?xi8>) {
  %s, %t = soac.sort %x, %y : (tensor<?x?xf32>, tensor<?x?xi8>) -> (tensor<?x?xf32>, tensor<?x?xi8>)
      (%a: f32, %i: i8, %b: f32, %j: i8) {
    %before = arith.cmpf ogt, %a, %b : f32
    soac.yield %before : i1
  }
  return %s, %t : tensor<?x?xf32>, tensor<?x?xi8>
}

// In a map over rows, and an array that the function looks into.
// RUN: %{same} inside '[[2, 0, 1, 2], [3, 3, 1, 0]]' '[9, 5, 7, 1]' | FileCheck %s --check-prefix=INSIDE
// INSIDE: result: tensor<2x4xindex> = {{\[}}[2 2 1 0] [3 3 1 0]]

// CHECK-LABEL: func.func @inside(
func.func @inside(%x: tensor<?x4xindex>, %table: tensor<?xi32>) -> tensor<?x4xindex> {
  %r = soac.map %x outer 1 : (tensor<?x4xindex>) -> tensor<?x4xindex> (%row: tensor<4xindex>) {
    %s = soac.sort %row : (tensor<4xindex>) -> tensor<4xindex> (%a: index, %b: index) {
      %p = tensor.extract %table[%a] : tensor<?xi32>
      %q = tensor.extract %table[%b] : tensor<?xi32>
      %before = arith.cmpi slt, %p, %q : i32
      soac.yield %before : i1
    }
    %t = soac.sort %s : (tensor<4xindex>) -> tensor<4xindex> (%a: index, %b: index) {
      %before = arith.cmpi ugt, %a, %b : index
      soac.yield %before : i1
    }
    soac.yield %t : tensor<4xindex>
  }
  return %r : tensor<?x4xindex>
}

// Narrow and odd numbers.
// RUN: %{same} odd 'random:i1[40]' 'random:f16[40]' 'random:bf16[40]' | FileCheck %s --check-prefix=ODD
// ODD: result0: tensor<40xi1> = [false
func.func @odd(%x: tensor<?xi1>, %y: tensor<?xf16>, %z: tensor<?xbf16>)
    -> (tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>) {
  %r:3 = soac.sort %x, %y, %z : (tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>) -> (tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>)
      (%a: i1, %b: f16, %c: bf16, %d: i1, %e: f16, %f: bf16) {
    %before = arith.cmpi ult, %a, %d : i1
    soac.yield %before : i1
  }
  return %r#0, %r#1, %r#2 : tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>
}
