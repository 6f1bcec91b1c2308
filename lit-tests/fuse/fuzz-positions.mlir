// What is in the order of a gather that is itself in the order of another comes after
// the indices of both.

// RUN: comb-opt %s --comb-prepare-fusion --soac-fuse=cost=manifest -o %t
// RUN: FileCheck %s --input-file %t
// RUN: comb run --target interp %t -i arg0=iota:i32[4] -i arg1=iota:i32[2] | FileCheck %s --check-prefix RESULT

// CHECK: soac.cluster
// CHECK: soac.map {{.*}} -> tensor<2xindex>
// CHECK: soac.map {{.*}} {soac.orders = array<i64: 2>}
// CHECK: soac.backpermute {{.*}} {label = 2 : i64, soac.orders = array<i64: 3>}
// CHECK: soac.gather {{.*}} {label = 3 : i64}

// RESULT: [9 4]
func.func @main(%xs: tensor<4xi32>, %ys: tensor<2xi32>) -> tensor<2xi32> {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %squares = soac.map %xs : (tensor<4xi32>) -> tensor<4xi32> (%x: i32) {
    %y = arith.muli %x, %x : i32
    soac.yield %y : i32
  }
  %reversed = soac.backpermute %squares [4] unchecked : (tensor<4xi32>) -> tensor<4xi32>
      (%i: index) {
    %j = arith.subi %three, %i : index
    soac.yield %j : index
  }
  %indices = soac.map %ys : (tensor<2xi32>) -> tensor<2xindex> (%y: i32) {
    %i = arith.index_cast %y : i32 to index
    %j = arith.remui %i, %four : index
    soac.yield %j : index
  }
  %some = soac.gather %reversed at %indices unchecked
      : (tensor<4xi32>, tensor<2xindex>) -> tensor<2xi32>
  return %some : tensor<2xi32>
}
