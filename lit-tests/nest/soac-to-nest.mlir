// RUN: comb-opt %s --split-input-file --comb-fuse --soac-to-nest | FileCheck %s
// RUN: comb-opt %s --split-input-file --comb-fuse --soac-to-nest --remarks-filter=soac-to-nest -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One loop over rows; the row is local to its iteration.
// CHECK-LABEL: func.func @softmax(
// CHECK: nest.kernel outs(%[[O:.*]] = %{{.*}} : tensor<?x?xf32>) {
// CHECK-NEXT: nest.loop %i to %{{.*}} carry(%[[Y:.*]] = %[[O]] : tensor<?x?xf32>) {
// CHECK-NEXT: %[[ROW:.*]] = nest.local [%{{.*}}] : tensor<?xf32>
// CHECK-NEXT: nest.loop %j to %{{.*}} carry(%[[MAX:.*]] = %{{.*}} : f32) {
// CHECK-NEXT: nest.read %arg0[%i, %j] : tensor<?x?xf32>
// CHECK-NEXT: nest.fold
// CHECK: nest.loop %j to %{{.*}} carry(%[[R:.*]] = %[[ROW]] : tensor<?xf32>, %[[SUM:.*]] = %{{.*}} : f32) {
// CHECK: math.exp
// CHECK-NEXT: nest.write %{{.*}} into %[[R]][%j] : tensor<?xf32>
// CHECK-NEXT: nest.fold %{{.*}} into %[[SUM]]
// CHECK: nest.loop %j to %{{.*}} carry(%[[Z:.*]] = %[[Y]] : tensor<?x?xf32>) {
// CHECK: arith.divf
// CHECK-NEXT: nest.write %{{.*}} into %[[Z]][%i, %j] : tensor<?x?xf32>
// CHECK-NOT: soac.cluster
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %maxima = soac.fold %x neutral %lowest : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %max = arith.maximumf %a, %b : f32
    soac.yield %max : f32
  }
  %wide = soac.backpermute %maxima [%m, %n] : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %powers = soac.map %x, %wide : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %max: f32) {
    %shifted = arith.subf %e, %max : f32
    %power = math.exp %shifted : f32
    soac.yield %power : f32
  }
  %sums = soac.fold %powers neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  %wide_sums = soac.backpermute %sums [%m, %n] : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %shares = soac.map %powers, %wide_sums : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %sum: f32) {
    %share = arith.divf %e, %sum : f32
    soac.yield %share : f32
  }
  return %shares : tensor<?x?xf32>
}

// -----

// What the second filter keeps is kept by the first one, too; what is asked for is written where
// it belongs, and counted.
// CHECK-LABEL: func.func @filters(
// CHECK: nest.kernel outs(%[[Y:.*]] = %{{.*}} : tensor<?xi32>, %[[S:.*]] = %{{.*}} : tensor<i32>, %[[C:.*]] = %{{.*}} : tensor<index>) {
// CHECK: nest.loop %i to
// CHECK: nest.keep %position if %{{.*}} from
// CHECK: arith.muli
// CHECK: nest.keep %position_{{[0-9]+}} if %{{.*}} from
// CHECK: nest.write %{{.*}} into %{{.*}}[%position_{{[0-9]+}}] : tensor<?xi32>
// CHECK: nest.fold
// CHECK: %[[COUNT:.*]] = tensor.extract %{{.*}}#2[] : tensor<index>
// CHECK: tensor.extract_slice %{{.*}}#0[0] [%[[COUNT]]] [1] : tensor<?xi32> to tensor<?xi32>
func.func @filters(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %hundred = arith.constant 100 : i32
  %p = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %keep = arith.cmpi sgt, %e, %zero : i32
    soac.yield %keep : i1
  }
  %s = soac.map %p : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %m = arith.muli %e, %e : i32
    soac.yield %m : i32
  }
  %q = soac.filter %s : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %keep = arith.cmpi slt, %e, %hundred : i32
    soac.yield %keep : i1
  }
  %f = soac.fold %q neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %e: i32) {
    %m = arith.addi %a, %e : i32
    soac.yield %m : i32
  }
  return %q, %f : tensor<?xi32>, tensor<i32>
}

// -----

// The index is checked where it is used, and what is gathered is combined at once.
// CHECK-LABEL: func.func @histogram(
// CHECK: nest.loop %i to
// CHECK: %[[AT:.*]] = nest.read %arg0[%i] : tensor<?xindex>
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %{{.*}} : index
// CHECK: soac.check %[[INSIDE]], "'soac.scatter' op index {} is out of range [0, {}) in dimension 0"
// CHECK: nest.scatter %{{.*}} into %{{.*}}[%[[AT]]] : tensor<4xi32> (%{{.*}}: i32, %{{.*}}: i32) {
func.func @histogram(%at: tensor<?xindex>, %v: tensor<?xi32>, %h: tensor<4xi32>) -> tensor<4xi32> {
  %r = soac.scatter %v into %h at %at : (tensor<?xi32>, tensor<4xi32>, tensor<?xindex>) -> tensor<4xi32>
      (%old: i32, %new: i32) {
    %s = arith.addi %old, %new : i32
    soac.yield %s : i32
  }
  return %r : tensor<4xi32>
}

// -----

// A map over rows: what is in its function becomes loops in the kernel.
// CHECK-LABEL: func.func @rows(
// CHECK: nest.loop %i to
// CHECK-NOT: tensor.extract_slice
// CHECK: nest.loop %j to
// CHECK: nest.read %arg0[%i, %j] : tensor<?x4xf32>
// CHECK: nest.fold
// CHECK-NOT: soac.fold
func.func @rows(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %r = soac.map %x outer 1 : (tensor<?x4xf32>) -> tensor<?xf32> (%row: tensor<4xf32>) {
    %t = soac.fold %row neutral %zero : (tensor<4xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      soac.yield %s : f32
    }
    %e = tensor.extract %t[] : tensor<f32>
    %root = math.sqrt %e : f32
    soac.yield %root : f32
  }
  return %r : tensor<?xf32>
}

// -----

// REMARK: remark: [Missed] NoKernel | Category:soac-to-nest | Function=sorted | Remark="'soac.sort' becomes no kernel: a sort reads a row whole before it writes any of it"
// CHECK-LABEL: func.func @sorted(
// CHECK: soac.sort
func.func @sorted(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %before = arith.cmpi slt, %a, %b : i32
    soac.yield %before : i1
  }
  return %r : tensor<?xi32>
}
