// How many of n random points of the unit square are less than 1 away from the corner
// (0, 0): about n π/4. Point i has the coordinates hash(2i) and hash(2i + 1), in units of
// 2^-32, so that no state is carried from one point to the next. One loop, and no array.
// n is less than 2^31, so that 32 bits are enough to count.

func.func @mcpi(%n: index) -> tensor<1xi64> {
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %square_of_radius = arith.constant 18446744073709551616.0 : f64
  %hits = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %number = arith.index_cast %i : index to i32
    %even = arith.shli %number, %one : i32
    %odd = arith.ori %even, %one : i32
    %x = func.call @random(%even) : (i32) -> f64
    %y = func.call @random(%odd) : (i32) -> f64
    %xx = arith.mulf %x, %x fastmath<contract> : f64
    %yy = arith.mulf %y, %y fastmath<contract> : f64
    %square = arith.addf %xx, %yy fastmath<contract> : f64
    %inside = arith.cmpf olt, %square, %square_of_radius : f64
    %hit = arith.extui %inside : i1 to i32
    soac.yield %hit : i32
  }
  %count = soac.fold %hits neutral %none : (tensor<?xi32>, i32) -> tensor<i32>
      (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %wide = soac.map %count : (tensor<i32>) -> tensor<i64> (%c: i32) {
    %w = arith.extui %c : i32 to i64
    soac.yield %w : i64
  }
  %result = soac.reshape %wide to [1] : (tensor<i64>) -> tensor<1xi64>
  return %result : tensor<1xi64>
}

// A number in [0, 2^32): the hash function lowbias32 of Chris Wellons.
func.func private @random(%seed: i32) -> f64 {
  %half = arith.constant 16 : i32
  %fifteen = arith.constant 15 : i32
  %factor1 = arith.constant 0x7FEB352D : i32
  %factor2 = arith.constant 0x846CA68B : i32
  %s1 = arith.shrui %seed, %half : i32
  %x1 = arith.xori %seed, %s1 : i32
  %m1 = arith.muli %x1, %factor1 : i32
  %s2 = arith.shrui %m1, %fifteen : i32
  %x2 = arith.xori %m1, %s2 : i32
  %m2 = arith.muli %x2, %factor2 : i32
  %s3 = arith.shrui %m2, %half : i32
  %hash = arith.xori %m2, %s3 : i32
  %result = arith.uitofp %hash : i32 to f64
  return %result : f64
}
