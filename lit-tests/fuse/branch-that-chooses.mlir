// A branch that only chooses between arrays, or is simplified to that, is a map like any other, and fused the first time.

// RUN: comb-opt %s --comb-fuse -o %t1
// RUN: FileCheck %s --input-file %t1
// RUN: comb-opt %t1 --comb-fuse | diff %t1 -

// DEFINE: %{run} = comb run %s --entry choose -i c=true -i x=iota:f32[4] -i y=[5,6,7,8]
// RUN: %{run} --target interp | FileCheck %s --check-prefix=VALUES
// RUN: %{run} | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<4xf32> = [0.0 2.0 4.0 6.0]
// VALUES: result1: tensor<f32> = 12.0

// CHECK-LABEL: @choose
// CHECK-NOT: arith.select {{.*}} tensor
// CHECK: soac.cluster
// CHECK: soac.map
// CHECK-NEXT: arith.select
// CHECK: soac.map
// CHECK: soac.fold
// CHECK: soac.yield {{.*}} tensor<4xf32>, tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @choose(%c: i1 {soac.name = "c"}, %x: tensor<4xf32> {soac.name = "x"}, %y: tensor<4xf32> {soac.name = "y"})
    -> (tensor<4xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %a = scf.if %c -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  %b = soac.map %a : (tensor<4xf32>) -> tensor<4xf32> (%e: f32) {
    %s = arith.addf %e, %e : f32
    soac.yield %s : f32
  }
  %f = soac.fold %b neutral %zero : (tensor<4xf32>, f32) -> tensor<f32> (%l: f32, %r: f32) {
    %s = arith.addf %l, %r : f32
    soac.yield %s : f32
  }
  return %b, %f : tensor<4xf32>, tensor<f32>
}

// What a lambda captures is not read, and neither is the array beside it.
// CHECK-LABEL: @captured
// CHECK-NOT: soac.map
// CHECK: %[[X:.*]] = soac.generate
// CHECK: return %[[X]] :
func.func @captured(%x: tensor<?x2xi32>, %s: i32) -> tensor<?xi32> {
  %row = soac.map %x outer 1 : (tensor<?x2xi32>) -> tensor<?xi32> (%a: tensor<2xi32>) {
    %f = soac.fill %s [] : (i32) -> tensor<i32>
    %e = tensor.extract %f[] : tensor<i32>
    soac.yield %e : i32
  }
  return %row : tensor<?xi32>
}
