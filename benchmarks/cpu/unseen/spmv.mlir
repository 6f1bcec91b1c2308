// A sparse matrix times a vector; row i begins at element starts[i].
func.func @spmv(%starts: tensor<?xi32>, %columns: tensor<?xi32>, %values: tensor<?xf32>,
                %x: tensor<?xf32>, %m: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %begins = soac.take %starts [%m] : (tensor<?xi32>) -> tensor<?xi32>
  %ends = soac.slice %starts [1] [%m] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %y = soac.map %begins, %ends outer 1 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xf32>
      (%begin: i32, %end: i32) {
    %first = arith.index_cast %begin : i32 to index
    %length = arith.subi %end, %begin : i32
    %size = arith.index_cast %length : i32 to index
    %row_columns = soac.slice %columns [%first] [%size] [1] : (tensor<?xi32>) -> tensor<?xi32>
    %row_values = soac.slice %values [%first] [%size] [1] : (tensor<?xf32>) -> tensor<?xf32>
    %factors = soac.gather %x at %row_columns : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
    %products = soac.map %row_values, %factors
        : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
      %product = arith.mulf %a, %b fastmath<contract> : f32
      soac.yield %product : f32
    }
    %total = soac.fold %products neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
        (%a: f32, %b: f32) {
      %s = arith.addf %a, %b fastmath<contract> : f32
      soac.yield %s : f32
    }
    %sum = tensor.extract %total[] : tensor<f32>
    soac.yield %sum : f32
  }
  return %y : tensor<?xf32>
}
