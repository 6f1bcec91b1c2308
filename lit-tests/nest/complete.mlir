// Functions go by way of loop nests if schedules can say all that is good for them. A remark says why
// others do not.
//
// RUN: comb-opt %s --comb-set-machine=cpu=znver4 --comb-fuse --soac-to-nest=complete=true --remarks-filter=soac-to-nest -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s <%t
// RUN: comb-opt %s --comb-fuse --soac-to-nest | FileCheck %s --check-prefix=ALL
//
// ALL-NOT: soac.map
// ALL-NOT: soac.backpermute

// CHECK-LABEL: func.func @plain(
// CHECK: nest.kernel
// REMARK-NOT: Function=plain
func.func @plain(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}

// REMARK: remark: [Missed] FromClusters
// REMARK-SAME: Function=both_ends
// REMARK-SAME: code is made of clusters, and not of loop nests, whose schedules cannot say that a loop that reads an array from both ends goes over mirrored blocks
// CHECK-LABEL: func.func @both_ends(
// CHECK-NOT: nest.kernel
// CHECK: soac.cluster
func.func @both_ends(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %z = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %z : tensor<?xf32>
}
