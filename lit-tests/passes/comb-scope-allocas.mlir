// RUN: comb-opt %s --allow-unregistered-dialect --comb-scope-allocas | FileCheck %s

// What has a constant size is taken once.

// CHECK-LABEL: func.func @constant(
// CHECK-NEXT:    %[[MEMORY:.*]] = memref.alloca() : memref<8xf32>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloca
func.func @constant(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %condition = arith.cmpi slt, %i, %c1 : index
    scf.if %condition {
      %memory = memref.alloca() : memref<8xf32>
      "test.use"(%memory) : (memref<8xf32>) -> ()
    }
  }
  return
}

// What has not is given back in every iteration of the innermost loop.

// CHECK-LABEL: func.func @computed(
// CHECK:         scf.while
// CHECK-NOT:       stacksave
// CHECK:         } do {
// CHECK:           scf.for
// CHECK-NEXT:        %[[STACK:.*]] = llvm.intr.stacksave
// CHECK:             memref.alloca
// CHECK:             memref.alloca
// CHECK:             llvm.intr.stackrestore %[[STACK]]
// CHECK-NEXT:      }
// CHECK-NOT:       stackrestore
func.func @computed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.while : () -> () {
    %go = "test.go"() : () -> i1
    scf.condition(%go)
  } do {
    scf.for %i = %c0 to %n step %c1 {
      %condition = arith.cmpi slt, %i, %c1 : index
      scf.if %condition {
        %memory = memref.alloca(%i) : memref<?xf32>
        "test.use"(%memory) : (memref<?xf32>) -> ()
      }
      %memory = memref.alloca(%n) : memref<?xf32>
      "test.use"(%memory) : (memref<?xf32>) -> ()
    }
    scf.yield
  }
  return
}

// Outside of loops the function gives it back.

// CHECK-LABEL: func.func @outside(
// CHECK-NOT:     stacksave
func.func @outside(%n: index) {
  %c1 = arith.constant 1 : index
  %condition = arith.cmpi slt, %n, %c1 : index
  scf.if %condition {
    %memory = memref.alloca(%n) : memref<?xf32>
    "test.use"(%memory) : (memref<?xf32>) -> ()
  }
  return
}
