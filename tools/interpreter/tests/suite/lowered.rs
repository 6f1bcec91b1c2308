//! `affine` and `linalg`: what combinators are lowered to.

use crate::program::*;

#[test]
fn affine_arithmetic() {
    let source = "func.func @main(%i: index, %n: index) -> (index, index, index, index, index) {
        %a = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 - 7)>(%i)[%n]
        %b = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)
        %c = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%i)
        %d = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
        %e = affine.min affine_map<(d0)[s0] -> (d0, s0, 5)>(%i)[%n]
        return %a, %b, %c, %d, %e : index, index, index, index, index
      }";
    gives(
        source,
        &[index(-6), index(10)],
        &[index(-15), index(-2), index(-1), index(2), index(-6)],
    );
    gives(
        source,
        &[index(9), index(10)],
        &[index(30), index(2), index(3), index(1), index(5)],
    );
    let source = "func.func @main(%i: index, %n: index) -> (index, index) {
        %a = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
        %b = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]
        return %a, %b : index, index
      }";
    gives(source, &[index(7), index(3)], &[index(1), index(7)]);
    fails(
        source,
        &[index(7), index(0)],
        "'affine.apply' op divides by a number that is not positive",
    );
}

#[test]
fn affine_indices() {
    let source = "func.func @main(%k: index, %n: index) -> (index, index, index, index) {
        %i:3 = affine.delinearize_index %k into (%n, 3, 4) : index, index, index
        %l = affine.linearize_index [%i#0, %i#1, %i#2] by (3, 4) : index
        return %i#0, %i#1, %i#2, %l : index, index, index, index
      }";
    gives(
        source,
        &[index(23), index(2)],
        &[index(1), index(2), index(3), index(23)],
    );
}

#[test]
fn generic_maps_and_reductions() {
    let source = "func.func @main(%x: tensor<?x?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
        %y = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
            iterator_types = [\"parallel\", \"reduction\"]}
            ins(%x : tensor<?x?xf32>) outs(%o : tensor<?xf32>) {
        ^bb0(%a: f32, %b: f32):
          %s = arith.addf %a, %b : f32
          linalg.yield %s : f32
        } -> tensor<?xf32>
        return %y : tensor<?xf32>
      }";
    gives(
        source,
        &[counted(F32, &[2, 3]), floats(F32, &[2], &[100.0, 200.0])],
        &[floats(F32, &[2], &[103.0, 212.0])],
    );
    gives(
        source,
        &[counted(F32, &[2, 0]), floats(F32, &[2], &[100.0, 200.0])],
        &[floats(F32, &[2], &[100.0, 200.0])],
    );
    fails(
        source,
        &[counted(F32, &[2, 3]), floats(F32, &[1], &[100.0])],
        "'linalg.generic' op operands 0 and 1 have shapes [2, 3] and [1], which do not fit",
    );
}

#[test]
fn generic_with_indices_scalars_and_permuted_results() {
    let source =
        "func.func @main(%x: tensor<2x3xi64>, %k: i64, %o: tensor<3x2xi64>, %p: tensor<2x3xindex>)
          -> (tensor<3x2xi64>, tensor<2x3xindex>) {
        %y, %z = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>,
                             affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
            iterator_types = [\"parallel\", \"parallel\"]}
            ins(%x, %k : tensor<2x3xi64>, i64) outs(%o, %p : tensor<3x2xi64>, tensor<2x3xindex>) {
        ^bb0(%a: i64, %c: i64, %b: i64, %q: index):
          %s = arith.addi %a, %c : i64
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %ten = arith.constant 10 : index
          %t = arith.muli %i, %ten : index
          %u = arith.addi %t, %j : index
          linalg.yield %s, %u : i64, index
        } -> (tensor<3x2xi64>, tensor<2x3xindex>)
        return %y, %z : tensor<3x2xi64>, tensor<2x3xindex>
      }";
    gives(
        source,
        &[
            counted(I64, &[2, 3]),
            int(I64, 100),
            counted(I64, &[3, 2]),
            counted(INDEX, &[2, 3]),
        ],
        &[
            ints(I64, &[3, 2], &[100, 103, 101, 104, 102, 105]),
            ints(INDEX, &[2, 3], &[0, 1, 2, 10, 11, 12]),
        ],
    );
}

#[test]
fn named_ops() {
    let source = "func.func @main(%x: tensor<2x3xi32>, %v: i32)
          -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<3xi32>, tensor<3x2xi32>, tensor<2x2x3xi32>) {
        %e = tensor.empty() : tensor<2x3xi32>
        %f = linalg.fill ins(%v : i32) outs(%e : tensor<2x3xi32>) -> tensor<2x3xi32>
        %m = linalg.map { arith.addi } ins(%x, %f : tensor<2x3xi32>, tensor<2x3xi32>)
            outs(%e : tensor<2x3xi32>)
        %z = tensor.empty() : tensor<3xi32>
        %w = linalg.fill ins(%v : i32) outs(%z : tensor<3xi32>) -> tensor<3xi32>
        %r = linalg.reduce { arith.addi } ins(%x : tensor<2x3xi32>) outs(%w : tensor<3xi32>)
            dimensions = [0]
        %te = tensor.empty() : tensor<3x2xi32>
        %t = linalg.transpose ins(%x : tensor<2x3xi32>) outs(%te : tensor<3x2xi32>)
            permutation = [1, 0]
        %be = tensor.empty() : tensor<2x2x3xi32>
        %b = linalg.broadcast ins(%x : tensor<2x3xi32>) outs(%be : tensor<2x2x3xi32>)
            dimensions = [1]
        return %f, %m, %r, %t, %b : tensor<2x3xi32>, tensor<2x3xi32>, tensor<3xi32>,
            tensor<3x2xi32>, tensor<2x2x3xi32>
      }";
    gives(
        source,
        &[counted(I32, &[2, 3]), int(I32, 10)],
        &[
            ints(I32, &[2, 3], &[10; 6]),
            ints(I32, &[2, 3], &[10, 11, 12, 13, 14, 15]),
            ints(I32, &[3], &[13, 15, 17]),
            ints(I32, &[3, 2], &[0, 3, 1, 4, 2, 5]),
            ints(I32, &[2, 2, 3], &[0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]),
        ],
    );
}
