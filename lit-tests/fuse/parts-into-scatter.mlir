// What is joined of parts is not joined for a scatter: there is a scatter for each part.

// RUN: comb-opt %s --comb-fuse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Parts that are as long: each is computed where it is written.
// CHECK-LABEL: func.func @even(
// CHECK-NOT: = soac.concat
// CHECK: %[[FIRST:.*]] = soac.cluster
// CHECK:   = soac.scatter
// CHECK: = soac.cluster {{.*}}%[[FIRST]]
// CHECK:   = soac.scatter
// CHECK-NOT: = soac.scatter
// CHECK: return
// CALL-LABEL: even iota:i32[3] ones:i32[2] zeros:i32[4]
// GIVES: result: tensor<4xi32> = [0 6 4 0]
func.func @even(%x: tensor<?xi32>, %y: tensor<?xi32>, %d: tensor<?xi32>) -> tensor<?xi32> {
  %three = arith.constant 3 : i32
  %p, %i = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xindex>) (%a: i32) {
    %b = arith.addi %a, %a : i32
    %c = arith.andi %a, %three : i32
    %e = arith.index_cast %c : i32 to index
    soac.yield %b, %e : i32, index
  }
  %q, %j = soac.map %y : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xindex>) (%a: i32) {
    %c = arith.andi %a, %three : i32
    %e = arith.index_cast %c : i32 to index
    %g = arith.addi %a, %c : i32
    soac.yield %g, %e : i32, index
  }
  %v = soac.concat %p, %q dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %w = soac.concat %i, %j dim 0 : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
  %r = soac.scatter %v into %d at %w : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// Of indices that are no parts, a piece each; the last write wins, also over those of a part before.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: = soac.concat
// CHECK-COUNT-2: = soac.scatter
// CHECK-NOT: = soac.scatter
// CHECK: return
// CALL-LABEL: whole iota:i32[2] ones:i32[3] zeros:index[5] zeros:i32[2]
// GIVES: result: tensor<2xi32> = [2 0]
func.func @whole(%x: tensor<?xi32>, %y: tensor<3xi32>, %w: tensor<?xindex>, %d: tensor<2xi32>) -> tensor<2xi32> {
  %p = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %q = soac.map %y : (tensor<3xi32>) -> tensor<3xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %v = soac.concat %p, %q dim 0 : (tensor<?xi32>, tensor<3xi32>) -> tensor<?xi32>
  %r = soac.scatter %v into %d at %w : (tensor<?xi32>, tensor<2xi32>, tensor<?xindex>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// Of indices whose parts are not known to be as long, elements where they are.
// CHECK-LABEL: func.func @uneven(
// CHECK-NOT: = soac.concat
// CHECK-COUNT-2: = soac.scatter
// CHECK-NOT: = soac.scatter
// CHECK: return
// CALL-LABEL: uneven iota:i32[2] ones:i32[3] iota:index[4] ones:index[1] zeros:i32[4]
// GIVES: result: tensor<4xi32> = [0 2 1 1]
// CALL-LABEL: uneven iota:i32[3] ones:i32[1] zeros:index[0] iota:index[4] zeros:i32[4]
// GIVES: result: tensor<4xi32> = [0 1 4 1]
// CALL-LABEL: uneven iota:i32[3] ones:i32[1] iota:index[4] zeros:index[1] zeros:i32[4]
// GIVES: error: 'soac.scatter' op source 0 and index array 0 have different shapes: [4] and [5]
func.func @uneven(%x: tensor<?xi32>, %y: tensor<?xi32>, %i: tensor<?xindex>, %j: tensor<?xindex>, %d: tensor<?xi32>) -> tensor<?xi32> {
  %p = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %v = soac.concat %p, %y dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %w = soac.concat %i, %j dim 0 : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
  %r = soac.scatter %v into %d at %w : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// Rows of a matrix, and three parts.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: = soac.concat
// CHECK-COUNT-3: = soac.scatter
// CHECK: return
// CALL-LABEL: rows iota:i32[1,2] ones:i32[2,2] iota:index[4,2] zeros:i32[8]
// GIVES: result: tensor<8xi32> = [0 1 2 2 2 2 0 1]
func.func @rows(%x: tensor<?x2xi32>, %y: tensor<?x2xi32>, %w: tensor<?x2xindex>, %d: tensor<?xi32>) -> tensor<?xi32> {
  %q = soac.map %y : (tensor<?x2xi32>) -> tensor<?x2xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %v = soac.concat %x, %q, %x dim 0 : (tensor<?x2xi32>, tensor<?x2xi32>, tensor<?x2xi32>) -> tensor<?x2xi32>
  %r = soac.scatter %v into %d at %w : (tensor<?x2xi32>, tensor<?xi32>, tensor<?x2xindex>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// What else needs the whole gets it.
// CHECK-LABEL: func.func @needed(
// CHECK: = soac.concat
// CHECK: = soac.scatter
// CHECK-NOT: = soac.scatter
// CHECK: return
// CALL-LABEL: needed iota:i32[2] ones:i32[3] iota:index[5] zeros:i32[5]
// GIVES: result0: tensor<5xi32> = [0 1 1 1 1]
// GIVES: result1: tensor<5xi32> = [0 1 1 1 1]
func.func @needed(%x: tensor<?xi32>, %y: tensor<?xi32>, %w: tensor<?xindex>, %d: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %v = soac.concat %x, %y dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %r = soac.scatter %v into %d at %w : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %v, %r : tensor<?xi32>, tensor<?xi32>
}
