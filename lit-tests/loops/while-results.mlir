// Loops with a condition that give one value twice, of an `scf.if` that looks at the condition.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-fuse -o %t.mlir
// DEFINE: %{fused} = comb run %t.mlir --target interp

// CALL-LABEL: numbers 1
// GIVES: result0: i64 = 3
// GIVES: result1: i64 = 1000
// RUN: %{fused} --entry numbers -i arg0=1 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: result0: i64 = 3
// NUMBERS: result1: i64 = 1000
func.func @numbers(%limit: i64) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %other = arith.constant 1000 : i64
  %r:3 = scf.while (%s = %zero) : (i64) -> (i64, i64, i64) {
    %go = arith.cmpi slt, %s, %limit : i64
    %v = scf.if %go -> i64 {
      %n = arith.addi %s, %three : i64
      scf.yield %n : i64
    } else {
      scf.yield %other : i64
    }
    scf.condition(%go) %v, %v, %s : i64, i64, i64
  } do {
  ^bb0(%a: i64, %b: i64, %c: i64):
    %d = arith.maxsi %a, %b : i64
    scf.yield %d : i64
  }
  return %r#2, %r#1 : i64, i64
}

// CALL-LABEL: arrays iota:i32[3] 4
// GIVES: result0: tensor<3xi32> = [{{ *}}7{{ +}}8 10]
// GIVES: result1: tensor<3xi32> = [10 8 10]
// RUN: %{fused} --entry arrays -i arg0=iota:i32[3] -i arg1=4 | FileCheck %s --check-prefix=ARRAYS
// ARRAYS: result0: tensor<3xi32> = [{{ *}}7{{ +}}8 10]
// ARRAYS: result1: tensor<3xi32> = [10 8 10]
func.func @arrays(%x: tensor<?xi32>, %limit: i32) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  %r:2 = scf.while (%s = %x) : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
    %e = tensor.extract %s[%c0] : tensor<?xi32>
    %go = arith.cmpi slt, %e, %limit : i32
    %v = scf.if %go -> tensor<?xi32> {
      %n = soac.map %s : (tensor<?xi32>) -> tensor<?xi32> (%p: i32) {
        %q = arith.addi %p, %three : i32
        soac.yield %q : i32
      }
      scf.yield %n : tensor<?xi32>
    } else {
      %n = soac.reverse %s dims [0] : (tensor<?xi32>) -> tensor<?xi32>
      scf.yield %n : tensor<?xi32>
    }
    scf.condition(%go) %v, %v : tensor<?xi32>, tensor<?xi32>
  } do {
  ^bb0(%a: tensor<?xi32>, %b: tensor<?xi32>):
    %u = tensor.insert %seven into %a[%c0] : tensor<?xi32>
    %d = soac.map %u, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      soac.yield %s : i32
    }
    scf.yield %d : tensor<?xi32>
  }
  %u = tensor.insert %seven into %r#0[%c0] : tensor<?xi32>
  return %u, %r#1 : tensor<?xi32>, tensor<?xi32>
}
