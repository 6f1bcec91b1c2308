// Hotspot by parts: in each step, the first row of a plate, the last one, and those between are computed by themselves, and
// put together. Columns are those of a cylinder.
func.func @parts(%t: tensor<?x?xf32>, %n: index, %it: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %before_last = arith.subi %n, %c2 : index
  %last = arith.subi %n, %c1 : index
  %result = scf.for %step = %c0 to %it step %c1 iter_args(%x = %t) -> tensor<?x?xf32> {
    %first_rows = soac.slice %x [0, 0] [1, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %second_rows = soac.slice %x [1, 0] [1, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %top = func.call @edge(%first_rows, %second_rows) : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
    %above = soac.slice %x [0, 0] [%before_last, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %here = soac.slice %x [1, 0] [%before_last, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %below = soac.slice %x [2, 0] [%before_last, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %middle = func.call @between(%above, %here, %below)
        : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %last_rows = soac.slice %x [%last, 0] [1, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %next_rows = soac.slice %x [%before_last, 0] [1, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %bottom = func.call @edge(%last_rows, %next_rows) : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
    %new = soac.concat %top, %middle, %bottom dim 0
        : (tensor<1x?xf32>, tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
    scf.yield %new : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}

func.func private @edge(%x: tensor<1x?xf32>, %next: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %half = arith.constant 0.5 : f32
  %y = soac.map %x, %next : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32> (%e: f32, %d: f32) {
    %sum = arith.addf %e, %d fastmath<contract> : f32
    %mean = arith.mulf %sum, %half fastmath<contract> : f32
    soac.yield %mean : f32
  }
  return %y : tensor<1x?xf32>
}

func.func private @between(%above: tensor<?x?xf32>, %here: tensor<?x?xf32>, %below: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %fifth = arith.constant 0.2 : f32
  %left = soac.rotate %here by [0, -1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %right = soac.rotate %here by [0, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = soac.map %above, %here, %below, %left, %right
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?xf32> (%a: f32, %h: f32, %b: f32, %l: f32, %r: f32) {
    %ab = arith.addf %a, %b fastmath<contract> : f32
    %lr = arith.addf %l, %r fastmath<contract> : f32
    %around = arith.addf %ab, %lr fastmath<contract> : f32
    %sum = arith.addf %around, %h fastmath<contract> : f32
    %mean = arith.mulf %sum, %fifth fastmath<contract> : f32
    soac.yield %mean : f32
  }
  return %y : tensor<?x?xf32>
}
