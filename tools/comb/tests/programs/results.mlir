// Results that are one array, or parts of one: each has memory of its own.
func.func @main(%x: tensor<?xi32>, %k: index)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>,
        tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %a = soac.iota [%n] dim 0 : tensor<?xi32>
  %same = soac.iota [%n] dim 0 : tensor<?xi32>
  %all = tensor.extract_slice %a[0] [%n] [1] : tensor<?xi32> to tensor<?xi32>
  %column = soac.reshape %a to [%n, 1] : (tensor<?xi32>) -> tensor<?x1xi32>
  %again = soac.reshape %column to [%n] : (tensor<?x1xi32>) -> tensor<?xi32>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%p = %x, %q = %a) -> (tensor<?xi32>, tensor<?xi32>) {
    %s = soac.map %p, %q : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
      %g = arith.addi %e, %f : i32
      soac.yield %g : i32
    }
    scf.yield %s, %s : tensor<?xi32>, tensor<?xi32>
  }
  return %a, %same, %all, %again, %x, %x, %r#0, %r#1
      : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>,
        tensor<?xi32>, tensor<?xi32>
}
