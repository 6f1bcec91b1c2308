// Extrema of vectors are AVX-512's instruction for all but NaN, where the machine has it. NaN is minded apart.

// RUN: comb-opt %s --comb-set-machine=cpu=skylake-avx512 --comb-expand-extrema | FileCheck %s
// RUN: comb-opt %s --comb-set-machine=cpu=haswell --comb-expand-extrema | FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: call_intrinsic

// Where several are one of another, NaN is looked for in two vectors at once, and once.
// CHECK-LABEL: func.func @tree
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"(%arg0, %arg1,
// CHECK: %[[AB:.*]] = arith.cmpf uno, %arg0, %arg1 : vector<16xf32>
// CHECK: %[[CD:.*]] = arith.cmpf uno, %arg2, %arg2 : vector<16xf32>
// CHECK: %[[NAN:.*]] = arith.ori %[[AB]], %[[CD]] : vector<16xi1>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"
// CHECK: arith.select %[[NAN]]
// CHECK-NOT: arith.maximumf
// CHECK: return
func.func @tree(%a: vector<16xf32>, %b: vector<16xf32>, %c: vector<16xf32>) -> vector<16xf32> {
  %ab = arith.maximumf %a, %b : vector<16xf32>
  %abc = arith.maximumf %ab, %c : vector<16xf32>
  return %abc : vector<16xf32>
}

// A loop carries the mask.
// CHECK-LABEL: func.func @folded
// CHECK: scf.for {{.*}} -> (vector<8xf64>, vector<8xi1>)
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.range.pd.512"
// CHECK-NOT: arith.minimumf
// CHECK: arith.cmpf uno
// CHECK: arith.ori
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: arith.select
func.func @folded(%x: memref<?xf64>, %n: index, %first: vector<8xf64>) -> vector<8xf64> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%m = %first) -> (vector<8xf64>) {
    %v = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
    %next = arith.minimumf %v, %m : vector<8xf64>
    scf.yield %next : vector<8xf64>
  }
  return %r : vector<8xf64>
}

// Wider vectors are taken in parts; what is narrower than registers, or has no NaN, stays.
// CHECK-LABEL: func.func @sizes
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.128"
// CHECK: arith.maximumf {{.*}} : vector<2xf32>
// CHECK: arith.maximumf {{.*}} fastmath<nnan> : vector<16xf32>
// CHECK: arith.maximumf {{.*}} : vector<32xf16>
func.func @sizes(%a: vector<32xf32>, %b: vector<4xf32>, %c: vector<2xf32>, %d: vector<16xf32>, %e: vector<32xf16>)
    -> (vector<32xf32>, vector<4xf32>, vector<2xf32>, vector<16xf32>, vector<32xf16>) {
  %r0 = arith.maximumf %a, %a : vector<32xf32>
  %r1 = arith.maximumf %b, %b : vector<4xf32>
  %r2 = arith.maximumf %c, %c : vector<2xf32>
  %r3 = arith.maximumf %d, %d fastmath<nnan> : vector<16xf32>
  %r4 = arith.maximumf %e, %e : vector<32xf16>
  return %r0, %r1, %r2, %r3, %r4 : vector<32xf32>, vector<4xf32>, vector<2xf32>, vector<16xf32>, vector<32xf16>
}
