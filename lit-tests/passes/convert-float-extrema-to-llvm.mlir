// RUN: comb-opt %s -convert-float-extrema-to-llvm | FileCheck %s

// CHECK-LABEL: @propagate_nan
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32
// CHECK-NEXT:    llvm.intr.maximum(%[[A]], %[[B]]) : (f32, f32) -> f32
// CHECK-NEXT:    llvm.intr.minimum(%[[A]], %[[B]]) : (f32, f32) -> f32
func.func @propagate_nan(%a: f32, %b: f32) -> (f32, f32) {
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: @ignore_nan
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32
// CHECK-NEXT:    %[[NO_A:.*]] = arith.cmpf uno, %[[A]], %[[A]] : f32
// CHECK-NEXT:    %[[LEFT:.*]] = arith.select %[[NO_A]], %[[B]], %[[A]] : f32
// CHECK-NEXT:    %[[NO_B:.*]] = arith.cmpf uno, %[[B]], %[[B]] : f32
// CHECK-NEXT:    %[[RIGHT:.*]] = arith.select %[[NO_B]], %[[A]], %[[B]] : f32
// CHECK-NEXT:    llvm.intr.maximum(%[[LEFT]], %[[RIGHT]]) : (f32, f32) -> f32
func.func @ignore_nan(%a: f32, %b: f32) -> f32 {
  %0 = arith.maxnumf %a, %b : f32
  return %0 : f32
}

// A promise of the program is used and passed on.
// CHECK-LABEL: @flags
// CHECK-NEXT:    llvm.intr.minimum(%{{.*}}, %{{.*}}) {fastmathFlags = #llvm.fastmath<nnan, nsz>}
// CHECK-NEXT:    llvm.intr.minimum(%{{.*}}, %{{.*}}) {fastmathFlags = #llvm.fastmath<fast>}
func.func @flags(%a: f64, %b: f64) -> (f64, f64) {
  %0 = arith.minnumf %a, %b fastmath<nnan,nsz> : f64
  %1 = arith.minnumf %a, %b fastmath<fast> : f64
  return %0, %1 : f64, f64
}

// CHECK-LABEL: @vectors
// CHECK-COUNT-2: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK:         llvm.intr.minimum(%{{.*}}, %{{.*}}) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
// CHECK:         arith.minnumf %{{.*}}, %{{.*}} : vector<2x4xf32>
func.func @vectors(%a: vector<8xf32>, %b: vector<2x4xf32>) -> (vector<8xf32>, vector<2x4xf32>) {
  %0 = arith.minnumf %a, %a : vector<8xf32>
  %1 = arith.minnumf %b, %b : vector<2x4xf32>
  return %0, %1 : vector<8xf32>, vector<2x4xf32>
}
