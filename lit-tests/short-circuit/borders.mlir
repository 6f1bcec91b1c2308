// A stencil puts its result into a new array, to which the border of the old one is copied: the old
// one cannot be overwritten while it is read. Who used the old one later uses the new one.
//
// RUN: comb-opt %s --comb-short-circuit --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @steps(
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xf32>
// The border is thin, and is copied one by one.
// CHECK: nest.loop attributes {schedule = {lanes = 1 : i64}}
// CHECK-NEXT: nest.read %[[OLD]]
// CHECK-NEXT: nest.write %{{.*}} into %[[NEW]]
// CHECK: nest.read %[[OLD]]
// CHECK-NEXT: nest.write %{{.*}} into %[[NEW]]
// CHECK: nest.kernel
// CHECK: nest.read %[[OLD]]
// CHECK: %[[NEXT:.*]] = arith.addi %i, %c1
// CHECK: nest.write %{{.*}} into %[[NEW]][%[[NEXT]]]
// CHECK-NOT: nest.kernel
// CHECK: scf.yield %[[NEW]]
func.func @steps(%a: memref<?xf32>, %n: index, %count: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = memref.dim %a, %c0 : memref<?xf32>
  %first = memref.alloc(%size) : memref<?xf32>
  memref.copy %a, %first : memref<?xf32> to memref<?xf32>
  %last = scf.for %t = %c0 to %count step %c1 iter_args(%old = %first) -> (memref<?xf32>) {
    %inner = memref.alloc(%n) : memref<?xf32>
    nest.kernel {
      nest.loop %i to %n {
        %j = arith.addi %i, %c2 : index
        %x = nest.read %old[%i] : memref<?xf32>
        %y = nest.read %old[%j] : memref<?xf32>
        %z = arith.addf %x, %y : f32
        nest.write %z into %inner[%i] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.kernel {
      nest.loop %i to %n {
        %x = nest.read %inner[%i] : memref<?xf32>
        %place = arith.addi %i, %c1 : index
        nest.write %x into %old[%place] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %old : memref<?xf32>
  }
  return %last : memref<?xf32>
}

// Not if something else may be used by another name, as the argument, which the caller has.
// CHECK-LABEL: func.func @given(
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return %arg0
func.func @given(%a: memref<?xf32>, %n: index, %count: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %last = scf.for %t = %c0 to %count step %c1 iter_args(%old = %a) -> (memref<?xf32>) {
    %inner = memref.alloc(%n) : memref<?xf32>
    nest.kernel {
      nest.loop %i to %n {
        %j = arith.addi %i, %c2 : index
        %x = nest.read %old[%j] : memref<?xf32>
        %y = nest.read %old[%i] : memref<?xf32>
        %z = arith.addf %x, %y : f32
        nest.write %z into %inner[%i] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.kernel {
      nest.loop %i to %n {
        %x = nest.read %inner[%i] : memref<?xf32>
        %place = arith.addi %i, %c1 : index
        nest.write %x into %old[%place] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %old : memref<?xf32>
  }
  return %last : memref<?xf32>
}
