func.func @file(%x: tensor<?xf32>, %i: index) -> f32 {
  %r = tensor.extract %x[%i] : tensor<?xf32> loc("look"("model.py":30:4))
  return %r : f32
}

func.func @name(%x: tensor<?xf32>, %i: index) -> f32 {
  %r = tensor.extract %x[%i] : tensor<?xf32> loc("look")
  return %r : f32
}
