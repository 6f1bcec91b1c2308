// What is carried for nothing goes, loops that do not run, or run once, and arrays that nobody reads.

// RUN: comb-opt %s --canonicalize | FileCheck %s

// A carried value that nobody changes is what it was before: in the loop, behind it, and as an output.
// CHECK-LABEL: func.func @unchanged(
// CHECK: nest.kernel outs(%[[S:.*]] = %{{.*}} : tensor<f32>) {
// CHECK-NEXT: %[[SUM:.*]] = nest.loop %i to %{{.*}} carry(%[[A:.*]] = %{{.*}} : f32) {
// CHECK-NEXT: nest.read %arg0[%i]
// CHECK: %[[B:.*]] = nest.fold
// CHECK: nest.yield %[[B]] : f32
// CHECK: nest.write %[[SUM]] into %[[S]][]
// CHECK: return %arg0
func.func @unchanged(%x: tensor<?xf32>, %n: index, %s: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %same, %total = nest.kernel outs(%y = %x : tensor<?xf32>, %t = %s : tensor<f32>) {
    %made:2 = nest.loop %i to %n carry(%y0 = %y : tensor<?xf32>, %a = %zero : f32) {
      %e = nest.read %y0[%i] : tensor<?xf32>
      %b = nest.fold %e into %a neutral %zero : f32 (%l: f32, %r: f32) {
        %p = arith.addf %l, %r : f32
        nest.yield %p : f32
      }
      nest.yield %y0, %b : tensor<?xf32>, f32
    }
    %t1 = nest.write %made#1 into %t[] : tensor<f32>
    nest.yield %made#0, %t1 : tensor<?xf32>, tensor<f32>
  }
  return %same, %total : tensor<?xf32>, tensor<f32>
}

// What some iteration may change stays, also if a filter decides.
// CHECK-LABEL: func.func @changed(
// CHECK: nest.kernel outs(
// CHECK: nest.loop %i to %{{.*}} carry(%{{.*}} = %{{.*}} : tensor<?xf32>, %{{.*}} = %{{.*}} : index) {
// CHECK: nest.keep %position if %{{.*}} from %{{.*}} carry(
func.func @changed(%x: tensor<?xf32>, %n: index, %s: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %kept = nest.kernel outs(%y = %s : tensor<?xf32>) {
    %made:2 = nest.loop %i to %n carry(%y0 = %y : tensor<?xf32>, %count = %c0 : index) {
      %e = nest.read %x[%i] : tensor<?xf32>
      %positive = arith.cmpf ogt, %e, %zero : f32
      %more, %y2 = nest.keep %position if %positive from %count carry(%y1 = %y0 : tensor<?xf32>) {
        %w = nest.write %e into %y1[%position] : tensor<?xf32>
        nest.yield %w : tensor<?xf32>
      }
      nest.yield %y2, %more : tensor<?xf32>, index
    }
    nest.yield %made#0 : tensor<?xf32>
  }
  return %kept : tensor<?xf32>
}

// An output that nobody uses goes with what writes it, in loops and filters, and what that reads.
// CHECK-LABEL: func.func @unused(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?xf32>, %[[Y:[a-z0-9]*]]: tensor<?xf32>
// CHECK: %[[MADE:.*]] = nest.kernel outs(%[[O:.*]] = %{{.*}} : tensor<?xf32>) {
// CHECK-NEXT: %[[LOOP:.*]] = nest.loop %i to %{{.*}} carry(%[[O0:.*]] = %[[O]] : tensor<?xf32>) {
// CHECK-NEXT: %[[E:.*]] = nest.read %[[Y]][%i]
// CHECK-NEXT: %[[W:.*]] = nest.write %[[E]] into %[[O0]][%i]
// CHECK-NEXT: nest.yield %[[W]]
// CHECK-NEXT: }
// CHECK-NEXT: nest.yield %[[LOOP]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[MADE]]
func.func @unused(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %o: tensor<?xf32>, %s: tensor<?xf32>, %t: tensor<f32>)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %made:4 = nest.kernel outs(%a = %o : tensor<?xf32>, %b = %s : tensor<?xf32>, %c = %s : tensor<?xf32>, %d = %t : tensor<f32>) {
    %rows:4 = nest.loop %i to %n
        carry(%a0 = %a : tensor<?xf32>, %b0 = %b : tensor<?xf32>, %c0_0 = %c : tensor<?xf32>, %sum = %zero : f32) {
      %e = nest.read %y[%i] : tensor<?xf32>
      %a1 = nest.write %e into %a0[%i] : tensor<?xf32>
      %f = nest.read %x[%i] : tensor<?xf32>
      %b1 = nest.loop %j to %n carry(%b2 = %b0 : tensor<?xf32>) {
        %b3 = nest.scatter %f into %b2[%i] : tensor<?xf32>
        nest.yield %b3 : tensor<?xf32>
      }
      %sum1 = nest.fold %f into %sum neutral %zero : f32 (%l: f32, %r: f32) {
        %p = arith.addf %l, %r : f32
        nest.yield %p : f32
      }
      %c1 = nest.write %f into %c0_0[%i] : tensor<?xf32>
      nest.yield %a1, %b1, %c1, %sum1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, f32
    }
    %d1 = nest.write %rows#3 into %d[] : tensor<f32>
    nest.yield %rows#0, %rows#1, %rows#2, %d1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>
  }
  return %made#0 : tensor<?xf32>
}

// An output that another loop of the kernel reads stays, and so does one that is scattered together with
// one that is used.
// CHECK-LABEL: func.func @read(
// CHECK: nest.kernel outs(%{{.*}} = %{{.*}} : tensor<?xf32>, %{{.*}} = %{{.*}} : tensor<?xf32>, %{{.*}} = %{{.*}} : tensor<?xf32>) {
func.func @read(%x: tensor<?xf32>, %n: index, %o: tensor<?xf32>) -> tensor<?xf32> {
  %made:3 = nest.kernel outs(%a = %o : tensor<?xf32>, %b = %o : tensor<?xf32>, %c = %o : tensor<?xf32>) {
    %first = nest.loop %i to %n carry(%a0 = %a : tensor<?xf32>) {
      %e = nest.read %x[%i] : tensor<?xf32>
      %a1 = nest.write %e into %a0[%i] : tensor<?xf32>
      nest.yield %a1 : tensor<?xf32>
    }
    %second:2 = nest.loop %i to %n carry(%b0 = %b : tensor<?xf32>, %c0 = %c : tensor<?xf32>) {
      %e = nest.read %first[%i] : tensor<?xf32>
      %b1, %c1 = nest.scatter %e, %e into %b0, %c0[%i] : tensor<?xf32>, tensor<?xf32>
      nest.yield %b1, %c1 : tensor<?xf32>, tensor<?xf32>
    }
    nest.yield %first, %second#0, %second#1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  return %made#2 : tensor<?xf32>
}

// A loop that does not run gives what it is given.
// CHECK-LABEL: func.func @never(
// CHECK-NOT: nest.
// CHECK: return %{{.*}} : tensor<?xf32>
func.func @never(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %made = nest.kernel outs(%a = %o : tensor<?xf32>) {
    %loop = nest.loop %i to %c0 carry(%a0 = %a : tensor<?xf32>) {
      %e = nest.read %x[%i] : tensor<?xf32>
      %a1 = nest.write %e into %a0[%i] : tensor<?xf32>
      nest.yield %a1 : tensor<?xf32>
    }
    nest.yield %loop : tensor<?xf32>
  }
  return %made : tensor<?xf32>
}

// One that runs once is its body, as is one that runs once inside one that carries the same.
// CHECK-LABEL: func.func @once(
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: nest.kernel
// CHECK-NEXT: %[[E:.*]] = nest.read %{{.*}}[%[[C0]]]
// CHECK-NEXT: %[[A:.*]] = nest.write %[[E]] into %{{.*}}[%[[C0]]]
// CHECK-NEXT: %[[SUM:.*]] = nest.loop %i to %{{.*}} carry(%[[S:.*]] = %{{.*}} : f32) {
// CHECK-NEXT: nest.read
// CHECK-NEXT: nest.fold %{{.*}} into %[[S]]
func.func @once(%x: tensor<?xf32>, %n: index, %o: tensor<?xf32>, %t: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %made:2 = nest.kernel outs(%a = %o : tensor<?xf32>, %b = %t : tensor<f32>) {
    %loop = nest.loop %i to %c1 carry(%a0 = %a : tensor<?xf32>) {
      %e = nest.read %x[%i] : tensor<?xf32>
      %a1 = nest.write %e into %a0[%i] : tensor<?xf32>
      nest.yield %a1 : tensor<?xf32>
    }
    %sum = nest.loop %i to %n carry(%s = %zero : f32) {
      %inner = nest.loop %j to %c1 carry(%s0 = %s : f32) {
        %e = nest.read %x[%i] : tensor<?xf32>
        %s1 = nest.fold %e into %s0 neutral %zero : f32 (%l: f32, %r: f32) {
          %p = arith.addf %l, %r : f32
          nest.yield %p : f32
        }
        nest.yield %s1 : f32
      }
      nest.yield %inner : f32
    }
    %b1 = nest.write %sum into %b[] : tensor<f32>
    nest.yield %loop, %b1 : tensor<?xf32>, tensor<f32>
  }
  return %made#0, %made#1 : tensor<?xf32>, tensor<f32>
}

// A fold combines with what a loop carries: one that runs once stays around it.
// CHECK-LABEL: func.func @fold_once(
// CHECK: nest.loop
// CHECK: nest.fold
func.func @fold_once(%x: tensor<?xf32>, %t: tensor<f32>) -> tensor<f32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %made = nest.kernel outs(%b = %t : tensor<f32>) {
    %sum = nest.loop %i to %c1 carry(%s = %zero : f32) {
      %e = nest.read %x[%i] : tensor<?xf32>
      %s1 = nest.fold %e into %s neutral %zero : f32 (%l: f32, %r: f32) {
        %p = arith.addf %l, %r : f32
        nest.yield %p : f32
      }
      nest.yield %s1 : f32
    }
    %b1 = nest.write %sum into %b[] : tensor<f32>
    nest.yield %b1 : tensor<f32>
  }
  return %made : tensor<f32>
}

// A row that is only written goes, in value form and in memory form, and one that is read stays.
// CHECK-LABEL: func.func @local(
// CHECK: nest.kernel {
// CHECK-NEXT: nest.loop %i to
// CHECK-NEXT: %[[ROW:.*]] = nest.local
// CHECK-NOT: nest.local
// CHECK: nest.write %{{.*}} into %[[ROW]]
// CHECK: nest.read %[[ROW]]
// CHECK-NOT: nest.local
// CHECK: return
func.func @local(%x: memref<?x?xf32>, %m: index, %n: index, %o: memref<?xf32>) {
  nest.kernel {
    nest.loop %i to %m {
      %read = nest.local [%n] : memref<?xf32>
      %written = nest.local [%n] : memref<?xf32>
      %value = nest.local [%n] : tensor<?xf32>
      %made = nest.loop %j to %n carry(%row = %value : tensor<?xf32>) {
        %e = nest.read %x[%i, %j] : memref<?x?xf32>
        nest.write %e into %read[%j] : memref<?xf32>
        nest.write %e into %written[%j] : memref<?xf32>
        %w = nest.write %e into %row[%j] : tensor<?xf32>
        nest.yield %w : tensor<?xf32>
      }
      nest.loop %j to %n {
        %e = nest.read %read[%j] : memref<?xf32>
        nest.write %e into %o[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}
