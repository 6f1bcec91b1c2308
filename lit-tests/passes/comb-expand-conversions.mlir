// Vectors of 64-bit integers become floating-point numbers by arithmetic, if the CPU has no instruction.

// RUN: comb-opt %s --comb-set-machine=facts=conversions=false --comb-expand-conversions | FileCheck %s
// RUN: comb-opt %s --comb-expand-conversions | FileCheck %s --check-prefix=SAME

// SAME-NOT: arith.bitcast
// SAME-COUNT-5: arith.sitofp
// SAME: arith.uitofp
// SAME-COUNT-3: arith.sitofp
// SAME: arith.uitofp
// SAME-NOT: arith.bitcast

// CHECK-LABEL: func.func @halves(
// CHECK-SAME:    %[[X:.*]]: vector<8xi64>)
// CHECK:         %[[MASK:.*]] = arith.constant dense<4294967295> : vector<8xi64>
// CHECK:         %[[L:.*]] = arith.andi %[[X]], %[[MASK]]
// CHECK:         %[[TWO_52:.*]] = arith.constant dense<4841369599423283200>
// CHECK:         %[[LOWER:.*]] = arith.ori %[[L]], %[[TWO_52]]
// CHECK:         %[[C32:.*]] = arith.constant dense<32>
// CHECK:         %[[U:.*]] = arith.shrui %[[X]], %[[C32]]
// CHECK:         %[[TWO_84:.*]] = arith.constant dense<4985484789646622720>
// CHECK:         %[[UPPER:.*]] = arith.xori %[[U]], %[[TWO_84]]
// CHECK-DAG:     %[[EXCESS:.*]] = arith.constant dense<1.9342822341709703E+25> : vector<8xf64>
// CHECK-DAG:     %[[UPPER_FLOAT:.*]] = arith.bitcast %[[UPPER]] : vector<8xi64> to vector<8xf64>
// CHECK:         %[[EXACT:.*]] = arith.subf %[[UPPER_FLOAT]], %[[EXCESS]] : vector<8xf64>
// CHECK:         %[[LOWER_FLOAT:.*]] = arith.bitcast %[[LOWER]] : vector<8xi64> to vector<8xf64>
// CHECK:         %[[SUM:.*]] = arith.addf %[[EXACT]], %[[LOWER_FLOAT]] : vector<8xf64>
// CHECK:         return %[[SUM]]
func.func @halves(%x: vector<8xi64>) -> vector<8xf64> {
  %y = arith.sitofp %x : vector<8xi64> to vector<8xf64>
  return %y : vector<8xf64>
}

// A number plus constants: it has the halves, and the lower one is added to.

// CHECK-LABEL: func.func @steps(
// CHECK-SAME:    %[[FIRST:.*]]: index)
// CHECK:         %[[INTEGER:.*]] = arith.index_cast %[[FIRST]] : index to i64
// CHECK:         arith.andi %[[INTEGER]], %{{.*}} : i64
// CHECK:         %[[UPPER:.*]] = arith.subf %{{.*}}, %{{.*}} : f64
// CHECK:         %[[LOWER:.*]] = arith.bitcast %{{.*}} : i64 to f64
// CHECK:         %[[STEPS:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK:         %[[LOWERS:.*]] = vector.broadcast %[[LOWER]] : f64 to vector<4xf64>
// CHECK:         %[[EXACT:.*]] = arith.addf %[[LOWERS]], %[[STEPS]] : vector<4xf64>
// CHECK:         %[[UPPERS:.*]] = vector.broadcast %[[UPPER]] : f64 to vector<4xf64>
// CHECK:         %[[SUM:.*]] = arith.addf %[[UPPERS]], %[[EXACT]] : vector<4xf64>
// CHECK:         return %[[SUM]]
func.func @steps(%first: index) -> vector<4xf64> {
  %lanes = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %firsts = vector.broadcast %first : index to vector<4xindex>
  %i = arith.addi %firsts, %lanes overflow<nsw> : vector<4xindex>
  %x = arith.index_cast %i : vector<4xindex> to vector<4xi64>
  %y = arith.sitofp %x : vector<4xi64> to vector<4xf64>
  return %y : vector<4xf64>
}

// The sums may wrap around.

// CHECK-LABEL: func.func @may_wrap(
// CHECK:         arith.addi
// CHECK:         arith.andi {{.*}} : vector<4xi64>
func.func @may_wrap(%first: i64) -> vector<4xf64> {
  %lanes = arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
  %firsts = vector.broadcast %first : i64 to vector<4xi64>
  %x = arith.addi %firsts, %lanes : vector<4xi64>
  %y = arith.sitofp %x : vector<4xi64> to vector<4xf64>
  return %y : vector<4xf64>
}

// A constant that is so large that its sum with a lower half need not be exact.

// CHECK-LABEL: func.func @large_step(
// CHECK:         arith.addi
// CHECK:         arith.andi {{.*}} : vector<2xi64>
func.func @large_step(%first: i64) -> vector<2xf64> {
  %lanes = arith.constant dense<[0, 4503599627370496]> : vector<2xi64>
  %firsts = vector.broadcast %first : i64 to vector<2xi64>
  %x = arith.addi %firsts, %lanes overflow<nsw> : vector<2xi64>
  %y = arith.sitofp %x : vector<2xi64> to vector<2xf64>
  return %y : vector<2xf64>
}

// To `f32`, by way of `f64`. What that would round is made odd.

// CHECK-LABEL: func.func @singles(
// CHECK-SAME:    %[[X:.*]]: vector<8xi64>)
// CHECK:         %[[REST:.*]] = arith.andi %[[X]], %{{.*}}
// CHECK:         %[[CARRIED:.*]] = arith.addi %[[REST]], %{{.*}}
// CHECK:         %[[SOME:.*]] = arith.ori %[[X]], %[[CARRIED]]
// CHECK:         %[[ODD:.*]] = arith.andi %[[SOME]], %{{.*}}
// CHECK:         %[[FROM_ZERO:.*]] = arith.addi %[[X]], %{{.*}}
// CHECK:         %[[C54:.*]] = arith.constant dense<54>
// CHECK:         %[[ABOVE:.*]] = arith.shrui %[[FROM_ZERO]], %[[C54]]
// CHECK:         %[[IS_EXACT:.*]] = arith.cmpi eq, %[[ABOVE]], %{{.*}}
// CHECK:         arith.select %[[IS_EXACT]], %[[X]], %[[ODD]] : vector<8xi1>, vector<8xi64>
// CHECK:         %[[DOUBLES:.*]] = arith.addf {{.*}} : vector<8xf64>
// CHECK:         arith.truncf %[[DOUBLES]] : vector<8xf64> to vector<8xf32>
func.func @singles(%x: vector<8xi64>) -> vector<8xf32> {
  %y = arith.sitofp %x : vector<8xi64> to vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME:    %[[X:.*]]: vector<8xi64>)
// CHECK:         %[[C53:.*]] = arith.constant dense<53>
// CHECK:         arith.shrui %[[X]], %[[C53]]
// CHECK:         %[[DOUBLES:.*]] = arith.uitofp %{{.*}} : vector<8xi64> to vector<8xf64>
// CHECK:         arith.truncf %[[DOUBLES]] : vector<8xf64> to vector<8xf32>
func.func @unsigned(%x: vector<8xi64>) -> vector<8xf32> {
  %y = arith.uitofp %x : vector<8xi64> to vector<8xf32>
  return %y : vector<8xf32>
}

// LLVM converts each lane right from memory, unless the vector is needed as well.

// CHECK-LABEL: func.func @loaded(
// CHECK:         arith.sitofp %{{.*}} : vector<8xi64> to vector<8xf32>
// CHECK:         arith.truncf
// CHECK-NOT:     arith.truncf
// CHECK:         return
func.func @loaded(%m: memref<?xi64>, %i: index) -> (vector<8xf32>, vector<8xf32>, vector<8xi64>) {
  %x = vector.load %m[%i] : memref<?xi64>, vector<8xi64>
  %a = arith.sitofp %x : vector<8xi64> to vector<8xf32>
  %y = vector.load %m[%i] : memref<?xi64>, vector<8xi64>
  %b = arith.sitofp %y : vector<8xi64> to vector<8xf32>
  return %a, %b, %y : vector<8xf32>, vector<8xf32>, vector<8xi64>
}

// Others stay: CPUs have instructions for them, or LLVM has this arithmetic.

// CHECK-LABEL: func.func @others(
// CHECK-NEXT:    arith.sitofp
// CHECK-NEXT:    arith.uitofp
// CHECK-NEXT:    return
func.func @others(%x: vector<8xi32>, %y: vector<8xi64>) -> (vector<8xf64>, vector<8xf64>) {
  %a = arith.sitofp %x : vector<8xi32> to vector<8xf64>
  %b = arith.uitofp %y : vector<8xi64> to vector<8xf64>
  return %a, %b : vector<8xf64>, vector<8xf64>
}
