// The length of chunks minds loops inside whose length depends on the iteration: they count as long as in the
// middle. So threads share a triangle with few rows, if its rows are long.

// RUN: comb-opt %s --nest-to-vectors --canonicalize --cse | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CHECK-LABEL: func.func @triangle(
// CHECK-SAME: %[[WIDTH:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// CHECK: %[[MIDDLE:.*]] = arith.shrui %[[N]], %c1 : index
// CHECK-NEXT: %[[LENGTH:.*]] = arith.muli %[[MIDDLE]], %[[WIDTH]] : index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.maxsi %[[LENGTH]], %c1 : index
// CHECK-NEXT: arith.divsi %c4096, %[[PRODUCT]] : index
// CHECK: scf.parallel

// CALL-LABEL: triangle 5 4
// GIVES: result: tensor<4xindex> = [0 10 45 105]
// CALL-LABEL: triangle 1000 30
func.func @triangle(%width: index, %n: index) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %sums = memref.alloc(%n) : memref<?xindex>
  nest.kernel {
    nest.loop attributes {schedule = {chunk = 4096 : i64}} %i to %n {
      %length = arith.muli %i, %width : index
      %sum = nest.loop %j to %length carry(%all = %zero : index) {
        %next = nest.fold %j into %all neutral %zero : index (%l: index, %m: index) {
          %both = arith.addi %l, %m : index
          nest.yield %both : index
        }
        nest.yield %next : index
      }
      nest.write %sum into %sums[%i] : memref<?xindex>
      nest.yield
    }
    nest.yield
  }
  %result = bufferization.to_tensor %sums restrict writable : memref<?xindex> to tensor<?xindex>
  return %result : tensor<?xindex>
}

// A divisor that is computed again is not 0 where no iteration runs.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[DIVISOR:.*]] = arith.maxsi %{{.*}}, %c1 : index
// CHECK: arith.divui %{{.*}}, %[[DIVISOR]] : index
// CHECK: scf.parallel

// CALL-LABEL: parts 7 0
// CALL-LABEL: parts 7 4
// GIVES: result: tensor<4xindex> = [21 3 1 0]
func.func @parts(%width: index, %n: index) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sums = memref.alloc(%n) : memref<?xindex>
  nest.kernel {
    nest.loop attributes {schedule = {chunk = 4096 : i64}} %i to %n {
      %number = arith.addi %i, %one : index
      %length = arith.divui %width, %number : index
      %sum = nest.loop %j to %length carry(%all = %zero : index) {
        %next = nest.fold %j into %all neutral %zero : index (%l: index, %m: index) {
          %both = arith.addi %l, %m : index
          nest.yield %both : index
        }
        nest.yield %next : index
      }
      nest.write %sum into %sums[%i] : memref<?xindex>
      nest.yield
    }
    nest.yield
  }
  %result = bufferization.to_tensor %sums restrict writable : memref<?xindex> to tensor<?xindex>
  return %result : tensor<?xindex>
}
