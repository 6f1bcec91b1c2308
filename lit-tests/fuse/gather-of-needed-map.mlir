// A gather reads what a cheap map reads, and computes the map again, if the map's result is needed
// besides: then neither waits for the other.

// RUN: comb-opt %s --comb-fuse | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: simple random:i32(0..100)[70]:1 random:f32[100]:2
// CALL-LABEL: simple iota:i32[5] iota:f32[4]
// GIVES: error: 'soac.gather' op index 4 is out of range [0, 4) in dimension 0

// CHECK-LABEL: func.func @simple(
// CHECK-SAME:    %[[AT:.*]]: tensor<?xi32>, %[[X:.*]]: tensor<?xf32>)
// CHECK:         %[[TWICE:.*]] = soac.map %[[X]] :
// CHECK:         %[[AGAIN:.*]] = soac.cluster %[[X]], %[[AT]]
// CHECK:           = soac.gather
// CHECK:           = soac.map
// CHECK:         return %[[TWICE]], %[[AGAIN]]
func.func @simple(%at: tensor<?xi32>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %twice = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %r = arith.addf %e, %e : f32
    soac.yield %r : f32
  }
  %some = soac.gather %twice at %at : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %twice, %some : tensor<?xf32>, tensor<?xf32>
}

// Maps of maps that all read one array: it is read once. Other sources stay.

// CALL-LABEL: chain random:index(0..9)[70]:1 random:i64[9]:2 random:i16[9]:3

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[AT:.*]]: tensor<?xindex>, %[[X:.*]]: tensor<?xi64>, %[[OTHER:.*]]: tensor<?xi16>)
// CHECK:         = soac.cluster %[[X]] reads [0] writes [0, 0] :
// CHECK:         = soac.cluster %[[X]], %[[OTHER]], %[[AT]] reads
// CHECK:           %[[ELEMENTS:.*]]:2 = soac.gather
// CHECK:           %[[SQUARES:.*]] = soac.map %[[ELEMENTS]]#0 :
// CHECK:           %[[SUMS:.*]] = soac.map %[[SQUARES]], %[[ELEMENTS]]#0 :
// CHECK:           soac.yield %[[ELEMENTS]]#1, %[[SUMS]] :
func.func @chain(%at: tensor<?xindex>, %x: tensor<?xi64>, %other: tensor<?xi16>)
    -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi16>) {
  %squares = soac.map %x : (tensor<?xi64>) -> tensor<?xi64> (%e: i64) {
    %r = arith.muli %e, %e : i64
    soac.yield %r : i64
  }
  %sums = soac.map %squares, %x : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64> (%s: i64, %e: i64) {
    %r = arith.addi %s, %e : i64
    soac.yield %r : i64
  }
  %some:2 = soac.gather %sums, %other at %at
      : (tensor<?xi64>, tensor<?xi16>, tensor<?xindex>) -> (tensor<?xi64>, tensor<?xi16>)
  return %squares, %sums, %some#0, %some#1
      : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi16>
}

// The second result of a map; whole rows; several numbers say where. Elements of the input may be
// smaller than those of the map.

// CALL-LABEL: rows random:i8(0..4)[3,5]:1 random:f32[4,6]:2
// CALL-LABEL: points random:i8(0..4)[7]:1 random:i64(0..6)[7]:2 random:f32[4,6]:3

// CHECK-LABEL: func.func @rows(
// CHECK:         soac.gather {{.*}} : (tensor<4x6xf32>, tensor<?x5xi8>) -> tensor<?x5x6xf32>
// CHECK:         soac.map {{.*}} : (tensor<?x5x6xf32>) -> tensor<?x5x6xf64>
func.func @rows(%at: tensor<?x5xi8>, %x: tensor<4x6xf32>)
    -> (tensor<4x6xf32>, tensor<4x6xf64>, tensor<?x5x6xf64>) {
  %one = arith.constant 1.0 : f32
  %both:2 = soac.map %x : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf64>) (%e: f32) {
    %more = arith.addf %e, %one : f32
    %wide = arith.extf %more : f32 to f64
    soac.yield %more, %wide : f32, f64
  }
  %some = soac.gather %both#1 at %at : (tensor<4x6xf64>, tensor<?x5xi8>) -> tensor<?x5x6xf64>
  return %both#0, %both#1, %some : tensor<4x6xf32>, tensor<4x6xf64>, tensor<?x5x6xf64>
}

// CHECK-LABEL: func.func @points(
// CHECK:         soac.gather {{.*}} : (tensor<4x6xf32>, tensor<?xi8>, tensor<?xi64>) -> tensor<?xf32>
func.func @points(%i: tensor<?xi8>, %j: tensor<?xi64>, %x: tensor<4x6xf32>)
    -> (tensor<4x6xf32>, tensor<?xf32>) {
  %negative = soac.map %x : (tensor<4x6xf32>) -> tensor<4x6xf32> (%e: f32) {
    %r = arith.negf %e : f32
    soac.yield %r : f32
  }
  %some = soac.gather %negative at %i, %j
      : (tensor<4x6xf32>, tensor<?xi8>, tensor<?xi64>) -> tensor<?xf32>
  return %negative, %some : tensor<4x6xf32>, tensor<?xf32>
}

// In a loop, from what it carries: all is one loop then.

// CALL-LABEL: carried random:index(0..50)[50]:1 iota:i32[50]

// CHECK-LABEL: func.func @carried(
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK:           soac.cluster %[[OLD]], %[[OLD]], %{{.*}} reads [0, 2, 0] writes [0]
// CHECK:           scf.yield
func.func @carried(%at: tensor<50xindex>, %x: tensor<50xi32>) -> tensor<50xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rounds = arith.constant 3 : index
  %last = scf.for %round = %zero to %rounds step %one iter_args(%old = %x) -> (tensor<50xi32>) {
    %twice = soac.map %old : (tensor<50xi32>) -> tensor<50xi32> (%e: i32) {
      %r = arith.addi %e, %e : i32
      soac.yield %r : i32
    }
    %some = soac.gather %twice at %at : (tensor<50xi32>, tensor<50xindex>) -> tensor<50xi32>
    %new = soac.map %twice, %some : (tensor<50xi32>, tensor<50xi32>) -> tensor<50xi32> (%a: i32, %b: i32) {
      %r = arith.xori %a, %b : i32
      soac.yield %r : i32
    }
    scf.yield %new : tensor<50xi32>
  }
  return %last : tensor<50xi32>
}

// What takes longer is not computed again; nor is what reads larger elements, or several arrays, or one
// that something is written into; nor what the user keeps apart from something.

// CALL-LABEL: not_again random:i32(0..64)[64]:1 random:f32[64]:2 random:f64[64]:3 random:f32[64]:4

// RUN: comb-opt %s --comb-prepare-fusion | FileCheck %s --check-prefix=PREPARED
// PREPARED-LABEL: func.func @not_again(
// PREPARED:         %[[LONG:.*]] = soac.map
// PREPARED:         %[[NARROW:.*]] = soac.map
// PREPARED:         %[[SUMS:.*]] = soac.map
// PREPARED:         %[[OF_WRITTEN:.*]] = soac.map
// PREPARED:         %[[APART:.*]] = soac.map
// PREPARED:         soac.gather %[[LONG]] at
// PREPARED:         soac.gather %[[NARROW]] at
// PREPARED:         soac.gather %[[SUMS]] at
// PREPARED:         soac.gather %[[OF_WRITTEN]] at
// PREPARED:         soac.gather %[[APART]] at
func.func @not_again(%at: tensor<64xi32>, %x: tensor<64xf32>, %wide: tensor<64xf64>, %y: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
        tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
        tensor<64xf32>, tensor<64xf32>) {
  %long = soac.map %x : (tensor<64xf32>) -> tensor<64xf32> (%e: f32) {
    %r = math.sin %e : f32
    soac.yield %r : f32
  }
  %narrow = soac.map %wide : (tensor<64xf64>) -> tensor<64xf32> (%e: f64) {
    %r = arith.truncf %e : f64 to f32
    soac.yield %r : f32
  }
  %sums = soac.map %x, %y : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> (%e: f32, %f: f32) {
    %r = arith.addf %e, %f : f32
    soac.yield %r : f32
  }
  %of_written = soac.map %y : (tensor<64xf32>) -> tensor<64xf32> (%e: f32) {
    %r = arith.negf %e : f32
    soac.yield %r : f32
  }
  %apart = soac.map %x {soac.apart = "a"} : (tensor<64xf32>) -> tensor<64xf32> (%e: f32) {
    %r = arith.negf %e : f32
    soac.yield %r : f32
  }
  %a = soac.gather %long at %at : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %b = soac.gather %narrow at %at : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %c = soac.gather %sums at %at : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %written = soac.scatter %x into %y at %at
      : (tensor<64xf32>, tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %d = soac.gather %of_written at %at : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %e = soac.gather %apart at %at {soac.apart = "a"} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  return %long, %narrow, %sums, %of_written, %apart, %a, %b, %c, %d, %e, %written
      : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
        tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
