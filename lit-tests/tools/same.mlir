// Calls that comments name are made in several ways, which have to give the same.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-fuzz same - --calls %s < %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-fuzz same %s --call 'sum [1]' | FileCheck %s --check-prefix=ONE --implicit-check-not=result:
// ONE: sum [1]
// ONE-NEXT: result: tensor<f32> = 1.0

// CALL-LABEL: sum iota:f32[100]
// GIVES-NEXT: result: tensor<f32> = 4950.0
// CALL-LABEL{LITERAL}: rows [[1,2],[3,4]]
// GIVES-NEXT: result0: tensor<2xf32> = [3.0 7.0]
// GIVES-NEXT: result1: tensor<2x2xf32> = {{\[\[}}1.0 2.0] [3.0 4.0]]
// CALL-LABEL: element 7
// GIVES-NEXT: error: 'tensor.extract' op index 7 is out of range

// The order of additions matters for some numbers, and ways add in other orders.
// RUN: not comb-fuzz same %s --call 'sum [1e30,1,-1e30]' 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: not the same: sum [1e30,1,-1e30], -O 3 --threads 3: result: element 0 is Float(1.0), expected Float(0.0)

// What is wrong with a call is said before any is made.
// RUN: not comb-fuzz same %s --call 'sum [1] [2]' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not comb-fuzz same %s --call 'sum' 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not comb-fuzz same %s --call 'total [1]' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not comb-fuzz same %s --call ' ' 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: not comb-fuzz same %s --calls %S/Inputs/hot_loops.py 2>&1 | FileCheck %s --check-prefix=NO-CALLS
// RUN: not comb-fuzz same %s --calls %t.nowhere 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not comb-fuzz same %t.nowhere --call 'f 1' 2>&1 | FileCheck %s --check-prefix=NO-FILE
// MANY: error: sum [1] [2]: 2 arguments for 1 parameters
// FEW: error: sum: no value for parameter 'x' of @sum
// UNKNOWN: error: total [1]: {{.*}}'total'
// NO-FUNCTION: error: {{.*}}a call is a function and its arguments, such as 'f iota:i32[9] 3'
// NO-CALLS: error: '{{.*}}hot_loops.py' names no call, such as '// CALL{{-}}LABEL: f iota:i32[9]'
// NO-FILE: error: {{.*}}cannot read '{{.*}}nowhere'

func.func @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %s = soac.fold %x neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %s : tensor<f32>
}

func.func @rows(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = soac.fold %x neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %s, %x : tensor<?xf32>, tensor<?x?xf32>
}

func.func @element(%i: index) -> index {
  %x = arith.constant dense<[3, 1, 4]> : tensor<3xindex>
  %e = tensor.extract %x[%i] : tensor<3xindex>
  return %e : index
}
