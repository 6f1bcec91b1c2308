// An argument that a loop carries is not copied if nobody writes to it, nor to the copy.

// RUN: comb-opt %s --comb-elide-copies --split-input-file | FileCheck %s

// Each step gives new memory. To fetch something is not to write it.

// CHECK-LABEL: func.func @steps(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>
// CHECK-NOT:     memref.copy
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[X]])
// CHECK:           memref.prefetch %[[OLD]]
// CHECK:           memref.load %[[OLD]]
func.func @steps(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %copy = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %copy : memref<?xf32> to memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %copy) -> (memref<?xf32>) {
    %new = memref.alloc(%n) : memref<?xf32>
    memref.prefetch %old[%i], read, locality<3>, data : memref<?xf32>
    %part = memref.subview %old[1] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: 1>>
    %b = memref.load %part[%c0] : memref<1xf32, strided<[1], offset: 1>>
    %a = memref.load %old[%i] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %new[%i] : memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  return %last : memref<?xf32>
}

// -----

// A step that writes what it carries needs the copy.

// CHECK-LABEL: func.func @in_place(
// CHECK:         memref.copy
func.func @in_place(%x: memref<?xf32>, %n: index, %a: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %copy = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %copy : memref<?xf32> to memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %copy) -> (memref<?xf32>) {
    %all = memref.cast %old : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    memref.store %a, %all[%i] : memref<?xf32, strided<[?], offset: ?>>
    scf.yield %old : memref<?xf32>
  }
  return %last : memref<?xf32>
}

// -----

// So does a loop whose result is written to: it may not have run.

// CHECK-LABEL: func.func @afterwards(
// CHECK:         memref.copy
func.func @afterwards(%x: memref<?xf32>, %n: index, %a: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %copy = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %copy : memref<?xf32> to memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %copy) -> (memref<?xf32>) {
    %new = memref.alloc(%n) : memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  memref.store %a, %last[%c0] : memref<?xf32>
  return %last : memref<?xf32>
}

// -----

// And an argument that is written to, here by an op that is not known to read only.

// CHECK-LABEL: func.func @changed(
// CHECK:         memref.copy
func.func @changed(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %copy = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %copy : memref<?xf32> to memref<?xf32>
  call @change(%x) : (memref<?xf32>) -> ()
  return %copy : memref<?xf32>
}
func.func private @change(%x: memref<?xf32>)

// -----

// What is not an argument has an owner, who frees it.

// CHECK-LABEL: func.func @owned(
// CHECK:         memref.copy
func.func @owned(%n: index, %a: f32) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.alloc(%n) : memref<?xf32>
  memref.store %a, %x[%c0] : memref<?xf32>
  %copy = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %copy : memref<?xf32> to memref<?xf32>
  return %x, %copy : memref<?xf32>, memref<?xf32>
}

// -----

// Loops with a condition, and branches: what they give may be the argument.

// CHECK-LABEL: func.func @while(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>
// CHECK-NOT:     memref.copy
// CHECK:         scf.while (%{{.*}} = %[[X]])
func.func @while(%x: memref<?xf32>, %n: index, %limit: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %copy = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %copy : memref<?xf32> to memref<?xf32>
  %last = scf.while (%old = %copy) : (memref<?xf32>) -> memref<?xf32> {
    %a = memref.load %old[%c0] : memref<?xf32>
    %more = arith.cmpf olt, %a, %limit : f32
    %either = scf.if %more -> (memref<?xf32>) {
      scf.yield %old : memref<?xf32>
    } else {
      %other = memref.alloc(%n) : memref<?xf32>
      scf.yield %other : memref<?xf32>
    }
    scf.condition(%more) %either : memref<?xf32>
  } do {
  ^bb0(%now: memref<?xf32>):
    %new = memref.alloc(%n) : memref<?xf32>
    memref.copy %now, %new : memref<?xf32> to memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  %y = memref.load %last[%c0] : memref<?xf32>
  return %y : f32
}

// -----

// CHECK-LABEL: func.func @branch_in_while(
// CHECK:         memref.copy
func.func @branch_in_while(%x: memref<?xf32>, %n: index, %limit: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %copy = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %copy : memref<?xf32> to memref<?xf32>
  %last = scf.while (%old = %copy) : (memref<?xf32>) -> memref<?xf32> {
    %a = memref.load %old[%c0] : memref<?xf32>
    %more = arith.cmpf olt, %a, %limit : f32
    scf.condition(%more) %old : memref<?xf32>
  } do {
  ^bb0(%now: memref<?xf32>):
    %more = arith.cmpf olt, %limit, %limit : f32
    %either = scf.if %more -> (memref<?xf32>) {
      scf.yield %now : memref<?xf32>
    } else {
      %other = memref.alloc(%n) : memref<?xf32>
      scf.yield %other : memref<?xf32>
    }
    memref.store %limit, %either[%c0] : memref<?xf32>
    scf.yield %either : memref<?xf32>
  }
  %y = memref.load %last[%c0] : memref<?xf32>
  return %y : f32
}
