// Loops and branches give memory that is there before.
//
// RUN: comb-opt %s --comb-carry-blocks --canonicalize | FileCheck %s
// RUN: comb-opt %s --comb-carry-blocks --remarks-filter=comb-carry-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: comb-opt %s --comb-set-transformations=disable=carried-blocks --comb-carry-blocks | FileCheck %s --check-prefix=OFF

// OFF-LABEL: func.func @handed_on(
// OFF: scf.for {{.*}} iter_args(
// OFF-LABEL: func.func @in_branches(
// OFF: scf.if %{{.*}} -> (memref<?xf32>)

// WHY-DAG: [Passed] CarriedBlock{{.*}}Function=handed_on {{.*}}a loop hands on memory that it was given
// WHY-DAG: [Passed] CarriedBlock{{.*}}Function=in_branches {{.*}}what branches give is allocated in front of them
// WHY-DAG: [Passed] CarriedBlock{{.*}}Function=overwritten {{.*}}a loop overwrites what it carries
// WHY-DAG: [Passed] CarriedBlock{{.*}}Function=levels {{.*}}a loop hands on in another place what it carries
// WHY-DAG: [Missed] NewBlock{{.*}}Function=neighbours {{.*}}a loop computes what it hands on in new memory: 'nest.read' may use an element there that has been overwritten
// WHY-DAG: [Missed] NewBlock{{.*}}Function=types {{.*}}they allocate memory of different types
// WHY-DAG: [Missed] NewBlock{{.*}}Function=size {{.*}}its size is computed in a branch
// WHY-DAG: [Missed] NewBlock{{.*}}Function=checked {{.*}}a check in a branch has to be made before

// An inner loop, too; the number is carried as before.
// CHECK-LABEL: func.func @handed_on(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[NEXT:.*]] = scf.for %[[J:.*]] = {{.*}} iter_args(%{{.*}} = %[[S]]) -> (f32)
// CHECK: memref.load %[[A]][%[[J]]]
// CHECK: memref.store %{{.*}}, %[[A]][%[[J]]]
// CHECK: scf.yield %[[NEXT]] : f32
// CHECK: return %[[A]], %[[SUM]]
func.func @handed_on(%a: memref<?xf32>, %n: index) -> (memref<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %s = %zero) -> (memref<?xf32>, f32) {
    %q:2 = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s, %b = %m) -> (f32, memref<?xf32>) {
      %x = memref.load %b[%j] : memref<?xf32>
      %y = arith.addf %x, %t : f32
      memref.store %y, %b[%j] : memref<?xf32>
      scf.yield %y, %b : f32, memref<?xf32>
    }
    scf.yield %q#1, %q#0 : memref<?xf32>, f32
  }
  return %r#0, %r#1 : memref<?xf32>, f32
}

// What two names exchange is carried.
// CHECK-LABEL: func.func @exchanged(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[B:.*]] = %arg1)
// CHECK: scf.yield %[[B]], %[[A]]
func.func @exchanged(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
    %x = memref.load %p[%i] : memref<?xf32>
    memref.store %x, %q[%i] : memref<?xf32>
    scf.yield %q, %p : memref<?xf32>, memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// Each side allocates in its own size; what is less known of it is cast.
// CHECK-LABEL: func.func @in_branches(
// CHECK-SAME: %[[C:.*]]: i1, %[[M:.*]]: index, %[[N:.*]]: index, %{{.*}}: f32)
// CHECK-DAG: %[[MORE:.*]] = arith.addi %[[N]], %c1
// CHECK-DAG: %[[SIZE:.*]] = arith.select %[[C]], %[[M]], %[[MORE]]
// CHECK: %[[NEW:.*]] = memref.alloc(%[[SIZE]])
// CHECK: scf.if %[[C]]
// CHECK: memref.store %{{.*}}, %[[NEW]]
// CHECK: else
// CHECK: memref.store %{{.*}}, %[[NEW]]
// CHECK: memref.load %[[NEW]]
func.func @in_branches(%c: i1, %m: index, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> (memref<?xf32, strided<[?], offset: ?>>) {
    %a = memref.alloc(%m) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    %cast = memref.cast %a : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    scf.yield %cast : memref<?xf32, strided<[?], offset: ?>>
  } else {
    %more = arith.addi %n, %c1 : index
    %a = memref.alloc(%more) : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%c0] : memref<?xf32>
    %cast = memref.cast %a : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    scf.yield %cast : memref<?xf32, strided<[?], offset: ?>>
  }
  %y = memref.load %r[%c0] : memref<?xf32, strided<[?], offset: ?>>
  return %y : f32
}

// Behind a check, what is as large as an array that exists. A number that a branch gives stays.
// CHECK-LABEL: func.func @plain(
// CHECK: memref.alloc(%{{.*}}) : memref<?x2xf32>
// CHECK-NEXT: scf.if %arg0 -> (f32)
// CHECK: soac.check
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @plain(%c: i1, %ok: i1, %a: memref<?xf32>, %x: f32) -> (memref<?x2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r:2 = scf.if %c -> (memref<?x2xf32>, f32) {
    soac.check %ok, "no"
    %b = memref.alloc(%n) : memref<?x2xf32>
    memref.store %x, %b[%c0, %c0] : memref<?x2xf32>
    scf.yield %b, %x : memref<?x2xf32>, f32
  } else {
    %b = memref.alloc(%n) : memref<?x2xf32>
    %y = arith.addf %x, %x : f32
    scf.yield %b, %y : memref<?x2xf32>, f32
  }
  return %r#0, %r#1 : memref<?x2xf32>, f32
}

// CHECK-LABEL: func.func @types(
// CHECK: scf.if
// CHECK: memref.alloc
// CHECK: memref.alloc
func.func @types(%c: i1, %n: index) -> memref<?xf32> {
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc(%n) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.cast %a : memref<4xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @size(
// CHECK: scf.if
// CHECK: memref.alloc
// CHECK: memref.alloc
func.func @size(%c: i1, %sizes: memref<2xindex>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> (memref<?xf32>) {
    %n = memref.load %sizes[%c0] : memref<2xindex>
    %a = memref.alloc(%n) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    %a = memref.alloc(%c1) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// Where the check fails, the size may be any number.
// CHECK-LABEL: func.func @checked(
// CHECK: scf.if
// CHECK: memref.alloc
// CHECK: memref.alloc
func.func @checked(%c: i1, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (memref<?xf32>) {
    %ok = arith.cmpi sge, %n, %c0 : index
    soac.check %ok, "no"
    %a = memref.alloc(%n) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    %a = memref.alloc(%c0) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// One array is given twice, the other one is not new.
// CHECK-LABEL: func.func @others(
// CHECK: scf.if %{{.*}} -> (memref<4xf32>, memref<4xf32>, memref<4xf32>)
func.func @others(%c: i1, %a: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %r:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b, %b : memref<4xf32>, memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    %d = memref.alloc() : memref<4xf32>
    scf.yield %b, %d : memref<4xf32>, memref<4xf32>
  }
  %s = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %r#0, %r#1, %s : memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// A map of what is carried, which is new.
// CHECK-LABEL: func.func @overwritten(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: iter_args
// CHECK: nest.read %[[A]]
// CHECK: nest.write %{{.*}} into %[[A]]
// CHECK: return %[[A]]
func.func @overwritten(%n: index, %it: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %r = scf.for %i = %c0 to %it step %c1 iter_args(%old = %a) -> (memref<?xf32>) {
    %m = memref.dim %old, %c0 : memref<?xf32>
    %new = memref.alloc(%m) : memref<?xf32>
    nest.kernel {
      nest.loop %j to %m {
        %y = nest.read %old[%j] : memref<?xf32>
        %z = arith.addf %y, %x : f32
        nest.write %z into %new[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %new : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// What others know is not overwritten: the parameter, what is used behind the loop, what is given twice.
// CHECK-LABEL: func.func @not_own(
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK: memref.alloc
func.func @not_own(%o: memref<?xf32>, %n: index, %it: index, %x: f32) -> (memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %it step %c1 iter_args(%old = %o) -> (memref<?xf32>) {
    %m = memref.dim %old, %c0 : memref<?xf32>
    %new = memref.alloc(%m) : memref<?xf32>
    nest.kernel {
      nest.loop %j to %m {
        %y = nest.read %old[%j] : memref<?xf32>
        %z = arith.addf %y, %x : f32
        nest.write %z into %new[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %new : memref<?xf32>
  }
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %s = scf.for %i = %c0 to %it step %c1 iter_args(%old = %a) -> (memref<?xf32>) {
    %m = memref.dim %old, %c0 : memref<?xf32>
    %new = memref.alloc(%m) : memref<?xf32>
    nest.kernel {
      nest.loop %j to %m {
        %y = nest.read %old[%j] : memref<?xf32>
        %z = arith.addf %y, %x : f32
        nest.write %z into %new[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %new : memref<?xf32>
  }
  %y = memref.load %a[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %t:2 = scf.for %i = %c0 to %it step %c1 iter_args(%old = %b, %first = %b) -> (memref<?xf32>, memref<?xf32>) {
    %m = memref.dim %old, %c0 : memref<?xf32>
    %new = memref.alloc(%m) : memref<?xf32>
    nest.kernel {
      nest.loop %j to %m {
        %e = nest.read %old[%j] : memref<?xf32>
        %z = arith.addf %e, %x : f32
        nest.write %z into %new[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %new, %first : memref<?xf32>, memref<?xf32>
  }
  return %r, %s, %t#0, %t#1, %y : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>, f32
}

// CHECK-LABEL: func.func @neighbours(
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.alloc
func.func @neighbours(%n: index, %it: index, %x: f32) -> memref<?xf32> {
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

// Of two time levels, the newer one becomes the older one without a copy.
// CHECK-LABEL: func.func @levels(
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.yield %[[NEW]], %[[P]]
func.func @levels(%n: index, %it: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %r:2 = scf.for %i = %c0 to %it step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
    %new = memref.alloc(%n) : memref<?xf32>
    nest.kernel {
      nest.loop %j to %n {
        %k = arith.subi %last, %j : index
        %y = nest.read %p[%k] : memref<?xf32>
        %z = nest.read %q[%j] : memref<?xf32>
        %w = arith.addf %y, %z : f32
        nest.write %w into %new[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    %kept = memref.alloc(%n) : memref<?xf32>
    memref.copy %p, %kept : memref<?xf32> to memref<?xf32>
    scf.yield %new, %kept : memref<?xf32>, memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// The copy is needed where the other one is, too: it is handed on, or read behind the copy.
// CHECK-LABEL: func.func @needed(
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: scf.for
// CHECK: memref.copy
func.func @needed(%n: index, %it: index, %x: f32) -> (memref<?xf32>, memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %r:2 = scf.for %i = %c0 to %it step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
    memref.store %x, %p[%i] : memref<?xf32>
    %kept = memref.alloc(%n) : memref<?xf32>
    memref.copy %p, %kept : memref<?xf32> to memref<?xf32>
    scf.yield %p, %kept : memref<?xf32>, memref<?xf32>
  }
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  %s = scf.for %i = %c0 to %it step %c1 iter_args(%p = %c) -> (memref<?xf32>) {
    %kept = memref.alloc(%n) : memref<?xf32>
    memref.copy %p, %kept : memref<?xf32> to memref<?xf32>
    memref.store %x, %kept[%c0] : memref<?xf32>
    %y = memref.load %p[%c0] : memref<?xf32>
    memref.store %y, %kept[%i] : memref<?xf32>
    scf.yield %kept : memref<?xf32>
  }
  return %r#0, %r#1, %s : memref<?xf32>, memref<?xf32>, memref<?xf32>
}
