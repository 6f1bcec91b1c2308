// What all threads of a block read, and the first of them overwrites: they wait before that. Here that is the factor by
// which a row loses that of the pivot; it takes the place of the element that it is computed from.
//
// RUN: comb run %s --entry decompose -i a=random:f32[4,4]:7 -i size=4 --target interp | grep -v compile > %t.right
// RUN: comb run %s --entry decompose -i a=random:f32[4,4]:7 -i size=4 --target emulate | grep -v compile > %t.emulated
// RUN: diff %t.right %t.emulated

func.func @decompose(%a: tensor<?x?xf32>, %size: index)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %j = %c0 to %size step %c1 iter_args(%m = %a) -> tensor<?x?xf32> {
    %next = arith.addi %j, %c1 : index
    %left = arith.subi %size, %next : index
    %pivot = tensor.extract %m[%j, %j] : tensor<?x?xf32>
    %column = soac.slice %m [%next, %j] [%left, 1] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x1xf32>
    %factors = soac.map %column : (tensor<?x1xf32>) -> tensor<?x1xf32> (%e: f32) {
      %factor = arith.divf %e, %pivot : f32
      soac.yield %factor : f32
    }
    %row = soac.slice %m [%j, %next] [1, %left] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %inner = soac.slice %m [%next, %next] [%left, %left] [1, 1]
        : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %new_inner = func.call @subtract_outer(%inner, %factors, %row, %left, %left)
        : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1x?xf32>, index, index) -> tensor<?x?xf32>
    %m1 = soac.update %factors into %m at [%next, %j] strides [1, 1]
        : tensor<?x1xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    %m2 = soac.update %new_inner into %m1 at [%next, %next] strides [1, 1]
        : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %m2 : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

func.func private @subtract_outer(%a: tensor<?x?xf32>, %column: tensor<?x1xf32>,
                                  %row: tensor<1x?xf32>, %height: index, %width: index)
    -> tensor<?x?xf32> {
  %lefts = soac.reshape %column to [%height] : (tensor<?x1xf32>) -> tensor<?xf32>
  %tops = soac.reshape %row to [%width] : (tensor<1x?xf32>) -> tensor<?xf32>
  %wide_lefts, %wide_tops = soac.cross %lefts by %tops
      : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %new = soac.map %a, %wide_lefts, %wide_tops
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%e: f32, %left: f32, %top: f32) {
    %product = arith.mulf %left, %top fastmath<contract> : f32
    %difference = arith.subf %e, %product fastmath<contract> : f32
    soac.yield %difference : f32
  }
  return %new : tensor<?x?xf32>
}
