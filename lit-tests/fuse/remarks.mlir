// What soac-fuse says of its decisions.

// RUN: comb-opt %s --comb-fuse --remarks-filter=soac-fuse -o /dev/null 2>&1 | FileCheck %s
// Nothing if nobody asks.
// RUN: comb-opt %s --comb-fuse -o /dev/null 2>&1 | count 0

// All kinds of fusion.
// CHECK-DAG: [[# @LINE + 8]]:9: remark: [Analysis] Cost{{.*}}Function=fused | Remark="prices = 120000, which is the least"
// CHECK-DAG: [[# @LINE + 11]]:9: remark: [Passed] Fused{{.*}}Function=fused | Remark="map2 fused with map1 over map1: vertical, 1 loop shared, saves 80000"
// CHECK-DAG: [[# @LINE + 18]]:9: remark: [Passed] Fused{{.*}}Function=fused | Remark="map3 fused with scanl1 over scanl1: diagonal, 1 loop shared, saves 80000"
// CHECK-DAG: [[# @LINE + 21]]:9: remark: [Passed] Fused{{.*}}Function=fused | Remark="map4 fused with scanl1 over scanl1: diagonal, 1 loop shared, saves 80000"
// CHECK-DAG: [[# @LINE + 20]]:9: remark: [Passed] Fused{{.*}}Function=fused | Remark="map4 fused with map3 over map3: vertical, 1 loop shared, saves 160000"
// CHECK-DAG: remark: [Passed] Fused{{.*}}Function=fused | Remark="{{scanl1 fused with map1|map1 fused with scanl1}} over arg0: horizontal, 1 loop shared, saves 40000"
func.func @fused(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %one = arith.constant 1 : i32
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %one : i32
    soac.yield %r : i32
  }
  %bs = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  %cs = soac.scanl %xs neutral %one : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %ds = soac.map %cs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  %es = soac.map %cs, %ds : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  return %bs, %es : tensor<?xi32>, tensor<?xi32>
}

// Backwards and forwards.
// CHECK-DAG: [[# @LINE + 4]]:9: remark: [Analysis] Cost{{.*}}Function=order | Remark="prices = 160000, which is the least"
// CHECK-DAG: [[# @LINE + 7]]:9: remark: [Missed] NotFused{{.*}}Function=order | Remark="scanr1 and scanl1 are not fused: scanr1 goes backwards, and scanl1 forwards"
func.func @order(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %as = soac.scanr %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %bs = soac.scanl %as neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

// A fold has to be over before its sum is used.
// CHECK-DAG: [[# @LINE + 6]]:9: remark: [Analysis] Cost{{.*}}Function=between | Remark="prices = 160000, which is the least"
// CHECK-DAG: [[# @LINE + 9]]:12: remark: [Passed] Fused{{.*}}Function=between | Remark="fold1 fused with map1 over map1: diagonal, 1 loop shared, saves 40000"
// CHECK-DAG: [[# @LINE + 13]]:9: remark: [Missed] NotFused{{.*}}Function=between | Remark="map1 and map2 are not fused: fold1 and extract1 have to run between them"
// CHECK-DAG: [[# @LINE + 12]]:9: remark: [Missed] NotFused{{.*}}Function=between | Remark="fold1 and map2 are not fused over map1: extract1 has to run between them"
func.func @between(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %total = soac.fold %as neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %sum = tensor.extract %total[] : tensor<i32>
  %bs = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.subi %x, %sum : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

// The scatter adds to an array that has to be complete.
// CHECK-DAG: [[# @LINE + 4]]:9: remark: [Analysis] Cost{{.*}}Function=scatter | Remark="prices = 240000, which is the least"
// CHECK-DAG: [[# @LINE + 7]]:9: remark: [Missed] NotFused{{.*}}Function=scatter | Remark="map1 and scatter1 are not fused over arg0: scatter1 needs all of map1 before it begins"
// CHECK-DAG: [[# @LINE + 6]]:9: remark: [Missed] NotFused{{.*}}Function=scatter | Remark="map1 and scatter1 are not fused: scatter1 needs all of map1 before it begins"
func.func @scatter(%xs: tensor<?xi32>, %is: tensor<?xindex>) -> tensor<?xi32> {
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.scatter %xs into %as at %is
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

// The gather may leave out elements of what is a result.
// CHECK-DAG: [[# @LINE + 3]]:9: remark: [Analysis] Cost{{.*}}Function=partial | Remark="prices = 240000, which is the least"
// CHECK-DAG: [[# @LINE + 6]]:9: remark: [Missed] NotFused{{.*}}Function=partial | Remark="map1 and gather1 are not fused: map1 is a result, and gather1 reads it in an order of its own"
func.func @partial(%xs: tensor<?xf32>, %is: tensor<?xindex>) -> (tensor<?xf32>, tensor<?xf32>) {
  %as = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %r = math.exp %x : f32
    soac.yield %r : f32
  }
  %bs = soac.gather %as at %is : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %as, %bs : tensor<?xf32>, tensor<?xf32>
}

// Everything would be computed a hundred times.
// CHECK-DAG: [[# @LINE + 3]]:9: remark: [Analysis] Cost{{.*}}Function=again | Remark="prices = 12120, which is the least"
// CHECK-DAG: [[# @LINE + 6]]:9: remark: [Missed] NotFused{{.*}}Function=again | Remark="map1 and gather1 are not fused: work would be done again, at a price of 15840"
func.func @again(%xs: tensor<10xf32>, %is: tensor<1000xindex>) -> tensor<1000xf32> {
  %as = soac.map %xs : (tensor<10xf32>) -> tensor<10xf32> (%x: f32) {
    %r = math.exp %x : f32
    soac.yield %r : f32
  }
  %bs = soac.gather %as at %is : (tensor<10xf32>, tensor<1000xindex>) -> tensor<1000xf32>
  return %bs : tensor<1000xf32>
}

// A wish.
// CHECK-DAG: [[# @LINE + 3]]:9: remark: [Analysis] Cost{{.*}}Function=wish | Remark="prices = 160000, which is the least"
// CHECK-DAG: [[# @LINE + 6]]:9: remark: [Missed] NotFused{{.*}}Function=wish | Remark="map1 and map2 are not fused: that is forbidden"
func.func @wish(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %as = soac.map %xs {soac.apart = "a"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.map %as {soac.apart = "a"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

// An op of another dialect takes an array and gives one.
// CHECK-DAG: [[# @LINE + 6]]:10: remark: [Missed] KeptApart{{.*}}Function=foreign | Remark="update1 ('soac.update') is never fused, and keeps map1 apart from map2"
func.func @foreign(%xs: tensor<?xi32>, %ys: tensor<2xi32>) -> tensor<?xi32> {
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %mid = tensor.insert_slice %ys into %as[0] [2] [1] : tensor<2xi32> into tensor<?xi32>
  %bs = soac.map %mid : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}
