// Threads go through a sequential loop one behind the other, each with a range of the kernel's loop.
//
// RUN: comb-opt %s --nest-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: comb-opt %s --nest-schedule --nest-wavefront | FileCheck %s
// RUN: comb-opt %s --nest-schedule --remarks-filter=nest-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: comb-opt %s --comb-set-transformations=disable=wavefronts --nest-schedule | FileCheck %s --check-prefix=OFF
// RUN: comb-opt %s --comb-set-transformations=disable=threads --nest-schedule | FileCheck %s --check-prefix=OFF

// OFF-NOT: wavefront =

// Rows of a table, each of the one above, with a scan. A range waits for the one before, takes over what the
// scan carries, and says when it is done with some rows. What the scan carries is there for each range and
// row. The loop as it was stands beside it.

// SCHEDULE-LABEL: func.func @table
// SCHEDULE: nest.loop attributes {schedule = {lanes = 1 : i64}} %{{.*}} to
// SCHEDULE: nest.loop attributes {schedule = {lanes = 16 : i64, wavefront = [[MOST:[0-9]+]] : i64}} %{{.*}} to %{{.*}} carry
// REMARK: one thread: it runs once
// REMARK: threads go through the loop around the kernel one behind the other, each with {{[0-9]+}} iterations at most

// CHECK-LABEL: func.func @table(
// CHECK-SAME:    %[[H:[^:]*]]: memref<?x?xi32>, %[[S:[^:]*]]: memref<?x?xi32>, %[[ROWS:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index
// CHECK:       %[[ROUNDS:.*]] = arith.ceildivsi
// CHECK:       %[[THREADS:.*]] = arith.index_cast
// CHECK:       arith.cmpi sgt, %[[THREADS]], %c1
// CHECK:       scf.if %{{.*}} {
// CHECK-DAG:     %[[CARRIES:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// CHECK-DAG:     %[[FLAGS:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi64>
// CHECK:         scf.parallel (%[[RANGE:.*]]) =
// CHECK:           %[[FIRST:.*]] = arith.muli %[[RANGE]]
// CHECK:           %[[WIDTH:.*]] = arith.minsi
// CHECK:           scf.for %[[BLOCK:.*]] =
// CHECK:             func.call @comb_runtime_wait(%[[FLAGS]]
// CHECK:             scf.for %[[ROUND:[a-z0-9]*]] = {{.*}} {
// CHECK:               soac.check
// CHECK:               %[[BEFORE:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:                 memref.load %[[CARRIES]]
// CHECK:               nest.kernel {
// CHECK:                 %[[BEHIND:.*]] = nest.loop attributes {schedule = {lanes = 16 : i64}} %[[J:.*]] to %[[WIDTH]] carry(%{{.*}} = %[[BEFORE]] : i32) {
// CHECK:                   arith.addi %[[FIRST]], %[[J]]
// CHECK:                 nest.write %[[BEHIND]] into %[[CARRIES]]
// CHECK:             func.call @comb_runtime_signal(%[[FLAGS]]
// CHECK:         } {comb.schedule = "interleaved"}
// CHECK:       } else {
// CHECK:         scf.for
// CHECK-NOT:       scf.parallel
// CHECK:           nest.loop attributes {schedule = {lanes = 16 : i64}} %{{.*}} to %[[COLUMNS]] carry
func.func @table(%h: memref<?x?xi32>, %s: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    %is_right = arith.cmpi sge, %next, %c0 : index
    soac.check %is_right, "the row {} is negative"(%next)
    nest.kernel {
      nest.loop %once to %c1 {
        %all = nest.loop %j to %columns carry(%sum = %zero : i32) {
          %row = arith.addi %once, %i : index
          %right = arith.addi %j, %c1 : index
          %diagonal = nest.read %h[%row, %j] : memref<?x?xi32>
          %above = nest.read %h[%i, %right] : memref<?x?xi32>
          %e = nest.read %s[%i, %j] : memref<?x?xi32>
          %x = arith.subi %diagonal, %above : i32
          %y = arith.xori %x, %e : i32
          %prefix, %carried = nest.scan %y into %sum neutral %zero : i32 (%a: i32, %b: i32) {
            %c = arith.addi %a, %b : i32
            nest.yield %c : i32
          }
          nest.write %prefix into %h[%next, %right] : memref<?x?xi32>
          nest.yield %carried : i32
        }
        nest.yield
      }
      nest.yield
    }
    nest.kernel {
      nest.loop %once to %c1 {
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// No scan: nothing is carried. The length is known in front of the loop, though it is computed inside.

// SCHEDULE-LABEL: func.func @map
// SCHEDULE: wavefront =
// CHECK-LABEL: func.func @map(
// CHECK:         memref.dim
// CHECK:         scf.if
// CHECK:           scf.parallel
// CHECK-NOT:         memref.load
// CHECK:             func.call @comb_runtime_signal
func.func @map(%h: memref<?x?xi32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %rows step %c2 {
    %columns = memref.dim %h, %c1 : memref<?x?xi32>
    %next = arith.addi %i, %c2 : index
    nest.kernel {
      nest.loop %j to %columns {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        %y = arith.addi %x, %x : i32
        nest.write %y into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// A round reads and writes the same elements. If threads would share a scan of floating-point numbers by chunks
// else, one thread alone takes ranges, too, which give other bits.

// SCHEDULE-LABEL: func.func @again
// SCHEDULE: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64, wavefront =
// CHECK-LABEL: func.func @again(
// CHECK:       %[[THREADS:.*]] = arith.index_cast
// CHECK:       arith.cmpi sgt, %[[THREADS]], %c0
// CHECK:       } else {
// CHECK:         nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64}}
func.func @again(%x: memref<?xf32>, %rounds: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %rounds step %c1 {
    nest.kernel {
      %all = nest.loop %j to %n carry(%sum = %zero : f32) {
        %e = nest.read %x[%j] : memref<?xf32>
        %prefix, %carried = nest.scan %e into %sum neutral %zero : f32 (%a: f32, %b: f32) {
          %c = arith.addf %a, %b : f32
          nest.yield %c : f32
        }
        nest.write %prefix into %x[%j] : memref<?xf32>
        nest.yield %carried : f32
      }
      nest.yield
    }
  }
  return
}

// From right to left: each round needs what is on the right.

// SCHEDULE-LABEL: func.func @from_right
// SCHEDULE: wavefront =
func.func @from_right(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      nest.loop %j to %columns {
        %last = arith.subi %columns, %j : index
        %column = arith.subi %last, %c1 : index
        %x = nest.read %h[%i, %last] : memref<?x?xi32>
        nest.write %x into %h[%next, %column] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// What needs the right neighbour of the row above has to wait for that. So has what is written where an
// earlier round reads, as in two rows that alternate.

// SCHEDULE-LABEL: func.func @right_neighbour
// SCHEDULE-NOT: wavefront =
func.func @right_neighbour(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      nest.loop %j to %columns {
        %right = arith.addi %j, %c1 : index
        %x = nest.read %h[%i, %right] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// SCHEDULE-LABEL: func.func @alternating
// SCHEDULE-NOT: wavefront =
func.func @alternating(%h: memref<2x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %here = arith.andi %i, %c1 : index
    %there = arith.xori %here, %c1 : index
    nest.kernel {
      nest.loop %j to %columns {
        %right = arith.addi %j, %c1 : index
        %x = nest.read %h[%here, %j] : memref<2x?xi32>
        %y = nest.read %h[%here, %right] : memref<2x?xi32>
        %z = arith.addi %x, %y : i32
        nest.write %z into %h[%there, %right] : memref<2x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// What is known to be small stays as it is.

// SCHEDULE-LABEL: func.func @small
// SCHEDULE-NOT: wavefront =
func.func @small(%h: memref<20x300xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c19 = arith.constant 19 : index
  %c300 = arith.constant 300 : index
  scf.for %i = %c0 to %c19 step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      nest.loop %j to %c300 {
        %x = nest.read %h[%i, %j] : memref<20x300xi32>
        nest.write %x into %h[%next, %j] : memref<20x300xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}
