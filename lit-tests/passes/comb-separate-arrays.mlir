// Arrays that a loop or a function would give twice are copied, and no others.

// RUN: comb-opt %s --comb-separate-arrays --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @new_twice(
// CHECK:         scf.for
// CHECK:           %[[NEW:.*]] = tensor.empty
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[NEW]]) : tensor<?xf32>
// CHECK:           scf.yield %[[NEW]], %[[COPY]]
func.func @new_twice(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %s = tensor.empty(%n) : tensor<?xf32>
    scf.yield %s, %s : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// The smaller one is copied: a view, here of what an `scf.if` gives.

// CHECK-LABEL: func.func @views(
// CHECK:           %[[PART:.*]] = tensor.extract_slice
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[PART]]) : tensor<?xf32>
// CHECK:           scf.yield %[[COPY]], %{{.*}}
func.func @views(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %s = tensor.empty(%n) : tensor<?xf32>
    %either = scf.if %c -> tensor<?xf32> {
      scf.yield %s : tensor<?xf32>
    } else {
      scf.yield %a : tensor<?xf32>
    }
    %part = tensor.extract_slice %either[1] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %part, %s : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// An op that writes gives another array, and bufferization sees itself what comes from outside of the iteration.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:     alloc_tensor
func.func @others(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %v: f32)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %x, %d = %x)
      -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
    %s = tensor.empty(%n) : tensor<?xf32>
    %u = tensor.insert %v into %s[%c0] : tensor<?xf32>
    scf.yield %b, %a, %s, %u : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1, %r#2, %x : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// A slice that was written where it belongs is a view of what it is inserted into.

// CHECK-LABEL: func.func @slice_in_place(
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy
// CHECK-NEXT:      scf.yield %{{.*}}, %[[COPY]]
func.func @slice_in_place(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %s = tensor.empty(%n) : tensor<?xf32>
    %part = tensor.extract_slice %s[1] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %written = tensor.insert %v into %part[%c0] : tensor<?xf32>
    %whole = tensor.insert_slice %written into %s[1] [%i] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %written, %whole : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// Loops with a condition, in front of it and behind it.

// CHECK-LABEL: func.func @while(
// CHECK:           %[[BEFORE:.*]] = bufferization.alloc_tensor() copy
// CHECK-NEXT:      scf.condition(%{{.*}}) %{{.*}}, %[[BEFORE]]
// CHECK:           %[[AFTER:.*]] = bufferization.alloc_tensor() copy
// CHECK-NEXT:      scf.yield %{{.*}}, %[[AFTER]]
func.func @while(%x: tensor<?xf32>, %n: index, %c: i1) -> tensor<?xf32> {
  %r:2 = scf.while (%a = %x, %b = %x) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %s = tensor.empty(%n) : tensor<?xf32>
    scf.condition(%c) %s, %s : tensor<?xf32>, tensor<?xf32>
  } do {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %s = tensor.empty(%n) : tensor<?xf32>
    scf.yield %s, %s : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// What a function gives, its parameters as well; constants are its caller's in any case.

// CHECK-LABEL: func.func @results(
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy
// CHECK:         %[[PARAMETER:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK-NOT:     alloc_tensor
// CHECK:         return %{{.*}}, %[[COPY]], %{{.*}}, %{{.*}}, %arg0, %[[PARAMETER]]
func.func @results(%x: tensor<?xf32>, %n: index)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<?xf32>, tensor<?xf32>) {
  %s = tensor.empty(%n) : tensor<?xf32>
  %k = arith.constant dense<1.0> : tensor<2xf32>
  return %s, %s, %k, %k, %x, %x
      : tensor<?xf32>, tensor<?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// The next iteration may write to a constant.

// CHECK-LABEL: func.func @constant(
// CHECK:         scf.for
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<2xf32>
// CHECK:           scf.yield %[[COPY]]
func.func @constant(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<2xf32>) {
    %k = arith.constant dense<1.0> : tensor<2xf32>
    scf.yield %k : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// Destinations are read where elements of them may stay, and nowhere else.

// CHECK-LABEL: func.func @reduced(
// CHECK:         linalg.reduce
// CHECK:           (%[[A:.*]]: f32, %[[OLD:.*]]: f32) {
// CHECK:             %[[READ:.*]] = arith.select %{{.*}}, %[[A]], %[[OLD]] : f32
// CHECK:             linalg.yield %[[READ]]
func.func @reduced(%x: tensor<?x?xf32>, %from: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce ins(%x : tensor<?x?xf32>) outs(%from : tensor<?xf32>) dimensions = [1] (%a: f32, %old: f32) {
    linalg.yield %a : f32
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @certain(
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @certain(%x: tensor<?x3xf32>, %from: tensor<?xf32>, %all: tensor<3x?xf32>) -> (tensor<?xf32>, tensor<3x?xf32>) {
  %r = linalg.reduce ins(%x : tensor<?x3xf32>) outs(%from : tensor<?xf32>) dimensions = [1] (%a: f32, %old: f32) {
    linalg.yield %a : f32
  }
  %t = linalg.transpose ins(%x : tensor<?x3xf32>) outs(%all : tensor<3x?xf32>) permutation = [1, 0]
  return %r, %t : tensor<?xf32>, tensor<3x?xf32>
}

// CHECK-LABEL: func.func @map(
// CHECK-SAME:      %[[X:.*]]: tensor<?xf32>, %[[FROM:.*]]: tensor<?xf32>)
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[FROM]]) : tensor<?xf32>
// CHECK:         linalg.map ins(%[[X]] : tensor<?xf32>) outs(%[[COPY]] : tensor<?xf32>)
func.func @map(%x: tensor<?xf32>, %from: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.map ins(%x : tensor<?xf32>) outs(%from : tensor<?xf32>) (%a: f32, %old: f32) {
    %difference = arith.subf %a, %old : f32
    linalg.yield %difference : f32
  }
  return %r : tensor<?xf32>
}
