func.func @branch(%i: index, %n: index, %zero: index) -> index {
  %r = affine.if affine_set<(d0)[s0] : (d0 mod s0 == 0)>(%i)[%n] -> index {
    affine.yield %i : index
  } else {
    affine.yield %zero : index
  }
  return %r : index
}
