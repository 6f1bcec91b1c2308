// A function's mark that all in it is checked says nothing of the clusters of functions that are
// called from there and have no mark.

// RUN: not comb run %s -i t=[1,2] -i at=[0,90000000000] 2>&1 | FileCheck %s
// RUN: not comb run %s -i t=[1,2] -i at=[0,90000000000] -O 0 --algorithm off 2>&1 | FileCheck %s
// CHECK: error: {{.*}}marks.mlir:11:12: 'tensor.extract' op index 90000000000 is out of range [0, 2) in dimension 0

func.func private @help(%t: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %0 = soac.cluster %at : (tensor<?xindex>) -> tensor<?xi32> (%a: tensor<?xindex>) {
    %1 = soac.map %a : (tensor<?xindex>) -> tensor<?xi32> (%i: index) {
      %x = tensor.extract %t[%i] : tensor<?xi32>
      soac.yield %x : i32
    }
    soac.yield %1 : tensor<?xi32>
  }
  return %0 : tensor<?xi32>
}

func.func @f(%t: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> attributes {soac.has_checks} {
  %r = func.call @help(%t, %at) : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
