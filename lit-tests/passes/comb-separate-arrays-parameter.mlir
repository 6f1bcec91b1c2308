// A function that gives one of its parameters twice gives a copy of it: whoever calls it may write to one of the two.

// RUN: comb-opt %s --comb-separate-arrays | FileCheck %s

// CHECK-LABEL: func.func private @same(
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK: return %arg0, %[[COPY]] :
func.func private @same(%a: tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>) {
  return %a, %a : tensor<?xindex>, tensor<?xindex>
}
