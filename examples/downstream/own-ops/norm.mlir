// The ops of the dialect `stats` share a loop with what computes their array.

// FUSED-LABEL: func.func @length(
// FUSED-NOT:     stats.
// FUSED:         soac.cluster
// FUSED:           soac.map
// FUSED:           soac.map
// FUSED:           soac.fold
// FUSED:           soac.yield %{{.*}} : tensor<f32>
// FUSED-NOT:     soac.
// FUSED:         math.sqrt
// FUSED:         return

// CODE:      llvm.func @length(
// CODE-NOT:  stats.

// RESULT: result: f32 = 10.0
func.func @length(%x: tensor<?xf32>) -> f32 {
  %doubled = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %sum = arith.addf %a, %a : f32
    soac.yield %sum : f32
  }
  %norm = stats.norm %doubled : tensor<?xf32>
  return %norm : f32
}
