// RUN: comb-opt %s -soac-insert-checks | FileCheck %s

// Arithmetic has no undefined results.

// CHECK-LABEL: func @quotient
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32
func.func @quotient(%a: i32, %b: i32) -> i32 {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[NOT_ZERO:.*]] = arith.cmpi ne, %[[B]], %[[ZERO]]
  // CHECK: soac.check %[[NOT_ZERO]], "'arith.divsi' op division by zero"
  // CHECK: %[[LEAST:.*]] = arith.constant -2147483648 : i32
  // CHECK: %[[OVERFLOW:.*]] = arith.andi
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: %[[SAFE:.*]] = arith.select %[[OVERFLOW]], %[[ONE]], %[[B]]
  // CHECK: arith.divsi %[[A]], %[[SAFE]]
  %q = arith.divsi %a, %b : i32
  return %q : i32
}

// CHECK-LABEL: func @names
func.func @names(%a: i32, %b: i32, %i: index, %j: index) {
  // CHECK: "'arith.divui' op division by zero"
  %0 = arith.divui %a, %b : i32
  // CHECK: "'arith.remsi' op division by zero"
  %1 = arith.remsi %a, %b : i32
  // CHECK: "'arith.remui' op division by zero"
  %2 = arith.remui %a, %b : i32
  // CHECK: "'arith.ceildivsi' op division by zero"
  %3 = arith.ceildivsi %a, %b : i32
  // CHECK: "'arith.ceildivui' op division by zero"
  %4 = arith.ceildivui %a, %b : i32
  // CHECK: "'arith.floordivsi' op division by zero"
  %5 = arith.floordivsi %a, %b : i32
  // CHECK: "'index.divs' op division by zero"
  %6 = index.divs %i, %j
  // CHECK: "'index.divu' op division by zero"
  %7 = index.divu %i, %j
  // CHECK: "'index.rems' op division by zero"
  %8 = index.rems %i, %j
  // CHECK: "'index.remu' op division by zero"
  %9 = index.remu %i, %j
  // CHECK: "'index.ceildivs' op division by zero"
  %10 = index.ceildivs %i, %j
  // CHECK: "'index.ceildivu' op division by zero"
  %11 = index.ceildivu %i, %j
  // CHECK: "'index.floordivs' op division by zero"
  %12 = index.floordivs %i, %j
  return
}

// A constant divisor of 0 is an error when the program gets there.
// CHECK-LABEL: func @by_zero
func.func @by_zero(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  // CHECK: soac.check {{.*}} division by zero
  %q = arith.divui %a, %zero : i32
  return %q : i32
}

// CHECK-LABEL: func @by_minus_one
func.func @by_minus_one(%a: i32) -> i32 {
  %minus_one = arith.constant -1 : i32
  // CHECK-NOT: soac.check
  // CHECK: arith.select
  // CHECK: arith.floordivsi
  %q = arith.floordivsi %a, %minus_one : i32
  return %q : i32
}

// With one bit, -1 is the only divisor, and the least integer too.
// CHECK-LABEL: func @one_bit
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1
func.func @one_bit(%a: i1, %b: i1) -> (i1, i1) {
  // CHECK: soac.check {{.*}}, "'arith.divsi' op division by zero"
  // CHECK: %[[ZERO:.*]] = arith.constant false
  // CHECK: arith.divsi %[[ZERO]], %[[B]]
  %q = arith.divsi %a, %b : i1
  // CHECK: soac.check {{.*}}, "'arith.remsi' op division by zero"
  // CHECK: %[[REST:.*]] = arith.constant false
  // CHECK: arith.remsi
  %r = arith.remsi %a, %b : i1
  // CHECK: return %[[A]], %[[REST]]
  return %q, %r : i1, i1
}

// CHECK-LABEL: func @power
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32
func.func @power(%a: i32, %b: i32) -> (i32, i32) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[DIVIDES:.*]] = arith.cmpi ne, %[[A]], %[[ZERO]]
  // CHECK: %[[MULTIPLIES:.*]] = arith.cmpi sge, %[[B]], %[[ZERO]]
  // CHECK: %[[DEFINED:.*]] = arith.ori %[[DIVIDES]], %[[MULTIPLIES]]
  // CHECK: soac.check %[[DEFINED]], "'math.ipowi' op division by zero"
  // CHECK-NEXT: math.ipowi
  %p = math.ipowi %a, %b : i32
  %three = arith.constant 3 : i32
  // CHECK-NOT: soac.check
  // CHECK: math.ipowi
  %q = math.ipowi %a, %three : i32
  return %p, %q : i32, i32
}

// CHECK-LABEL: func @shifts
// CHECK-SAME: %[[A:.*]]: i8, %[[N:.*]]: i8
func.func @shifts(%a: i8, %n: i8) -> (i8, i8, i8) {
  // CHECK: %[[WIDTH:.*]] = arith.constant 8 : i8
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[N]], %[[WIDTH]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[INSIDE]], %[[N]], %[[ZERO]]
  // CHECK: %[[SHIFTED:.*]] = arith.shli %[[A]], %[[SAFE]]
  // CHECK: %[[LEFT:.*]] = arith.select %[[INSIDE]], %[[SHIFTED]], %[[ZERO]]
  %l = arith.shli %a, %n : i8
  // CHECK: arith.shrui
  // CHECK: %[[RIGHT:.*]] = arith.select
  %r = arith.shrui %a, %n : i8
  // CHECK: %[[MOST:.*]] = arith.constant 7 : i8
  // CHECK: %[[LESS:.*]] = arith.minui %[[N]], %[[MOST]]
  // CHECK: %[[SIGNED:.*]] = arith.shrsi %[[A]], %[[LESS]]
  %s = arith.shrsi %a, %n : i8
  // CHECK: return %[[LEFT]], %[[RIGHT]], %[[SIGNED]]
  return %l, %r, %s : i8, i8, i8
}

// CHECK-LABEL: func @signed_conversion
// CHECK-SAME: %[[A:.*]]: f32
func.func @signed_conversion(%a: f32) -> i8 {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK-DAG: %[[END:.*]] = arith.constant 1.280000e+02 : f32
  // CHECK-DAG: %[[START:.*]] = arith.constant -1.280000e+02 : f32
  // CHECK-DAG: %[[ABOVE:.*]] = arith.cmpf oge, %[[A]], %[[END]]
  // CHECK-DAG: %[[BELOW:.*]] = arith.cmpf olt, %[[A]], %[[START]]
  // CHECK: %[[C:.*]] = arith.fptosi
  // CHECK-DAG: %[[MOST:.*]] = arith.constant 127 : i8
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant -128 : i8
  // CHECK: %[[LOW:.*]] = arith.select %[[BELOW]], %[[LEAST]], %[[C]]
  // CHECK: %[[RESULT:.*]] = arith.select %[[ABOVE]], %[[MOST]], %[[LOW]]
  %i = arith.fptosi %a : f32 to i8
  // CHECK: return %[[RESULT]]
  return %i : i8
}

// All finite numbers of f16 fit into i32.
// CHECK-LABEL: func @half
func.func @half(%a: f16) -> i32 {
  // CHECK: arith.constant 0x7C00 : f16
  // CHECK: arith.cmpf oge
  // CHECK: arith.constant 0xFC00 : f16
  // CHECK: arith.cmpf ole
  %i = arith.fptosi %a : f16 to i32
  return %i : i32
}

// Arithmetic on whole arrays is a map, with its shapes and its scalar rules.
// CHECK-LABEL: func @arrays
// CHECK-SAME: %[[X:.*]]: tensor<?xi32>, %[[Y:.*]]: tensor<?xi32>, %[[C:.*]]: i1
func.func @arrays(%x: tensor<?xi32>, %y: tensor<?xi32>, %c: i1) -> tensor<?xi32> {
  // CHECK: soac.check {{.*}}, "'soac.map' op operands 0 and 1 have different shapes
  // CHECK: %[[Q:.*]] = soac.map %[[X]], %[[Y]]
  // CHECK: soac.check {{.*}} division by zero
  %q = arith.divui %x, %y : tensor<?xi32>
  // A scalar chooses one of the arrays.
  // CHECK: arith.select %[[C]], %[[Q]], %[[X]] : tensor<?xi32>
  %r = arith.select %c, %q, %x : i1, tensor<?xi32>
  // CHECK: soac.map
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  %s = arith.addi %r, %x overflow<nsw> : tensor<?xi32>
  return %s : tensor<?xi32>
}

// It chooses elements among arrays that are known to have one shape, and so does an array.
// CHECK-LABEL: func @elements
// CHECK: soac.map
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK: soac.map
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
func.func @elements(%x: tensor<4xi32>, %y: tensor<4xi32>, %c: i1, %d: tensor<4xi1>) -> tensor<4xi32> {
  %r = arith.select %c, %x, %y : tensor<4xi32>
  %s = arith.select %d, %r, %y : tensor<4xi1>, tensor<4xi32>
  return %s : tensor<4xi32>
}
