// The numbers below n.
func.func @main(%n: index) -> tensor<?xindex> {
  %r = soac.generate [%n] : tensor<?xindex> (%i: index) {
    soac.yield %i : index
  }
  return %r : tensor<?xindex>
}
