// Fails where an index is out of range.
func.func @main(%xs: tensor<?xf32>, %at: tensor<?xindex>) -> tensor<?xf32> {
  %r = soac.gather %xs at %at : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
