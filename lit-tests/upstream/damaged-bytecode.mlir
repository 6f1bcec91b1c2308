// A group of types that is larger than their table is written beyond the table's end.

// RUN: mlir-opt %s --emit-bytecode -o %t.mlirbc
// RUN: mlir-opt %t.mlirbc
// RUN: %python %S/Inputs/long_group.py %t.mlirbc %t.damaged.mlirbc
// RUN: rm -f %t.crashed
// RUN: mlir-opt %t.damaged.mlirbc || touch %t.crashed
// RUN: test -e %t.crashed
// RUN: not comb explain %t.damaged.mlirbc 2>&1 | FileCheck %s

// CHECK: error: '{{.*}}damaged.mlirbc': the bytecode is damaged: a group is larger than its table (at byte {{[0-9]+}})

func.func @f(%x: f32, %n: index) -> f32 {
  return %x : f32
}
