// RUN: comb-opt %s -soac-insert-checks -canonicalize | FileCheck %s

// A cast to a narrower integer and back loses bits; canonicalisation of the
// casts alone would forget that.
// CHECK-LABEL: @there_and_back
// CHECK:         arith.index_castui %{{.*}} : index to i64
// CHECK:         arith.trunci %{{.*}} : i64 to i16
// CHECK:         arith.index_castui %{{.*}} : i16 to index
func.func @there_and_back(%i: index) -> index {
  %n = arith.index_castui %i : index to i16
  %r = arith.index_castui %n : i16 to index
  return %r : index
}

// CHECK-LABEL: @as_wide
// CHECK-NOT:     arith.trunci
// CHECK:         return
func.func @as_wide(%i: index) -> i64 {
  %n = arith.index_cast %i : index to i64
  return %n : i64
}
