// Maps whose function takes or gives arrays become loops: what the function takes is read where it
// is, and what it gives is computed in its place.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Threads share the rows; the sum of one takes vectors. There is no other memory than the result.

// CALL-LABEL: sums iota:i32[2,9]
// GIVES: result: tensor<2xi32> = [36 117]
// CALL-LABEL: sums iota:i32[100,33]
// GIVES: result: tensor<100xi32>
// CALL-LABEL: sums zeros:i32[3,0]
// GIVES: result: tensor<3xi32> = [0 0 0]
// CALL-LABEL: sums zeros:i32[0,3]
// GIVES: result: tensor<0xi32>
func.func @sums(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %y = soac.map %x outer 1 : (tensor<?x?xi32>) -> tensor<?xi32> (%row: tensor<?xi32>) {
    %s = soac.fold %row neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %e = tensor.extract %s[] : tensor<i32>
    soac.yield %e : i32
  }
  return %y : tensor<?xi32>
}

// Rows in, rows out: each is written once, straight into the result. What lies in between takes
// memory for one iteration.

// CALL-LABEL: shifted iota:i32[3,4]
// GIVES: result0: tensor<3x4xi32> = {{\[\[}}0 1 3 6] [4 9 15 22] [8 17 27 38]]
// GIVES-NEXT: result1: tensor<3xi32> = [6 22 38]
// CALL-LABEL: shifted iota:i32[100,21]
// GIVES: result0: tensor<100x21xi32>
// CALL-LABEL: shifted zeros:i32[3,0]
// GIVES: result0: tensor<3x0xi32>
func.func @shifted(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %y, %z = soac.map %x outer 1 inner(%n) : (tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>)
      (%row: tensor<?xi32>) {
    %s = soac.scanl %row neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %m = soac.fold %s neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
      %c = arith.maxsi %a, %b : i32
      soac.yield %c : i32
    }
    %e = tensor.extract %m[] : tensor<i32>
    soac.yield %s, %e : tensor<?xi32>, i32
  }
  return %y, %z : tensor<?x?xi32>, tensor<?xi32>
}

// Rows that a loop of the same cluster computes, and rows that one reads.

// CALL-LABEL: between iota:i32[3,4]
// GIVES: result: tensor<3x4xi32> = {{\[\[}}7 5 3 1] [15 13 11 9] [23 21 19 17]]
// CALL-LABEL: between iota:i32[100,21]
// GIVES: result: tensor<100x21xi32>
func.func @between(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %d = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.map %d outer 1 inner(%n) : (tensor<?x?xi32>) -> tensor<?x?xi32> (%row: tensor<?xi32>) {
    %r = soac.reverse %row dims [0] : (tensor<?xi32>) -> tensor<?xi32>
    soac.yield %r : tensor<?xi32>
  }
  %z = soac.map %y : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %one : i32
    soac.yield %b : i32
  }
  return %z : tensor<?x?xi32>
}

// Two dimensions of three, and inner arrays that are given as they are, or from elsewhere.

// CALL-LABEL: passed iota:i64[2,1,3] iota:i64[3]
// GIVES: result0: tensor<2x1x3xi64>
// GIVES-SAME: 0 1 2
// GIVES-SAME: 3 4 5
// GIVES-NEXT: result1: tensor<2x1x3xi64>
// GIVES-SAME: 0 1 2
// GIVES-SAME: 0 1 2
// GIVES-NEXT: result2: tensor<2x1xi64> = {{\[\[}}0] [3]]
// CALL-LABEL: passed iota:i64[20,10,30] iota:i64[30]
// GIVES: result0: tensor<20x10x30xi64>
func.func @passed(%x: tensor<?x?x?xi64>, %z: tensor<?xi64>)
    -> (tensor<?x?x?xi64>, tensor<?x?x?xi64>, tensor<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : tensor<?x?x?xi64>
  %m = tensor.dim %z, %c0 : tensor<?xi64>
  %a, %b, %c = soac.map %x outer 2 inner(%n, %m) : (tensor<?x?x?xi64>)
      -> (tensor<?x?x?xi64>, tensor<?x?x?xi64>, tensor<?x?xi64>) (%row: tensor<?xi64>) {
    %first = tensor.extract %row[%c0] : tensor<?xi64>
    soac.yield %row, %z, %first : tensor<?xi64>, tensor<?xi64>, i64
  }
  return %a, %b, %c : tensor<?x?x?xi64>, tensor<?x?x?xi64>, tensor<?x?xi64>
}

// Maps inside maps.

// CALL-LABEL: nested iota:i32[2,2,3]
// GIVES: result: tensor<2x2x3xi32>
// GIVES-SAME: 3 4 5] [15 16 17
// GIVES-SAME: 27 28 29] [39 40 41
// CALL-LABEL: nested iota:i32[12,5,40]
// GIVES: result: tensor<12x5x40xi32>
func.func @nested(%x: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c1 : tensor<?x?x?xi32>
  %m = tensor.dim %x, %c2 : tensor<?x?x?xi32>
  %y = soac.map %x outer 1 inner(%n, %m) : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
      (%matrix: tensor<?x?xi32>) {
    %rows = soac.map %matrix outer 1 inner(%m) : (tensor<?x?xi32>) -> tensor<?x?xi32>
        (%row: tensor<?xi32>) {
      %s = soac.fold %row neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
        %c = arith.addi %a, %b : i32
        soac.yield %c : i32
      }
      %sum = tensor.extract %s[] : tensor<i32>
      %new = soac.map %row : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
        %c = arith.addi %a, %sum : i32
        soac.yield %c : i32
      }
      soac.yield %new : tensor<?xi32>
    }
    soac.yield %rows : tensor<?x?xi32>
  }
  return %y : tensor<?x?x?xi32>
}

// Segments, whose lengths differ. A wrong one fails the call. A line behind each is fetched ahead.

// Segments of up to two vectors, but not those without elements, need no loop.

// CALL-LABEL: segments iota:i32[5] iota:i32[16]
// GIVES: result: tensor<4xi32> = [0 6 30 84]
// CALL-LABEL: segments iota:i32[60] iota:i32[3500]
// GIVES: result: tensor<59xi32>
// CALL-LABEL: segments iota:i32[5] iota:i32[15]
// GIVES: error: 'soac.slice' op
func.func @segments(%o: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %o, %c0 : tensor<?xi32>
  %k = arith.subi %n, %c1 : index
  %starts = soac.take %o [%k] : (tensor<?xi32>) -> tensor<?xi32>
  %ends = soac.drop %o [1] : (tensor<?xi32>) -> tensor<?xi32>
  %sums = soac.map %starts, %ends outer 1 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%start: i32, %end: i32) {
    %from = arith.muli %start, %start : i32
    %to = arith.muli %end, %end : i32
    %first = arith.index_cast %from : i32 to index
    %length = arith.subi %to, %from : i32
    %size = arith.index_cast %length : i32 to index
    %segment = soac.slice %x [%first] [%size] [1] : (tensor<?xi32>) -> tensor<?xi32>
    %total = soac.fold %segment neutral %zero : (tensor<?xi32>, i32) -> tensor<i32>
        (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    %sum = tensor.extract %total[] : tensor<i32>
    soac.yield %sum : i32
  }
  return %sums : tensor<?xi32>
}

// Combinators for each element that a filter keeps run only there: `x[v]` would fail for the others.

// CALL-LABEL: kept iota:i32[40] iota:i32[10]
// GIVES: result: tensor<5xi32> = [0 3 10 21 36]
// CALL-LABEL: kept iota:i32[40] iota:i32[8]
// GIVES: error: 'soac.take' op
func.func @kept(%v: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %k = soac.filter %v : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.andi %a, %one : i32
    %c = arith.cmpi eq, %b, %zero : i32
    %d = arith.cmpi slt, %a, %ten : i32
    %e = arith.andi %c, %d : i1
    soac.yield %e : i1
  }
  %sums = soac.map %k outer 1 : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %length = arith.addi %a, %one : i32
    %size = arith.index_cast %length : i32 to index
    %part = soac.take %x [%size] : (tensor<?xi32>) -> tensor<?xi32>
    %total = soac.fold %part neutral %zero : (tensor<?xi32>, i32) -> tensor<i32>
        (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      soac.yield %s : i32
    }
    %sum = tensor.extract %total[] : tensor<i32>
    soac.yield %sum : i32
  }
  return %sums : tensor<?xi32>
}

// Rows for each element that a filter keeps.

// CALL-LABEL: kept_rows iota:i32[4] iota:i32[3]
// GIVES: result: tensor<2x3xi32> = {{\[\[}}0 1 2] [2 3 4]]
func.func @kept_rows(%v: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %k = soac.filter %v : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.andi %a, %one : i32
    %c = arith.cmpi eq, %b, %zero : i32
    soac.yield %c : i1
  }
  %rows = soac.map %k outer 1 inner(%n) : (tensor<?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %row = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %f = arith.addi %e, %a : i32
      soac.yield %f : i32
    }
    soac.yield %row : tensor<?xi32>
  }
  return %rows : tensor<?x?xi32>
}

// A function that gives what no loop computes, and one whose rows are known to be empty.

// CALL-LABEL: empty zeros:f32[3,0]
// GIVES: result: tensor<3x0xf32>
func.func @empty(%x: tensor<3x0xf32>) -> tensor<3x0xf32> {
  %y = soac.map %x outer 1 : (tensor<3x0xf32>) -> tensor<3x0xf32> (%row: tensor<0xf32>) {
    soac.yield %row : tensor<0xf32>
  }
  return %y : tensor<3x0xf32>
}
