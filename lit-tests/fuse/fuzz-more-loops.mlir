// The gather has more loops than its source has dimensions: what is in its order runs in all of them.
// The loop that fold and scan could share would be inside these, deeper than clusters say.

// RUN: comb-opt %s --comb-prepare-fusion '--soac-fuse=cost=manifest recomputation=false' -o %t
// RUN: FileCheck %s --input-file %t
// RUN: comb run --target interp %t -i arg0=iota:i32[2,3] | FileCheck %s --check-prefix RESULT

// CHECK-COUNT-3: soac.cluster
// CHECK-NOT: soac.cluster
// CHECK: soac.scanl {{.*}} {soac.orders = array<i64: 2, 0>}
// CHECK: soac.fold {{.*}} {soac.orders = array<i64: 2>}
// CHECK: soac.backpermute {{.*}} {label = 2 : i64}

// RESULT: [ 4 22]
func.func @main(%xs: tensor<2x3xi32>) -> tensor<2x2x2xi32> {
  %zero = arith.constant 0 : i32
  %prefixes = soac.scanl %xs neutral %zero : (tensor<2x3xi32>, i32) -> tensor<2x3xi32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  %sums = soac.fold %prefixes neutral %zero : (tensor<2x3xi32>, i32) -> tensor<2xi32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  %wide = soac.backpermute %sums [2, 2, 2] unchecked : (tensor<2xi32>) -> tensor<2x2x2xi32>
      (%i: index, %j: index, %k: index) {
    soac.yield %k : index
  }
  return %wide : tensor<2x2x2xi32>
}
