// Loops are explained as they are compiled: in memory, where some are distributed.
//
// RUN: comb explain --loops %s | FileCheck %s
// CHECK-LABEL: in gathered
// CHECK: loop i
// CHECK-NEXT: - distributed, 1024 iterations at a time
func.func @gathered(%x: tensor<?xf32>, %i: tensor<?xindex>, %j: tensor<?xindex>) -> tensor<?xf32> {
  %positions = soac.gather %i at %j : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
  %y = soac.gather %x at %positions : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
