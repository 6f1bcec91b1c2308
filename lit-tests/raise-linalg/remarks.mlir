// Ops that have no form as combinators stay, and a remark says why. They run all the same.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-raise-linalg --remarks-filter=comb-raise-linalg 2>&1 | FileCheck %s
// Nothing if nobody asks.
// RUN: comb-opt %s --comb-raise-linalg -o /dev/null 2>&1 | count 0

// CALL-LABEL: differences iota:f32[2,3]
// GIVES: result: tensor<2xf32> = [-3.0 -12.0]
// CHECK-DAG: [[# @LINE + 4]]:8: remark: [Missed] NotRaised{{.*}}Function=differences | Remark="'linalg.reduce' op is no combinator: result 0 is accumulated by 'arith.subf', which is not known to be associative"
func.func @differences(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = arith.constant 0.0 : f32
  %i = tensor.splat %z : tensor<2xf32>
  %r = linalg.reduce ins(%x : tensor<2x3xf32>) outs(%i : tensor<2xf32>) dimensions = [1]
    (%a: f32, %s: f32) {
      %0 = arith.subf %s, %a : f32
      linalg.yield %0 : f32
    }
  return %r : tensor<2xf32>
}

// CALL-LABEL: read iota:i32[4]
// GIVES: result0: tensor<i32> = 6
// GIVES: result1: tensor<4xi32> = [0 1 3 6]
// CHECK-DAG: [[# @LINE + 4]]:10: remark: [Missed] NotRaised{{.*}}Remark="'linalg.generic' op is no combinator: what result 0 has accumulated is read besides"
func.func @read(%x: tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
  %z = arith.constant 0 : i32
  %i = tensor.splat %z : tensor<i32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                         iterator_types = ["reduction"]}
      ins(%x : tensor<4xi32>) outs(%i, %x : tensor<i32>, tensor<4xi32>) {
  ^bb0(%a: i32, %s: i32, %o: i32):
    %0 = arith.addi %s, %a : i32
    linalg.yield %0, %0 : i32, i32
  } -> (tensor<i32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<i32>, tensor<4xi32>
}

// CALL-LABEL: overwritten iota:i32[4]
// GIVES: result: tensor<i32> = 3
// CHECK-DAG: [[# @LINE + 3]]:8: remark: [Missed] NotRaised{{.*}}Remark="'linalg.generic' op is no combinator: several iterations write the same element of result 0, and do not combine what they write"
func.func @overwritten(%x: tensor<4xi32>) -> tensor<i32> {
  %i = tensor.empty() : tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xi32>) outs(%i : tensor<i32>) {
  ^bb0(%a: i32, %s: i32):
    linalg.yield %a : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}

// CALL-LABEL: backward iota:i32[4]
// GIVES: result: tensor<4xi32> = [3 2 1 0]
// CHECK-DAG: [[# @LINE + 2]]:8: remark: [Missed] NotRaised{{.*}}Remark="'linalg.generic' op is no combinator: result 0 is not written once at each index"
func.func @backward(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (3 - i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi32>) outs(%x : tensor<4xi32>) {
  ^bb0(%a: i32, %s: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-DAG: [[# @LINE + 3]]:8: remark: [Missed] NotRaised{{.*}}Remark="'linalg.generic' op is no combinator: operand 0 is read at an index that is divided and may be negative"
func.func @divided(%x: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ((i - 2) mod 4)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%a: i32, %s: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// What nobody lowers is an error in the end.
// CHECK-DAG: [[# @LINE + 2]]:8: remark: [Missed] NotRaised{{.*}}Remark="'linalg.add' op is no combinator: operand 0 is of type tensor<2xcomplex<f32>>, which is no array of combinators"
func.func private @complex(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = linalg.add ins(%x, %x : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) outs(%x : tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}

// CHECK-DAG: [[# @LINE + 2]]:3: remark: [Missed] NotRaised{{.*}}Remark="'linalg.fill' op is no combinator: operand 1 is of type memref<2xf32>, which is no array of combinators"
func.func private @memory(%x: memref<2xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%x : memref<2xf32>)
  return
}

// What is in a region is raised before the region is copied, and what is in a loop where it is.
// CALL-LABEL: loop ones:f32[3]
// GIVES: result: tensor<3xf32> = [8.0 8.0 8.0]
func.func @loop(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<3xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<3xf32> {
    %z = linalg.add ins(%y, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %z : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
