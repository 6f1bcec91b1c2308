// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The examples of the ops' descriptions.

// CHECK-LABEL: func.func @squares_and_sum(
// CHECK: nest.kernel outs(%[[Y:.*]] = %arg1 : tensor<?xf32>, %[[S:.*]] = %arg2 : tensor<f32>) {
// CHECK-NEXT: nest.loop %i to %arg3 carry(%[[Y0:.*]] = %[[Y]] : tensor<?xf32>, %[[A:.*]] = %arg4 : f32) {
// CHECK-NEXT: %[[X:.*]] = nest.read %arg0[%i] : tensor<?xf32>
// CHECK-NEXT: %[[Z:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[Y1:.*]] = nest.write %[[Z]] into %[[Y0]][%i] : tensor<?xf32>
// CHECK-NEXT: %[[B:.*]] = nest.fold %[[Z]] into %[[A]] neutral %arg4 : f32 (%{{.*}}: f32, %{{.*}}: f32) {
// CHECK: nest.yield %[[Y1]], %[[B]] : tensor<?xf32>, f32
// CHECK: nest.write %{{.*}}#1 into %[[S]][] : tensor<f32>
func.func @squares_and_sum(%in: tensor<?xf32>, %e0: tensor<?xf32>, %e1: tensor<f32>,
                           %n: index, %zero: f32) -> (tensor<?xf32>, tensor<f32>) {
  %squares, %sum = nest.kernel
      outs(%y = %e0 : tensor<?xf32>, %s = %e1 : tensor<f32>) {
    %made, %total = nest.loop %i to %n
        carry(%y0 = %y : tensor<?xf32>, %a = %zero : f32) {
      %x = nest.read %in[%i] : tensor<?xf32>
      %z = arith.mulf %x, %x : f32
      %y1 = nest.write %z into %y0[%i] : tensor<?xf32>
      %b = nest.fold %z into %a neutral %zero : f32 (%l: f32, %r: f32) {
        %t = arith.addf %l, %r : f32
        nest.yield %t : f32
      }
      nest.yield %y1, %b : tensor<?xf32>, f32
    }
    %s1 = nest.write %total into %s[] : tensor<f32>
    nest.yield %made, %s1 : tensor<?xf32>, tensor<f32>
  }
  return %squares, %sum : tensor<?xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @scans(
// CHECK: %[[P:.*]], %[[S:.*]] = nest.scan %{{.*}} into %{{.*}} neutral %arg2 exclusive : f32 (
// CHECK: nest.scan %{{.*}} into %{{.*}} neutral %arg2 right : f32 (
// CHECK: nest.write %[[P]] into
// CHECK: nest.yield %{{.*}}, %[[S]], %{{.*}} : tensor<?xf32>, f32, f32
func.func @scans(%in: tensor<?xf32>, %out: tensor<?xf32>, %zero: f32, %n: index) -> tensor<?xf32> {
  %made = nest.kernel outs(%y = %out : tensor<?xf32>) {
    %r:3 = nest.loop %i to %n
        carry(%y0 = %y : tensor<?xf32>, %a = %zero : f32, %c = %zero : f32) {
      %x = nest.read %in[%i] : tensor<?xf32>
      %prefix, %b = nest.scan %x into %a neutral %zero exclusive : f32
          (%l: f32, %r: f32) {
        %t = arith.addf %l, %r : f32
        nest.yield %t : f32
      }
      %suffix, %d = nest.scan %x into %c neutral %zero right : f32
          (%l: f32, %r: f32) {
        %t = arith.subf %l, %r : f32
        nest.yield %t : f32
      }
      %y1 = nest.write %prefix into %y0[%i] : tensor<?xf32>
      nest.yield %y1, %b, %d : tensor<?xf32>, f32, f32
    }
    nest.yield %r#0 : tensor<?xf32>
  }
  return %made : tensor<?xf32>
}

// What a filter keeps, and how much; a row that only one iteration needs.
// CHECK-LABEL: func.func @keeps(
// CHECK: nest.local [%arg2] : tensor<?xf32>
// CHECK: nest.keep %position if %{{.*}} from %{{.*}} carry(%{{.*}} = %{{.*}} : tensor<?xf32>) {
// CHECK-NEXT: nest.write %{{.*}} into %{{.*}}[%position] : tensor<?xf32>
func.func @keeps(%in: tensor<?xf32>, %out: tensor<?xf32>, %n: index, %zero: f32,
                 %none: tensor<index>) -> (tensor<?xf32>, tensor<index>) {
  %c0 = arith.constant 0 : index
  %r:2 = nest.kernel outs(%y = %out : tensor<?xf32>, %number = %none : tensor<index>) {
    %row = nest.local [%n] : tensor<?xf32>
    %copy = nest.loop %i to %n carry(%w = %row : tensor<?xf32>) {
      %x = nest.read %in[%i] : tensor<?xf32>
      %w1 = nest.write %x into %w[%i] : tensor<?xf32>
      nest.yield %w1 : tensor<?xf32>
    }
    %kept:2 = nest.loop %i to %n carry(%y0 = %y : tensor<?xf32>, %count = %c0 : index) {
      %x = nest.read %copy[%i] : tensor<?xf32>
      %positive = arith.cmpf ogt, %x, %zero : f32
      %more, %y2 = nest.keep %position if %positive from %count
          carry(%y1 = %y0 : tensor<?xf32>) {
        %y3 = nest.write %x into %y1[%position] : tensor<?xf32>
        nest.yield %y3 : tensor<?xf32>
      }
      nest.yield %y2, %more : tensor<?xf32>, index
    }
    %number1 = nest.write %kept#1 into %number[] : tensor<index>
    nest.yield %kept#0, %number1 : tensor<?xf32>, tensor<index>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<index>
}

// CHECK-LABEL: func.func @scatters(
// CHECK: nest.scatter %arg3 into %{{.*}}[%{{.*}}] : tensor<256xi32> (%{{.*}}: i32, %{{.*}}: i32) {
// CHECK: nest.scatter %{{.*}}, %arg3 into %{{.*}}, %{{.*}}[%{{.*}}] any_write : tensor<256xindex>, tensor<256xi32>
func.func @scatters(%bins: tensor<?xindex>, %h: tensor<256xi32>, %last: tensor<256xindex>,
                    %one: i32, %n: index)
    -> (tensor<256xi32>, tensor<256xindex>, tensor<256xi32>) {
  %r:3 = nest.kernel outs(%h0 = %h : tensor<256xi32>, %l0 = %last : tensor<256xindex>,
                          %m0 = %h : tensor<256xi32>) {
    %s:3 = nest.loop %i to %n carry(%h1 = %h0 : tensor<256xi32>, %l1 = %l0 : tensor<256xindex>,
                                    %m1 = %m0 : tensor<256xi32>) {
      %bin = nest.read %bins[%i] : tensor<?xindex>
      %h2 = nest.scatter %one into %h1[%bin] : tensor<256xi32> (%old: i32, %new: i32) {
        %t = arith.addi %old, %new : i32
        nest.yield %t : i32
      }
      %l2, %m2 = nest.scatter %i, %one into %l1, %m1[%bin] any_write
          : tensor<256xindex>, tensor<256xi32>
      nest.yield %h2, %l2, %m2 : tensor<256xi32>, tensor<256xindex>, tensor<256xi32>
    }
    nest.yield %s#0, %s#1, %s#2 : tensor<256xi32>, tensor<256xindex>, tensor<256xi32>
  }
  return %r#0, %r#1, %r#2 : tensor<256xi32>, tensor<256xindex>, tensor<256xi32>
}

// Memory form: what is written is no result, and nothing carries it.
// CHECK-LABEL: func.func @in_memory(
// CHECK: nest.kernel {
// CHECK: nest.loop %i to %arg2 carry(%{{.*}} = %arg3 : f32) {
// CHECK: nest.write %{{.*}} into %arg1[%i] : memref<?xf32>
// CHECK: nest.scatter %{{.*}} into %arg1[%arg4] : memref<?xf32>
func.func @in_memory(%in: memref<?xf32>, %out: memref<?xf32>, %n: index, %zero: f32, %at: index) {
  nest.kernel {
    %row = nest.local [%n, 4] : memref<?x4xf32>
    %total = nest.loop %i to %n carry(%a = %zero : f32) {
      %x = nest.read %in[%i] : memref<?xf32>
      nest.write %x into %out[%i] : memref<?xf32>
      %b = nest.fold %x into %a neutral %zero : f32 (%l: f32, %r: f32) {
        %t = arith.addf %l, %r : f32
        nest.yield %t : f32
      }
      nest.yield %b : f32
    }
    nest.scatter %total into %out[%at] : memref<?xf32>
    nest.yield
  }
  return
}
