// Of loop nests, kernels, loops, filters, scans and writes go, though others use what they carry.

// RUN: cd %S && comb-reduce %s --reduction-tree='traversal-mode=0 test=Inputs/has-fold-and-write.sh' -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK-LABEL: func.func @nests(
// CHECK: nest.kernel outs(%[[Y:.*]] = %{{.*}} : tensor<?xf32>, %[[S:.*]] = %{{.*}} : tensor<f32>) {
// CHECK-NEXT: %[[MADE:.*]]:3 = nest.loop %i to %{{.*}} carry(%[[O:.*]] = %[[Y]] : tensor<?xf32>, %[[A:.*]] = {{.*}}, %[[B:.*]] = {{.*}}) {
// CHECK-NEXT: %[[E:.*]] = nest.read
// CHECK-NEXT: %[[SUM:.*]] = nest.fold %[[E]] into %[[B]]
// CHECK-NEXT: arith.addf
// CHECK-NEXT: nest.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[WRITTEN:.*]] = nest.write %[[E]] into %[[O]][%i]
// CHECK-NEXT: nest.yield %[[WRITTEN]], %[[A]], %[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: nest.yield %[[MADE]]#0, %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @nests(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %s: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %squares = nest.kernel outs(%out = %y : tensor<?xf32>) {
    %made:2 = nest.loop %i to %n carry(%o = %out : tensor<?xf32>, %count = %c0 : index) {
      %e = nest.read %x[%i] : tensor<?xf32>
      %positive = arith.cmpf ogt, %e, %zero : f32
      %more, %o2 = nest.keep %position if %positive from %count carry(%o1 = %o : tensor<?xf32>) {
        %w = nest.write %e into %o1[%position] : tensor<?xf32>
        nest.yield %w : tensor<?xf32>
      }
      nest.yield %o2, %more : tensor<?xf32>, index
    }
    nest.yield %made#0 : tensor<?xf32>
  }
  %sums, %total = nest.kernel outs(%out = %squares : tensor<?xf32>, %t = %s : tensor<f32>) {
    %made:3 = nest.loop %i to %n carry(%o = %out : tensor<?xf32>, %a = %zero : f32, %b = %zero : f32) {
      %e = nest.read %x[%i] : tensor<?xf32>
      %prefix, %a1 = nest.scan %e into %a neutral %zero : f32 (%l: f32, %r: f32) {
        %p = arith.addf %l, %r : f32
        nest.yield %p : f32
      }
      %b1 = nest.fold %e into %b neutral %zero : f32 (%l: f32, %r: f32) {
        %p = arith.addf %l, %r : f32
        nest.yield %p : f32
      }
      %w = nest.write %prefix into %o[%i] : tensor<?xf32>
      nest.yield %w, %a1, %b1 : tensor<?xf32>, f32, f32
    }
    %t1 = nest.write %made#2 into %t[] : tensor<f32>
    nest.yield %made#0, %t1 : tensor<?xf32>, tensor<f32>
  }
  return %sums, %total : tensor<?xf32>, tensor<f32>
}
