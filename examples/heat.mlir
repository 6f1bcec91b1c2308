// Heat in a rod whose ends are kept at their temperature: explicit steps of
// the heat equation until no point changes by more than `tolerance`, but at
// most `limit` steps. Gives the temperatures and the number of steps.
//
// An array-level loop, scf.while, whose condition looks at a fold.

func.func @heat(%rod: tensor<?xf32>, %diffusion: f32, %tolerance: f32, %limit: index)
    -> (tensor<?xf32> {soac.name = "temperatures"}, index {soac.name = "steps"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %endless = arith.constant 0x7F800000 : f32
  %temperatures, %steps, %change =
      scf.while (%old = %rod, %step = %c0, %largest = %endless)
      : (tensor<?xf32>, index, f32) -> (tensor<?xf32>, index, f32) {
    %moving = arith.cmpf ogt, %largest, %tolerance : f32
    %below = arith.cmpi ult, %step, %limit : index
    %go_on = arith.andi %moving, %below : i1
    scf.condition(%go_on) %old, %step, %largest : tensor<?xf32>, index, f32
  } do {
  ^bb0(%old: tensor<?xf32>, %step: index, %largest: f32):
    %new = func.call @heat_step(%old, %diffusion) : (tensor<?xf32>, f32) -> tensor<?xf32>
    %changes = soac.map %old, %new : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        (%a: f32, %b: f32) {
      %difference = arith.subf %a, %b : f32
      %size = math.absf %difference : f32
      soac.yield %size : f32
    }
    %maximum = soac.fold %changes neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
        (%a: f32, %b: f32) {
      %m = arith.maximumf %a, %b : f32
      soac.yield %m : f32
    }
    %new_largest = tensor.extract %maximum[] : tensor<f32>
    %next_step = arith.addi %step, %c1 : index
    scf.yield %new, %next_step, %new_largest : tensor<?xf32>, index, f32
  }
  return %temperatures, %steps : tensor<?xf32>, index
}

// u[i] + d (u[i-1] - 2 u[i] + u[i+1]); the ends stay.
func.func private @heat_step(%rod: tensor<?xf32>, %diffusion: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %n = tensor.dim %rod, %c0 : tensor<?xf32>
  %inner = arith.subi %n, %c2 : index
  %left = soac.take %rod [%inner] : (tensor<?xf32>) -> tensor<?xf32>
  %right = soac.drop %rod [2] : (tensor<?xf32>) -> tensor<?xf32>
  %middle = soac.slice %rod [1] [%inner] [1] : (tensor<?xf32>) -> tensor<?xf32>
  %moved = soac.map %left, %middle, %right
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%l: f32, %m: f32, %r: f32) {
    %twice = arith.mulf %two, %m : f32
    %flow_left = arith.subf %l, %twice : f32
    %flow = arith.addf %flow_left, %r : f32
    %scaled = arith.mulf %diffusion, %flow : f32
    %u = arith.addf %m, %scaled : f32
    soac.yield %u : f32
  }
  %new = soac.update %moved into %rod at [1] strides [1]
      : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  return %new : tensor<?xf32>
}
