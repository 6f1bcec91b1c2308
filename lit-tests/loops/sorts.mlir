// Sorts: runs of a few elements by insertion, then merged there and back, or by digits; threads share rows,
// or parts of the only one.

// RUN: comb-opt %s --comb-fuse --soac-to-nest --convert-soac-sorts-to-loops | FileCheck %s --implicit-check-not="= soac.sort"
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: rise [5,3,9,-1,7,7,2]
// GIVES: result: tensor<7xi32> = [-1 2 3 5 7 7 9]
// CALL-LABEL: rise random:i32[20000]
// GIVES: result: tensor<{{.*}}xi32> = [
// CALL-LABEL: rise random:i32[1027]
// GIVES: result: tensor<{{.*}}xi32> = [

// A long row is sorted by three digits of 11 bits, if not all numbers have the same.

// CHECK-LABEL: func.func @rise(
// CHECK: %[[LONG:.*]] = arith.cmpi sge
// CHECK: scf.if %[[LONG]] {
// CHECK:   scf.parallel
// CHECK:   %[[DIGITS:.*]] = arith.constant 3 : index
// CHECK:   scf.for {{.*}} to %[[DIGITS]] {{.*}} iter_args(%[[FROM:.*]] = %{{.*}}) -> (index)
// CHECK:     scf.parallel
// CHECK:     arith.constant 2047 : i32
// CHECK:     %[[SAME:.*]] = arith.cmpi eq
// CHECK:     scf.if %[[SAME]] -> (index) {
// CHECK-NEXT:  scf.yield %[[FROM]]
// CHECK:       scf.parallel
// CHECK: } else {
// CHECK:   scf.parallel
// CHECK:     scf.while
// CHECK:     scf.while
// CHECK:   scf.while
// CHECK:     scf.parallel
// CHECK:     scf.parallel
func.func @rise(%x: tensor<?xi32>) -> tensor<?xi32> {
  %s = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %before = arith.cmpi slt, %a, %b : i32
    soac.yield %before : i1
  }
  return %s : tensor<?xi32>
}

// Rows, several arrays, and floating-point numbers that fall.
// CALL-LABEL{LITERAL}: rows [[1,3,2],[-0.5,0,0.5]] [[1,2,3],[4,5,6]]
// GIVES: result0: tensor<2x3xf32> = {{\[}}[3.0 2.0 1.0] [0.5 0.0 -0.5]]
// GIVES: result1: tensor<2x3xi8> = {{\[}}[2 3 1] [6 5 4]]
// CALL-LABEL: rows random:f32[300,70] random:i8[300,70]
// GIVES: result0: tensor<
// CALL-LABEL: rows random:f32[0,70] random:i8[0,70]
// GIVES: result0: tensor<
// CALL-LABEL: rows random:f32[70,0] random:i8[70,0]
// GIVES: result0: tensor<

// CHECK-LABEL: func.func @rows(
// CHECK: scf.parallel
// CHECK-NOT: scf.parallel
func.func @rows(%x: tensor<?x?xf32>, %y: tensor<?x?xi8>) -> (tensor<?x?xf32>, tensor<?x?xi8>) {
  %s, %t = soac.sort %x, %y : (tensor<?x?xf32>, tensor<?x?xi8>) -> (tensor<?x?xf32>, tensor<?x?xi8>)
      (%a: f32, %i: i8, %b: f32, %j: i8) {
    %before = arith.cmpf ogt, %a, %b : f32
    soac.yield %before : i1
  }
  return %s, %t : tensor<?x?xf32>, tensor<?x?xi8>
}

// In a map over rows, and an array that the function looks into.
// CALL-LABEL{LITERAL}: inside [[2,0,1,2],[3,3,1,0]] [9,5,7,1]
// GIVES: result: tensor<2x4xindex> = {{\[}}[2 2 1 0] [3 3 1 0]]

// CHECK-LABEL: func.func @inside(
func.func @inside(%x: tensor<?x4xindex>, %table: tensor<?xi32>) -> tensor<?x4xindex> {
  %r = soac.map %x outer 1 : (tensor<?x4xindex>) -> tensor<?x4xindex> (%row: tensor<4xindex>) {
    %s = soac.sort %row : (tensor<4xindex>) -> tensor<4xindex> (%a: index, %b: index) {
      %p = tensor.extract %table[%a] : tensor<?xi32>
      %q = tensor.extract %table[%b] : tensor<?xi32>
      %before = arith.cmpi slt, %p, %q : i32
      soac.yield %before : i1
    }
    %t = soac.sort %s : (tensor<4xindex>) -> tensor<4xindex> (%a: index, %b: index) {
      %before = arith.cmpi ugt, %a, %b : index
      soac.yield %before : i1
    }
    soac.yield %t : tensor<4xindex>
  }
  return %r : tensor<?x4xindex>
}

// Narrow and odd numbers.
// CALL-LABEL: odd random:i1[40] random:f16[40] random:bf16[40]
// GIVES: result0: tensor<40xi1> = [false
func.func @odd(%x: tensor<?xi1>, %y: tensor<?xf16>, %z: tensor<?xbf16>)
    -> (tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>) {
  %r:3 = soac.sort %x, %y, %z : (tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>) -> (tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>)
      (%a: i1, %b: f16, %c: bf16, %d: i1, %e: f16, %f: bf16) {
    %before = arith.cmpi ult, %a, %d : i1
    soac.yield %before : i1
  }
  return %r#0, %r#1, %r#2 : tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>
}

// A number that is computed alike of both sides, as JAX compares: NaNs are one number, and so are zeros.
// Three digits of 11 bits, if all elements can be made of it again; else four of 8, with the elements.
// CALL-LABEL: computed random:f32[3000]
// GIVES: result: tensor<{{.*}}xf32> = [
// CALL-LABEL: computed [1,nan,-0.0,0,-1,-nan,inf,-0.0,-inf,1e-40,-1e-40]
// GIVES: result: tensor<{{.*}}xf32> = [

// CHECK-LABEL: func.func @computed(
// CHECK: scf.parallel
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
// CHECK: %[[ALL:.*]] = scf.for {{.*}} -> (i1)
// CHECK: scf.if %[[ALL]] {
// CHECK:   arith.constant 2048 : index
// CHECK:   arith.constant 3 : index
// CHECK: } else {
// CHECK:   memref.alloc({{.*}} : memref<?xf32>
// CHECK:   arith.constant 256 : index
// CHECK:   arith.constant 4 : index
// CHECK: scf.while
func.func @computed(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %all = arith.constant 0x7FFFFFFF : i32
  %last = arith.constant 31 : i32
  %k = soac.sort %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %az = arith.cmpf oeq, %a, %zero : f32
    %a0 = arith.select %az, %zero, %a : f32
    %an = arith.cmpf une, %a, %a : f32
    %a1 = arith.select %an, %nan, %a0 : f32
    %bz = arith.cmpf oeq, %b, %zero : f32
    %b0 = arith.select %bz, %zero, %b : f32
    %bn = arith.cmpf une, %b, %b : f32
    %b1 = arith.select %bn, %nan, %b0 : f32
    %c = arith.bitcast %a1 : f32 to i32
    %d = arith.bitcast %b1 : f32 to i32
    %cs = arith.shrsi %c, %last : i32
    %cm = arith.andi %cs, %all : i32
    %cx = arith.xori %c, %cm : i32
    %ds = arith.shrsi %d, %last : i32
    %dm = arith.andi %ds, %all : i32
    %dx = arith.xori %d, %dm : i32
    %before = arith.cmpi slt, %cx, %dx : i32
    soac.yield %before : i1
  }
  return %k : tensor<?xf32>
}

// What nobody uses does not move: no memory but that of a result has numbers of the first array.
// CALL-LABEL: places random:f32[3000] iota:i32[3000]
// GIVES: result: tensor<{{.*}}xi32> = [
// CALL-LABEL: places [1,nan,-0.0,0,-1,-nan,inf,-0.0] [0,1,2,3,4,5,6,7]
// GIVES: result: tensor<{{.*}}xi32> = [

// CHECK-LABEL: func.func @places(
// CHECK: memref<?xf32>
// CHECK: memref<?xi32>
// CHECK: scf.if
// CHECK-NOT: memref.alloc({{.*}} : memref<?xf32>
// CHECK: arith.constant 256 : index
// CHECK-NOT: memref.alloc({{.*}} : memref<?xf32>
// CHECK: } else {
// CHECK: scf.while
func.func @places(%x: tensor<?xf32>, %p: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %all = arith.constant 0x7FFFFFFF : i32
  %last = arith.constant 31 : i32
  %k, %q = soac.sort %x, %p : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
      (%a: f32, %i: i32, %b: f32, %j: i32) {
    %az = arith.cmpf oeq, %a, %zero : f32
    %a0 = arith.select %az, %zero, %a : f32
    %an = arith.cmpf une, %a, %a : f32
    %a1 = arith.select %an, %nan, %a0 : f32
    %bz = arith.cmpf oeq, %b, %zero : f32
    %b0 = arith.select %bz, %zero, %b : f32
    %bn = arith.cmpf une, %b, %b : f32
    %b1 = arith.select %bn, %nan, %b0 : f32
    %c = arith.bitcast %a1 : f32 to i32
    %d = arith.bitcast %b1 : f32 to i32
    %cs = arith.shrsi %c, %last : i32
    %cm = arith.andi %cs, %all : i32
    %cx = arith.xori %c, %cm : i32
    %ds = arith.shrsi %d, %last : i32
    %dm = arith.andi %ds, %all : i32
    %dx = arith.xori %d, %dm : i32
    %before = arith.cmpi slt, %cx, %dx : i32
    soac.yield %before : i1
  }
  return %q : tensor<?xi32>
}

// Several numbers, each of which decides where those before it are equal, are the bits of one word.
// CALL-LABEL: several random:i8[4000] random:i16[4000] iota:i32[4000]
// GIVES: result0: tensor<{{.*}}xi8> = [
// CALL-LABEL: several [3,1,3,-1,1,3] [0,1,2,3,-4,2] [0,1,2,3,4,5]
// GIVES: result0: tensor<{{.*}}xi8> = [

// CHECK-LABEL: func.func @several(
// CHECK: arith.constant 16 : i32
// CHECK: arith.shli
// CHECK: arith.ori
// CHECK: arith.constant 3 : index
// CHECK: scf.while
func.func @several(%x: tensor<?xi8>, %y: tensor<?xi16>, %p: tensor<?xi32>) -> (tensor<?xi8>, tensor<?xi16>, tensor<?xi32>) {
  %r:3 = soac.sort %x, %y, %p : (tensor<?xi8>, tensor<?xi16>, tensor<?xi32>) -> (tensor<?xi8>, tensor<?xi16>, tensor<?xi32>)
      (%a: i8, %b: i16, %i: i32, %c: i8, %d: i16, %j: i32) {
    %less = arith.cmpi sgt, %a, %c : i8
    %same = arith.cmpi eq, %c, %a : i8
    %then = arith.cmpi slt, %b, %d : i16
    %both = arith.andi %then, %same : i1
    %before = arith.ori %both, %less : i1
    soac.yield %before : i1
  }
  return %r#0, %r#1, %r#2 : tensor<?xi8>, tensor<?xi16>, tensor<?xi32>
}

// Floating-point numbers, words of 128 bits, and a choice of what decides: where numbers differ, the first do.
// CALL-LABEL: chosen random:f32[2500] random:index[2500] random:f16[2500]
// GIVES: result0: tensor<{{.*}}xf32> = [
// CALL-LABEL: chosen [0,-0.0,1,-0.0,0,inf,-inf] [1,2,3,1,2,3,3] [1,1,5,0,-1,7,7]
// GIVES: result0: tensor<{{.*}}xf32> = [

// CHECK-LABEL: func.func @chosen(
// CHECK: memref<?xi128>
// CHECK: arith.constant 14 : index
// CHECK: scf.while
func.func @chosen(%x: tensor<?xf32>, %y: tensor<?xindex>, %z: tensor<?xf16>) -> (tensor<?xf32>, tensor<?xindex>, tensor<?xf16>) {
  %r:3 = soac.sort %x, %y, %z : (tensor<?xf32>, tensor<?xindex>, tensor<?xf16>) -> (tensor<?xf32>, tensor<?xindex>, tensor<?xf16>)
      (%a: f32, %b: index, %c: f16, %d: f32, %e: index, %f: f16) {
    %third = arith.cmpf olt, %f, %c : f16
    %second = arith.cmpi ult, %b, %e : index
    %differ = arith.cmpi ne, %b, %e : index
    %later = arith.select %differ, %second, %third : i1
    %first = arith.cmpf olt, %a, %d : f32
    %same = arith.cmpf oeq, %a, %d : f32
    %before = arith.select %same, %later, %first : i1
    soac.yield %before : i1
  }
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<?xindex>, tensor<?xf16>
}

// Not by digits: the sides are different functions, of different arrays, or of both places; others are
// equal than the numbers that decide first; an unordered number is equal; there are more than 128 bits.
// CHECK-LABEL: func.func @different(
// CHECK-NOT: {{2047|255}}
// CHECK-LABEL: func.func @end(
func.func @different(%x: tensor<?xi32>, %y: tensor<?xi32>, %z: tensor<?xf32>, %i: tensor<?xi64>, %j: tensor<?xi64>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %one = arith.constant 1 : i32
  %p = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %b, %one : i32
    %before = arith.cmpi slt, %a, %s : i32
    soac.yield %before : i1
  }
  %q:2 = soac.sort %x, %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %c: i32, %b: i32, %d: i32) {
    %before = arith.cmpi slt, %a, %d : i32
    soac.yield %before : i1
  }
  %r = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    %t = arith.addi %b, %a : i32
    %before = arith.cmpi slt, %s, %t : i32
    soac.yield %before : i1
  }
  %s = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %before = arith.cmpi sle, %a, %b : i32
    soac.yield %before : i1
  }
  %t:2 = soac.sort %x, %y : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32, %c: i32, %b: i32, %d: i32) {
    %less = arith.cmpi slt, %a, %b : i32
    %same = arith.cmpi eq, %c, %d : i32
    %then = arith.cmpi sgt, %c, %d : i32
    %both = arith.andi %same, %then : i1
    %before = arith.ori %less, %both : i1
    soac.yield %before : i1
  }
  %u:2 = soac.sort %z, %x : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) (%a: f32, %c: i32, %b: f32, %d: i32) {
    %less = arith.cmpf olt, %a, %b : f32
    %same = arith.cmpf ueq, %a, %b : f32
    %then = arith.cmpi slt, %c, %d : i32
    %before = arith.select %same, %then, %less : i1
    soac.yield %before : i1
  }
  %v:3 = soac.sort %p, %i, %j : (tensor<?xi32>, tensor<?xi64>, tensor<?xi64>) -> (tensor<?xi32>, tensor<?xi64>, tensor<?xi64>)
      (%a: i32, %b: i64, %c: i64, %d: i32, %e: i64, %f: i64) {
    %third = arith.cmpi slt, %c, %f : i64
    %second = arith.cmpi slt, %b, %e : i64
    %also = arith.cmpi eq, %b, %e : i64
    %later = arith.select %also, %third, %second : i1
    %first = arith.cmpi slt, %a, %d : i32
    %same = arith.cmpi eq, %a, %d : i32
    %before = arith.select %same, %later, %first : i1
    soac.yield %before : i1
  }
  return %p, %q#0, %r, %s, %t#0, %u#1, %v#0 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
func.func @end() {
  return
}

// Nor by several numbers of bf16, of which LLVM generates no code.
// CALL-LABEL: bf16 random:bf16[2500]
// GIVES: result: tensor<{{.*}}xbf16> = [
// CALL-LABEL: bf16 [1,-0.0,0,-1,-2,-0.0,1]
// GIVES: result: tensor<{{.*}}xbf16> = [

// CHECK-LABEL: func.func @bf16(
// CHECK-NOT: {{2047|255}}
// CHECK-LABEL: func.func @kinds(
func.func @bf16(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %r = soac.sort %x : (tensor<?xbf16>) -> tensor<?xbf16> (%a: bf16, %b: bf16) {
    %c = arith.bitcast %a : bf16 to i16
    %d = arith.bitcast %b : bf16 to i16
    %then = arith.cmpi sgt, %c, %d : i16
    %less = arith.cmpf ogt, %a, %b : bf16
    %same = arith.cmpf oeq, %a, %b : bf16
    %both = arith.andi %same, %then : i1
    %before = arith.ori %less, %both : i1
    soac.yield %before : i1
  }
  return %r : tensor<?xbf16>
}

// Numbers of all kinds, falling and rising, in one long row and in several.
// CALL-LABEL: kinds random:f64[2500] random:i8[2500] random:bf16[2,2100] random:index[2500]
// GIVES: result0: tensor<2500xf64> = [
func.func @kinds(%x: tensor<?xf64>, %y: tensor<?xi8>, %z: tensor<?x2100xbf16>, %w: tensor<?xindex>)
    -> (tensor<?xf64>, tensor<?xi8>, tensor<?x2100xbf16>, tensor<?xindex>) {
  %a = soac.sort %x : (tensor<?xf64>) -> tensor<?xf64> (%e: f64, %f: f64) {
    %before = arith.cmpf ogt, %e, %f : f64
    soac.yield %before : i1
  }
  %b = soac.sort %y : (tensor<?xi8>) -> tensor<?xi8> (%e: i8, %f: i8) {
    %before = arith.cmpi slt, %f, %e : i8
    soac.yield %before : i1
  }
  %c = soac.sort %z : (tensor<?x2100xbf16>) -> tensor<?x2100xbf16> (%e: bf16, %f: bf16) {
    %before = arith.cmpf olt, %e, %f : bf16
    soac.yield %before : i1
  }
  %d = soac.sort %w : (tensor<?xindex>) -> tensor<?xindex> (%e: index, %f: index) {
    %before = arith.cmpi ugt, %e, %f : index
    soac.yield %before : i1
  }
  return %a, %b, %c, %d : tensor<?xf64>, tensor<?xi8>, tensor<?x2100xbf16>, tensor<?xindex>
}

// Zeros of both signs keep their order, however long the row: 1 / x tells them apart.
// CALL-LABEL: zeros 3
// GIVES: result: tensor<i1> = true
// CALL-LABEL: zeros 5000
// GIVES: result: tensor<i1> = true
func.func @zeros(%n: index) -> tensor<i1> {
  %two = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %plus = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %true = arith.constant true
  %x = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %r = arith.remui %i, %two : index
    %even = arith.cmpi eq, %r, %c0 : index
    %e = arith.select %even, %plus, %minus : f32
    soac.yield %e : f32
  }
  %y = soac.sort %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %before = arith.cmpf olt, %a, %b : f32
    soac.yield %before : i1
  }
  %same = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1> (%a: f32, %b: f32) {
    %p = arith.bitcast %a : f32 to i32
    %q = arith.bitcast %b : f32 to i32
    %e = arith.cmpi eq, %p, %q : i32
    soac.yield %e : i1
  }
  %all = soac.fold %same neutral %true : (tensor<?xi1>, i1) -> tensor<i1> (%a: i1, %b: i1) {
    %c = arith.andi %a, %b : i1
    soac.yield %c : i1
  }
  return %all : tensor<i1>
}
