// Sorts become maps, of which threads find each element without the others.
// RUN: comb-opt %s --gpu-sorts-to-maps | FileCheck %s

// DEFINE: %{ptx} = env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so

// Numbers are merged: a search in a map, for each level.
// RUN: comb run %s --entry numbers --target interp -i 'x=random:i32(-99..99)[3000]:1' -o r=%t.right.npy
// RUN: %{ptx} comb run %s --entry numbers --target nvvm -i 'x=random:i32(-99..99)[3000]:1' -o r=%t.gpu.npy
// RUN: cmp %t.right.npy %t.gpu.npy
// RUN: %{ptx} comb run %s --entry numbers --target nvvm -i 'x=[3]' | FileCheck %s --check-prefix=SINGLE
// SINGLE: [3]
// RUN: %{ptx} comb run %s --entry numbers --target nvvm -i 'x=zeros:i32[0]'
// CHECK-LABEL: func.func @numbers
// CHECK: scf.for
// CHECK: soac.generate
// CHECK: scf.while
// CHECK-NOT: soac.sort
func.func @numbers(%x: tensor<?xi32>) -> (tensor<?xi32> {soac.name = "r"}) {
  %r = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.cmpi slt, %a, %b : i32
    soac.yield %c : i1
  }
  return %r : tensor<?xi32>
}

// Rows, of which one array goes with the other: the sort is stable.
// RUN: comb run %s --entry rows --target interp -i 'x=random:i8(-3..3)[5,77]:1' -i 'y=iota:i16[5,77]' | grep -v ^compile > %t.rows
// RUN: %{ptx} comb run %s --entry rows --target nvvm -i 'x=random:i8(-3..3)[5,77]:1' -i 'y=iota:i16[5,77]' | grep -v ^compile | diff %t.rows -
// RUN: comb run %s --entry rows --target emulate -i 'x=random:i8(-3..3)[5,77]:1' -i 'y=iota:i16[5,77]' | grep -v ^compile | diff %t.rows -
func.func @rows(%x: tensor<?x?xi8>, %y: tensor<?x?xi16>) -> (tensor<?x?xi8>, tensor<?x?xi16>) {
  %r, %s = soac.sort %x, %y : (tensor<?x?xi8>, tensor<?x?xi16>) -> (tensor<?x?xi8>, tensor<?x?xi16>)
      (%a: i8, %p: i16, %b: i8, %q: i16) {
    %c = arith.cmpi sgt, %a, %b : i8
    soac.yield %c : i1
  }
  return %r, %s : tensor<?x?xi8>, tensor<?x?xi16>
}

// Of a function about which nothing is known pairs are exchanged, so that it may be no order: each element is there once.
// RUN: comb run %s --entry digits --target interp -i 'x=random:i32(0..999)[150]:1' | grep -v ^compile > %t.digits
// RUN: %{ptx} comb run %s --entry digits --target nvvm -i 'x=random:i32(0..999)[150]:1' | grep -v ^compile | diff %t.digits -
// CHECK-LABEL: func.func @digits
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.while
func.func @digits(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %r = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %p = arith.remui %a, %ten : i32
    %q = arith.remui %b, %ten : i32
    %d = arith.subi %p, %q : i32
    %c = arith.cmpi slt, %d, %zero : i32
    soac.yield %c : i1
  }
  return %r : tensor<?xi32>
}

// CHECK-LABEL: func.func @no_order
// RUN: %{ptx} comb run %s --entry no_order --target nvvm -i 'x=iota:i32[100]' | FileCheck %s --check-prefix=ALL
// ALL: sum: tensor<i32> = 4950
// ALL: squares: tensor<i32> = 328350
func.func @no_order(%x: tensor<?xi32>) -> (tensor<i32> {soac.name = "sum"}, tensor<i32> {soac.name = "squares"}) {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %r = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %p = arith.addi %a, %b : i32
    %q = arith.remui %p, %three : i32
    %c = arith.cmpi eq, %q, %zero : i32
    soac.yield %c : i1
  }
  %sum = soac.fold %r neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %s = soac.map %r : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %c = arith.muli %a, %a : i32
    soac.yield %c : i32
  }
  %squares = soac.fold %s neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %sum, %squares : tensor<i32>, tensor<i32>
}

// NaNs are kept, at one end.
// RUN: %{ptx} comb run %s --entry floats --target nvvm -i 'x=[1.0,nan,0.0,-0.0,inf,nan,-inf]' | FileCheck %s --check-prefix=FLOATS
// FLOATS: [-inf  0.0 -0.0  1.0  inf  nan  nan]
func.func @floats(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.sort %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.cmpf olt, %a, %b : f32
    soac.yield %c : i1
  }
  return %r : tensor<?xf32>
}
