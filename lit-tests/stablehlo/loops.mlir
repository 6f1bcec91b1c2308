// Loops that count become scf.for, also from a number that is not less than the bound; others stay.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// RUN: FileCheck %s --input-file %t.mlir --check-prefix=FOR
// FOR-LABEL: @constant
// FOR-NOT: scf.while
// FOR: scf.for
// FOR-LABEL: @carried
// FOR-NOT: scf.while
// FOR: scf.for
// FOR-LABEL: @moving
// FOR: scf.while
// FOR-LABEL: @steps
// FOR: scf.while

// CALL-LABEL: constant 3 [1,2]
// GIVES: result0: tensor<i32> = 5
// GIVES: result1: tensor<2xi32> = [8 9]
// CALL-LABEL: constant 9 [1,2]
// GIVES: result0: tensor<i32> = 9
// GIVES: result1: tensor<2xi32> = [1 2]
func.func @constant(%i: tensor<i32>, %x: tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>) {
  %r:2 = "stablehlo.while"(%i, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<2xi32>):
    %n = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %c = "stablehlo.compare"(%a, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<2xi32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %w = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %s = "stablehlo.add"(%b, %w) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %n = "stablehlo.add"(%a, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%n, %s) : (tensor<i32>, tensor<2xi32>) -> ()
  }) : (tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<i32>, tensor<2xi32>
}

// The bound is carried, and so is an array that does not change.
// CALL-LABEL: carried -1 3 [1,2]
// GIVES: result0: tensor<i32> = 3
// GIVES: result1: tensor<2xi32> = [5 10]
func.func @carried(%i: tensor<i32>, %n: tensor<i32>, %x: tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>) {
  %r:4 = "stablehlo.while"(%i, %n, %x, %x) ({
  ^bb0(%a: tensor<i32>, %m: tensor<i32>, %b: tensor<2xi32>, %k: tensor<2xi32>):
    %c = "stablehlo.compare"(%a, %m) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %m: tensor<i32>, %b: tensor<2xi32>, %k: tensor<2xi32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %s = "stablehlo.add"(%b, %k) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %q = "stablehlo.add"(%one, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%q, %m, %s, %k) : (tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>)
  return %r#0, %r#2 : tensor<i32>, tensor<2xi32>
}

// CALL-LABEL: moving 0 9
// GIVES: result0: tensor<i32> = 5
// GIVES: result1: tensor<i32> = 4
func.func @moving(%i: tensor<i32>, %n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %r:2 = "stablehlo.while"(%i, %n) ({
  ^bb0(%a: tensor<i32>, %m: tensor<i32>):
    %c = "stablehlo.compare"(%a, %m) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %m: tensor<i32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %p = "stablehlo.subtract"(%m, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = "stablehlo.add"(%a, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%q, %p) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}

// CALL-LABEL: steps 0 9
// GIVES: result: tensor<i32> = 10
func.func @steps(%i: tensor<i32>, %n: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.while"(%i) ({
  ^bb0(%a: tensor<i32>):
    %c = "stablehlo.compare"(%a, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>):
    %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %q = "stablehlo.add"(%a, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%q) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
