// Two treatments of a grey photograph, whose elements are the bytes 0 (black)
// to 255 (white). i8 has no sign in MLIR; the programs widen without one, and what a file of bytes
// without sign gives is written as such.
//
//     comb run examples/photograph.mlir --entry equalise
//         -i photo=examples/data/camera.npy -o result=out.npy
//     python3 examples/reference/picture.py out.npy out.png

// Histogram equalisation: spreads the grey values so that all are about
// equally frequent. The histogram is a scatter with +, the cumulative
// distribution a scan, and the look-up a gather.
func.func @equalise(%photo: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %white = arith.constant 255 : i64
  %height = tensor.dim %photo, %c0 : tensor<?x?xi8>
  %width = tensor.dim %photo, %c1 : tensor<?x?xi8>

  %greys = soac.map %photo : (tensor<?x?xi8>) -> tensor<?x?xindex> (%pixel: i8) {
    %grey = arith.index_castui %pixel : i8 to index
    soac.yield %grey : index
  }
  %ones = soac.fill %one [%height, %width] : (i64) -> tensor<?x?xi64>
  %zeros = soac.fill %zero [256] : (i64) -> tensor<256xi64>
  %histogram = soac.scatter %ones into %zeros at %greys
      : (tensor<?x?xi64>, tensor<256xi64>, tensor<?x?xindex>) -> tensor<256xi64>
      (%old: i64, %new: i64) {
    %sum = arith.addi %old, %new : i64
    soac.yield %sum : i64
  }
  %cumulative = soac.scanl %histogram neutral %zero : (tensor<256xi64>, i64) -> tensor<256xi64>
      (%sum: i64, %count: i64) {
    %s = arith.addi %sum, %count : i64
    soac.yield %s : i64
  }

  // new = 255 (c - c_min) / (c_max - c_min), where c counts the pixels that are
  // not brighter, and c_min those that are as dark as the darkest.
  %pixels = arith.muli %height, %width : index
  %all = arith.index_cast %pixels : index to i64
  %darkest_array = soac.fold %cumulative neutral %zero : (tensor<256xi64>, i64) -> tensor<i64>
      (%a: i64, %b: i64) {
    %a_is_zero = arith.cmpi eq, %a, %zero : i64
    %b_is_zero = arith.cmpi eq, %b, %zero : i64
    %smaller = arith.minsi %a, %b : i64
    %a_or_smaller = arith.select %b_is_zero, %a, %smaller : i64
    %least = arith.select %a_is_zero, %b, %a_or_smaller : i64
    soac.yield %least : i64
  }
  %darkest = tensor.extract %darkest_array[] : tensor<i64>
  %range = arith.subi %all, %darkest : i64
  %divisor = arith.maxsi %range, %one : i64
  %table = soac.map %cumulative : (tensor<256xi64>) -> tensor<256xi8> (%c: i64) {
    %above = arith.subi %c, %darkest : i64
    %not_below = arith.maxsi %above, %zero : i64
    %scaled = arith.muli %not_below, %white : i64
    %new = arith.divsi %scaled, %divisor : i64
    %byte = arith.trunci %new : i64 to i8
    soac.yield %byte : i8
  }
  %equalised = soac.gather %table at %greys
      : (tensor<256xi8>, tensor<?x?xindex>) -> tensor<?x?xi8>
  return %equalised : tensor<?x?xi8>
}

// Sharpening by an unsharp mask: photo + amount (photo - blurred), rounded
// down and kept within 0 … 255.
func.func @sharpen(%photo: tensor<?x?xi8>, %amount: f32) -> tensor<?x?xi8> {
  %black = arith.constant 0.0 : f32
  %white = arith.constant 255.0 : f32
  %greys = soac.map %photo : (tensor<?x?xi8>) -> tensor<?x?xf32> (%pixel: i8) {
    %grey = arith.uitofp %pixel : i8 to f32
    soac.yield %grey : f32
  }
  // Blurring rows, and then the rows of the transpose, blurs both ways.
  %across = func.call @blur_rows(%greys) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %turned = soac.transpose %across [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %both = func.call @blur_rows(%turned) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %blurred = soac.transpose %both [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %sharpened = soac.map %greys, %blurred
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi8> (%grey: f32, %mean: f32) {
    %detail = arith.subf %grey, %mean : f32
    %more = arith.mulf %detail, %amount : f32
    %sharp = arith.addf %grey, %more : f32
    %not_black = arith.maximumf %sharp, %black : f32
    %bounded = arith.minimumf %not_black, %white : f32
    %byte = arith.fptoui %bounded : f32 to i8
    soac.yield %byte : i8
  }
  return %sharpened : tensor<?x?xi8>
}

// Every element becomes (left + 2 itself + right) / 4; at the edges the element
// itself stands for the neighbour that is missing.
func.func private @blur_rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %quarter = arith.constant 0.25 : f32
  %height = tensor.dim %x, %c0 : tensor<?x?xf32>
  %width = tensor.dim %x, %c1 : tensor<?x?xf32>
  %last = arith.subi %width, %c1 : index
  %left = soac.backpermute %x [%height, %width] : (tensor<?x?xf32>) -> tensor<?x?xf32>
      (%i: index, %j: index) {
    %before = arith.subi %j, %c1 : index
    %inside = arith.maxsi %before, %c0 : index
    soac.yield %i, %inside : index, index
  }
  %right = soac.backpermute %x [%height, %width] : (tensor<?x?xf32>) -> tensor<?x?xf32>
      (%i: index, %j: index) {
    %after = arith.addi %j, %c1 : index
    %inside = arith.minsi %after, %last : index
    soac.yield %i, %inside : index, index
  }
  %blurred = soac.map %left, %x, %right
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%l: f32, %m: f32, %r: f32) {
    %sides = arith.addf %l, %r : f32
    %twice = arith.mulf %m, %two : f32
    %sum = arith.addf %sides, %twice : f32
    %mean = arith.mulf %sum, %quarter : f32
    soac.yield %mean : f32
  }
  return %blurred : tensor<?x?xf32>
}
