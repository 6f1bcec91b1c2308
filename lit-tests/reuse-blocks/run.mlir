// Programs whose arrays take memory that nobody needs any more give what the interpreter gives.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Two blocks for five arrays, one of which is a scan in place.
// CALL-LABEL: chain iota:i32[5]
// GIVES: [10 30 60 100 150]
// CALL-LABEL: chain iota:i32[100]
// CALL-LABEL: chain iota:i32[0]
// RUN: comb-opt %s --comb-cpu --remarks-filter=comb-reuse-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REUSED
// REUSED-COUNT-3: Function=chain {{.*}}an array has memory that nobody needs any more
func.func @chain(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %up = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %one : i32
    soac.yield %v : i32
  }
  %a = soac.force %up : tensor<?xi32>
  %back = soac.reverse %a dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %less = soac.map %back : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.subi %e, %one : i32
    soac.yield %v : i32
  }
  %b = soac.force %less : tensor<?xi32>
  %tens = soac.map %b : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.muli %e, %ten : i32
    soac.yield %v : i32
  }
  %c = soac.force %tens : tensor<?xi32>
  %forth = soac.reverse %c dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %more = soac.map %forth : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %ten : i32
    soac.yield %v : i32
  }
  %d = soac.force %more : tensor<?xi32>
  %sums = soac.scanl %d neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%p: i32, %q: i32) {
    %v = arith.addi %p, %q : i32
    soac.yield %v : i32
  }
  return %sums : tensor<?xi32>
}

// Rows that are needed together with their neighbours are not overwritten.
// CALL-LABEL: stencil iota:i32[3,7] 1
// GIVES: {{\[\[}}7 8 9 10 11 12 13] [14 15 16 17 18 19 20] [0 1 2 3 4 5 6]]
// CALL-LABEL: stencil iota:i32[2,40] 0
// CALL-LABEL: stencil iota:i32[0,4] 1
func.func @stencil(%x: tensor<?x?xi32>, %it: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %up = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%e: i32) {
    %v = arith.muli %e, %one : i32
    soac.yield %v : i32
  }
  %mine = soac.force %up : tensor<?x?xi32>
  %l = scf.for %k = %c0 to %it step %c1 iter_args(%old = %mine) -> tensor<?x?xi32> {
    %down = soac.rotate %old by [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
    %sum = soac.map %old, %down : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%p: i32, %q: i32) {
      %v = arith.maxsi %p, %q : i32
      %w = arith.minsi %v, %p : i32
      soac.yield %w : i32
    }
    %kept = soac.force %sum : tensor<?x?xi32>
    %twice = soac.map %kept, %down : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%p: i32, %q: i32) {
      %v = arith.subi %q, %p : i32
      %w = arith.addi %p, %v : i32
      soac.yield %w : i32
    }
    scf.yield %twice : tensor<?x?xi32>
  }
  return %l : tensor<?x?xi32>
}

// A stencil of a function's own array: two blocks, of which the result is either; with two time levels three.
// CALL-LABEL: blocks iota:i32[4] 0
// CALL-LABEL: blocks iota:i32[4] 1
// CALL-LABEL: blocks iota:i32[4] 2
// GIVES: [2 2 -14 10]
// GIVES: [12 8 -12 16]
// GIVES: [12 6 8 -14]
// CALL-LABEL: blocks iota:i32[4] 3
// CALL-LABEL: blocks iota:i32[60] 4
// CALL-LABEL: blocks iota:i32[0] 2
// RUN: comb-opt %s --comb-cpu --remarks-filter=comb-reuse-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROUND
// RUN: comb-opt %s --comb-cpu -o - --mlir-print-ir-before=comb-parallel-to-openmp 2>&1 | FileCheck %s --check-prefix=NO-CLONE
// ROUND-COUNT-2: Function=blocks {{.*}}a loop goes round blocks that are allocated in front of it
// NO-CLONE-NOT: bufferization.clone
func.func @blocks(%x: tensor<?xi32>, %it: index) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.muli %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %a : tensor<?xi32>
  %b = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %other = soac.force %b : tensor<?xi32>
  %l = scf.for %k = %c0 to %it step %c1 iter_args(%old = %mine) -> tensor<?xi32> {
    %r = soac.rotate %old by [1] : (tensor<?xi32>) -> tensor<?xi32>
    %new = soac.map %r, %old : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
      %v = arith.subi %e, %f : i32
      soac.yield %v : i32
    }
    scf.yield %new : tensor<?xi32>
  }
  %m:2 = scf.for %k = %c0 to %it step %c1 iter_args(%p = %other, %q = %l) -> (tensor<?xi32>, tensor<?xi32>) {
    %r = soac.rotate %p by [1] : (tensor<?xi32>) -> tensor<?xi32>
    %s = soac.rotate %q by [-1] : (tensor<?xi32>) -> tensor<?xi32>
    %new = soac.map %r, %s : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
      %v = arith.addi %e, %f : i32
      soac.yield %v : i32
    }
    scf.yield %new, %p : tensor<?xi32>, tensor<?xi32>
  }
  return %l, %m#0, %m#1 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// What a loop computes in one block goes into a part of another array, and is computed there.
// CALL-LABEL: loop_in_part iota:i32[9] iota:i32[4] 2
// GIVES: [0 1 2 3 21 91 65 15 8]
// CALL-LABEL: loop_in_part iota:i32[9] iota:i32[4] 0
// CALL-LABEL: loop_in_part iota:i32[0] iota:i32[0] 1
// RUN: comb-opt %s --comb-cpu --remarks-filter=comb-short-circuit -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACED
// PLACED: Function=loop_in_part {{.*}}an array is computed where it would be copied to
func.func @loop_in_part(%x: tensor<?xi32>, %y: tensor<?xi32>, %it: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %y, %c0 : tensor<?xi32>
  %a = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %zero : i32
    soac.yield %v : i32
  }
  %mine = soac.force %a : tensor<?xi32>
  %b = soac.map %y : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %zero : i32
    soac.yield %v : i32
  }
  %kept = soac.force %b : tensor<?xi32>
  %l = scf.for %k = %c0 to %it step %c1 iter_args(%old = %kept) -> tensor<?xi32> {
    %up = soac.map %old : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %v = arith.addi %e, %one : i32
      soac.yield %v : i32
    }
    %own = soac.force %up : tensor<?xi32>
    %r = soac.rotate %own by [1] : (tensor<?xi32>) -> tensor<?xi32>
    %new = soac.map %own, %r : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
      %v = arith.muli %e, %f : i32
      soac.yield %v : i32
    }
    scf.yield %new : tensor<?xi32>
  }
  %w = soac.update %l into %mine at [%n] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %w : tensor<?xi32>
}
