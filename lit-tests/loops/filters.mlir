// Filters: a vector's elements that are kept are written behind those that were kept before. In
// chunks, a filter is chained as a scan of how many it keeps.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: odd iota:i32[41]
// GIVES: result: tensor<20xi32> = [1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39]
// CALL-LABEL: odd zeros:i32[41]
// GIVES: result: tensor<0xi32> = []
// CALL-LABEL: odd ones:i32[5]
// GIVES: result: tensor<5xi32> = [1 1 1 1 1]
// CALL-LABEL: odd random:i32[1000]:7
func.func @odd(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.andi %a, %one : i32
    %k = arith.cmpi eq, %b, %one : i32
    soac.yield %k : i1
  }
  return %y : tensor<?xi32>
}

// What reads the kept elements runs in the same loop: a map, a fold, a scan, another filter.

// CALL-LABEL: behind iota:i32[41]
// GIVES: result0: tensor<20xi32> = [10 30 50 70 90 110 130 150 170 190 210 230 250 270 290 310 330 350 370 390]
// GIVES: result1: tensor<i32> = 400
// GIVES: result2: tensor<20xi32> = [1 4 9 16 25 36 49 64 81 100 121 144 169 196 225 256 289 324 361 400]
// GIVES: result3: tensor<7xi32> = [3 9 15 21 27 33 39]
// GIVES: result4: tensor<index> = 27
// CALL-LABEL: behind random:i32(0..100)[333]:9
// CALL-LABEL: behind zeros:i32[0]
// GIVES: result1: tensor<i32> = 0
func.func @behind(%x: tensor<?xi32>)
    -> (tensor<?xi32>, tensor<i32>, tensor<?xi32>, tensor<?xi32>, tensor<index>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %ten = arith.constant 10 : i32
  %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.andi %a, %one : i32
    %k = arith.cmpi eq, %b, %one : i32
    soac.yield %k : i1
  }
  %m = soac.map %y : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %ten : i32
    soac.yield %b : i32
  }
  %f = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %s = soac.scanl %y neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = soac.filter %y : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.remsi %a, %three : i32
    %k = arith.cmpi eq, %b, %zero : i32
    soac.yield %k : i1
  }
  %kept = tensor.dim %y, %c0 : tensor<?xi32>
  %both = tensor.dim %t, %c0 : tensor<?xi32>
  %sizes = arith.addi %kept, %both : index
  %n = tensor.from_elements %sizes : tensor<index>
  return %m, %f, %s, %t, %n : tensor<?xi32>, tensor<i32>, tensor<?xi32>, tensor<?xi32>, tensor<index>
}

// Only the size is asked for.

// CALL-LABEL: count iota:i64[41]
// GIVES: result: index = 8
// CALL-LABEL: count zeros:i64[0]
// GIVES: result: index = 0
func.func @count(%x: tensor<?xi64>) -> index {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 33 : i64
  %y = soac.filter %x : (tensor<?xi64>) -> tensor<?xi64> (%a: i64) {
    %k = arith.cmpi sge, %a, %limit : i64
    soac.yield %k : i1
  }
  %n = tensor.dim %y, %c0 : tensor<?xi64>
  return %n : index
}

// The index of a kept element is the number of those before it: another array is read there.

// CALL-LABEL: beside iota:i32[41] iota:i32[20]
// GIVES: result: tensor<20xi32> = [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20]
func.func @beside(%x: tensor<?xi32>, %z: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.andi %a, %one : i32
    %k = arith.cmpi eq, %b, %one : i32
    soac.yield %k : i1
  }
  %d = soac.map %y, %z : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.subi %a, %b : i32
    soac.yield %c : i32
  }
  return %d : tensor<?xi32>
}

// Several arrays are filtered together.

// CALL-LABEL: two iota:i32[19] iota:f64[19]
// GIVES: result0: tensor<3xi32> = [16 17 18]
// GIVES: result1: tensor<3xf64> = [16.0 17.0 18.0]
func.func @two(%x: tensor<?xi32>, %y: tensor<?xf64>) -> (tensor<?xi32>, tensor<?xf64>) {
  %limit = arith.constant 15 : i32
  %u, %v = soac.filter %x, %y : (tensor<?xi32>, tensor<?xf64>) -> (tensor<?xi32>, tensor<?xf64>)
      (%a: i32, %b: f64) {
    %k = arith.cmpi sgt, %a, %limit : i32
    soac.yield %k : i1
  }
  return %u, %v : tensor<?xi32>, tensor<?xf64>
}

// What is in the order of a gather at kept indices runs where these are kept: the others may be out
// of range.

// CALL-LABEL: at_kept iota:i32[5] iota:index[40]
// GIVES: result: tensor<5xi32> = [0 1 4 9 16]
func.func @at_kept(%x: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %inside = soac.filter %at : (tensor<?xindex>) -> tensor<?xindex> (%i: index) {
    %keeps = arith.cmpi ult, %i, %n : index
    soac.yield %keeps : i1
  }
  %squares = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.gather %squares at %inside : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// What a gather of two dimensions reads at the indices that a filter kept, another filter reads at
// once: it is in memory for one iteration, with no dimension of what is kept.

// CALL-LABEL: kept_twice iota:i32[3,4] iota:index[3]
// GIVES: result: tensor<2xi32> = [10 20]
// CALL-LABEL: kept_twice iota:i32[40,40] iota:index[38]
func.func @kept_twice(%x: tensor<?x?xi32>, %is: tensor<?xindex>) -> tensor<?xi32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %m = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.muli %a, %two : i32
    soac.yield %b : i32
  }
  %k = soac.filter %is : (tensor<?xindex>) -> tensor<?xindex> (%i: index) {
    %c = arith.cmpi uge, %i, %one : index
    soac.yield %c : i1
  }
  %g = soac.gather %m at %k, %k : (tensor<?x?xi32>, tensor<?xindex>, tensor<?xindex>) -> tensor<?xi32>
  %f = soac.filter %g : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %z = arith.cmpi sgt, %a, %two : i32
    soac.yield %z : i1
  }
  return %f : tensor<?xi32>
}

// Rows at kept indices are a result of their own: the cluster is taken apart.

// CALL-LABEL: kept_rows iota:i32[25,1] iota:index[3]
// GIVES: result: tensor<2x1xi32> = {{\[\[}}24] [23{{\]\]}}
func.func @kept_rows(%x: tensor<25x1xi32>, %is: tensor<3xindex>) -> tensor<?x1xi32> {
  %one = arith.constant 1 : index
  %r = soac.reverse %x dims [0] : (tensor<25x1xi32>) -> tensor<25x1xi32>
  %k = soac.filter %is : (tensor<3xindex>) -> tensor<?xindex> (%i: index) {
    %c = arith.cmpi ule, %i, %one : index
    soac.yield %c : i1
  }
  %g = soac.gather %r at %k : (tensor<25x1xi32>, tensor<?xindex>) -> tensor<?x1xi32>
  return %g : tensor<?x1xi32>
}

// Of several arrays, one is known to be empty.

// CALL-LABEL: one_empty zeros:i32[0] zeros:i32[0]
// GIVES: result0: tensor<0xi32> = []
func.func @one_empty(%x: tensor<0xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %a, %b = soac.filter %x, %y : (tensor<0xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%i: i32, %j: i32) {
    %c = arith.cmpi sgt, %i, %j : i32
    soac.yield %c : i1
  }
  return %a, %b : tensor<?xi32>, tensor<?xi32>
}

// Bytes beside wide numbers, in a loop of eight iterations: LLVM does not pack eight bytes.

// CALL-LABEL: eight iota:i8[8] iota:i64[8]
// GIVES: result0: tensor<4xi8> = [1 3 5 7]
// GIVES: result1: tensor<4xi64> = [1 3 5 7]
func.func @eight(%x: tensor<8xi8>, %y: tensor<8xi64>) -> (tensor<?xi8>, tensor<?xi64>) {
  %one = arith.constant 1 : i8
  %kept:2 = soac.filter %x, %y : (tensor<8xi8>, tensor<8xi64>) -> (tensor<?xi8>, tensor<?xi64>) (%a: i8, %b: i64) {
    %c = arith.andi %a, %one : i8
    %k = arith.cmpi eq, %c, %one : i8
    soac.yield %k : i1
  }
  return %kept#0, %kept#1 : tensor<?xi8>, tensor<?xi64>
}

// What is kept of a large array. Parts of lines
// at the ends of a chunk belong to other chunks, too.

// RUN: comb run %s --entry large --threads 1 -i x=iota:i32[9000001] | FileCheck %s --check-prefix=LARGE
// RUN: comb run %s --entry large --threads 3 -i x=iota:i32[9000001] | FileCheck %s --check-prefix=LARGE
// RUN: comb run %s --entry large --threads 2 -i x=ones:i32[9000001] | FileCheck %s --check-prefix=ALL-ONES
// LARGE: result: tensor<i32> = 0
// ALL-ONES: result: tensor<i32> = 18000000

func.func @large(%x: tensor<?xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %kept = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.andi %a, %one : i32
    %k = arith.cmpi eq, %b, %one : i32
    soac.yield %k : i1
  }
  %y = soac.force %kept : tensor<?xi32>
  %n = tensor.dim %y, %c0 : tensor<?xi32>
  %wrong = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %e = tensor.extract %y[%i] : tensor<?xi32>
    %j = arith.index_cast %i : index to i32
    %k = arith.muli %j, %two : i32
    %l = arith.addi %k, %one : i32
    %d = arith.subi %e, %l : i32
    %r = math.absi %d : i32
    soac.yield %r : i32
  }
  %most = soac.fold %wrong neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  return %most : tensor<i32>
}
