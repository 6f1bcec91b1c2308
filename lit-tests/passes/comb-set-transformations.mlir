// The module says which optional transformations are off: what the options say, or what it says itself.

// RUN: comb-opt %s --comb-set-transformations | FileCheck %s --check-prefix=NOTHING
// RUN: comb-opt %s --comb-set-transformations=disable=packing,unroll-and-jam | FileCheck %s --check-prefix=TWO
// RUN: comb-opt %s --comb-set-transformations='disable=unroll-and-jam limit=12' | FileCheck %s --check-prefix=LIMIT
// RUN: comb-opt %s --comb-set-transformations=limit=12 --comb-set-transformations=disable=unroll-and-jam | FileCheck %s --check-prefix=FIRST
// RUN: comb-opt %s --comb-set-transformations=disable=all | FileCheck %s --check-prefix=EVERY
// RUN: comb-opt %s --comb-cpu=disable=vectors | FileCheck %s --check-prefix=NO-VECTORS
// RUN: not comb-opt %s --comb-set-transformations=disable=pakcing 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not comb-opt %s --comb-cpu=disable=telephone 2>&1 | FileCheck %s --check-prefix=NO-HINT

// NOTHING-NOT: comb.transformations
// TWO: module attributes {comb.transformations = {disable = ["packing", "unroll-and-jam"]}}
// LIMIT: module attributes {comb.transformations = {disable = ["unroll-and-jam"], limit = 12 : i64}}
// FIRST: module attributes {comb.transformations = {disable = [], limit = 12 : i64}}
// EVERY: disable = ["hoist-invariants", {{.*}}"vectors", {{.*}}"compress-in-registers"]
// NO-VECTORS-NOT: vector<
// UNKNOWN: error: comb-set-transformations: there is no transformation 'pakcing' (did you mean 'packing'?); there are hoist-invariants, {{.*}}, and all
// NO-HINT: error: comb-set-transformations: there is no transformation 'telephone'; there are hoist-invariants,
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.mulf %a, %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}
