// Clusters can be taken away again. What is left is the prepared program; ops that do
// not depend on each other may have changed places.

// RUN: comb-opt %s --comb-prepare-fusion -o %t.prepared
// RUN: comb-opt %s --comb-fuse -o %t.fused
// RUN: FileCheck %s --input-file=%t.fused
// RUN: comb-opt %t.fused --soac-erase-clusters -o %t.erased
// RUN: sed "s/%[a-z0-9_]*//g; s/^ *//" %t.prepared | sort > %t.expected
// RUN: sed "s/%[a-z0-9_]*//g; s/^ *//" %t.erased | sort > %t.found
// RUN: diff %t.expected %t.found

// A fused program is fused again to the same: what is in clusters stays as it is.
// RUN: comb-opt %t.fused --soac-fuse -o %t.again
// RUN: diff %t.fused %t.again

// CHECK: = soac.cluster
// CHECK: = soac.cluster
func.func @rows(%xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %sums = soac.fold %xs neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %wide = soac.backpermute %sums [%rows, %columns] unchecked
      : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %ys = soac.map %xs, %wide : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.divf %a, %b : f32
    soac.yield %r : f32
  }
  return %ys : tensor<?x?xf32>
}

// CHECK: = soac.cluster
// CHECK: soac.orders = array<i64: 1>
func.func @late_check(%xs: tensor<?xi32>, %ys: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.scanr %as neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %cs = soac.map %bs, %ys : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  return %cs : tensor<?xi32>
}
