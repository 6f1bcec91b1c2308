// Gathers that read at the same places need not have orders of their own: what both are computed
// from is computed in the one order.

// RUN: comb-opt %s --comb-fuse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Two results of a map, reversed, with maps in between.
// CHECK-LABEL: func.func @reversed(
// CHECK: = soac.cluster {{.*}}writes [0] : (tensor<?xi32>) -> tensor<?xi32>
// CHECK:   = soac.map {{.*}}soac.orders = array<i64: 2>
// CHECK:   :2 = soac.backpermute
// CHECK:   = soac.map
// CHECK:   = soac.map
// CHECK-NOT: soac.cluster
// CHECK: return
// CALL-LABEL: reversed iota:i32[4]
// GIVES: result: tensor<4xi32> = [21 12 5 0]
func.func @reversed(%x: tensor<?xi32>) -> tensor<?xi32> {
  %p, %q = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %b = arith.addi %a, %a : i32
    %c = arith.muli %a, %a : i32
    soac.yield %b, %c : i32, i32
  }
  %pr = soac.reverse %p dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %pm = soac.map %pr : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %qr = soac.reverse %q dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %r = soac.map %pm, %qr : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}

// Maps of one computed array, gathered by index functions that are written twice.
// CHECK-LABEL: func.func @written_twice(
// CHECK: = soac.cluster {{.*}}writes [0] : (tensor<?xi32>) -> tensor<?xi32>
// CHECK-COUNT-1: :2 = soac.backpermute
// CHECK-NOT: soac.cluster
// CHECK: return
// CALL-LABEL: written_twice iota:i32[5] 3
// GIVES: result: tensor<3xi32> = [0 24 80]
func.func @written_twice(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %two = arith.constant 2 : index
  %w = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %p = soac.map %w : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %q = soac.map %w : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %pe = soac.backpermute %p [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.muli %i, %two : index
    soac.yield %j : index
  }
  %qe = soac.backpermute %q [%n] : (tensor<?xi32>) -> tensor<?xi32> (%k: index) {
    %j = arith.muli %k, %two : index
    soac.yield %j : index
  }
  %r = soac.map %pe, %qe : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}

// Folds of rows, whose results are gathered at an array of indices.
// CHECK-LABEL: func.func @indices(
// CHECK: = soac.cluster
// CHECK:   = soac.fold {{.*}}soac.orders = array<i64: 2>
// CHECK:   :2 = soac.gather
// CHECK-NOT: soac.gather
// CHECK: return
// CALL-LABEL: indices iota:i32[2,3] iota:index[2]
// GIVES: result: tensor<2xi32> = [5 17]
func.func @indices(%x: tensor<2x3xi32>, %at: tensor<2xindex>) -> tensor<2xi32> {
  %zero = arith.constant 0 : i32
  %p, %q = soac.fold %x, %x neutral %zero, %zero : (tensor<2x3xi32>, tensor<2x3xi32>, i32, i32) -> (tensor<2xi32>, tensor<2xi32>) (%a: i32, %b: i32, %c: i32, %d: i32) {
    %s = arith.addi %a, %c : i32
    %t = arith.maxsi %b, %d : i32
    soac.yield %s, %t : i32, i32
  }
  %pg = soac.gather %p at %at : (tensor<2xi32>, tensor<2xindex>) -> tensor<2xi32>
  %qg = soac.gather %q at %at : (tensor<2xi32>, tensor<2xindex>) -> tensor<2xi32>
  %r = soac.map %pg, %qg : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<2xi32>
}

// One of which waits for the other stays.
// CHECK-LABEL: func.func @waits(
// CHECK-NOT: :2 = soac.backpermute
// CHECK: return
// CALL-LABEL: waits iota:i32[4]
// GIVES: result: tensor<4xi32> = [21 16 13 12]
func.func @waits(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %p, %q = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %b = arith.addi %a, %a : i32
    %c = arith.muli %a, %a : i32
    soac.yield %b, %c : i32, i32
  }
  %pr = soac.reverse %p dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %sum = soac.fold %pr neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %s = tensor.extract %sum[] : tensor<i32>
  %qr = soac.reverse %q dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %r = soac.map %qr : (tensor<?xi32>) -> tensor<?xi32> (%b: i32) {
    %c = arith.addi %s, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}

// Two results of a map, reversed, that nothing reads together.
// CHECK-LABEL: func.func @apart(
// CHECK: :2 = soac.cluster {{.*}}reads [2] writes [0, 0]
// CHECK:   :2 = soac.map {{.*}}soac.orders = array<i64: 2>
// CHECK:   :2 = soac.backpermute
// CHECK-NOT: soac.cluster
// CHECK: return
// CALL-LABEL: apart iota:i32[4]
// GIVES: result0: tensor<4xi32> = [6 4 2 0]
// GIVES: result1: tensor<4xi32> = [9 4 1 0]
func.func @apart(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %p, %q = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %b = arith.addi %a, %a : i32
    %c = arith.muli %a, %a : i32
    soac.yield %b, %c : i32, i32
  }
  %pr = soac.reverse %p dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %qr = soac.reverse %q dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  return %pr, %qr : tensor<?xi32>, tensor<?xi32>
}

// The same, but one waits for the sum of the other: two loops read the map's results in their own order.
// CHECK-LABEL: func.func @one_waits(
// CHECK-NOT: :2 = soac.backpermute
// CHECK: return
// CALL-LABEL: one_waits iota:i32[4]
// GIVES: result: tensor<4xi32> = [21 16 13 12]
func.func @one_waits(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %p, %q = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %b = arith.addi %a, %a : i32
    %c = arith.muli %a, %a : i32
    soac.yield %b, %c : i32, i32
  }
  %pr = soac.reverse %p dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %s = soac.fold %pr neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %sum = tensor.extract %s[] : tensor<i32>
  %qr = soac.reverse %q dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %r = soac.map %qr : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %sum : i32
    soac.yield %b : i32
  }
  return %r : tensor<?xi32>
}
