// Kernels give what the interpreter gives, on GPUs with other warps and blocks, in both orders of
// threads: loops that carry nothing, folds, rows, scatters, scans and filters.

// DEFINE: %{same} = %python %S/Inputs/emulated.py %s

// RUN: %{same} squares iota:i32[777] | FileCheck %s --check-prefix=SQUARES
// SQUARES: result: tensor<777xi32> =
// SQUARES-NEXT: [ 0 1 4
// RUN: %{same} squares zeros:i32[0]
func.func @squares(%x: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<?xi32>
}

// RUN: %{same} sum iota:i64[10001] | FileCheck %s --check-prefix=SUM
// SUM: result: tensor<i64> = 50005000
// RUN: %{same} sum zeros:i64[0]
func.func @sum(%x: tensor<?xi64>) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %s = soac.fold %x neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %s : tensor<i64>
}

// The operator is not commutative, so that threads have elements that follow each other.
// RUN: %{same} last_positive 'random:i32(-9..3)[5000]:1'
func.func @last_positive(%x: tensor<?xi32>) -> tensor<i32> {
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %none : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %is_none = arith.cmpi slt, %b, %zero : i32
    %c = arith.select %is_none, %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// A block runs a row, or a warp, or a thread.
// RUN: %{same} row_sums iota:i32[7,301] | FileCheck %s --check-prefix=ROWS
// ROWS: result: tensor<7xi32> = [ 45150 135751
// RUN: %{same} row_sums iota:i32[90,5]
// RUN: %{same} row_sums zeros:i32[3,0]
// RUN: %{same} row_sums zeros:i32[0,3]
func.func @row_sums(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// RUN: %{same} warp_sums iota:i32[35,100]
func.func @warp_sums(%x: tensor<?x100xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x100xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// RUN: %{same} thread_sums iota:i32[300,3]
func.func @thread_sums(%x: tensor<?x3xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x3xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// Rows of which something is computed twice, in an array of the row.
// RUN: %{same} shares 'random:f64(1..2)[5,130]:8'
// RUN: %{same} shares 'random:f64(1..2)[3,1]:8'
func.func @shares(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %none = arith.constant 0.0 : f64
  %1 = arith.constant 1 : index
  %n = tensor.dim %x, %1 : tensor<?x?xf64>
  %most = soac.fold %x neutral %none : (tensor<?x?xf64>, f64) -> tensor<?xf64> (%a: f64, %b: f64) {
    %c = arith.maximumf %a, %b : f64
    soac.yield %c : f64
  }
  %each = soac.replicate %most [%n] : (tensor<?xf64>) -> tensor<?x?xf64>
  %all = soac.transpose %each [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %parts = soac.map %x, %all : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64> (%a: f64, %b: f64) {
    %c = arith.divf %a, %b : f64
    soac.yield %c : f64
  }
  return %parts : tensor<?x?xf64>
}

// Axes of the grid.
// RUN: %{same} columns iota:i32[33,70]
func.func @columns(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %t = soac.transpose %x [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %y = soac.map %t : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<?x?xi32>
}

// Atomics, and what a check finds in a kernel.
// RUN: %{same} histogram zeros:i32[7] 'random:index(0..6)[3000]:4'
// Of many elements blocks have tables.
// RUN: %{same} histogram zeros:i32[2] 'random:index(0..1)[2500]:4'
// RUN: %{same} histogram zeros:i32[7] '[1, 9]' | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: 'soac.scatter' op index 9 is out of range [0, 7) in dimension 0
func.func @histogram(%counts: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %ones = soac.map %at : (tensor<?xindex>) -> tensor<?xi32> (%i: index) {
    soac.yield %one : i32
  }
  %r = soac.scatter %ones into %counts at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}

// No atomic instruction multiplies: elements are compared and exchanged.
// RUN: %{same} products ones:i32[8] 'random:i32(1..3)[1000]:1' 'random:index(0..7)[1000]:2'
func.func @products(%products: tensor<?xi32>, %x: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %r = soac.scatter %x into %products at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}

// The last one wins: one thread keeps the order.
// RUN: %{same} overwrites zeros:i32[50] iota:i32[300] 'random:index(0..49)[300]:5'
func.func @overwrites(%dest: tensor<?xi32>, %x: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %r = soac.scatter %x into %dest at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// RUN: %{same} prefixes 'random:i64(-9..9)[4099]:3'
// RUN: %{same} prefixes zeros:i64[0]
func.func @prefixes(%x: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %l = soac.scanl %x neutral %zero exclusive : (tensor<?xi64>, i64) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  %r = soac.scanr %x neutral %zero : (tensor<?xi64>, i64) -> tensor<?xi64> (%b: i64, %a: i64) {
    %c = arith.addi %b, %a : i64
    soac.yield %c : i64
  }
  return %l, %r : tensor<?xi64>, tensor<?xi64>
}

// A filter, and a sum of what it keeps.
// RUN: %{same} kept 'random:i32(-5..5)[2500]:6'
// RUN: %{same} kept zeros:i32[0]
func.func @kept(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %keep = arith.cmpi sgt, %a, %zero : i32
    soac.yield %keep : i1
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %y, %s : tensor<?xi32>, tensor<i32>
}

// Numbers that are shuffled in halves, or as wider ones.
// RUN: %{same} extrema 'random:f64(-1..1)[999]:8' 'random:i8[999]:9' 'random:i1[999]:10'
func.func @extrema(%x: tensor<?xf64>, %y: tensor<?xi8>, %z: tensor<?xi1>) -> (tensor<f64>, tensor<i8>, tensor<i1>) {
  %least = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant 127 : i8
  %yes = arith.constant true
  %a = soac.fold %x neutral %least : (tensor<?xf64>, f64) -> tensor<f64> (%p: f64, %q: f64) {
    %m = arith.maximumf %p, %q : f64
    soac.yield %m : f64
  }
  %b = soac.fold %y neutral %none : (tensor<?xi8>, i8) -> tensor<i8> (%p: i8, %q: i8) {
    %m = arith.minsi %p, %q : i8
    soac.yield %m : i8
  }
  %c = soac.fold %z neutral %yes : (tensor<?xi1>, i1) -> tensor<i1> (%p: i1, %q: i1) {
    %m = arith.andi %p, %q : i1
    soac.yield %m : i1
  }
  return %a, %b, %c : tensor<f64>, tensor<i8>, tensor<i1>
}

// What threads unroll, and what is left over.
// RUN: %{same} bytes 'random:i8[2111]:11' 'random:i8[2111]:12'
func.func @bytes(%x: tensor<?xi8>, %y: tensor<?xi8>) -> (tensor<?xi8>, tensor<i8>) {
  %zero = arith.constant 0 : i8
  %d = soac.map %x, %y : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8> (%a: i8, %b: i8) {
    %c = arith.subi %a, %b : i8
    soac.yield %c : i8
  }
  %s = soac.fold %d neutral %zero : (tensor<?xi8>, i8) -> tensor<i8> (%a: i8, %b: i8) {
    %c = arith.addi %a, %b : i8
    soac.yield %c : i8
  }
  return %d, %s : tensor<?xi8>, tensor<i8>
}

// A loop ends behind a check that does not hold, though its condition does.
// RUN: %{same} endless iota:i64[2,3] 7 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: 'tensor.extract' op index 7 is out of range [0, 3) in dimension 0
func.func @endless(%x: tensor<?x?xi64>, %k: index) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %r = soac.map %x outer 1 : (tensor<?x?xi64>) -> tensor<?xi64> (%row: tensor<?xi64>) {
    %first = tensor.extract %row[%c0] : tensor<?xi64>
    %e = scf.while (%s = %first) : (i64) -> i64 {
      scf.condition(%true) %s : i64
    } do {
    ^bb0(%s: i64):
      %q = tensor.extract %row[%k] : tensor<?xi64>
      %t = arith.addi %q, %s : i64
      scf.yield %t : i64
    }
    soac.yield %e : i64
  }
  return %r : tensor<?xi64>
}

// RUN: %{same} plane iota:i32[9,300]
// RUN: %{same} plane iota:i32[300,2]
// RUN: %{same} cube iota:i32[5,7,70]
func.func @plane(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %y = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<?x?xi32>
}
func.func @cube(%x: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
  %y = soac.map %x : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<?x?x?xi32>
}

// A block scans a row.
// RUN: %{same} row_prefixes 'random:i32(-9..9)[3,333]:12'
// RUN: %{same} row_prefixes zeros:i32[2,0]
func.func @row_prefixes(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?x?xi32>
}

// Blocks stand along x only, and find out where they are.
// RUN: %{same} plane_sums iota:i32[3,4,90]
func.func @plane_sums(%x: tensor<?x?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x?x?xi32>, i32) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?x?xi32>
}

// Runs are merged.
// RUN: %{same} sorted 'random:i32(-99..99)[200]:13' iota:i32[200]
func.func @sorted(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %r, %s = soac.sort %x, %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
      (%a: i32, %p: i32, %b: i32, %q: i32) {
    %c = arith.cmpi slt, %a, %b : i32
    soac.yield %c : i1
  }
  return %r, %s : tensor<?xi32>, tensor<?xi32>
}

// A sum of floating-point numbers has the bits of one thread.
// RUN: %{same} ordered 'random:f32[9]:14' 'random:f32[150]:15' 'random:index(0..8)[150]:16'
func.func @ordered(%d: tensor<?xf32>, %x: tensor<?xf32>, %at: tensor<?xindex>) -> tensor<?xf32> {
  %r = soac.scatter %x into %d at %at : (tensor<?xf32>, tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %r : tensor<?xf32>
}
