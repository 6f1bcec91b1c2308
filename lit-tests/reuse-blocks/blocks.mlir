// Arrays take memory that nobody needs any more.
//
// RUN: comb-opt %s --comb-reuse-blocks | FileCheck %s
// RUN: comb-opt %s --comb-reuse-blocks --remarks-filter=comb-reuse-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: comb-opt %s --comb-set-transformations=disable=reused-blocks --comb-reuse-blocks | FileCheck %s --check-prefix=OFF

// OFF-LABEL: func.func @in_place(
// OFF-COUNT-2: memref.alloc

// WHY-DAG: [Passed] ReusedBlock {{.*}}Function=in_place {{.*}}an array has memory that nobody needs any more
// WHY-DAG: [Passed] ReusedBlock {{.*}}Function=two_levels {{.*}}a loop goes round blocks that are allocated in front of it
// WHY-DAG: [Missed] NewBlock {{.*}}Function=two_at_a_time {{.*}}'nest.read' may use an element there that has been overwritten
// WHY-DAG: [Missed] NewBlock {{.*}}Function=written {{.*}}'nest.write' writes to that, too
// WHY-DAG: [Missed] NewBlock {{.*}}Function=another_name {{.*}}'memref.load' may use any element

// A map of a dead array.
// CHECK-LABEL: func.func @in_place(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return %[[A]]
func.func @in_place(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      nest.write %x into %a[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  %m = memref.dim %a, %c0 : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      %y = nest.read %a[%i] : memref<?xf32>
      %z = arith.addf %y, %y : f32
      nest.write %z into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %b : memref<?xf32>
}

// Two arrays are needed at a time, whatever the order in which each is read.
// CHECK-LABEL: func.func @two_at_a_time(
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @two_at_a_time(%n: index, %x: f32) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      %j = arith.subi %last, %i : index
      %y = nest.read %a[%j] : memref<?xf32>
      nest.write %y into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  %c = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      %j = arith.subi %last, %i : index
      %y = nest.read %b[%j] : memref<?xf32>
      nest.write %y into %c[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %c : memref<?xf32>
}

// CHECK-LABEL: func.func @written(
// CHECK-COUNT-2: memref.alloc
// CHECK: return
func.func @written(%n: index, %x: f32) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      nest.write %x into %a[%i] : memref<?xf32>
      %y = nest.read %a[%i] : memref<?xf32>
      nest.write %y into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %b : memref<?xf32>
}

// The loop reads one or the other.
// CHECK-LABEL: func.func @another_name(
// CHECK-COUNT-3: memref.alloc
// CHECK: return
func.func @another_name(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %c = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
    %y = memref.load %p[%i] : memref<?xf32>
    memref.store %y, %c[%i] : memref<?xf32>
    scf.yield %q, %p : memref<?xf32>, memref<?xf32>
  }
  return %c : memref<?xf32>
}

// What is carried is needed as long as any name for it; a result is needed to the end.
// CHECK-LABEL: func.func @carried(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK: memref.alloc
// CHECK: %[[C:.*]] = memref.alloc
// CHECK-NEXT: linalg.copy ins(%[[R]] {{.*}} outs(%[[C]]
// CHECK-NEXT: linalg.copy ins(%[[C]] {{.*}} outs(%[[A]]
// CHECK-NEXT: return %[[C]], %[[A]]
func.func @carried(%n: index, %x: f32) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<?xf32>) {
    %size = arith.addi %n, %i : index
    %b = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
    %y = memref.load %p[%c0] : memref<?xf32>
    memref.store %y, %b[%c0] : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.copy ins(%r : memref<?xf32>) outs(%c : memref<?xf32>)
  %d = memref.alloc(%n) : memref<?xf32>
  linalg.copy ins(%c : memref<?xf32>) outs(%d : memref<?xf32>)
  return %c, %d : memref<?xf32>, memref<?xf32>
}

// Memory from outside of a loop and a branch, but not of a loop that threads share; nor for what the loop gives.
// CHECK-LABEL: func.func @inside(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
// CHECK: nest.loop
// CHECK-NEXT: memref.alloc
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
func.func @inside(%n: index, %x: f32, %e: i1, %o: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %o : memref<?xf32> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %e {
      %b = memref.alloc(%n) : memref<?xf32>
      linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
      memref.copy %b, %o : memref<?xf32> to memref<?xf32>
    }
  }
  nest.kernel {
    nest.loop %i to %n {
      %b = memref.alloc(%n) : memref<?xf32>
      nest.write %x into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %o) -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// Other sizes, other types, and memory that is freed or that somebody else may know.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-6: memref.alloc
// CHECK: return
func.func @others(%n: index, %x: f32, %y: i32) {
  %c1 = arith.constant 1 : index
  %more = arith.addi %n, %c1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%more) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  memref.dealloc %b : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%y : i32) outs(%c : memref<?xi32>)
  %d = memref.alloc(%more) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%d : memref<?xf32>)
  func.call @known(%d) : (memref<?xf32>) -> ()
  %e = memref.alloc(%more) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%e : memref<?xf32>)
  %f = memref.alloc(%more) : memref<?xf32>
  func.call @known(%f) : (memref<?xf32>) -> ()
  return
}

func.func private @known(memref<?xf32>)

// An iteration needs all of what the one before has computed: two blocks in front of the loop.
// CHECK-LABEL: func.func @two_blocks(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[S:.*]] = memref.alloc
// CHECK: %[[PHASE:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}) -> (index)
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[P]]
// CHECK-NEXT: %[[OLD:.*]] = arith.select %[[FIRST]], %[[A]], %[[S]]
// CHECK: %[[NEW:.*]] = arith.select %{{.*}}, %[[S]], %[[A]]
// CHECK-NOT: memref.alloc
// CHECK: nest.read %[[OLD]]
// CHECK: nest.write %{{.*}} into %[[NEW]]
// CHECK: %[[RESULT:.*]] = arith.select %{{.*}}, %[[A]], %[[S]]
// CHECK: return %[[RESULT]]
func.func @two_blocks(%n: index, %it: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %r = scf.for %i = %c0 to %it step %c1 iter_args(%old = %a) -> (memref<?xf32>) {
    %new = memref.alloc(%n) : memref<?xf32>
    nest.kernel {
      nest.loop %j to %n {
        %k = arith.subi %last, %j : index
        %y = nest.read %old[%k] : memref<?xf32>
        nest.write %y into %new[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %new : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// With two time levels, three. A check says that they have one size.
// CHECK-LABEL: func.func @two_levels(
// CHECK-COUNT-3: memref.alloc
// CHECK: scf.for {{.*}} -> (index)
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @two_levels(%m: index, %n: index, %it: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %r:2 = scf.for %i = %c0 to %it step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
    %size = memref.dim %q, %c0 : memref<?xf32>
    %ok = arith.cmpi eq, %size, %n : index
    soac.check %ok, "no"
    %new = memref.alloc(%n) : memref<?xf32>
    nest.kernel {
      nest.loop %j to %n {
        %k = arith.subi %last, %j : index
        %y = nest.read %p[%k] : memref<?xf32>
        %z = nest.read %q[%k] : memref<?xf32>
        %w = arith.addf %y, %z : f32
        nest.write %w into %new[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %new, %p : memref<?xf32>, memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// Without, they may have others; and a part of what is carried may be needed in the next iteration.
// CHECK-LABEL: func.func @other_sizes(
// CHECK: scf.for {{.*}} iter_args(
// CHECK: memref.alloc
// CHECK: scf.for {{.*}} iter_args(
// CHECK: memref.alloc
// CHECK: return
func.func @other_sizes(%m: index, %n: index, %it: index, %x: f32) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %r:2 = scf.for %i = %c0 to %it step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
    %new = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%new : memref<?xf32>)
    %y = memref.load %q[%i] : memref<?xf32>
    memref.store %y, %new[%c0] : memref<?xf32>
    scf.yield %new, %p : memref<?xf32>, memref<?xf32>
  }
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  %s:2 = scf.for %i = %c0 to %it step %c1 iter_args(%p = %c, %q = %r#0) -> (memref<?xf32>, memref<?xf32>) {
    %new = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%new : memref<?xf32>)
    %y = memref.load %q[%i] : memref<?xf32>
    %z = memref.load %p[%i] : memref<?xf32>
    memref.store %y, %new[%c0] : memref<?xf32>
    memref.store %z, %new[%c1] : memref<?xf32>
    %part = memref.subview %p[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    %cast = memref.cast %part : memref<?xf32, strided<[1]>> to memref<?xf32>
    scf.yield %new, %cast : memref<?xf32>, memref<?xf32>
  }
  return %r#1, %s#1 : memref<?xf32>, memref<?xf32>
}
