// Loops, branches and calls, also in regions.

// MLIR does not find functions that are called in regions of ops that it does not know.
// RUN: comb-opt %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: loop [1,2] 5
// GIVES: result: tensor<2xi32> = [32 64]
func.func @loop(%x: tensor<2xi32>, %n: tensor<i32>) -> tensor<2xi32> {
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %o = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.while"(%z, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<2xi32>):
    %c = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<2xi32>):
    %j = "stablehlo.add"(%i, %o) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = func.call @twice(%a) : (tensor<2xi32>) -> tensor<2xi32>
    "stablehlo.return"(%j, %b) : (tensor<i32>, tensor<2xi32>) -> ()
  }) : (tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>)
  return %r#1 : tensor<2xi32>
}

func.func private @twice(%a: tensor<2xi32>) -> tensor<2xi32> {
  %b = "stablehlo.add"(%a, %a) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %b : tensor<2xi32>
}

// CALL-LABEL: branches 0 true
// GIVES: result0: tensor<i32> = 10
// GIVES: result1: tensor<i32> = 1
// CALL-LABEL: branches -3 false
// GIVES: result0: tensor<i32> = 30
// GIVES: result1: tensor<i32> = 2
// CALL-LABEL: branches 7 false
// GIVES: result0: tensor<i32> = 30
// GIVES: result1: tensor<i32> = 2
func.func @branches(%i: tensor<i32>, %c: tensor<i1>) -> (tensor<i32>, tensor<i32>) {
  %r = "stablehlo.case"(%i) ({
    %a = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }, {
    %a = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }, {
    %a = "stablehlo.constant"() <{value = dense<30> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  %s = "stablehlo.if"(%c) ({
    %a = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }, {
    %a = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }) : (tensor<i1>) -> tensor<i32>
  return %r, %s : tensor<i32>, tensor<i32>
}
