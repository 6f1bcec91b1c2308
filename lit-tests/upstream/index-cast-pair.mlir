// What i8 has no room for comes back.
// RUN: %mlir_opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @f
// CHECK-SAME: (%[[X:.*]]: index)
// CHECK-NEXT: return %[[X]]
func.func @f(%x: index) -> index {
  %a = arith.index_cast %x : index to i8
  %b = arith.index_cast %a : i8 to index
  return %b : index
}
