// Each column minus its mean, divided by its standard deviation.
func.func @standardise(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %m_integer = arith.index_cast %m : index to i64
  %count = arith.sitofp %m_integer : i64 to f32
  %sums = func.call @column_sums(%x) : (tensor<?x?xf32>) -> tensor<?xf32>
  %means = soac.map %sums : (tensor<?xf32>) -> tensor<?xf32> (%sum: f32) {
    %mean = arith.divf %sum, %count : f32
    soac.yield %mean : f32
  }
  %wide_means = soac.replicate %means [%m] : (tensor<?xf32>) -> tensor<?x?xf32>
  %differences = soac.map %x, %wide_means
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %mean: f32) {
    %difference = arith.subf %e, %mean fastmath<contract> : f32
    soac.yield %difference : f32
  }
  %squares = soac.map %differences : (tensor<?x?xf32>) -> tensor<?x?xf32> (%d: f32) {
    %square = arith.mulf %d, %d fastmath<contract> : f32
    soac.yield %square : f32
  }
  %square_sums = func.call @column_sums(%squares) : (tensor<?x?xf32>) -> tensor<?xf32>
  %deviations = soac.map %square_sums : (tensor<?xf32>) -> tensor<?xf32> (%sum: f32) {
    %variance = arith.divf %sum, %count : f32
    %deviation = math.sqrt %variance : f32
    soac.yield %deviation : f32
  }
  %wide_deviations = soac.replicate %deviations [%m] : (tensor<?xf32>) -> tensor<?x?xf32>
  %result = soac.map %differences, %wide_deviations
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%d: f32, %deviation: f32) {
    %quotient = arith.divf %d, %deviation : f32
    soac.yield %quotient : f32
  }
  return %result : tensor<?x?xf32>
}

func.func private @column_sums(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %columns = soac.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %sums = soac.fold %columns neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b fastmath<contract> : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?xf32>
}
