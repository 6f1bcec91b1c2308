// The distances of the k points nearest to (0.5, 0.3), in order; x and y are coordinates.
//
// All points are looked at once, whatever k is:
//
// 1. The least distance in every block of 1024 points, and of these the least in every
//    group of blocks. There are at least 256 groups if there are as many blocks. The k-th
//    smallest of the groups' minima is a bound: k groups have a point that is not farther away.
// 2. Only blocks with a point within that bound are looked at again, hardly more than k,
//    and the points behind the last whole block. A filter keeps those within the bound.
//
// Only few numbers are left to choose from, in the first step one for each group, and in
// the second the points within the bound. There, the k smallest are found one after the
// other, by k folds. (If there are fewer than k groups, all points are within the bound.)
//
// A sum of squares is never -0. So the minima need not tell zeros apart (`nsz`), which takes
// a quarter off the instructions of the first loop.

func.func @nn(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %block_size = arith.constant 1024 : index
  %infinity = arith.constant 0x7F800000 : f32
  %blocks = arith.divui %n, %block_size : index
  %xs = soac.lmad_slice %x offset [0] sizes [%blocks, 1024] strides [1024, 1]
      : tensor<?xf32> -> tensor<?x1024xf32>
  %ys = soac.lmad_slice %y offset [0] sizes [%blocks, 1024] strides [1024, 1]
      : tensor<?xf32> -> tensor<?x1024xf32>
  %squares = func.call @squares_of_distance(%xs, %ys)
      : (tensor<?x1024xf32>, tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %minima = soac.fold %squares neutral %infinity : (tensor<?x1024xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %min = arith.minimumf %a, %b fastmath<nsz> : f32
    soac.yield %min : f32
  }
  %group_size = func.call @group_size(%blocks) : (index) -> index
  %groups = arith.divui %blocks, %group_size : index
  %grouped = soac.lmad_slice %minima offset [0] sizes [%groups, %group_size]
      strides [%group_size, 1] : tensor<?xf32> -> tensor<?x?xf32>
  %group_minima = soac.fold %grouped neutral %infinity : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %min = arith.minimumf %a, %b fastmath<nsz> : f32
    soac.yield %min : f32
  }
  %ignored, %bound = func.call @smallest(%group_minima, %k)
      : (tensor<?xf32>, index) -> (tensor<?xf32>, f32)

  %numbers = soac.iota [%blocks] dim 0 : tensor<?xindex>
  %near_minima, %near_blocks = soac.filter %minima, %numbers
      : (tensor<?xf32>, tensor<?xindex>) -> (tensor<?xf32>, tensor<?xindex>)
      (%min: f32, %block: index) {
    %near = arith.cmpf ole, %min, %bound : f32
    soac.yield %near : i1
  }
  %near_count = tensor.dim %near_blocks, %c0 : tensor<?xindex>
  %places = soac.generate [%near_count, 1024] : tensor<?x1024xindex> (%i: index, %j: index) {
    %block = tensor.extract %near_blocks[%i] : tensor<?xindex>
    %start = arith.muli %block, %block_size : index
    %place = arith.addi %start, %j : index
    soac.yield %place : index
  }
  %near_xs = soac.gather %x at %places : (tensor<?xf32>, tensor<?x1024xindex>) -> tensor<?x1024xf32>
  %near_ys = soac.gather %y at %places : (tensor<?xf32>, tensor<?x1024xindex>) -> tensor<?x1024xf32>
  %near_squares = func.call @squares_of_distance(%near_xs, %near_ys)
      : (tensor<?x1024xf32>, tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %point_count = arith.muli %near_count, %block_size : index
  %in_blocks = soac.reshape %near_squares to [%point_count]
      : (tensor<?x1024xf32>) -> tensor<?xf32>
  %blocks_end = arith.muli %blocks, %block_size : index
  %rest_xs = soac.drop %x [%blocks_end] : (tensor<?xf32>) -> tensor<?xf32>
  %rest_ys = soac.drop %y [%blocks_end] : (tensor<?xf32>) -> tensor<?xf32>
  %behind_blocks = soac.map %rest_xs, %rest_ys
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %square = func.call @square_of_distance(%a, %b) : (f32, f32) -> f32
    soac.yield %square : f32
  }
  %not_far = soac.concat %in_blocks, %behind_blocks dim 0
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %candidates = soac.filter %not_far : (tensor<?xf32>) -> tensor<?xf32> (%square: f32) {
    %near = arith.cmpf ole, %square, %bound : f32
    soac.yield %near : i1
  }
  %nearest, %last = func.call @smallest(%candidates, %k)
      : (tensor<?xf32>, index) -> (tensor<?xf32>, f32)
  %distances = soac.map %nearest : (tensor<?xf32>) -> tensor<?xf32> (%square: f32) {
    %distance = math.sqrt %square : f32
    soac.yield %distance : f32
  }
  return %distances : tensor<?xf32>
}

func.func private @squares_of_distance(%xs: tensor<?x1024xf32>, %ys: tensor<?x1024xf32>)
    -> tensor<?x1024xf32> {
  %squares = soac.map %xs, %ys
      : (tensor<?x1024xf32>, tensor<?x1024xf32>) -> tensor<?x1024xf32> (%x: f32, %y: f32) {
    %square = func.call @square_of_distance(%x, %y) : (f32, f32) -> f32
    soac.yield %square : f32
  }
  return %squares : tensor<?x1024xf32>
}

func.func private @square_of_distance(%x: f32, %y: f32) -> f32 {
  %x0 = arith.constant 0.5 : f32
  %y0 = arith.constant 0.3 : f32
  %dx = arith.subf %x, %x0 fastmath<contract> : f32
  %dy = arith.subf %y, %y0 fastmath<contract> : f32
  %dx2 = arith.mulf %dx, %dx fastmath<contract> : f32
  %dy2 = arith.mulf %dy, %dy fastmath<contract> : f32
  %square = arith.addf %dx2, %dy2 fastmath<contract> : f32
  return %square : f32
}

// How many blocks are a group, so that there are 256 to 511 groups, or one for each block if
// there are fewer.
func.func private @group_size(%blocks: index) -> index {
  %c1 = arith.constant 1 : index
  %least_groups = arith.constant 256 : index
  %size = arith.divui %blocks, %least_groups : index
  %at_least_one = arith.maxui %size, %c1 : index
  return %at_least_one : index
}

// The k smallest numbers in order, and the last of them; infinities if there are fewer.
// After (value, position) comes the least pair that is greater: so equal numbers are not
// lost.
func.func private @smallest(%numbers: tensor<?xf32>, %k: index) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = arith.constant -1 : index
  %nowhere = arith.constant 0x7FFFFFFFFFFFFFFF : index
  %infinity = arith.constant 0x7F800000 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %n = tensor.dim %numbers, %c0 : tensor<?xf32>
  %positions = soac.iota [%n] dim 0 : tensor<?xindex>
  %none = soac.fill %infinity [%k] : (f32) -> tensor<?xf32>
  %result, %last_value, %last_position = scf.for %i = %c0 to %k step %c1
      iter_args(%found = %none, %value = %minus_infinity, %position = %before)
      -> (tensor<?xf32>, f32, index) {
    %left_values, %left_positions = soac.map %numbers, %positions
        : (tensor<?xf32>, tensor<?xindex>) -> (tensor<?xf32>, tensor<?xindex>)
        (%a: f32, %p: index) {
      %greater = func.call @precedes(%value, %position, %a, %p)
          : (f32, index, f32, index) -> i1
      %b = arith.select %greater, %a, %infinity : f32
      %q = arith.select %greater, %p, %nowhere : index
      soac.yield %b, %q : f32, index
    }
    %least, %where = soac.fold %left_values, %left_positions neutral %infinity, %nowhere
        : (tensor<?xf32>, tensor<?xindex>, f32, index) -> (tensor<f32>, tensor<index>)
        (%a: f32, %p: index, %b: f32, %q: index) {
      %first = func.call @precedes(%a, %p, %b, %q) : (f32, index, f32, index) -> i1
      %c = arith.select %first, %a, %b : f32
      %r = arith.select %first, %p, %q : index
      soac.yield %c, %r : f32, index
    }
    %next_value = tensor.extract %least[] : tensor<f32>
    %next_position = tensor.extract %where[] : tensor<index>
    %new = tensor.insert %next_value into %found[%i] : tensor<?xf32>
    scf.yield %new, %next_value, %next_position : tensor<?xf32>, f32, index
  }
  return %result, %last_value : tensor<?xf32>, f32
}

// Whether (a, p) comes before (b, q): a smaller number, or the same at a lower position.
func.func private @precedes(%a: f32, %p: index, %b: f32, %q: index) -> i1 {
  %less = arith.cmpf olt, %a, %b : f32
  %equal = arith.cmpf oeq, %a, %b : f32
  %lower = arith.cmpi slt, %p, %q : index
  %earlier = arith.andi %equal, %lower : i1
  %precedes = arith.ori %less, %earlier : i1
  return %precedes : i1
}
