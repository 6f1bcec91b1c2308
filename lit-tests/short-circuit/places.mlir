// Arrays are computed where they would be copied to: by kernels, by `memref.copy`, as parts with
// strides, and through views where what uses them has no index of its own.
//
// RUN: comb-opt %s --comb-short-circuit --canonicalize --cse | FileCheck %s
// RUN: comb-opt %s --comb-set-transformations=disable=short-circuiting --comb-short-circuit --remarks-filter=comb-short-circuit -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF

// OFF: an array is copied into another one: 'short-circuiting' is off

// A row, which is read from another row of the same array.
// CHECK-LABEL: func.func @row(
// CHECK-NOT: memref.alloc
// CHECK: %[[NEXT:.*]] = arith.addi %arg1, %c1
// CHECK: nest.read %arg0[%arg1, %i]
// CHECK: nest.write %{{.*}} into %arg0[%[[NEXT]], %i]
// CHECK-NOT: nest.kernel
// CHECK: return
func.func @row(%a: memref<?x?xf32>, %r: index) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %next = arith.addi %r, %c1 : index
  %row = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      %x = nest.read %a[%r, %i] : memref<?x?xf32>
      %y = arith.addf %x, %x : f32
      nest.write %y into %row[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    nest.loop %i to %n {
      %x = nest.read %row[%i] : memref<?xf32>
      nest.write %x into %a[%next, %i] : memref<?x?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// Both parts of a concatenation, whose memory is allocated before they are computed; the second one
// goes backwards in steps of two.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<9xf32>
// CHECK: nest.write %{{.*}} into %[[ALL]][%i]
// CHECK: %[[STEP:.*]] = arith.muli %i, %c-2
// CHECK: %[[PLACE:.*]] = arith.addi %[[STEP]], %c8
// CHECK: nest.write %{{.*}} into %[[ALL]][%[[PLACE]]]
// CHECK-NOT: nest.kernel
// CHECK: return %[[ALL]]
func.func @parts(%a: memref<3xf32>) -> memref<9xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = memref.alloc() : memref<3xf32>
  %other = memref.alloc() : memref<3xf32>
  nest.kernel {
    nest.loop %i to %c3 {
      %x = nest.read %a[%i] : memref<3xf32>
      nest.write %x into %one[%i] : memref<3xf32>
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    nest.loop %i to %c3 {
      %x = nest.read %a[%i] : memref<3xf32>
      %y = arith.negf %x : f32
      nest.write %y into %other[%i] : memref<3xf32>
      nest.yield
    }
    nest.yield
  }
  %all = memref.alloc() : memref<9xf32>
  nest.kernel {
    nest.loop %i to %c3 {
      %x = nest.read %one[%i] : memref<3xf32>
      nest.write %x into %all[%i] : memref<9xf32>
      nest.yield
    }
    nest.loop %i to %c3 {
      %x = nest.read %other[%i] : memref<3xf32>
      %step = arith.muli %i, %c2 : index
      %place = arith.subi %c8, %step : index
      nest.write %x into %all[%place] : memref<9xf32>
      nest.yield
    }
    nest.yield
  }
  return %all : memref<9xf32>
}

// A diagonal, in memory that is seen as a line: elements that are known to have different places.
// CHECK-LABEL: func.func @diagonal(
// CHECK: %[[DIAGONAL:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%{{.*}}], strides: [%{{.*}}]
// CHECK: nest.write %{{.*}} into %[[DIAGONAL]][%i]
// CHECK-NOT: nest.scatter
// CHECK: return
func.func @diagonal(%a: memref<?x?xf32>, %v: f32, %m: index) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %stride = arith.addi %n, %c1 : index
  %d = memref.alloc(%m) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %m {
      nest.write %v into %d[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    nest.loop %i to %m {
      %x = nest.read %d[%i] : memref<?xf32>
      %flat = arith.muli %i, %stride : index
      %column = arith.remui %flat, %n : index
      %row = arith.divui %flat, %n : index
      nest.scatter %x into %a[%row, %column] : memref<?x?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// What `linalg` computes, and `memref.copy` copies, becomes a view.
// CHECK-LABEL: func.func @slice(
// CHECK-NOT: memref.alloc
// CHECK: %[[PART:.*]] = memref.subview %arg0[2, 0] [4, 8] [1, 1]
// CHECK: linalg.fill ins(%arg1 : f32) outs(%[[PART]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @slice(%a: memref<8x8xf32>, %x: f32) {
  %new = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<4x8xf32>)
  %part = memref.subview %a[2, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 16>>
  memref.copy %new, %part : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 16>>
  return
}

// A check of where an array goes is executed before anything is written there.
// CHECK-LABEL: func.func @check(
// CHECK: soac.check
// CHECK-NEXT: nest.kernel
// CHECK: nest.write %{{.*}} into %arg0
// CHECK-NOT: nest.kernel
// CHECK: return
func.func @check(%a: memref<?xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %new = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      nest.write %x into %new[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  %size = memref.dim %a, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %n, %size : index
  soac.check %fits, "it does not fit"
  nest.kernel {
    nest.loop %i to %n {
      %y = nest.read %new[%i] : memref<?xf32>
      nest.write %y into %a[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// A row is written behind all that reads it.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: memref.alloc
// CHECK: nest.loop %i
// CHECK: nest.write %{{.*}} into %arg0[%i, %j]
// CHECK-NOT: nest.kernel
// CHECK: return
func.func @rows(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %new = memref.alloc(%m, %n) : memref<?x?xf32>
  nest.kernel {
    nest.loop %i to %m {
      %sum = nest.loop %j to %n carry(%s = %zero : f32) {
        %x = nest.read %a[%i, %j] : memref<?x?xf32>
        %t = nest.fold %x into %s neutral %zero : f32 (%l: f32, %r: f32) {
          %u = arith.addf %l, %r : f32
          nest.yield %u : f32
        }
        nest.yield %t : f32
      }
      nest.loop %j to %n {
        %x = nest.read %a[%i, %j] : memref<?x?xf32>
        %y = arith.divf %x, %sum : f32
        nest.write %y into %new[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  memref.copy %new, %a : memref<?x?xf32> to memref<?x?xf32>
  return
}

// An array may be read from the elements that it replaces, if each iteration reads its own first; rows
// of a kernel's own are no memory then, either.
// CHECK-LABEL: func.func @own(
// CHECK-NOT: nest.local
// CHECK: nest.loop %i
// CHECK: nest.loop %j
// CHECK: nest.read %arg0[%i, %j]
// CHECK: nest.write %{{.*}} into %arg0[%i, %j]
// CHECK-NOT: nest.loop
// CHECK: return
func.func @own(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  nest.kernel {
    nest.loop %i to %m {
      %row = nest.local [%n] : memref<?xf32>
      nest.loop %j to %n {
        %x = nest.read %a[%i, %j] : memref<?x?xf32>
        %y = math.exp %x : f32
        nest.write %y into %row[%j] : memref<?xf32>
        nest.yield
      }
      nest.loop %j to %n {
        %x = nest.read %row[%j] : memref<?xf32>
        nest.write %x into %a[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// The last element is not the first one, as a check says.
// CHECK-LABEL: func.func @at_least_two(
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @at_least_two(%a: memref<?xf32>, %x: f32, %y: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %rest = arith.subi %n, %c2 : index
  %ok = arith.cmpi sge, %rest, %c0 : index
  soac.check %ok, "no"
  %end = arith.subi %n, %c1 : index
  %whole = memref.alloc(%n) : memref<?xf32>
  %last = memref.alloc(%c1) : memref<?xf32>
  memref.store %x, %last[%c0] : memref<?xf32>
  memref.store %y, %whole[%c0] : memref<?xf32>
  nest.kernel {
    nest.loop %i to %c1 {
      %e = nest.read %last[%i] : memref<?xf32>
      %p = arith.addi %i, %end : index
      nest.write %e into %whole[%p] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %whole : memref<?xf32>
}

// Sizes are not negative and not large, as checks say.
// CHECK-LABEL: func.func @sizes_in_range(
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @sizes_in_range(%m: index, %n: index, %x: f32, %y: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 576460752303423488 : index
  %m_least = arith.cmpi sge, %m, %c0 : index
  %m_most = arith.cmpi sle, %m, %most : index
  %m_ok = arith.andi %m_least, %m_most : i1
  soac.check %m_ok, "no"
  %n_least = arith.cmpi sge, %n, %c0 : index
  soac.check %n_least, "no"
  %n_most = arith.cmpi sle, %n, %most : index
  soac.check %n_most, "no"
  %size = arith.addi %m, %n : index
  %one = memref.alloc(%m) : memref<?xf32>
  scf.for %i = %c0 to %m step %c1 {
    memref.store %x, %one[%i] : memref<?xf32>
  }
  %whole = memref.alloc(%size) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %p = arith.addi %m, %i : index
    memref.store %y, %whole[%p] : memref<?xf32>
  }
  nest.kernel {
    nest.loop %i to %m {
      %e = nest.read %one[%i] : memref<?xf32>
      nest.write %e into %whole[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %whole : memref<?xf32>
}

// What the copy reads backwards, or in columns, is written so.
// CHECK-LABEL: func.func @read_backwards(
// CHECK-SAME: %[[N:.*]]: index, %
// CHECK: %[[WHOLE:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: %[[PLACE:.*]] = arith.subi %[[N]], %i
// CHECK: nest.write %{{.*}} into %[[WHOLE]][%[[PLACE]]]
// CHECK-NOT: nest.kernel
// CHECK: return
func.func @read_backwards(%n: index, %x: f32) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %more = arith.addi %n, %c1 : index
  %whole = memref.alloc(%more) : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      nest.write %x into %a[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    nest.loop %i to %n {
      %j = arith.subi %last, %i : index
      %y = nest.read %a[%j] : memref<?xf32>
      %k = arith.addi %i, %c1 : index
      nest.write %y into %whole[%k] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %whole : memref<?xf32>
}

// CHECK-LABEL: func.func @read_in_columns(
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: nest.loop %[[I:.*]] to
// CHECK-NEXT: nest.loop %[[J:.*]] to
// CHECK: nest.write %{{.*}} into %{{.*}}[%c1, %[[J]], %[[I]]]
// CHECK-NOT: nest.kernel
// CHECK: return
func.func @read_in_columns(%m: index, %n: index, %x: f32) -> memref<2x?x?xf32> {
  %c1 = arith.constant 1 : index
  %whole = memref.alloc(%n, %m) : memref<2x?x?xf32>
  %a = memref.alloc(%m, %n) : memref<?x?xf32>
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        nest.write %x into %a[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    nest.loop %i to %n {
      nest.loop %j to %m {
        %y = nest.read %a[%j, %i] : memref<?x?xf32>
        nest.write %y into %whole[%c1, %i, %j] : memref<2x?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return %whole : memref<2x?x?xf32>
}

// What is copied in another shape, with a loop that runs once.
// CHECK-LABEL: func.func @reshaped(
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<3x4x2xf32>
// CHECK-NOT: memref.reshape
// CHECK: nest.write %{{.*}} into %[[WHOLE]]
// CHECK-NOT: nest.kernel
// CHECK: return
func.func @reshaped(%k: index, %x: f32) -> memref<3x4x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %whole = memref.alloc() : memref<3x4x2xf32>
  %a = memref.alloc() : memref<4x2xf32>
  nest.kernel {
    nest.loop %i to %c4 {
      nest.loop %j to %c2 {
        nest.write %x into %a[%i, %j] : memref<4x2xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  %shape = memref.alloc() : memref<3xindex>
  memref.store %c1, %shape[%c0] : memref<3xindex>
  memref.store %c4, %shape[%c1] : memref<3xindex>
  memref.store %c2, %shape[%c2] : memref<3xindex>
  %b = memref.reshape %a(%shape) : (memref<4x2xf32>, memref<3xindex>) -> memref<1x?x?xf32>
  nest.kernel {
    %n = memref.dim %b, %c2 : memref<1x?x?xf32>
    nest.loop %h to %c1 {
      nest.loop %i to %c4 {
        nest.loop %j to %n {
          %y = nest.read %b[%h, %i, %j] : memref<1x?x?xf32>
          %l = arith.addi %k, %h : index
          nest.write %y into %whole[%l, %i, %j] : memref<3x4x2xf32>
          nest.yield
        }
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return %whole : memref<3x4x2xf32>
}
