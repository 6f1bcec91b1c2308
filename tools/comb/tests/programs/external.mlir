// Calls a function that is linked in.
func.func private @double(tensor<?xf32>) -> tensor<?xf32>

func.func @main(%xs: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.external @double(%xs) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
