// What each lane of a loop does for itself: scans of columns, `scf.for` in a lambda, elements that are two to
// four apart. The results are those of the interpreter, at lengths around those of vectors.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// DEFINE: %{vectors} = comb-opt %s --comb-set-machine=cpu=znver4 --comb-fuse --soac-to-nest --canonicalize --cse --comb-separate-arrays --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' --comb-short-circuit --nest-schedule --nest-jam --nest-to-vectors --canonicalize --cse
// RUN: %{vectors} | FileCheck %s

// CALL-LABEL: running_columns random:f32[5,37]
// GIVES: [
// CALL-LABEL: running_columns random:f32[9,64]
// CALL-LABEL: running_columns random:f32[1,1]
// CALL-LABEL: running_columns random:f32[0,3]

// CHECK-LABEL: func.func @running_columns(
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
// CHECK-NEXT: vector.load
// CHECK-NEXT: arith.addf {{.*}} : vector<64xf32>
// CHECK-NEXT: vector.store
func.func @running_columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %t = soac.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = soac.scanl %t neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?x?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b fastmath<contract> : f32
    soac.yield %c : f32
  }
  %y = soac.transpose %s [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CALL-LABEL: powers random:f32[1] 3
// CALL-LABEL: powers random:f32[37] 5
// CALL-LABEL: powers random:f32[64] 0

// CHECK-LABEL: func.func @powers(
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
// CHECK: arith.mulf {{.*}} : vector<16xf32>
func.func @powers(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %p = scf.for %k = %c0 to %n step %c1 iter_args(%q = %one) -> (f32) {
      %r = arith.mulf %q, %a : f32
      %d = arith.addf %r, %a : f32
      scf.yield %d : f32
    }
    soac.yield %p : f32
  }
  return %y : tensor<?xf32>
}

// A loop that is not as long in all lanes runs one iteration after the other.
// CALL-LABEL: own_lengths iota:index[37]

// CHECK-LABEL: func.func @own_lengths(
// CHECK-NOT: vector<
// CHECK: return
func.func @own_lengths(%x: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = soac.map %x : (tensor<?xindex>) -> tensor<?xindex> (%n: index) {
    %p = scf.for %k = %c0 to %n step %c1 iter_args(%q = %c0) -> (index) {
      %r = arith.addi %q, %k : index
      scf.yield %r : index
    }
    soac.yield %p : index
  }
  return %y : tensor<?xindex>
}

// CALL-LABEL: every_second random:f32[75] 37
// CALL-LABEL: every_second random:f32[128] 64
// CALL-LABEL: every_second random:f32[2] 1

// CHECK-LABEL: func.func @every_second(
// CHECK: %[[LOW:.*]] = vector.load
// CHECK: %[[HIGH:.*]] = vector.load
// CHECK: vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31]
func.func @every_second(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %y = soac.slice %x [0] [%n] [2] : (tensor<?xf32>) -> tensor<?xf32>
  %z = soac.map %y : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  return %z : tensor<?xf32>
}

// CALL-LABEL: points random:i16[3,3]
// CALL-LABEL: points random:i16[75,3]
// CALL-LABEL: points random:i16[0,3]
// CALL-LABEL: points random:i16[64,3]

// CHECK-LABEL: func.func @points(
// CHECK-COUNT-9: vector.load {{.*}} : memref<?x3xi16>
func.func @points(%p: tensor<?x3xi16>) -> tensor<?xi16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %p, %c0 : tensor<?x3xi16>
  %y = soac.generate [%n] : tensor<?xi16> (%i: index) {
    %a = tensor.extract %p[%i, %c0] : tensor<?x3xi16>
    %b = tensor.extract %p[%i, %c1] : tensor<?x3xi16>
    %c = tensor.extract %p[%i, %c2] : tensor<?x3xi16>
    %d = arith.subi %a, %b : i16
    %e = arith.muli %d, %c : i16
    soac.yield %e : i16
  }
  return %y : tensor<?xi16>
}
