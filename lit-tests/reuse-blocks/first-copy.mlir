// A loop that goes round blocks does not copy what it is given: its first iteration reads that where it is. Only if there is no
// iteration, the copy is what the loop gives.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-cpu --mlir-print-ir-after=comb-reuse-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=MEMORY

// MEMORY-LABEL: func.func @smoothed(
// MEMORY: %[[EMPTY:.*]] = arith.cmpi sge, %c0{{.*}}, %arg1
// MEMORY-NEXT: scf.if %[[EMPTY]] {
// MEMORY-NEXT: memref.copy %arg0
// MEMORY: scf.for %[[INDEX:[a-z0-9]+]] = %c0
// MEMORY: %[[FIRST:.*]] = arith.cmpi eq, %[[INDEX]], %c0
// MEMORY: arith.select %[[FIRST]], %arg0
// A loop that always runs copies nothing.
// MEMORY-LABEL: func.func @three_times(
// MEMORY-NOT: memref.copy
// What an iteration hands on in another place is needed later, too.
// MEMORY-LABEL: func.func @two_levels(
// MEMORY: memref.copy %arg0
// MEMORY: scf.for
// MEMORY: return

// CALL-LABEL: smoothed iota:i32[5] 0
// GIVES: [0 1 2 3 4]
// CALL-LABEL: smoothed iota:i32[5] 1
// GIVES: [1 3 5 7 4]
// CALL-LABEL: smoothed iota:i32[5] 2
// GIVES: [4 8 12 11 5]
// CALL-LABEL: smoothed iota:i32[5] 3
// GIVES: [12 20 23 16 9]
func.func @smoothed(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xi32> {
    %r = soac.rotate %a by [1] : (tensor<?xi32>) -> tensor<?xi32>
    %b = soac.map %a, %r : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      soac.yield %s : i32
    }
    scf.yield %b : tensor<?xi32>
  }
  return %l : tensor<?xi32>
}

// CALL-LABEL: three_times iota:i32[5]
// GIVES: [12 20 23 16 9]
func.func @three_times(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<?xi32> {
    %r = soac.rotate %a by [1] : (tensor<?xi32>) -> tensor<?xi32>
    %b = soac.map %a, %r : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      soac.yield %s : i32
    }
    scf.yield %b : tensor<?xi32>
  }
  return %l : tensor<?xi32>
}

// CALL-LABEL: two_levels iota:i32[5] 0
// GIVES: [0 1 2 3 4]
// GIVES: [0 1 2 3 4]
// CALL-LABEL: two_levels iota:i32[5] 1
// CALL-LABEL: two_levels iota:i32[5] 2
// CALL-LABEL: two_levels iota:i32[5] 5
func.func @two_levels(%x: tensor<?xi32>, %n: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l:2 = scf.for %k = %c0 to %n step %c1 iter_args(%old = %x, %now = %x) -> (tensor<?xi32>, tensor<?xi32>) {
    %r = soac.rotate %now by [1] : (tensor<?xi32>) -> tensor<?xi32>
    %o = soac.rotate %old by [2] : (tensor<?xi32>) -> tensor<?xi32>
    %b = soac.map %o, %r : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      soac.yield %s : i32
    }
    scf.yield %now, %b : tensor<?xi32>, tensor<?xi32>
  }
  return %l#0, %l#1 : tensor<?xi32>, tensor<?xi32>
}

// What is copied is changed before the loop: here by a scatter into two arrays.
// MEMORY-LABEL: func.func @scattered(
// MEMORY: memref.copy %arg1
// MEMORY: nest.scatter
// MEMORY: scf.for
// MEMORY: return
// CALL-LABEL: scattered [1,2,3,4,5] iota:i32[5] [7] [2] 1
// GIVES: result0: tensor<5xi32> = [1 2 7 4 5]
// GIVES: result1: tensor<5xi32> = [1 8 10 7 4]
// CALL-LABEL: scattered [1,2,3,4,5] iota:i32[5] [7] [2] 0
// GIVES: result1: tensor<5xi32> = [0 1 7 3 4]
func.func @scattered(%u: tensor<5xi32>, %x: tensor<5xi32>, %v: tensor<?xi32>, %at: tensor<?xindex>, %n: index)
    -> (tensor<5xi32>, tensor<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w, %y = soac.scatter %v, %v into %u, %x at %at
      : (tensor<?xi32>, tensor<?xi32>, tensor<5xi32>, tensor<5xi32>, tensor<?xindex>) -> (tensor<5xi32>, tensor<5xi32>)
      (%a: i32, %b: i32, %p: i32, %q: i32) {
    %m = arith.maxsi %a, %p : i32
    %o = arith.maxsi %b, %q : i32
    soac.yield %m, %o : i32, i32
  }
  %l = scf.for %k = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<5xi32> {
    %r = soac.rotate %a by [1] : (tensor<5xi32>) -> tensor<5xi32>
    %b = soac.map %a, %r : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32> (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      soac.yield %s : i32
    }
    scf.yield %b : tensor<5xi32>
  }
  return %w, %l : tensor<5xi32>, tensor<5xi32>
}
