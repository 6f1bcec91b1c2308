// A step of a lattice Boltzmann method for each cell, which is a row of numbers: they go towards their mean.
func.func @cells(%f: tensor<?x9xf32>, %n: index, %it: index) -> tensor<?x9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ninth = arith.constant 0.11111111 : f32
  %relaxation = arith.constant 0.3 : f32
  %result = scf.for %step = %c0 to %it step %c1 iter_args(%x = %f) -> tensor<?x9xf32> {
    %new = soac.map %x outer 1 : (tensor<?x9xf32>) -> tensor<?x9xf32> (%cell: tensor<9xf32>) {
      %density = soac.fold %cell neutral %zero : (tensor<9xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
        %sum = arith.addf %a, %b fastmath<contract> : f32
        soac.yield %sum : f32
      }
      %all = tensor.extract %density[] : tensor<f32>
      %mean = arith.mulf %all, %ninth fastmath<contract> : f32
      %next = soac.map %cell : (tensor<9xf32>) -> tensor<9xf32> (%e: f32) {
        %difference = arith.subf %mean, %e fastmath<contract> : f32
        %change = arith.mulf %relaxation, %difference fastmath<contract> : f32
        %sum = arith.addf %e, %change fastmath<contract> : f32
        soac.yield %sum : f32
      }
      soac.yield %next : tensor<9xf32>
    }
    scf.yield %new : tensor<?x9xf32>
  }
  return %result : tensor<?x9xf32>
}
