// For every query, the point nearest to it, and how far away it is. Points and
// queries are rows of matrices with the same number of columns.
//
// The nearest one is a fold over two arrays at once, distances and positions:
// the smaller distance wins, and of equal ones the lower position.

func.func @nearest(%points: tensor<?x?xf32>, %queries: tensor<?x?xf32>)
    -> (tensor<?xindex> {soac.name = "nearest"}, tensor<?xf32> {soac.name = "distances"}) {
  %c0 = arith.constant 0 : index
  %nowhere = arith.constant -1 : index
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %n = tensor.dim %points, %c0 : tensor<?x?xf32>
  %positions = soac.iota [%n] dim 0 : tensor<?xindex>
  %nearest, %distances = soac.map %queries outer 1
      : (tensor<?x?xf32>) -> (tensor<?xindex>, tensor<?xf32>) (%query: tensor<?xf32>) {
    %all = soac.map %points outer 1 : (tensor<?x?xf32>) -> tensor<?xf32>
        (%point: tensor<?xf32>) {
      %squares = soac.map %query, %point : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
          (%q: f32, %p: f32) {
        %difference = arith.subf %q, %p : f32
        %square = arith.mulf %difference, %difference : f32
        soac.yield %square : f32
      }
      %total = soac.fold %squares neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
          (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        soac.yield %s : f32
      }
      %sum = tensor.extract %total[] : tensor<f32>
      %distance = math.sqrt %sum : f32
      soac.yield %distance : f32
    }
    %least, %where = soac.fold %all, %positions neutral %infinity, %nowhere
        : (tensor<?xf32>, tensor<?xindex>, f32, index) -> (tensor<f32>, tensor<index>)
        (%d: f32, %i: index, %e: f32, %j: index) {
      %less = arith.cmpf olt, %d, %e : f32
      %equal = arith.cmpf oeq, %d, %e : f32
      %lower = arith.cmpi ule, %i, %j : index
      %first = arith.andi %equal, %lower : i1
      %keep = arith.ori %less, %first : i1
      %best = arith.select %keep, %d, %e : f32
      %at = arith.select %keep, %i, %j : index
      soac.yield %best, %at : f32, index
    }
    %position = tensor.extract %where[] : tensor<index>
    %distance = tensor.extract %least[] : tensor<f32>
    soac.yield %position, %distance : index, f32
  }
  return %nearest, %distances : tensor<?xindex>, tensor<?xf32>
}
