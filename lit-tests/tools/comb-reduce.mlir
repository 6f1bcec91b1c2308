// A program that shows a fault (it has a gather) is shrunk to the function and
// the op that matter, or simplified by a pass as long as the fault stays.

// RUN: cd %S && comb-reduce %s --reduction-tree='traversal-mode=0 test=Inputs/has-gather.sh' -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: cd %S && comb-reduce %s --opt-reduction-pass='opt-pass=canonicalize test=Inputs/has-gather.sh' \
// RUN:   | FileCheck %s --check-prefix=CANONICALIZED

// CHECK-NOT: @unrelated
// CHECK-LABEL: func.func @interesting(
// CHECK-NEXT: %[[GATHERED:.*]] = soac.gather %{{.*}} at
// CHECK-NEXT: return %[[GATHERED]]

// CANONICALIZED: @unrelated
// CANONICALIZED-LABEL: func.func @interesting(
// CANONICALIZED-NEXT: soac.gather
// CANONICALIZED-NEXT: return

func.func @unrelated(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @interesting(%x: tensor<?xf32>, %i: tensor<?xindex>, %n: index) -> tensor<?xf32> {
  %a = soac.iota [%n] dim 0 : tensor<?xindex>
  %b = soac.force %x : tensor<?xf32>
  %c = soac.rotate %b by [1] : (tensor<?xf32>) -> tensor<?xf32>
  %d = soac.gather %x at %i : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  %e = soac.map %c : (tensor<?xf32>) -> tensor<?xf32> (%v: f32) {
    %s = arith.addf %v, %v : f32
    soac.yield %s : f32
  }
  return %d : tensor<?xf32>
}
