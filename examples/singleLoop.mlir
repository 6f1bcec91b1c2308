// The running example of "Fusing Gathers with Integer Linear Programming" (van
// Balen et al., FProPer 2024):
//
//     result[i] = as[n-1-i] + f(as[i]) + g(f(as[i]))
//
// with f(a) = a/2 + 1/4 and g(c) = c². A reversal, two maps, and a zipWith3 that
// uses all three. On the rows of a photograph it lays the picture, turned
// upside down, over itself.
//
//     comb run examples/singleLoop.mlir -i as=examples/data/camera-rows.npy -o result=out.npy

func.func @singleLoop(%as: tensor<?xf32>) -> tensor<?xf32> {
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %bs = soac.reverse %as dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %cs = soac.map %as : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %scaled = arith.mulf %a, %half : f32
    %c = arith.addf %scaled, %quarter : f32
    soac.yield %c : f32
  }
  %ds = soac.map %cs : (tensor<?xf32>) -> tensor<?xf32> (%c: f32) {
    %d = arith.mulf %c, %c : f32
    soac.yield %d : f32
  }
  %result = soac.map %bs, %cs, %ds
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%b: f32, %c: f32, %d: f32) {
    %bc = arith.addf %b, %c : f32
    %bcd = arith.addf %bc, %d : f32
    soac.yield %bcd : f32
  }
  return %result : tensor<?xf32>
}
