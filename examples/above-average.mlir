// The elements above the arithmetic mean, with their positions: a fold, and a
// filter of two arrays at once. Neither result's size is known before it runs.

func.func @above_average(%xs: tensor<?xf32>)
    -> (tensor<?xf32> {soac.name = "values"}, tensor<?xindex> {soac.name = "positions"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %xs, %c0 : tensor<?xf32>
  %total = soac.fold %xs neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
      (%sum: f32, %x: f32) {
    %s = arith.addf %sum, %x : f32
    soac.yield %s : f32
  }
  %sum = tensor.extract %total[] : tensor<f32>
  %count = arith.index_cast %n : index to i64
  %divisor = arith.sitofp %count : i64 to f32
  %mean = arith.divf %sum, %divisor : f32

  %indices = soac.iota [%n] dim 0 : tensor<?xindex>
  %values, %positions = soac.filter %xs, %indices
      : (tensor<?xf32>, tensor<?xindex>) -> (tensor<?xf32>, tensor<?xindex>)
      (%x: f32, %i: index) {
    %above = arith.cmpf ogt, %x, %mean : f32
    soac.yield %above : i1
  }
  return %values, %positions : tensor<?xf32>, tensor<?xindex>
}
