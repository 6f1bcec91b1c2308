// Rows of arrays with three dimensions are shared by blocks, and planes of rows along other axes of the grid, if neighbouring
// threads read neighbours so.

// DEFINE: %{ptx} = env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so
// RUN: comb-opt %s --comb-set-machine=gpu=sm_90 --comb-fuse --soac-to-nest --nest-schedule-gpu | FileCheck %s

// RUN: comb run %s --entry sums --target interp -i x=iota:i32[2,3,400] | grep -v ^compile > %t.sums
// RUN: comb run %s --entry sums --target emulate -i x=iota:i32[2,3,400] | grep -v ^compile | diff %t.sums -
// RUN: %{ptx} comb run %s --entry sums --target nvvm -i x=iota:i32[2,3,400] | grep -v ^compile | diff %t.sums -
// CHECK-LABEL: func.func @sums
// CHECK: gpu = {axis = 1 : i64, blocks = 2147483647 : i64, level = "grid", {{.*}}threads = 1 : i64
// CHECK: gpu = {axis = 0 : i64, {{.*}}team = "block"
// CHECK: gpu = {level = "team"}
func.func @sums(%x: tensor<?x?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x?x?xi32>, i32) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?x?xi32>
}

// Each row has an array of its own: what is above the row's mean, and the sum of that.
// RUN: comb run %s --entry shares --target interp -i x=iota:i32[5,2,3,40] -i y=iota:i32[40] | grep -v ^compile > %t.shares
// RUN: comb run %s --entry shares --target emulate -i x=iota:i32[5,2,3,40] -i y=iota:i32[40] | grep -v ^compile | diff %t.shares -
// RUN: %{ptx} comb run %s --entry shares --target nvvm -i x=iota:i32[5,2,3,40] -i y=iota:i32[40] | grep -v ^compile | diff %t.shares -
// CHECK-LABEL: func.func @shares
// CHECK: gpu = {axis = 2 : i64, blocks = 1 : i64
// CHECK: gpu = {axis = 1 : i64, blocks = 16 : i64
// CHECK: gpu = {axis = 0 : i64, blocks = 64 : i64, {{.*}}team = "block"
func.func @shares(%x: tensor<?x?x?x?xi32>, %y: tensor<?xi32>) -> tensor<?x?x?x?xi32> {
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c3 : tensor<?x?x?x?xi32>
  %zero = arith.constant 0 : i32
  %r = soac.map %x outer 3 inner (%n) : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32> (%row: tensor<?xi32>) {
    %weighted = soac.map %row, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
      %c = arith.muli %a, %b : i32
      soac.yield %c : i32
    }
    %s = soac.fold %weighted neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %sum = tensor.extract %s[] : tensor<i32>
    %t = soac.map %weighted : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %c = arith.subi %sum, %a : i32
      soac.yield %c : i32
    }
    soac.yield %t : tensor<?xi32>
  }
  return %r : tensor<?x?x?x?xi32>
}

// Of a product neighbouring threads compute neighbours: they read those of the second matrix.
// CHECK-LABEL: func.func @products
// CHECK: gpu = {axis = 0 : i64, {{.*}}team = "thread"
func.func @products(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
