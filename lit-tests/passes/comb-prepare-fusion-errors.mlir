// S2, S3: Prepared for fusion, a program ends with the same errors, at the same places.

// RUN: comb-opt %s --comb-prepare-fusion --mlir-print-debuginfo -o %t
// RUN: not comb run %t --target interp --entry taken -i x=iota:i32[3] -i n=4 -i c=true 2>&1 | FileCheck %s --check-prefix=TAKE
// RUN: not comb run %t --target cpu --entry taken -i x=iota:i32[3] -i n=4 -i c=true 2>&1 | FileCheck %s --check-prefix=TAKE
// RUN: comb run %t --target interp --entry taken -i x=iota:i32[3] -i n=4 -i c=false | FileCheck %s --check-prefix=ELSE
// RUN: not comb run %t --target interp --entry picked -i x=iota:i32[3] -i k=1 2>&1 | FileCheck %s --check-prefix=PICK
// RUN: comb run %t --target interp --entry picked -i x=iota:i32[3] -i k=0 | FileCheck %s --check-prefix=PICKED
// RUN: not comb run %t --target interp --entry looped -i x=iota:i32[2] -i y=iota:i32[3] -i n=1 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: comb run %t --target interp --entry looped -i x=iota:i32[2] -i y=iota:i32[3] -i n=0 | FileCheck %s --check-prefix=NONE

// ELSE: [0 1 2]
func.func @taken(%x: tensor<?xi32>, %n: index, %c: i1) -> tensor<?xi32> {
  %r = scf.if %c -> tensor<?xi32> {
    // TAKE: error: {{.*}}comb-prepare-fusion-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: 'soac.take' op count 4 is not between 0 and 3, the size of dimension 0
    %y = soac.take %x [%n] : (tensor<?xi32>) -> tensor<?xi32>
    %z = soac.reverse %y dims [0] : (tensor<?xi32>) -> tensor<?xi32>
    scf.yield %z : tensor<?xi32>
  } else {
    scf.yield %x : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// The element with the wrong index is not taken.
// PICKED: [0 1]
func.func @picked(%x: tensor<?xi32>, %k: index) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  // PICK: error: {{.*}}comb-prepare-fusion-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: 'soac.backpermute' op index 3 is out of range [0, 3) in dimension 0
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    soac.yield %j : index
  }
  %z = soac.take %y [2] : (tensor<?xi32>) -> tensor<2xi32>
  return %z : tensor<2xi32>
}

// NONE: [0 1]
func.func @looped(%x: tensor<?xi32>, %y: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %x) -> tensor<?xi32> {
    // LOOP: error: {{.*}}comb-prepare-fusion-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: 'soac.map' op operands 0 and 1 have different shapes: [2] and [3]
    %m = soac.map %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    scf.yield %m : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
