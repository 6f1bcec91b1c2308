// The canonicaliser does not end: after a hundred rewrites it has made no progress, and fails.
// RUN: not %mlir_opt %s --canonicalize="max-num-rewrites=100 test-convergence"

func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {
  %k = arith.constant -9223372036854775808 : index
  %r = scf.forall (%i) = (%k) to (%k) step (1) shared_outs(%o = %x) -> tensor<?xi32> {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<?xi32>
}
