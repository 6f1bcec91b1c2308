// The sum of every segment of an array. Segment i goes from x[o[i]] to just before
// x[o[i+1]]; there are k of them.
//
// A map over segments, in which each is a slice that is folded. Segments are
// independent, so the map can run in parallel, and every element is read once. A
// segmented scan would do as well (examples/segmented-sums.mlir); but it needs flags
// made of the offsets, writes all running sums, and gathers the last of each segment.

func.func @segsum(%o: tensor<?xi32>, %x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %starts = soac.take %o [%k] : (tensor<?xi32>) -> tensor<?xi32>
  %ends = soac.slice %o [1] [%k] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %sums = soac.map %starts, %ends outer 1 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xf32>
      (%start: i32, %end: i32) {
    %first = arith.index_cast %start : i32 to index
    %length = arith.subi %end, %start : i32
    %size = arith.index_cast %length : i32 to index
    %segment = soac.slice %x [%first] [%size] [1] : (tensor<?xf32>) -> tensor<?xf32>
    %total = soac.fold %segment neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
        (%a: f32, %b: f32) {
      %s = arith.addf %a, %b fastmath<contract> : f32
      soac.yield %s : f32
    }
    %sum = tensor.extract %total[] : tensor<f32>
    soac.yield %sum : f32
  }
  return %sums : tensor<?xf32>
}
