// RUN: comb-opt %s -comb-widen-half-precision | FileCheck %s

// Every result is rounded, so that a sum does not depend on its neighbours.
// CHECK-LABEL: @sum
// CHECK:         %[[A:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[B:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:    %[[R:.*]] = arith.truncf %[[S]] : f32 to bf16
// CHECK:         arith.extf %[[R]] : bf16 to f32
func.func @sum(%a: bf16, %b: bf16, %c: bf16) -> bf16 {
  %s = arith.addf %a, %b : bf16
  %t = arith.addf %s, %c : bf16
  return %t : bf16
}

// LLVM has f16 arithmetic, but no f16 functions.
// CHECK-LABEL: @f16
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f16
// CHECK:         math.exp %{{.*}} : f32
// CHECK:         math.fma %{{.*}}, %{{.*}}, %{{.*}} : f64
func.func @f16(%a: f16, %b: f16) -> f16 {
  %s = arith.addf %a, %b : f16
  %e = math.exp %s : f16
  %f = math.fma %e, %a, %b : f16
  return %f : f16
}

// Comparisons and conversions keep their other types and their attributes.
// CHECK-LABEL: @others
// CHECK:         arith.cmpf ult, %{{.*}}, %{{.*}} : f32
// CHECK:         arith.sitofp %{{.*}} : i32 to f32
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK:         arith.fptosi %{{.*}} : f32 to i32
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : bf16
func.func @others(%a: bf16, %b: bf16, %i: i32) -> (bf16, i32) {
  %l = arith.cmpf ult, %a, %b : bf16
  %f = arith.sitofp %i : i32 to bf16
  %j = arith.fptosi %a : bf16 to i32
  %s = arith.select %l, %a, %f : bf16
  return %s, %j : bf16, i32
}

// Vectors are treated like their elements.
// CHECK-LABEL: @vectors
// CHECK:         arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK:         arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
// CHECK:         math.exp %{{.*}} : vector<2x[4]xf32>
// CHECK:         arith.truncf %{{.*}} : vector<2x[4]xf32> to vector<2x[4]xf16>
// CHECK:         math.fma %{{.*}} : vector<2x[4]xf64>
func.func @vectors(%a: vector<4xbf16>, %b: vector<2x[4]xf16>) -> (vector<4xbf16>, vector<2x[4]xf16>) {
  %s = arith.addf %a, %a : vector<4xbf16>
  %e = math.exp %b : vector<2x[4]xf16>
  %f = math.fma %e, %b, %b : vector<2x[4]xf16>
  return %s, %f : vector<4xbf16>, vector<2x[4]xf16>
}
