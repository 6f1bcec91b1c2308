// RUN: comb-opt %s -soac-insert-checks -canonicalize | FileCheck %s

// A cast to a narrower integer and back loses bits; canonicalisation of the
// casts alone would forget that.
// CHECK-LABEL: @there_and_back
// CHECK:         arith.index_castui %{{.*}} : index to i64
// CHECK:         arith.trunci %{{.*}} : i64 to i16
// CHECK:         arith.extui %{{.*}} : i16 to i64
// CHECK:         arith.index_castui %{{.*}} : i64 to index
func.func @there_and_back(%i: index) -> index {
  %n = arith.index_castui %i : index to i16
  %r = arith.index_castui %n : i16 to index
  return %r : index
}

// CHECK-LABEL: @signed
// CHECK:         arith.extsi %{{.*}} : i8 to i64
// CHECK:         arith.index_cast %{{.*}} : i64 to index
func.func @signed(%n: i8) -> index {
  %r = arith.index_cast %n : i8 to index
  return %r : index
}
