// Of the square roots of loops that do little else, some are computed by multiplications.

// RUN: comb-opt %s --comb-set-machine=facts=estimates=true --comb-balance-square-roots --split-input-file | FileCheck %s
// RUN: comb-opt %s --comb-balance-square-roots --split-input-file | FileCheck %s --check-prefix=SAME
// SAME-NOT: rsqrt14

// One root in an iteration: two iterations are done at once, and the loop that was there does what is
// left. One root is corrected twice, rounded, and is that of the CPU in a branch.

// CHECK-LABEL: func.func @one(
// CHECK-SAME:      %[[N:.*]]: index, %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?xf64>)
// CHECK:         %[[PAIR:.*]] = arith.addi %[[STEP:.*]], %[[STEP]] : index
// CHECK:         %[[DISTANCE:.*]] = arith.subi %[[N]], %[[FIRST:.*]] : index
// CHECK:         %[[IS_BEFORE:.*]] = arith.cmpi slt, %[[FIRST]], %[[N]] : index
// CHECK:         %[[ALL:.*]] = arith.select %[[IS_BEFORE]], %[[DISTANCE]], %{{.*}} : index
// CHECK:         %[[REST:.*]] = arith.remui %[[ALL]], %[[PAIR]] : index
// CHECK:         %[[PAIRS:.*]] = arith.subi %[[ALL]], %[[REST]] : index
// CHECK:         %[[MIDDLE:.*]] = arith.addi %[[FIRST]], %[[PAIRS]] : index
// CHECK:         scf.for %[[I:.*]] = %[[FIRST]] to %[[MIDDLE]] step %[[PAIR]] {
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]] : index
// CHECK-NEXT:      %[[A:.*]] = vector.load %[[X]][%[[I]]]
// CHECK-NEXT:      %[[ROOT:.*]] = math.sqrt %[[A]] : vector<8xf64>
// CHECK-NEXT:      vector.store %[[ROOT]], %[[Y]][%[[I]]]
// CHECK-NEXT:      %[[B:.*]] = vector.load %[[X]][%[[NEXT]]]
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[B]] : vector<8xf64> to vector<8xi64>
// CHECK:           %[[IS_OTHER:.*]] = arith.cmpi ne, %[[BITS]], %{{.*}} : vector<8xi64>
// CHECK:           %[[ESTIMATE:.*]] = llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.pd.512"(%[[B]], %{{.*}}, %{{.*}}) :
// CHECK-SAME:          (vector<8xf64>, vector<8xf64>, i8) -> vector<8xf64>
// CHECK-COUNT-8:   math.fma
// CHECK:           %[[LAST:.*]] = math.fma
// CHECK-NOT:       math.fma
// CHECK:           %[[OR_ZERO:.*]] = arith.select %[[IS_OTHER]], %[[LAST]], %{{.*}} : vector<8xi1>, vector<8xf64>
// CHECK:           %[[ABOVE:.*]] = arith.subi %[[BITS]], %{{.*}} : vector<8xi64>
// CHECK:           %[[IS_OUTSIDE:.*]] = arith.cmpi uge, %[[ABOVE]], %{{.*}} : vector<8xi64>
// CHECK:           %[[LANES:.*]] = arith.andi %[[IS_OUTSIDE]], %[[IS_OTHER]] : vector<8xi1>
// CHECK:           %[[ANY:.*]] = vector.reduction <or>, %[[LANES]] : vector<8xi1> into i1
// CHECK:           %[[RARE:.*]] = llvm.intr.expect %[[ANY]], %{{.*}} : i1
// CHECK:           %[[RESULT:.*]] = scf.if %[[RARE]] -> (vector<8xf64>) {
// CHECK-NEXT:        %[[INSTEAD:.*]] = math.sqrt %[[B]] : vector<8xf64>
// CHECK-NEXT:        scf.yield %[[INSTEAD]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[OR_ZERO]]
// CHECK-NEXT:      }
// CHECK-NEXT:      vector.store %[[RESULT]], %[[Y]][%[[NEXT]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for %{{.*}} = %[[MIDDLE]] to %[[N]] step %[[STEP]] {
// CHECK-NEXT:      vector.load
// CHECK-NEXT:      math.sqrt
// CHECK-NEXT:      vector.store
// CHECK-NEXT:    } {loop_annotation
func.func @one(%n: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c3 to %n step %c8 {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %root = math.sqrt %a : vector<8xf64>
    vector.store %root, %y[%i] : memref<?xf64>, vector<8xf64>
  }
  return
}

// -----

// What a loop carries goes from iteration to iteration, in order. Of 32 bits, roots are corrected once.

// CHECK-LABEL: func.func @carried(
// CHECK-SAME:      %[[N:.*]]: index, %[[X:.*]]: memref<?xf32>, %[[BEGUN:.*]]: vector<16xf32>)
// CHECK:         %[[PAIRS:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[BEGUN]]) -> (vector<16xf32>) {
// CHECK:           %[[ROOT:.*]] = math.sqrt
// CHECK:           %[[NEW:.*]] = arith.addf %[[SUM]], %[[ROOT]]
// CHECK:           "llvm.x86.avx512.rsqrt14.ps.512"
// CHECK-COUNT-5:   math.fma
// CHECK-NOT:       math.fma
// CHECK:           %[[OTHER:.*]] = scf.if
// CHECK:           %[[NEWER:.*]] = arith.addf %[[NEW]], %[[OTHER]]
// CHECK:           scf.yield %[[NEWER]]
// CHECK:         %[[ALL:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[PAIRS]]) -> (vector<16xf32>) {
// CHECK:         return %[[ALL]]
func.func @carried(%n: index, %x: memref<?xf32>, %begun: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %begun) -> (vector<16xf32>) {
    %a = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    %root = math.sqrt %a : vector<16xf32>
    %new = arith.addf %sum, %root : vector<16xf32>
    scf.yield %new : vector<16xf32>
  }
  return %sum : vector<16xf32>
}

// -----

// With two roots in an iteration, it stays one. A loop that is to be unrolled by LLVM does its iterations
// as before.

// CHECK-LABEL: func.func @two(
// CHECK:         scf.for
// CHECK:           math.sqrt
// CHECK:           rsqrt14
// CHECK:           } else {
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @two(%n: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %b = vector.load %y[%i] : memref<?xf64>, vector<8xf64>
    %root = math.sqrt %a : vector<8xf64>
    %other = math.sqrt %b : vector<8xf64>
    vector.store %root, %x[%i] : memref<?xf64>, vector<8xf64>
    vector.store %other, %y[%i] : memref<?xf64>, vector<8xf64>
  } {loop_annotation = #llvm.loop_annotation<unroll = <count = 2 : i32>>}
  return
}

// -----

// Beside divisions, a root may be replaced in each iteration.

// CHECK-LABEL: func.func @division(
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:           rsqrt14
// CHECK:         return
func.func @division(%n: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %ones = arith.constant dense<1.0> : vector<8xf64>
  scf.for %i = %c0 to %n step %c8 {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %b = vector.load %y[%i] : memref<?xf64>, vector<8xf64>
    %root = math.sqrt %a : vector<8xf64>
    %quotient = arith.divf %b, %root : vector<8xf64>
    %other = arith.divf %ones, %a : vector<8xf64>
    vector.store %quotient, %x[%i] : memref<?xf64>, vector<8xf64>
    vector.store %other, %y[%i] : memref<?xf64>, vector<8xf64>
  } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  return
}

// -----

// A root in a branch stays, and so do those of numbers, of vectors of other lengths, of a loop whose step
// is not known, of one over unsigned indices, and of one around another loop.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:     rsqrt14
func.func @others(%n: index, %step: index, %is_rare: i1, %x: memref<?xf64>, %y: memref<?xf32>,
                  %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    scf.if %is_rare {
      %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
      %root = math.sqrt %a : vector<8xf64>
      vector.store %root, %x[%i] : memref<?xf64>, vector<8xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %root = math.sqrt %a : f64
    memref.store %root, %x[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c8 {
    %a = vector.load %y[%i] : memref<?xf32>, vector<8xf32>
    %root = math.sqrt %a : vector<8xf32>
    vector.store %root, %y[%i] : memref<?xf32>, vector<8xf32>
  }
  scf.for unsigned %i = %c0 to %n step %c8 {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %root = math.sqrt %a : vector<8xf64>
    vector.store %root, %x[%i] : memref<?xf64>, vector<8xf64>
  }
  scf.for %i = %c0 to %n step %step {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %root = math.sqrt %a : vector<8xf64>
    vector.store %root, %x[%i] : memref<?xf64>, vector<8xf64>
  }
  scf.for %i = %c0 to %n step %c8 {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %root = math.sqrt %a : vector<8xf64>
    vector.store %root, %x[%i] : memref<?xf64>, vector<8xf64>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %n, %m[%j] : memref<?xindex>
    }
  }
  return
}

// -----

// A loop that multiplies more than it waits for roots stays. A sum of a product that is needed for
// nothing else, and may be rounded with it, takes no time of its own.

// CHECK-LABEL: func.func @busy(
// CHECK-NOT:     rsqrt14
// CHECK-LABEL: func.func @less_busy(
// CHECK:         rsqrt14
func.func @busy(%n: index, %x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %b = math.sqrt %a : vector<8xf64>
    %c = arith.mulf %b, %b : vector<8xf64>
    %d = arith.addf %c, %b : vector<8xf64>
    %e = arith.mulf %d, %b : vector<8xf64>
    %f = arith.addf %e, %b : vector<8xf64>
    %g = arith.mulf %f, %b : vector<8xf64>
    %h = arith.addf %g, %b : vector<8xf64>
    vector.store %h, %x[%i] : memref<?xf64>, vector<8xf64>
  }
  return
}

func.func @less_busy(%n: index, %x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %a = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %b = math.sqrt %a : vector<8xf64>
    %c = arith.mulf %b, %b fastmath<contract> : vector<8xf64>
    %d = arith.addf %c, %b fastmath<contract> : vector<8xf64>
    %e = arith.mulf %d, %b fastmath<contract> : vector<8xf64>
    %f = arith.addf %e, %b fastmath<contract> : vector<8xf64>
    %g = arith.mulf %f, %b fastmath<contract> : vector<8xf64>
    %h = arith.addf %g, %b fastmath<contract> : vector<8xf64>
    vector.store %h, %x[%i] : memref<?xf64>, vector<8xf64>
  }
  return
}
