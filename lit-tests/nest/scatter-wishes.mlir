// How threads share a scatter: the attribute `soac.scatter` says it, or what the operator and the sizes are. Schedules
// say it then. On any number of threads the bits are those of one.

// RUN: comb-opt %s --comb-fuse --soac-to-nest --nest-schedule | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Privatised: a table for each chunk. Two destinations of one op, of different types.

// CALL-LABEL: privatised iota:i32[50]
// GIVES: result0: tensor<7xi32> = [0 1 2 3 4 5 5]
// GIVES: result1: tensor<7xf64> = [24.5 21.5 22.0 22.5 23.0 23.5 24.0]
// CHECK-LABEL: func.func @privatised(
// CHECK:         schedule = {chunk = {{[0-9]+}} : i64, lanes = {{[0-9]+}} : i64, tables = 8 : i64}
// CHECK:         nest.scatter {{.*}} {strategy = "privatised"}
func.func @privatised(%x: tensor<?xi32>) -> (tensor<7xi32>, tensor<7xf64>) {
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0.0 : f64
  %fives = soac.fill %five [7] : (i32) -> tensor<7xi32>
  %zeros = soac.fill %zero [7] : (f64) -> tensor<7xf64>
  %at, %halves = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xf64>) (%a: i32) {
    %r = arith.remui %a, %seven : i32
    %f = arith.sitofp %a : i32 to f64
    %h = arith.mulf %f, %half : f64
    soac.yield %r, %h : i32, f64
  }
  %y, %z = soac.scatter %x, %halves into %fives, %zeros at %at {soac.scatter = "privatised"}
      : (tensor<?xi32>, tensor<?xf64>, tensor<7xi32>, tensor<7xf64>, tensor<?xi32>)
      -> (tensor<7xi32>, tensor<7xf64>) (%a: i32, %b: f64, %c: i32, %d: f64) {
    %e = arith.minsi %c, %a : i32
    %f = arith.maximumf %b, %d : f64
    soac.yield %e, %f : i32, f64
  }
  return %y, %z : tensor<7xi32>, tensor<7xf64>
}

// Floating-point sums that may be reassociated have tables if that is a wish, also with one thread, so that bits
// are the same.

// DEFINE: %{sums} = comb run %s --entry sums -i "x=random:f32[200000]:1" -i "at=random:i32(0..3)[200000]:2" -i dest=zeros:f32[3]
// RUN: %{sums} --threads 1 -o result=%t.1.npy
// RUN: %{sums} --threads 2 -o result=%t.2.npy && cmp %t.1.npy %t.2.npy
// RUN: %{sums} --threads 3 -o result=%t.3.npy && cmp %t.1.npy %t.3.npy
// CHECK-LABEL: func.func @sums(
// CHECK:         tables = 8 : i64}
// CHECK:         nest.scatter {{.*}} {strategy = "privatised"}
func.func @sums(%x: tensor<?xf32>, %at: tensor<?xi32>, %dest: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.scatter %x into %dest at %at {soac.scatter = "privatised"}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b fastmath<reassoc> : f32
    soac.yield %c : f32
  }
  return %y : tensor<?xf32>
}

// Partitioned: of two elements that go to one place, the later one wins, and a function may be any.

// CALL-LABEL: partitioned iota:i32[60]
// GIVES: result0: tensor<10xi32> = [56 57 58 59 53 54 55 -1 -1 -1]
// GIVES: result1: tensor<10xi32> = [
// CHECK-LABEL: func.func @partitioned(
// CHECK:         schedule = {buckets = 65536 : i64, chunk = {{[0-9]+}} : i64, lanes = {{[0-9]+}} : i64}
// CHECK:         nest.scatter {{.*}} {strategy = "partitioned"}
// CHECK:         nest.scatter {{.*}} {strategy = "partitioned"}
func.func @partitioned(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %seven = arith.constant 7 : i32
  %none = arith.constant -1 : i32
  %ten = arith.constant 10 : index
  %dest = soac.fill %none [%ten] : (i32) -> tensor<?xi32>
  %other = soac.fill %seven [%ten] : (i32) -> tensor<?xi32>
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.remui %a, %seven : i32
    soac.yield %r : i32
  }
  %y = soac.scatter %x into %dest at %at {soac.scatter = "partitioned"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %z = soac.scatter %x into %other at %at {soac.scatter = "partitioned"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %d = arith.muli %a, %seven : i32
    %c = arith.subi %d, %b : i32
    soac.yield %c : i32
  }
  return %y, %z : tensor<?xi32>, tensor<?xi32>
}

// Two dimensions of sources and of the destination, and two index arrays; the loop also gives the
// sum of the elements and an array.

// CALL-LABEL: plane iota:i64[9,11]
// GIVES: result0: tensor<5x4xi64> = [
// GIVES: result1: tensor<9xi64> = [55 176 297 418 539 660 781 902 1023]
func.func @plane(%x: tensor<?x?xi64>) -> (tensor<5x4xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %five = arith.constant 5 : i64
  %zeros = soac.fill %zero [5, 4] : (i64) -> tensor<5x4xi64>
  %row, %column, %new = soac.map %x
      : (tensor<?x?xi64>) -> (tensor<?x?xi64>, tensor<?x?xi64>, tensor<?x?xi64>) (%a: i64) {
    %t = arith.divui %a, %three : i64
    %r = arith.remui %t, %five : i64
    %c = arith.remui %a, %four : i64
    %b = arith.xori %a, %t : i64
    soac.yield %r, %c, %b : i64, i64, i64
  }
  %sums = soac.fold %x neutral %zero : (tensor<?x?xi64>, i64) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  %y = soac.scatter %new into %zeros at %row, %column {soac.scatter = "partitioned"}
      : (tensor<?x?xi64>, tensor<5x4xi64>, tensor<?x?xi64>, tensor<?x?xi64>) -> tensor<5x4xi64>
      (%a: i64, %b: i64) {
    %d = arith.shli %a, %three : i64
    %c = arith.subi %b, %d : i64
    soac.yield %c : i64
  }
  return %y, %sums : tensor<5x4xi64>, tensor<?xi64>
}

// Without a wish, for an operator with which the order does not matter: in buckets if the destination
// is large, and else in tables if there are enough elements.

// CALL-LABEL: unasked iota:i32[100] iota:i32[9]
// GIVES: result0: tensor<9xi32> = [
// GIVES: result1: tensor<i32> = 4950
// CHECK-LABEL: func.func @unasked(
// CHECK:         schedule = {buckets = 65536 : i64, buckets_over = 8388607 : i64, chunk = {{.*}}, tables = 8 : i64}
func.func @unasked(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    %r = arith.remui %b, %nine : i32
    soac.yield %r : i32
  }
  %sum = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %y = soac.scatter %x into %dest at %at
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %y, %sum : tensor<?xi32>, tensor<i32>
}

// One thread, if the user says so.

// CALL-LABEL: sequential iota:i32[100] iota:i32[9]
// GIVES: result0: tensor<9xi32> = [
// GIVES: result1: tensor<i32> = 4950
// CHECK-LABEL: func.func @sequential(
// CHECK-NOT:     chunk
// CHECK:         nest.scatter {{.*}} {strategy = "sequential"}
func.func @sequential(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    %r = arith.remui %b, %nine : i32
    soac.yield %r : i32
  }
  %sum = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %y = soac.scatter %x into %dest at %at {soac.scatter = "sequential"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %y, %sum : tensor<?xi32>, tensor<i32>
}

// A destination that is known to be small has tables, or one thread if the order matters.

// CALL-LABEL: small iota:i32[100]
// GIVES: result0: tensor<9xi32> =
// CHECK-LABEL: func.func @small(
// CHECK:         nest.loop {{.*}}tables = 8 : i64}
// CHECK:         nest.scatter
// CHECK:         nest.loop
// CHECK-NOT:     chunk
// CHECK:         nest.scatter
func.func @small(%x: tensor<?xi32>) -> (tensor<9xi32>, tensor<9xi32>) {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %zeros = soac.fill %zero [9] : (i32) -> tensor<9xi32>
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.remui %a, %nine : i32
    soac.yield %r : i32
  }
  %sums = soac.scatter %x into %zeros at %at {soac.alone}
      : (tensor<?xi32>, tensor<9xi32>, tensor<?xi32>) -> tensor<9xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %last = soac.scatter %x into %zeros at %at {soac.alone}
      : (tensor<?xi32>, tensor<9xi32>, tensor<?xi32>) -> tensor<9xi32>
  return %sums, %last : tensor<9xi32>, tensor<9xi32>
}

// An index out of range ends the program in a chunk, too.

// CALL-LABEL: wrong iota:i32[300] 299
// GIVES: error: 'soac.scatter' op index 300 is out of range [0, 300) in dimension 0
// CALL-LABEL: wrong iota:i32[300] 163
// GIVES: error: 'soac.scatter' op index 300 is out of range [0, 300) in dimension 0
// CALL-LABEL: wrong iota:i32[300] 300
// GIVES: result
func.func @wrong(%x: tensor<?xi32>, %where: i32) -> tensor<?xi32> {
  %end = arith.constant 300 : i32
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %is = arith.cmpi eq, %a, %where : i32
    %i = arith.select %is, %end, %a : i32
    soac.yield %i : i32
  }
  %y = soac.scatter %x into %x at %at {soac.scatter = "partitioned"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// More than one bucket in programs as they are, and chunks of other lengths.

// CALL-LABEL: large iota:i64[300000] 200000
// GIVES: result: tensor<i64> = {{[0-9-]+}}
func.func @large(%x: tensor<?xi64>, %n: index) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %factor = arith.constant 7919 : i64
  %m = arith.index_cast %n : index to i64
  %dest = soac.generate [%n] : tensor<?xi64> (%i: index) {
    %r = arith.index_cast %i : index to i64
    soac.yield %r : i64
  }
  %at = soac.map %x : (tensor<?xi64>) -> tensor<?xi64> (%a: i64) {
    %b = arith.muli %a, %factor : i64
    %r = arith.remui %b, %m : i64
    soac.yield %r : i64
  }
  %y = soac.scatter %x into %dest at %at {soac.scatter = "partitioned"}
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64> (%a: i64, %b: i64) {
    %d = arith.muli %a, %factor : i64
    %c = arith.subi %d, %b : i64
    soac.yield %c : i64
  }
  %z = soac.fold %y neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %c = arith.xori %a, %b : i64
    soac.yield %c : i64
  }
  return %z : tensor<i64>
}

// Each scatter of a loop may have a wish of its own.

// CALL-LABEL: row iota:i32[1,50]
// GIVES: result0: tensor<7xi32> = [49 43 44 45 46 47 48]
// GIVES: result1: tensor<7xi32> = [196 155 163 171 179 187 195]
// CALL-LABEL: both iota:i32[50]
// GIVES: result0: tensor<7xi32> = [49 43 44 45 46 47 48]
// GIVES: result1: tensor<7xi32> = [196 155 163 171 179 187 195]
// CHECK-LABEL: func.func @both(
// CHECK:         schedule = {buckets = 65536 : i64, chunk = {{[0-9]+}} : i64, lanes = {{[0-9]+}} : i64, tables = 8 : i64}
func.func @row(%x: tensor<1x?xi32>) -> (tensor<7xi32>, tensor<7xi32>) {
  %dest = soac.iota [7] dim 0 : tensor<7xi32>
  %seven = arith.constant 7 : i32
  %at = soac.map %x : (tensor<1x?xi32>) -> tensor<1x?xi32> (%a: i32) {
    %r = arith.remui %a, %seven : i32
    soac.yield %r : i32
  }
  %last = soac.scatter %x into %dest at %at {soac.scatter = "partitioned"}
      : (tensor<1x?xi32>, tensor<7xi32>, tensor<1x?xi32>) -> tensor<7xi32>
  %sums = soac.scatter %x into %dest at %at {soac.scatter = "privatised"}
      : (tensor<1x?xi32>, tensor<7xi32>, tensor<1x?xi32>) -> tensor<7xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %last, %sums : tensor<7xi32>, tensor<7xi32>
}

func.func @both(%x: tensor<?xi32>) -> (tensor<7xi32>, tensor<7xi32>) {
  %dest = soac.iota [7] dim 0 : tensor<7xi32>
  %seven = arith.constant 7 : i32
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.remui %a, %seven : i32
    soac.yield %r : i32
  }
  %last = soac.scatter %x into %dest at %at {soac.scatter = "partitioned"}
      : (tensor<?xi32>, tensor<7xi32>, tensor<?xi32>) -> tensor<7xi32>
  %sums = soac.scatter %x into %dest at %at {soac.scatter = "privatised"}
      : (tensor<?xi32>, tensor<7xi32>, tensor<?xi32>) -> tensor<7xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %last, %sums : tensor<7xi32>, tensor<7xi32>
}

// There is so much work for each element that is scattered that threads share the loop, though the destination
// is small and the order of the sum counts. The scatter has a loop of its own, for a block of points at a time.

// RUN: comb-opt %s --comb-cpu --remarks-filter=nest-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=HEAVY
// HEAVY: buckets of places: there is much else to do
// CALL-LABEL: nearest random:i32(0..100)[300,3]:1 random:i32(0..100)[50,3]:2 zeros:f32[50]
// GIVES: result0: tensor<50xf32> =
// GIVES: result1: tensor<300xi32> =
// CALL-LABEL: nearest random:i32(0..100)[3000,3]:1 random:i32(0..100)[50,3]:2 zeros:f32[50]
func.func @nearest(%points: tensor<?x?xi32>, %centres: tensor<?x?xi32>, %sums: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %most = arith.constant 2147483647 : i32
  %none = arith.constant -1 : i32
  %scale = arith.constant 0.1 : f32
  %k = tensor.dim %centres, %c0 : tensor<?x?xi32>
  %numbers = soac.iota [%k] dim 0 : tensor<?xi32>
  %far, %near = soac.map %points outer 1 : (tensor<?x?xi32>) -> (tensor<?xf32>, tensor<?xi32>) (%p: tensor<?xi32>) {
    %distances = soac.map %centres outer 1 : (tensor<?x?xi32>) -> tensor<?xi32> (%c: tensor<?xi32>) {
      %squares = soac.map %p, %c : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
        %d = arith.subi %a, %b : i32
        %s = arith.muli %d, %d : i32
        soac.yield %s : i32
      }
      %sum = soac.fold %squares neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
        %s = arith.addi %a, %b : i32
        soac.yield %s : i32
      }
      %distance = tensor.extract %sum[] : tensor<i32>
      soac.yield %distance : i32
    }
    %least, %which = soac.fold %distances, %numbers neutral %most, %none
        : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<i32>, tensor<i32>)
        (%a: i32, %i: i32, %b: i32, %j: i32) {
      %first = arith.cmpi sle, %a, %b : i32
      %v = arith.select %first, %a, %b : i32
      %w = arith.select %first, %i, %j : i32
      soac.yield %v, %w : i32, i32
    }
    %distance = tensor.extract %least[] : tensor<i32>
    %number = arith.sitofp %distance : i32 to f32
    %scaled = arith.mulf %number, %scale : f32
    %label = tensor.extract %which[] : tensor<i32>
    soac.yield %scaled, %label : f32, i32
  }
  %r = soac.scatter %far into %sums at %near : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %r, %near : tensor<?xf32>, tensor<?xi32>
}
