// The source of the artifacts beside this file, which are serialized for versions 0.9, 0.14, 1.0, 1.8
// and 1.15 of StableHLO.
module @many_ops {
  func.func private @twice(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %y = stablehlo.add %x, %x : tensor<3x4xf32>
    return %y : tensor<3x4xf32>
  }
  func.func public @main(%x: tensor<3x4xf32> loc("x"), %i: tensor<2x1xi32> loc("i"), %u: tensor<4xui8> loc("u"))
      -> (tensor<3x4xf32>, tensor<3x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<3xf32>, tensor<4xui8>, tensor<1x2x2x1xf32>, tensor<3x4xi1>, tensor<4xi32>, tensor<4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %twice = func.call @twice(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %product = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x3xf32>
    %rows = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %added = "stablehlo.scatter"(%x, %i, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %odd = stablehlo.constant dense<[1, 2, 250, 255]> : tensor<4xui8>
    %half = stablehlo.divide %u, %odd : tensor<4xui8>
    %image = stablehlo.reshape %x : (tensor<3x4xf32>) -> tensor<1x3x4x1xf32>
    %kernel = stablehlo.constant dense<[[[[1.0]], [[2.0]], [[3.0]]], [[[4.0]], [[5.0]], [[6.0]]]]> : tensor<2x3x1x1xf32>
    %conv = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x1xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x2x1xf32>
    %mask = stablehlo.constant dense<[[true, false, true, true], [false, false, true, false], [true, true, true, false]]> : tensor<3x4xi1>
    %positive = stablehlo.compare GT, %x, %twice, TOTALORDER : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %both = stablehlo.and %mask, %positive : tensor<3x4xi1>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %numbers = stablehlo.iota dim = 0 : tensor<4xi32>
    %loop:2 = stablehlo.while(%k = %n, %sum = %numbers) : tensor<i32>, tensor<4xi32>
     cond {
      %none = stablehlo.constant dense<0> : tensor<i32>
      %more = stablehlo.compare GT, %k, %none, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %less = stablehlo.subtract %k, %one : tensor<i32>
      %wide = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %next = stablehlo.add %sum, %wide : tensor<4xi32>
      stablehlo.return %less, %next : tensor<i32>, tensor<4xi32>
    }
    %infinite = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, -0.0]> : tensor<4xf32>
    %exp = stablehlo.exponential %infinite : tensor<4xf32>
    return %twice, %product, %rows, %added, %sums, %half, %conv, %both, %loop#1, %exp : tensor<3x4xf32>, tensor<3x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<3xf32>, tensor<4xui8>, tensor<1x2x2x1xf32>, tensor<3x4xi1>, tensor<4xi32>, tensor<4xf32>
  }
}
