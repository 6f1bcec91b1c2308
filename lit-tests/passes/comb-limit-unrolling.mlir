// A loop around another one is not unrolled, nor is one that uses the same mask in
// all its iterations. What does neither, and
// what has an annotation already, stays as it is.

// RUN: comb-opt %s --comb-limit-unrolling | FileCheck %s
// RUN: comb-opt %s --comb-limit-unrolling --convert-scf-to-cf | FileCheck %s --check-prefix=CF

// CHECK-DAG: #[[NOT:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[KEPT:.*]] = #llvm.loop_annotation<unroll = #[[NOT]]>
// CHECK-DAG: #[[FOUR:.*]] = #llvm.loop_unroll<count = 4 : i32>
// CHECK-DAG: #[[GIVEN:.*]] = #llvm.loop_annotation<unroll = #[[FOUR]]>

#four = #llvm.loop_unroll<count = 4 : i32>
#given = #llvm.loop_annotation<unroll = #four>

// CHECK-LABEL: func.func @table(
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             scf.for
// CHECK:               memref.store
// CHECK-NEXT:        }{{$}}
// CHECK-NEXT:      }{{$}}
// CHECK-NEXT:    } {loop_annotation = #[[KEPT]]}

// CF-LABEL: func.func @table(
// CF-NOT:     loop_annotation
// CF:         cf.br ^bb1({{.*}}) {loop_annotation = #loop_annotation}
// CF-NOT:     loop_annotation
// CF:         return
func.func @table(%table: memref<?x?xf32>, %n: index, %condition: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.if %condition {
      scf.for %j = %c0 to %n step %c1 {
        memref.store %x, %table[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @search(
// CHECK:         scf.while
// CHECK:           scf.for
// CHECK:         } attributes {loop_annotation = #[[KEPT]]}
func.func @search(%array: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %found = scf.while (%i = %c0) : (index) -> index {
    scf.for %j = %c0 to %i step %c1 {
      memref.store %x, %array[%j] : memref<?xf32>
    }
    %goes_on = arith.cmpi slt, %i, %n : index
    scf.condition(%goes_on) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return %found : index
}

// CHECK-LABEL: func.func @left_over(
// CHECK:         scf.for
// CHECK:           vector.create_mask
// CHECK:           vector.maskedload
// CHECK:         }{{$}}
// CHECK:         scf.for
// CHECK:           vector.maskedload
// CHECK:         } {loop_annotation = #[[KEPT]]}
func.func @left_over(%x: memref<?xf32>, %whole: index, %n: index, %mask: vector<16xi1>)
    -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %sums = scf.for %i = %c0 to %whole step %c16 iter_args(%sum = %zeros) -> vector<16xf32> {
    %left = arith.subi %whole, %i : index
    %lanes = vector.create_mask %left : vector<16xi1>
    %v = vector.maskedload %x[%i], %lanes, %zeros
        : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %new = arith.addf %sum, %v : vector<16xf32>
    scf.yield %new : vector<16xf32>
  }
  %all = scf.for %i = %whole to %n step %c16 iter_args(%sum = %sums) -> vector<16xf32> {
    %v = vector.maskedload %x[%i], %mask, %zeros
        : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %new = arith.addf %sum, %v : vector<16xf32>
    scf.yield %new : vector<16xf32>
  }
  return %all : vector<16xf32>
}

// CHECK-LABEL: func.func @annotated(
// CHECK:         } {loop_annotation = #[[GIVEN]]}
func.func @annotated(%table: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %table[%i, %j] : memref<?x?xf32>
    }
  } {loop_annotation = #given}
  return
}

// A window of nine elements may be unrolled, and one of twenty not.

// CHECK-LABEL: func.func @windows(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               memref.store
// CHECK-NEXT:        }{{$}}
// CHECK-NEXT:      }{{$}}
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               memref.store
// CHECK-NEXT:        }{{$}}
// CHECK-NEXT:      } {loop_annotation = #[[KEPT]]}
func.func @windows(%table: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      scf.for %k = %c0 to %c3 step %c1 {
        memref.store %x, %table[%j, %k] : memref<?x?xf32>
      }
    }
    scf.for %j = %c0 to %c1 step %c1 {
      scf.for %k = %c0 to %c20 step %c1 {
        memref.store %x, %table[%j, %k] : memref<?x?xf32>
      }
    }
  }
  return
}
