// Empty arrays: no chunk runs, a fold gives its neutral element, a filter keeps nothing.

// The functions are those of the other tests in this folder.

// RUN: %python %S/Inputs/same.py %S/map.mlir map zeros:i32[0] | FileCheck %s --check-prefix=MAP-MAP-0
// MAP-MAP-0: result: tensor<0xi32> = []
// RUN: %python %S/Inputs/same.py %S/map.mlir matrix zeros:f32[3,0] | FileCheck %s --check-prefix=MAP-MATRIX-1
// MAP-MATRIX-1: result: tensor<3x0xf32> = []
// RUN: %python %S/Inputs/same.py %S/map.mlir matrix zeros:f32[0,3] | FileCheck %s --check-prefix=MAP-MATRIX-2
// MAP-MATRIX-2: tensor<0x3xf32>
// RUN: %python %S/Inputs/same.py %S/backwards.mlir scanr zeros:i32[0] | FileCheck %s --check-prefix=BACKWARDS-SCANR-3
// BACKWARDS-SCANR-3: result: tensor<0xi32> = []
// RUN: %python %S/Inputs/same.py %S/backwards.mlir reverse zeros:i64[0] | FileCheck %s --check-prefix=BACKWARDS-REVERSE-4
// BACKWARDS-REVERSE-4: result0: tensor<0xi64> = []
// RUN: %python %S/Inputs/same.py %S/gather.mlir gather zeros:i32[0] zeros:index[0] | FileCheck %s --check-prefix=GATHER-GATHER-5
// GATHER-GATHER-5: result: tensor<0xi32> = []
// RUN: %python %S/Inputs/same.py %S/gather.mlir gather zeros:i32[5] zeros:index[0] | FileCheck %s --check-prefix=GATHER-GATHER-6
// GATHER-GATHER-6: result: tensor<0xi32> = []
// RUN: %python %S/Inputs/same.py %S/guided.mlir rotated zeros:i64[0] | FileCheck %s --check-prefix=GUIDED-ROTATED-7
// GUIDED-ROTATED-7: result: tensor<0xi64> = []
// RUN: %python %S/Inputs/same.py %S/folds.mlir sum zeros:i32[0] | FileCheck %s --check-prefix=FOLDS-SUM-8
// FOLDS-SUM-8: result: tensor<i32> = 0
// RUN: %python %S/Inputs/same.py %S/folds.mlir extremes zeros:i32[0] | FileCheck %s --check-prefix=FOLDS-EXTREMES-9
// FOLDS-EXTREMES-9: result0: tensor<i32> = 2147483647
// RUN: %python %S/Inputs/same.py %S/folds-of-rows.mlir rows zeros:i32[2,0] | FileCheck %s --check-prefix=FOLDS-OF-ROWS-ROWS-10
// FOLDS-OF-ROWS-ROWS-10: result: tensor<2xi32> = [0 0]
// RUN: %python %S/Inputs/same.py %S/folds-of-rows.mlir rows zeros:i32[0,2] | FileCheck %s --check-prefix=FOLDS-OF-ROWS-ROWS-11
// FOLDS-OF-ROWS-ROWS-11: result: tensor<0xi32> = []
// RUN: %python %S/Inputs/same.py %S/folds-of-rows.mlir all zeros:i32[0,7] | FileCheck %s --check-prefix=FOLDS-OF-ROWS-ALL-12
// FOLDS-OF-ROWS-ALL-12: result: tensor<i32> = 0
// RUN: %python %S/Inputs/same.py %S/folds-of-rows.mlir all zeros:i32[7,0] | FileCheck %s --check-prefix=FOLDS-OF-ROWS-ALL-13
// FOLDS-OF-ROWS-ALL-13: result: tensor<i32> = 0
// RUN: %python %S/Inputs/same.py %S/scans.mlir twice zeros:i32[0] | FileCheck %s --check-prefix=SCANS-TWICE-14
// SCANS-TWICE-14: result: tensor<0xi32> = []
// RUN: %python %S/Inputs/same.py %S/scans.mlir rows zeros:i32[2,0] | FileCheck %s --check-prefix=SCANS-ROWS-15
// SCANS-ROWS-15: result: tensor<2x0xi32> = []
// RUN: %python %S/Inputs/same.py %S/filters.mlir behind zeros:i32[0] | FileCheck %s --check-prefix=FILTERS-BEHIND-16
// FILTERS-BEHIND-16: result1: tensor<i32> = 0
// RUN: %python %S/Inputs/same.py %S/filters.mlir count zeros:i64[0] | FileCheck %s --check-prefix=FILTERS-COUNT-17
// FILTERS-COUNT-17: result: index = 0
// RUN: %python %S/Inputs/same.py %S/scatters.mlir histogram zeros:i32[0] | FileCheck %s --check-prefix=SCATTERS-HISTOGRAM-18
// SCATTERS-HISTOGRAM-18: result: tensor<13xi32> = [0 0 0 0 0 0 0 0 0 0 0 0 0]
// RUN: %python %S/Inputs/same.py %S/scatters.mlir filtered zeros:i32[0] zeros:i32[2] | FileCheck %s --check-prefix=SCATTERS-FILTERED-19
// SCATTERS-FILTERED-19: result: tensor<2xi32> = [0 0]
// RUN: %python %S/Inputs/same.py %S/rows.mlir shares zeros:i32[2,0] | FileCheck %s --check-prefix=ROWS-SHARES-20
// ROWS-SHARES-20: result: tensor<2x0xi32> = []
// RUN: %python %S/Inputs/same.py %S/rows.mlir shares zeros:i32[0,2] | FileCheck %s --check-prefix=ROWS-SHARES-21
// ROWS-SHARES-21: tensor<0x2xi32>
// RUN: %python %S/Inputs/same.py %S/updates.mlir stencil iota:i32[2] | FileCheck %s --check-prefix=UPDATES-STENCIL-22
// UPDATES-STENCIL-22: result: tensor<2xi32> = [0 1]
// RUN: %python %S/Inputs/same.py %S/control-flow.mlir powers zeros:i32[0] 2 | FileCheck %s --check-prefix=CONTROL-FLOW-POWERS-23
// CONTROL-FLOW-POWERS-23: result1: tensor<i32> = 0
