// Vectors of multiples of a loop's index are carried, and go up by a step, and so are those that are
// converted. Others stay, and so does what does not fit the registers, and what depends on higher bits.

// RUN: comb-opt %s --comb-reduce-strength --canonicalize | FileCheck %s
// RUN: comb-opt %s --comb-set-machine=facts=conversions=false --comb-reduce-strength --canonicalize | FileCheck %s --check-prefix=WITHOUT

// CHECK-LABEL: func.func @multiples(
// CHECK-SAME:      %[[N:.*]]: index, %[[FACTOR:.*]]: i32, %[[X:.*]]: memref<?xi32>)
// CHECK-DAG:     %[[STEP:.*]] = arith.constant dense<16> : vector<16xi32>
// CHECK:         %[[FACTORS:.*]] = vector.broadcast %[[FACTOR]] : i32 to vector<16xi32>
// CHECK:         %[[FIRST:.*]] = arith.muli %[[FACTORS]], %{{.*}} : vector<16xi32>
// CHECK:         %[[ADDED:.*]] = arith.muli %[[FACTORS]], %[[STEP]] : vector<16xi32>
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%[[CARRIED:.*]] = %[[FIRST]]) -> (vector<16xi32>) {
// CHECK-NEXT:      vector.store %[[CARRIED]], %[[X]][%[[I]]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[CARRIED]], %[[ADDED]] : vector<16xi32>
// CHECK-NEXT:      scf.yield %[[NEXT]]
// CHECK-NEXT:    }
func.func @multiples(%n: index, %factor: i32, %x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %lanes = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xindex>
  %factors = vector.broadcast %factor : i32 to vector<16xi32>
  scf.for %i = %c0 to %n step %c16 {
    %all = vector.broadcast %i : index to vector<16xindex>
    %indices = arith.addi %all, %lanes : vector<16xindex>
    %wide = arith.index_cast %indices : vector<16xindex> to vector<16xi64>
    %numbers = arith.trunci %wide : vector<16xi64> to vector<16xi32>
    %multiples = arith.muli %numbers, %factors : vector<16xi32>
    vector.store %multiples, %x[%i] : memref<?xi32>, vector<16xi32>
  }
  return
}

// What the loop carries already, and its annotation, stay.

// CHECK-LABEL: func.func @carries(
// CHECK:         %[[RESULT:.*]]:2 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[CARRIED:.*]] = %{{.*}})
// CHECK-NEXT:      %[[NEW:.*]] = arith.addi %[[SUM]], %[[CARRIED]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[CARRIED]], %{{.*}}
// CHECK-NEXT:      scf.yield %[[NEW]], %[[NEXT]]
// CHECK-NEXT:    } {loop_annotation
// CHECK:         return %[[RESULT]]#0
func.func @carries(%n: index, %begun: vector<8xi64>) -> vector<8xi64> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant dense<3> : vector<8xi64>
  %sum = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %begun) -> (vector<8xi64>) {
    %all = vector.broadcast %i : index to vector<8xindex>
    %numbers = arith.index_cast %all : vector<8xindex> to vector<8xi64>
    %multiples = arith.muli %numbers, %three : vector<8xi64>
    %new = arith.addi %sum, %multiples : vector<8xi64>
    scf.yield %new : vector<8xi64>
  } {loop_annotation = #llvm.loop_annotation<unroll = <count = 2 : i32>>}
  return %sum : vector<8xi64>
}

// CHECK-LABEL: func.func @others(
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{[^ ]+}} {
func.func @others(%n: index, %x: memref<?xi32>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant dense<3> : vector<16xi32>
  %wide_three = arith.constant dense<3> : vector<16xi64>
  scf.for %i = %c0 to %n step %c16 {
    %all = vector.broadcast %i : index to vector<16xindex>
    %wide = arith.index_cast %all : vector<16xindex> to vector<16xi64>
    %too_wide = arith.muli %wide, %wide_three : vector<16xi64>
    vector.store %too_wide, %y[%i] : memref<?xi64>, vector<16xi64>
    %numbers = arith.trunci %wide : vector<16xi64> to vector<16xi32>
    vector.store %numbers, %x[%i] : memref<?xi32>, vector<16xi32>
    %squares = arith.muli %numbers, %numbers : vector<16xi32>
    vector.store %squares, %x[%i] : memref<?xi32>, vector<16xi32>
    %halves = arith.shrui %numbers, %three : vector<16xi32>
    %multiples = arith.muli %halves, %three : vector<16xi32>
    vector.store %multiples, %x[%i] : memref<?xi32>, vector<16xi32>
  }
  return
}

// A loop that carries more is another op; the one inside carries its own.
//
// CHECK-LABEL: func.func @nested(
// CHECK:         scf.for {{.*}} iter_args(%[[OUTER:.*]] = {{.*}}) -> (vector<16xi32>) {
// CHECK:           vector.store %[[OUTER]],
// CHECK:           scf.for {{.*}} iter_args(%[[INNER:.*]] = {{.*}}) -> (vector<16xi32>) {
// CHECK-NEXT:        vector.store %[[INNER]],
func.func @nested(%n: index, %x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant dense<3> : vector<16xi32>
  scf.for %i = %c0 to %n step %c16 {
    %outer = vector.broadcast %i : index to vector<16xindex>
    %outer_numbers = arith.index_cast %outer : vector<16xindex> to vector<16xi32>
    %outer_multiples = arith.muli %outer_numbers, %three : vector<16xi32>
    vector.store %outer_multiples, %x[%i] : memref<?xi32>, vector<16xi32>
    scf.for %j = %c0 to %n step %c16 {
      %inner = vector.broadcast %j : index to vector<16xindex>
      %inner_numbers = arith.index_cast %inner : vector<16xindex> to vector<16xi32>
      %inner_multiples = arith.muli %inner_numbers, %three : vector<16xi32>
      vector.store %inner_multiples, %x[%j] : memref<?xi32>, vector<16xi32>
    }
  }
  return
}

// What is converted to floating point is carried without a product, too; 64-bit integers only if the CPU
// converts them, and more than one register only then.

// CHECK-LABEL: func.func @converted(
// CHECK-DAG:     %[[WIDE_STEP:.*]] = arith.constant dense<16> : vector<16xi64>
// CHECK-DAG:     %[[STEP:.*]] = arith.constant dense<16> : vector<16xi32>
// CHECK:         scf.for %{{.*}} iter_args(%[[WIDE:.*]] = %{{.*}}, %[[NARROW:.*]] = %{{.*}}) -> (vector<16xi64>, vector<16xi32>) {
// CHECK-NEXT:      %[[DOUBLES:.*]] = arith.sitofp %[[WIDE]] : vector<16xi64> to vector<16xf64>
// CHECK-NEXT:      vector.store %[[DOUBLES]]
// CHECK-NEXT:      %[[FLOATS:.*]] = arith.uitofp %[[NARROW]] : vector<16xi32> to vector<16xf32>
// CHECK-NEXT:      vector.store %[[FLOATS]]
// CHECK-NEXT:      %[[NEXT_WIDE:.*]] = arith.addi %[[WIDE]], %[[WIDE_STEP]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[NARROW]], %[[STEP]]
// CHECK-NEXT:      scf.yield %[[NEXT_WIDE]], %[[NEXT]]
// WITHOUT-LABEL: func.func @converted(
// WITHOUT:         scf.for %{{.*}} iter_args(%[[NARROW:.*]] = %{{.*}}) -> (vector<16xi32>) {
// WITHOUT:           arith.sitofp %{{.*}} : vector<16xi64> to vector<16xf64>
// WITHOUT:           arith.uitofp %[[NARROW]] : vector<16xi32> to vector<16xf32>
func.func @converted(%n: index, %x: memref<?xf64>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %lanes = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xindex>
  scf.for %i = %c0 to %n step %c16 {
    %all = vector.broadcast %i : index to vector<16xindex>
    %indices = arith.addi %all, %lanes : vector<16xindex>
    %wide = arith.index_cast %indices : vector<16xindex> to vector<16xi64>
    %doubles = arith.sitofp %wide : vector<16xi64> to vector<16xf64>
    vector.store %doubles, %x[%i] : memref<?xf64>, vector<16xf64>
    %narrow = arith.trunci %wide : vector<16xi64> to vector<16xi32>
    %floats = arith.uitofp %narrow : vector<16xi32> to vector<16xf32>
    vector.store %floats, %y[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}

// Not if there are too many lanes for the registers, nor for one number.

// CHECK-LABEL: func.func @too_many(
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]+}} {
// WITHOUT-LABEL: func.func @too_many(
// WITHOUT:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]+}} {
func.func @too_many(%n: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %all = vector.broadcast %i : index to vector<64xindex>
    %wide = arith.index_cast %all : vector<64xindex> to vector<64xi64>
    %doubles = arith.sitofp %wide : vector<64xi64> to vector<64xf64>
    vector.store %doubles, %x[%i] : memref<?xf64>, vector<64xf64>
    %number = arith.index_cast %i : index to i64
    %double = arith.sitofp %number : i64 to f64
    memref.store %double, %y[%i] : memref<?xf64>
  }
  return
}
