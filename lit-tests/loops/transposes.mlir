// Arrays whose dimensions change places are read along their rows, and transposed in registers. The lanes that
// are left over behind the last whole vector read the row of the last one, and no row behind the array. What is
// left over of sixteen columns goes four at a time, and then one at a time.

// RUN: comb explain --loops --cpu skylake-avx512 %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-LABEL: kernel 1, in turned
// EXPLAIN:      loop i
// EXPLAIN-NEXT:   - one by one: the loops inside have the lanes, or none
// EXPLAIN-NEXT:   - 16 iterations at once, with the loops inside jammed: lanes read rows of an array, and these its columns

// Where it is switched off, elements are gathered.
// RUN: comb-opt %s --comb-cpu='cpu=skylake-avx512 disable=transposes' | FileCheck %s --check-prefix=GATHERS
// RUN: comb-opt %s --comb-cpu='cpu=skylake-avx512' | FileCheck %s --check-prefix=LOADS
// GATHERS-LABEL: func @turned
// GATHERS-NOT: shufflevector {{.*}}16, 1, 17
// GATHERS: masked.gather
// GATHERS-LABEL: func @wide
// LOADS-LABEL: func @turned
// LOADS: shufflevector {{.*}}16, 1, 17
// LOADS-LABEL: func @wide

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: turned iota:f32[37,53]
// GIVES: result: tensor<53x37xf32> = {{\[\[}}0.0 53.0 106.0 ... 1802.0 1855.0 1908.0] [1.0 54.0 107.0 ...
// CALL-LABEL: turned iota:f32[16,16]
// GIVES: result: tensor<16x16xf32> = {{\[\[}}0.0 16.0 32.0 48.0 64.0 80.0 96.0 112.0 128.0 144.0 160.0 176.0
// CALL-LABEL: turned iota:f32[3,31]
// GIVES: result: tensor<31x3xf32> = {{\[\[}}0.0 31.0 62.0] [1.0 32.0 63.0] [2.0 33.0 64.0] [3.0 34.0 65.0]
// CALL-LABEL: turned iota:f32[1,5]
// GIVES: result: tensor<5x1xf32> = {{\[\[}}0.0] [1.0] [2.0] [3.0] [4.0]]
// CALL-LABEL: turned zeros:f32[0,5]
// GIVES: result: tensor<5x0xf32> = []
// CALL-LABEL: turned zeros:f32[5,0]
// GIVES: result: tensor<0x5xf32> = []
func.func @turned(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = soac.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CALL-LABEL: wide iota:f64[21,43]
// GIVES: result: tensor<43x21xf64> = {{\[\[}}0.0 43.0 86.0 129.0 172.0 215.0 258.0 301.0 344.0 387.0 430.0
func.func @wide(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = soac.transpose %x [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// CALL-LABEL: bytes iota:i8[150,41]
// GIVES: result: tensor<41x150xi8> = {{\[\[}}0 41 82 ... -117 -76 -35] [1 42 83 ... -116 -75 -34] [2 43 84
func.func @bytes(%x: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %y = soac.transpose %x [1, 0] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  return %y : tensor<?x?xi8>
}

// CALL-LABEL: truths iota:i32[70,35]
// GIVES: result: tensor<35x70xi1> = {{\[\[}}true false false ... false false true] [false true false ...
func.func @truths(%x: tensor<?x?xi32>) -> tensor<?x?xi1> {
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %t = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi1> (%a: i32) {
    %r = arith.remsi %a, %three : i32
    %b = arith.cmpi eq, %r, %zero : i32
    soac.yield %b : i1
  }
  %made = soac.force %t : tensor<?x?xi1>
  %y = soac.transpose %made [1, 0] : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return %y : tensor<?x?xi1>
}

// Of a part of a matrix, of another one, and in between.
// CALL-LABEL: summed iota:f32[40,45] iota:f32[32,33]
// GIVES: result: tensor<32x33xf32> = {{\[\[}}228.0 274.0 320.0 ... 1608.0 1654.0 1700.0] [262.0 308.0 354.0
func.func @summed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %y, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>
  %part = soac.slice %x [5, 3] [%n, %m] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = soac.transpose %part [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = soac.map %t, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %sum : tensor<?x?xf32>
}

// Backwards along what lanes go along, and every second row.
// CALL-LABEL: mirrored iota:i32[39,40]
// GIVES: result0: tensor<40x39xi32> = {{\[\[}}1520 1480 1440 ... 80 40 0] [1521 1481 1441 ... 81 41 1] [1522
// GIVES: result1: tensor<40x39xi32> = {{\[\[}}39 79 119 ... 1479 1519 1559] [38 78 118 ... 1478 1518 1558]
func.func @mirrored(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>) {
  %t = soac.transpose %x [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = soac.reverse %t dims [1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %s = soac.reverse %t dims [0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r, %s : tensor<?x?xi32>, tensor<?x?xi32>
}

// CALL-LABEL: swapped iota:f32[5,18,21]
// GIVES: result0: tensor<5x21x18xf32> = {{\[\[\[}}0.0 21.0 42.0 ... 315.0 336.0 357.0] [1.0 22.0 43.0 ...
// GIVES: result1: tensor<21x18x5xf32> = {{\[\[\[}}0.0 378.0 756.0 1134.0 1512.0] [21.0 399.0 777.0 1155.0
// GIVES: result2: tensor<18x21x5xf32> = {{\[\[\[}}0.0 378.0 756.0 1134.0 1512.0] [1.0 379.0 757.0 1135.0
// GIVES: result3: tensor<21x5x18xf32> = {{\[\[\[}}0.0 21.0 42.0 ... 315.0 336.0 357.0] [378.0 399.0 420.0
func.func @swapped(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %a = soac.transpose %x [0, 2, 1] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = soac.transpose %x [2, 1, 0] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = soac.transpose %x [1, 2, 0] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %d = soac.transpose %x [2, 0, 1] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %a, %b, %c, %d : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// The diagonals of a matrix: lanes go from row to row, and along them.
// CALL-LABEL: skewed iota:f32[60,30]
// GIVES: result: tensor<20x30xf32> = {{\[\[}}0.0 30.0 60.0 90.0 120.0 150.0 180.0 210.0 240.0 270.0 300.0
func.func @skewed(%x: tensor<?x?xf32>) -> tensor<20x30xf32> {
  %y = soac.generate [20, 30] : tensor<20x30xf32> (%i: index, %j: index) {
    %row = arith.addi %i, %j : index
    %e = tensor.extract %x[%row, %i] : tensor<?x?xf32>
    soac.yield %e : f32
  }
  return %y : tensor<20x30xf32>
}
