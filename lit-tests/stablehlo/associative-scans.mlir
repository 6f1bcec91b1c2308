// Scans that arrive unrolled, as jax.lax.associative_scan leaves them, become scans again.

// RUN: %python %S/Inputs/unrolled_scan.py sum 9 > %t.sum.mlir
// RUN: comb-opt %t.sum.mlir --allow-unregistered-dialect --convert-stablehlo-to-soac | FileCheck %s --check-prefix=SUM
// SUM-NOT: soac
// SUM: %[[SUMS:.*]] = soac.scanl %arg0 neutral %{{.*}} : (tensor<9xi32>, i32) -> tensor<9xi32>
// SUM-NEXT: arith.addi
// SUM-NEXT: soac.yield
// SUM-NEXT: }
// SUM-NEXT: return %[[SUMS]]
// RUN: comb run %t.sum.mlir -i x=[1,2,3,4,5,6,7,8,9] | FileCheck %s --check-prefix=RUNNING
// RUNNING: [ 1  3  6 10 15 21 28 36 45]

// A function without a known neutral element, of two arrays, of which one result or both are used.
// RUN: %python %S/Inputs/unrolled_scan.py affine 6 > %t.affine.mlir
// RUN: comb-opt %t.affine.mlir --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.affine.soac.mlir && FileCheck %s --check-prefix=AFFINE --input-file=%t.affine.soac.mlir
// AFFINE-COUNT-2: soac.scanl
// AFFINE-NOT: soac.scanl
// AFFINE-NOT: soac.slice
// RUN: comb-fuzz same %t.affine.soac.mlir --call 'second [1,2,3,1,2,3] [1,1,1,2,2,2]' | FileCheck %s --check-prefix=SECOND
// SECOND: [1 3 10 12 26 80]
// RUN: comb-fuzz same %t.affine.soac.mlir --call 'both [1,2,3,1,2,3] [1,1,1,2,2,2]' | FileCheck %s --check-prefix=BOTH
// BOTH: [1 2 6 6 12 36]
// BOTH: [1 3 10 12 26 80]

// Along an outer dimension.
// RUN: %python %S/Inputs/unrolled_scan.py rows 5 > %t.rows.mlir
// RUN: comb-opt %t.rows.mlir --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.rows.soac.mlir && FileCheck %s --check-prefix=ROWS --input-file=%t.rows.soac.mlir
// ROWS-COUNT-1: soac.scanl
// ROWS-NOT: soac.slice
// RUN: comb-fuzz same %t.rows.soac.mlir --call 'main [[1,10],[2,20],[3,30],[4,40],[5,50]]' | FileCheck %s --check-prefix=ALONG
// ALONG: {{\[\[}}1 10]
// ALONG: [15 150]]

// Numbers in the function: a constant, and one from outside. It is not associative, so that only whether it is a scan is asked.
// RUN: %python %S/Inputs/unrolled_scan.py scaled 17 > %t.scaled.mlir
// RUN: comb-opt %t.scaled.mlir --allow-unregistered-dialect --convert-stablehlo-to-soac | FileCheck %s --check-prefix=SCALED
// SCALED: %[[Z:.*]] = tensor.extract %arg1[]
// SCALED-COUNT-1: soac.scanl
// SCALED: arith.addi %{{.*}}, %[[Z]]
// SCALED-NOT: soac.slice

// With another function on one level, it is no scan.
// RUN: %python %S/Inputs/unrolled_scan.py odd 8 > %t.odd.mlir
// RUN: comb-opt %t.odd.mlir --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.odd.soac.mlir && FileCheck %s --check-prefix=ODD --input-file=%t.odd.soac.mlir
// ODD-NOT: soac.scanl
// RUN: comb-fuzz same %t.odd.soac.mlir --call 'main [1,2,3,4,5,6,7,8]' | FileCheck %s --check-prefix=VALUES
// VALUES: [1 3 6 21 26 231 238 186]

// Nor is it one of arrays of different sizes.
// RUN: %python %S/Inputs/unrolled_scan.py longer 8 > %t.longer.mlir
// RUN: comb-opt %t.longer.mlir --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.longer.soac.mlir && FileCheck %s --check-prefix=LONGER --input-file=%t.longer.soac.mlir
// LONGER-NOT: soac.scanl{{.*}}tensor<9xi32>
