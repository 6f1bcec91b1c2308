// A loop over a few rows that share what they read is jammed as a whole, and is no loop any more: all rows are
// computed while the array is read once, and threads share what is inside.

// RUN: comb explain --loops --cpu skylake-avx512 %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: loop i to 6
// EXPLAIN-NEXT: one by one: 6 iterations are too few for vectors
// EXPLAIN-NEXT: 6 iterations at once, with the loops inside jammed

// RUN: comb-opt %s --comb-set-machine=cpu=skylake-avx512 --comb-fuse --soac-to-nest --nest-schedule \
// RUN:   --one-shot-bufferize --nest-jam | FileCheck %s
// CHECK-LABEL: func.func @autocorrelations
// CHECK: nest.kernel
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64}}
// CHECK-COUNT-6: nest.fold
// CHECK-NOT: nest.loop
// CHECK: return

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// CALL-LABEL: autocorrelations iota:i32[5000]
// GIVES: result: tensor<6xi32> = [-1445295551 -1432828030 -1420360509 -1407892988 -1395425467 -1382957946]
// CALL-LABEL: autocorrelations iota:i32[20]
// GIVES: result: tensor<6xi32> = [819 910 1001 1092 1183 1274]
// CALL-LABEL: autocorrelations ones:i32[6]
// GIVES: result: tensor<6xi32> = [0 0 0 0 0 0]
func.func @autocorrelations(%x: tensor<?xi32>) -> tensor<6xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c6 : index
  %shifted = soac.lmad_slice %x offset [0] sizes [6, %m] strides [1, 1] : tensor<?xi32> -> tensor<6x?xi32>
  %base = soac.take %x [%m] : (tensor<?xi32>) -> tensor<?xi32>
  %wide = soac.replicate %base [6] : (tensor<?xi32>) -> tensor<6x?xi32>
  %products = soac.map %shifted, %wide : (tensor<6x?xi32>, tensor<6x?xi32>) -> tensor<6x?xi32> (%p: i32, %q: i32) {
    %pq = arith.muli %p, %q : i32
    soac.yield %pq : i32
  }
  %r = soac.fold %products neutral %zero : (tensor<6x?xi32>, i32) -> tensor<6xi32> (%p: i32, %q: i32) {
    %s = arith.addi %p, %q : i32
    soac.yield %s : i32
  }
  return %r : tensor<6xi32>
}
