// RUN: comb-opt %s --resolve-ranked-shaped-type-result-dims --cse | FileCheck %s

// The sizes of results in terms of operands, for every op.

// CHECK: #[[$SUM:.*]] = affine_map<()[s0, s1] -> (s0 + s1 * 2)>
// CHECK: #[[$REST:.*]] = affine_map<()[s0, s1] -> (s0 - s1)>
// CHECK: #[[$REST_3:.*]] = affine_map<()[s0] -> (s0 - 3)>
// CHECK: #[[$TWICE:.*]] = affine_map<()[s0] -> (s0 * 2)>

// CHECK-LABEL: func.func @generate(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: return %arg0, %c3 : index, index
func.func @generate(%n: index) -> (index, index) {
  %r = soac.generate [%n, 3] : tensor<?x3xindex> (%i: index, %j: index) {
    %k = arith.addi %i, %j : index
    soac.yield %k : index
  }
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x3xindex>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x3xindex>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @map(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: return %dim, %dim_0 : index, index
func.func @map(%x: tensor<?x?xf32>) -> (index, index) {
  %r = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32) {
    soac.yield %e : f32
  }
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @map_static(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @map_static(%x: tensor<?xf32>, %y: tensor<4xf32>) -> (index) {
  %r = soac.map %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32> (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    soac.yield %t : f32
  }
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @map_inner(
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT: return %dim, %c2, %arg1 : index, index, index
func.func @map_inner(%x: tensor<?x8xf32>, %n: index) -> (index, index, index) {
  %r = soac.map %x outer 1 inner (%n) : (tensor<?x8xf32>) -> tensor<?x2x?xindex> (%row: tensor<8xf32>) {
    %i = soac.iota [2, %n] dim 1 : tensor<2x?xindex>
    soac.yield %i : tensor<2x?xindex>
  }
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x2x?xindex>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x2x?xindex>
  %c2 = arith.constant 2 : index
  %d2 = tensor.dim %r, %c2 : tensor<?x2x?xindex>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func.func @gather(
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?x7xindex>
// CHECK-NEXT: return %dim, %c7, %c5 : index, index, index
func.func @gather(%x: tensor<?x?x5xf32>, %i: tensor<?x7xindex>) -> (index, index, index) {
  %r = soac.gather %x at %i, %i : (tensor<?x?x5xf32>, tensor<?x7xindex>, tensor<?x7xindex>) -> tensor<?x7x5xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x7x5xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x7x5xf32>
  %c2 = arith.constant 2 : index
  %d2 = tensor.dim %r, %c2 : tensor<?x7x5xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func.func @gather_rows(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?xindex>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: return %dim, %dim_0 : index, index
func.func @gather_rows(%x: tensor<?x?xf32>, %i: tensor<?xindex>) -> (index, index) {
  %r = soac.gather %x at %i : (tensor<?x?xf32>, tensor<?xindex>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
// CHECK-NEXT: return %dim, %dim_0 : index, index
func.func @scatter(%x: tensor<?xf32>, %d: tensor<?x?xf32>, %i: tensor<?xindex>) -> (index, index) {
  %r = soac.scatter %x into %d at %i, %i : (tensor<?xf32>, tensor<?x?xf32>, tensor<?xindex>, tensor<?xindex>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @fold(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
// CHECK-NEXT: return %dim : index
func.func @fold(%x: tensor<?x?x?xf32>, %v: f32) -> (index) {
  %r = soac.fold %x neutral %v inner 2 : (tensor<?x?x?xf32>, f32) -> tensor<?xf32> (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    soac.yield %t : f32
  }
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @scan(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: return %dim, %dim_0 : index, index
func.func @scan(%x: tensor<?x?xf32>, %v: f32) -> (index, index) {
  %r = soac.scanr %x neutral %v : (tensor<?x?xf32>, f32) -> tensor<?x?xf32> (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    soac.yield %t : f32
  }
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @force(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @force(%x: tensor<?xf32>) -> (index) {
  %r = soac.force %x : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @zip(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @zip(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (index) {
  %r:2 = soac.zip %x, %y : tensor<?xf32>, tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r#1, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @cross(
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x2xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim, %c2, %dim_0 : index, index, index
func.func @cross(%x: tensor<?x2xf32>, %y: tensor<?xf32>) -> (index, index, index) {
  %r:2 = soac.cross %x by %y : (tensor<?x2xf32>, tensor<?xf32>) -> (tensor<?x2x?xf32>, tensor<?x2x?xf32>)
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r#1, %c0 : tensor<?x2x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r#1, %c1 : tensor<?x2x?xf32>
  %c2 = arith.constant 2 : index
  %d2 = tensor.dim %r#1, %c2 : tensor<?x2x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func.func @concat(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: %dim_1 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
// CHECK-NEXT: %0 = affine.apply #[[$SUM]]()[%dim_0, %dim_1]
// CHECK-NEXT: return %dim, %0 : index, index
func.func @concat(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (index, index) {
  %r = soac.concat %x, %y, %y dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @update(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @update(%s: tensor<?xf32>, %x: tensor<?xf32>, %o: index) -> (index) {
  %r = soac.update %s into %x at [%o] strides [2] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @lmad_slice(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: return %arg2, %c3 : index, index
func.func @lmad_slice(%x: tensor<?xf32>, %o: index, %n: index) -> (index, index) {
  %r = soac.lmad_slice %x offset [%o] sizes [%n, 3] strides [%o, 1] : tensor<?xf32> -> tensor<?x3xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x3xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x3xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @lmad_update(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
// CHECK-NEXT: return %dim, %dim_0 : index, index
func.func @lmad_update(%s: tensor<?xf32>, %x: tensor<?x?xf32>, %o: index) -> (index, index) {
  %r = soac.lmad_update %s into %x offset [%o] strides [2] : tensor<?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @iota(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: return %c3, %arg0 : index, index
func.func @iota(%n: index) -> (index, index) {
  %r = soac.iota [3, %n] dim 1 : tensor<3x?xi8>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<3x?xi8>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<3x?xi8>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @fill(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: return %c3, %arg0 : index, index
func.func @fill(%n: index, %v: f32) -> (index, index) {
  %r = soac.fill %v [3, %n] : (f32) -> tensor<3x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<3x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<3x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @replicate(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT: return %c3, %arg0, %dim : index, index, index
func.func @replicate(%n: index, %x: tensor<?xf32>) -> (index, index, index) {
  %r = soac.replicate %x [3, %n] : (tensor<?xf32>) -> tensor<3x?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<3x?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<3x?x?xf32>
  %c2 = arith.constant 2 : index
  %d2 = tensor.dim %r, %c2 : tensor<3x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @reverse(%x: tensor<?xf32>) -> (index) {
  %r = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @rotate(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @rotate(%x: tensor<?xf32>) -> (index) {
  %r = soac.rotate %x by [1] : (tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: return %arg1, %c4 : index, index
func.func @slice(%x: tensor<?x?xf32>, %n: index) -> (index, index) {
  %r = soac.slice %x [1, 2] [%n, 4] [1, -1] : (tensor<?x?xf32>) -> tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x4xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x4xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @take(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: return %arg1, %dim : index, index
func.func @take(%x: tensor<?x?xf32>, %n: index) -> (index, index) {
  %r = soac.take %x [%n] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @drop(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %0 = affine.apply #[[$REST]]()[%dim, %arg1]
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: %1 = affine.apply #[[$REST_3]]()[%dim_0]
// CHECK-NEXT: return %0, %1 : index, index
func.func @drop(%x: tensor<?x?xf32>, %n: index) -> (index, index) {
  %r = soac.drop %x [%n, 3] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @transpose(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
// CHECK-NEXT: %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
// CHECK-NEXT: return %dim, %dim_0, %dim_1 : index, index, index
func.func @transpose(%x: tensor<?x?x?xf32>) -> (index, index, index) {
  %r = soac.transpose %x [2, 0, 1] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x?x?xf32>
  %c2 = arith.constant 2 : index
  %d2 = tensor.dim %r, %c2 : tensor<?x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: return %arg1, %c4 : index, index
func.func @reshape(%x: tensor<?xf32>, %n: index) -> (index, index) {
  %r = soac.reshape %x to [%n, 4] : (tensor<?xf32>) -> tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x4xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x4xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @backpermute(
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: return %arg1, %c4 : index, index
func.func @backpermute(%x: tensor<?xf32>, %n: index) -> (index, index) {
  %r = soac.backpermute %x [%n, 4] : (tensor<?xf32>) -> tensor<?x4xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %r, %c0 : tensor<?x4xf32>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %r, %c1 : tensor<?x4xf32>
  return %d0, %d1 : index, index
}

// The size of a filter's results is known only when it has run.
// CHECK-LABEL: func.func @not_filter(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = soac.filter %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg2: f32) {
// CHECK-NEXT: soac.yield %arg1 : i1
// CHECK-NEXT: }
// CHECK-NEXT: %dim = tensor.dim %0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @not_filter(%x: tensor<?xf32>, %c: i1) -> index {
  %r = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %c : i1
  }
  %c0 = arith.constant 0 : index
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  return %d : index
}

// So is that of a cluster's, for a body may filter.
// CHECK-LABEL: func.func @not_cluster(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = soac.cluster %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.reverse %arg1 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: soac.yield %1 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %dim = tensor.dim %0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @not_cluster(%x: tensor<?xf32>) -> index {
  %r = soac.cluster %x : (tensor<?xf32>) -> tensor<?xf32> (%a: tensor<?xf32>) {
    %s = soac.reverse %a dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %s : tensor<?xf32>
  }
  %c0 = arith.constant 0 : index
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  return %d : index
}

// Through several ops, to the inputs of the function.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: %0 = affine.apply #[[$REST]]()[%dim, %arg2]
// CHECK-NEXT: %1 = affine.apply #[[$TWICE]]()[%0]
// CHECK-NEXT: return %1 : index
func.func @chain(%x: tensor<?x?xf32>, %v: f32, %n: index) -> index {
  %a = soac.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = soac.drop %a [%n] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = soac.fold %b neutral %v : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    soac.yield %t : f32
  }
  %d = soac.concat %c, %c dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %d, %c0 : tensor<?xf32>
  return %s : index
}
