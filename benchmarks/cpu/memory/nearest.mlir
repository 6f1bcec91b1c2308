// The distances of the k nearest of n points: k times the least one is found, written to the result, and made infinite.
func.func @nearest(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %infinity = arith.constant 0x7F800000 : f32
  %distances = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %aa = arith.mulf %a, %a fastmath<contract> : f32
    %bb = arith.mulf %b, %b fastmath<contract> : f32
    %sum = arith.addf %aa, %bb fastmath<contract> : f32
    soac.yield %sum : f32
  }
  %places = soac.iota [%n] dim 0 : tensor<?xindex>
  %none = soac.fill %infinity [%k] : (f32) -> tensor<?xf32>
  %found, %rest = scf.for %i = %c0 to %k step %c1 iter_args(%found = %none, %left = %distances)
      -> (tensor<?xf32>, tensor<?xf32>) {
    %least, %place = soac.fold %left, %places neutral %infinity, %c0
        : (tensor<?xf32>, tensor<?xindex>, f32, index) -> (tensor<f32>, tensor<index>)
        (%a: f32, %p: index, %b: f32, %q: index) {
      %is_less = arith.cmpf ole, %a, %b : f32
      %value = arith.select %is_less, %a, %b : f32
      %where = arith.select %is_less, %p, %q : index
      soac.yield %value, %where : f32, index
    }
    %distance = tensor.extract %least[] : tensor<f32>
    %at = tensor.extract %place[] : tensor<index>
    %next_found = tensor.insert %distance into %found[%i] : tensor<?xf32>
    %next_left = tensor.insert %infinity into %left[%at] : tensor<?xf32>
    scf.yield %next_found, %next_left : tensor<?xf32>, tensor<?xf32>
  }
  return %found : tensor<?xf32>
}
