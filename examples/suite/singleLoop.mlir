// The running example of "Fusing Gathers with Integer Linear Programming" (van
// Balen et al., FProPer 2024): a reversal, two maps, and a map that uses all three,
//
//     c = 2a + 1        result[i] = a[n-1-i] + c[i] + c[i]²
//
// One loop does it all; it reads the input forwards and backwards.

func.func @singleLoop(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %reversed = soac.reverse %a dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %cs = soac.map %a : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %twice = arith.mulf %two, %x fastmath<contract> : f32
    %c = arith.addf %twice, %one fastmath<contract> : f32
    soac.yield %c : f32
  }
  %squares = soac.map %cs : (tensor<?xf32>) -> tensor<?xf32> (%c: f32) {
    %square = arith.mulf %c, %c fastmath<contract> : f32
    soac.yield %square : f32
  }
  %result = soac.map %reversed, %cs, %squares
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%b: f32, %c: f32, %d: f32) {
    %bc = arith.addf %b, %c fastmath<contract> : f32
    %bcd = arith.addf %bc, %d fastmath<contract> : f32
    soac.yield %bcd : f32
  }
  return %result : tensor<?xf32>
}
