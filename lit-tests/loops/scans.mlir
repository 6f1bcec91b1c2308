// Scans in vector code, and in chunks that wait for each other.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// A chunk is summed up, waits for what is before it, says what comes next, and is scanned. A vector
// is scanned in four steps.

// CALL-LABEL: left iota:i32[37]
// GIVES: [0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136 153 171 190 210 231 253 276 300 325 351 378 406 435 465 496 528 561 595 630 666]

// One thread has nobody who waits for it. It does not sum up chunks, but knows what a chunk
// carries on when it is through with it.

func.func @left(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// If the function takes longer than a shuffle, it is not computed once more for what is carried.

// CALL-LABEL: long iota:i32[37]
// GIVES: result1: {{.*}} = [0 1 5 23 119
func.func @long(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %s, %t = soac.scanl %x, %x neutral %zero, %zero
      : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>)
      (%a: i32, %b: i32, %c: i32, %d: i32) {
    %e = arith.xori %a, %c : i32
    %f = arith.ori %a, %c : i32
    %g = arith.andi %a, %c : i32
    %h = arith.subi %f, %g : i32
    %both = arith.maxui %e, %h : i32
    %sum = arith.addi %b, %d : i32
    %product = arith.muli %b, %d : i32
    %all = arith.addi %sum, %product : i32
    soac.yield %both, %all : i32, i32
  }
  return %s, %t : tensor<?xi32>, tensor<?xi32>
}

// From the right, and without the element itself.

// CALL-LABEL: right iota:i32[21]
// GIVES: result0: {{.*}} = [210 210 209 207 204 200 195 189 182 174 165 155 144 132 119 105 90 74 57 39 20]
// GIVES: result1: {{.*}} = [210 209 207 204 200 195 189 182 174 165 155 144 132 119 105 90 74 57 39 20 0]
// GIVES: result2: {{.*}} = [0 0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136 153 171 190]
func.func @right(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %s = soac.scanr %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = soac.scanr %x neutral %zero exclusive : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %u = soac.scanl %x neutral %zero exclusive : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s, %t, %u : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// Not commutative, from both sides: sums that begin again at flags. From the left, a flag begins a
// segment; from the right, it ends one.

// CALL-LABEL: segments iota:i32[23]
// GIVES: result0: {{.*}} = [0 1 3 6 10 5 11 18 26 35 10 21 33 46 60 15 31 48 66 85 20 41 63]
// GIVES: result1: {{.*}} = [0 15 14 12 9 5 40 34 27 19 10 65 54 42 29 15 90 74 57 39 20 43 22]
// CALL-LABEL: segments random:i32(0..100)[300]:4
func.func @segments(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %false = arith.constant false
  %flags = soac.map %x : (tensor<?xi32>) -> tensor<?xi1> (%a: i32) {
    %r = arith.remsi %a, %five : i32
    %f = arith.cmpi eq, %r, %zero : i32
    soac.yield %f : i1
  }
  %g, %s = soac.scanl %flags, %x neutral %false, %zero
      : (tensor<?xi1>, tensor<?xi32>, i1, i32) -> (tensor<?xi1>, tensor<?xi32>)
      (%f1: i1, %v1: i32, %f2: i1, %v2: i32) {
    %f3 = arith.ori %f1, %f2 : i1
    %sum = arith.addi %v1, %v2 : i32
    %v3 = arith.select %f2, %v2, %sum : i32
    soac.yield %f3, %v3 : i1, i32
  }
  %h, %t = soac.scanr %flags, %x neutral %false, %zero
      : (tensor<?xi1>, tensor<?xi32>, i1, i32) -> (tensor<?xi1>, tensor<?xi32>)
      (%f1: i1, %v1: i32, %f2: i1, %v2: i32) {
    %f3 = arith.ori %f1, %f2 : i1
    %sum = arith.addi %v1, %v2 : i32
    %v3 = arith.select %f1, %v1, %sum : i32
    soac.yield %f3, %v3 : i1, i32
  }
  return %s, %t : tensor<?xi32>, tensor<?xi32>
}

// A scan of a scan needs that one's carry before it can be summed up: there are two stages. What is
// between them is computed in both passes.

// CALL-LABEL: twice iota:i32[21]
// GIVES: [0 2 8 20 40 70 112 168 240 330 440 572 728 910 1120 1360 1632 1938 2280 2660 3080]
// CALL-LABEL: twice zeros:i32[0]
// GIVES: result: tensor<0xi32> = []
func.func @twice(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %d = soac.map %s : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %t = soac.scanl %d neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %t : tensor<?xi32>
}

// Two scans of one array are one stage.

// CALL-LABEL: beside iota:i32[40]
func.func @beside(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  return %s, %t : tensor<?xi32>, tensor<?xi32>
}

// Scans of rows do not wait: the rows are independent.

// CALL-LABEL: rows iota:i32[2,18]
// GIVES: {{\[\[}}0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136 153] [18 37 57 78 100 123 147 172 198 225 253 282 312 343 375 408 442 477{{\]\]}}
// CALL-LABEL: rows zeros:i32[2,0]
// GIVES: result: tensor<2x0xi32> = []
func.func @rows(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?x?xi32>
}

// A scan and a fold of it.

// CALL-LABEL: folded iota:i32[30]
// GIVES: result: tensor<i32> = 4495
func.func @folded(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = soac.fold %s neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %t : tensor<i32>
}

// How floating-point numbers are associated shows in their sums, so one thread sums up chunks, too.
