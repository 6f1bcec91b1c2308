// Powers of what can be seen to be never positive are not compared with an upper limit, and need one
// factor of their scale; others are, and need two.
// RUN: comb-opt %s --comb-set-machine=facts=fma=true -comb-expand-math | FileCheck %s
// RUN: comb-opt %s --comb-set-machine=facts=fma=true -comb-expand-math=mode=fast | FileCheck %s --check-prefix=FAST

// CHECK-LABEL: @gaussian
// CHECK:           arith.cmpf
// CHECK-NOT:       arith.cmpf
// CHECK-NOT:       arith.shrui
// CHECK:           return
// FAST-LABEL:  @gaussian
// FAST:            arith.cmpf
// FAST-NOT:        arith.cmpf
// FAST:            return
func.func @gaussian(%x: vector<4xf64>) -> vector<4xf64> {
  %minus_half = arith.constant dense<-0.5> : vector<4xf64>
  %square = arith.mulf %x, %x : vector<4xf64>
  %argument = arith.mulf %minus_half, %square : vector<4xf64>
  %power = math.exp %argument : vector<4xf64>
  return %power : vector<4xf64>
}

// CHECK-LABEL: @sums
// CHECK:           arith.cmpf
// CHECK-NOT:       arith.cmpf
// CHECK:           return
func.func @sums(%x: f32, %y: f32, %condition: i1) -> f32 {
  %minus_two = arith.constant -2.0 : f32
  %size = math.absf %x : f32
  %square = arith.mulf %y, %y : f32
  %sum = math.fma %square, %size, %size : f32
  %ratio = arith.divf %sum, %minus_two : f32
  %difference = arith.subf %ratio, %size : f32
  %opposite = arith.negf %size : f32
  %either = arith.select %condition, %difference, %opposite : f32
  %power = math.exp2 %either : f32
  return %power : f32
}

// One number in all lanes, and one that is widened.
// CHECK-LABEL: @shapes
// CHECK:           arith.cmpf
// CHECK-NOT:       arith.cmpf
// CHECK:           return
func.func @shapes(%x: f32) -> vector<8xf64> {
  %size = math.absf %x : f32
  %opposite = arith.negf %size : f32
  %wide = arith.extf %opposite : f32 to f64
  %lanes = vector.broadcast %wide : f64 to vector<8xf64>
  %power = math.exp %lanes : vector<8xf64>
  return %power : vector<8xf64>
}

// CHECK-LABEL: @unknown
// CHECK-COUNT-2:   arith.cmpf
// CHECK:           arith.shrui
// CHECK:           return
func.func @unknown(%x: f64) -> f64 {
  %power = math.exp %x : f64
  return %power : f64
}

// The sum is of numbers with different signs, and not all lanes of the constant are negative.
// CHECK-LABEL: @mixed
// CHECK-COUNT-2:   arith.cmpf
// CHECK-COUNT-2:   arith.cmpf
// CHECK:           return
func.func @mixed(%x: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %minus_one = arith.constant dense<-1.0> : vector<2xf32>
  %both = arith.constant dense<[-1.0, 1.0]> : vector<2xf32>
  %square = arith.mulf %x, %x : vector<2xf32>
  %sum = arith.addf %square, %minus_one : vector<2xf32>
  %product = arith.mulf %square, %both : vector<2xf32>
  %0 = math.exp %sum : vector<2xf32>
  %1 = math.exp %product : vector<2xf32>
  return %0, %1 : vector<2xf32>, vector<2xf32>
}

// What is positive is limited as if nothing were known.
// CHECK-LABEL: @positive
// CHECK-COUNT-2:   arith.cmpf
// CHECK:           return
func.func @positive(%x: f64) -> f64 {
  %size = math.absf %x : f64
  %power = math.exp %size : f64
  return %power : f64
}
