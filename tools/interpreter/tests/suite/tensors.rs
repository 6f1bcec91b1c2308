//! The `tensor` dialect.

use crate::program::*;

#[test]
fn extract_and_insert_check_their_index() {
    let source =
        "func.func @main(%x: tensor<?x?xi32>, %i: index, %j: index) -> (i32, tensor<?x?xi32>) {
        %v = tensor.extract %x[%i, %j] : tensor<?x?xi32>
        %w = arith.constant -1 : i32
        %y = tensor.insert %w into %x[%i, %j] : tensor<?x?xi32>
        return %v, %y : i32, tensor<?x?xi32>
      }";
    let x = counted(I32, &[2, 3]);
    gives(
        source,
        &[x.clone(), index(1), index(2)],
        &[int(I32, 5), ints(I32, &[2, 3], &[0, 1, 2, 3, 4, -1])],
    );
    fails(
        source,
        &[x.clone(), index(17), index(2)],
        "'tensor.extract' op index 17 is out of range [0, 2) in dimension 0",
    );
    fails(
        source,
        &[x.clone(), index(1), index(-1)],
        "'tensor.extract' op index -1 is out of range [0, 3) in dimension 1",
    );
    let insert_only = "func.func @main(%x: tensor<?xi32>, %i: index) -> tensor<?xi32> {
        %w = arith.constant -1 : i32
        %y = tensor.insert %w into %x[%i] : tensor<?xi32>
        return %y : tensor<?xi32>
      }";
    fails(
        insert_only,
        &[counted(I32, &[3]), index(3)],
        "'tensor.insert' op index 3 is out of range [0, 3) in dimension 0",
    );
}

#[test]
fn arrays_of_rank_zero() {
    let source = "func.func @main(%x: tensor<f32>) -> (f32, tensor<f32>) {
        %v = tensor.extract %x[] : tensor<f32>
        %s = arith.addf %v, %v : f32
        %y = tensor.insert %s into %x[] : tensor<f32>
        return %v, %y : f32, tensor<f32>
      }";
    gives(
        source,
        &[floats(F32, &[], &[1.5])],
        &[float(F32, 1.5), floats(F32, &[], &[3.0])],
    );
}

#[test]
fn making_arrays() {
    let source = "func.func @main(%n: index, %a: f16, %b: f16)
          -> (tensor<?x2xf16>, tensor<2x1xf16>, tensor<?x2xf16>, tensor<?x2xindex>) {
        %e = tensor.empty(%n) : tensor<?x2xf16>
        %f = tensor.from_elements %a, %b : tensor<2x1xf16>
        %s = tensor.splat %b[%n] : tensor<?x2xf16>
        %g = tensor.generate %n {
        ^bb0(%i: index, %j: index):
          %ten = arith.constant 10 : index
          %t = arith.muli %i, %ten : index
          %k = arith.addi %t, %j : index
          tensor.yield %k : index
        } : tensor<?x2xindex>
        return %e, %f, %s, %g : tensor<?x2xf16>, tensor<2x1xf16>, tensor<?x2xf16>, tensor<?x2xindex>
      }";
    gives(
        source,
        &[index(2), float(F16, 1.5), float(F16, 2.5)],
        &[
            floats(F16, &[2, 2], &[0.0; 4]),
            floats(F16, &[2, 1], &[1.5, 2.5]),
            floats(F16, &[2, 2], &[2.5; 4]),
            ints(INDEX, &[2, 2], &[0, 1, 10, 11]),
        ],
    );
    fails(
        source,
        &[index(-2), float(F16, 1.5), float(F16, 2.5)],
        "'tensor.empty' op size 0 is negative: -2",
    );
}

#[test]
fn dimensions() {
    let source = "func.func @main(%x: tensor<?x4xi8>, %d: index) -> (index, index) {
        %n = tensor.dim %x, %d : tensor<?x4xi8>
        %r = tensor.rank %x : tensor<?x4xi8>
        return %n, %r : index, index
      }";
    let x = counted(I8, &[3, 4]);
    gives(source, &[x.clone(), index(0)], &[index(3), index(2)]);
    gives(source, &[x.clone(), index(1)], &[index(4), index(2)]);
    fails(
        source,
        &[x, index(2)],
        "'tensor.dim' op dimension 2 is out of range [0, 2)",
    );
}

#[test]
fn casts_check_sizes() {
    let source = one_op(
        "tensor.cast %a : tensor<?x2xi8> to tensor<3x?xi8>",
        &["tensor<?x2xi8>"],
        "tensor<3x?xi8>",
    );
    gives(&source, &[counted(I8, &[3, 2])], &[counted(I8, &[3, 2])]);
    fails(
        &source,
        &[counted(I8, &[4, 2])],
        "'tensor.cast' op size 4 of dimension 0 is not 3",
    );
}

const EXTRACT_SLICE: &str = "func.func @main(%x: tensor<?x?xi32>, %o: index, %n: index, %s: index)
      -> (tensor<?x2xi32>, tensor<?xi32>, tensor<?x1xi32>) {
    %a = tensor.extract_slice %x[%o, 0] [%n, 2] [%s, 1] : tensor<?x?xi32> to tensor<?x2xi32>
    %b = tensor.extract_slice %x[%o, 1] [%n, 1] [%s, 1] : tensor<?x?xi32> to tensor<?xi32>
    %c = tensor.extract_slice %x[%o, 1] [%n, 1] [%s, 1] : tensor<?x?xi32> to tensor<?x1xi32>
    return %a, %b, %c : tensor<?x2xi32>, tensor<?xi32>, tensor<?x1xi32>
  }";

#[test]
fn extract_slice_and_reduced_ranks() {
    let inputs = |o, n, s| [counted(I32, &[4, 3]), index(o), index(n), index(s)];
    gives(
        EXTRACT_SLICE,
        &inputs(1, 2, 2),
        &[
            ints(I32, &[2, 2], &[3, 4, 9, 10]),
            ints(I32, &[2], &[4, 10]),
            ints(I32, &[2, 1], &[4, 10]),
        ],
    );
    gives(
        EXTRACT_SLICE,
        &inputs(1, 0, 2),
        &[
            ints(I32, &[0, 2], &[]),
            ints(I32, &[0], &[]),
            ints(I32, &[0, 1], &[]),
        ],
    );
    fails(
        EXTRACT_SLICE,
        &inputs(2, 2, 2),
        "'tensor.extract_slice' op the slice with offset 2, size 2 and stride 2 leaves dimension \
         0 of size 4",
    );
    fails(
        EXTRACT_SLICE,
        &inputs(2, -1, 2),
        "'tensor.extract_slice' op size 0 is negative: -1",
    );
}

#[test]
fn ranks_are_reduced_from_the_right() {
    let source = "func.func @main(%x: tensor<1x3x1xi32>) -> (tensor<3xi32>, tensor<1x3xi32>, tensor<3x1xi32>) {
        %a = tensor.extract_slice %x[0, 0, 0] [1, 3, 1] [1, 1, 1] : tensor<1x3x1xi32> to tensor<3xi32>
        %b = tensor.extract_slice %x[0, 0, 0] [1, 3, 1] [1, 1, 1] : tensor<1x3x1xi32> to tensor<1x3xi32>
        %c = tensor.extract_slice %x[0, 0, 0] [1, 3, 1] [1, 1, 1] : tensor<1x3x1xi32> to tensor<3x1xi32>
        return %a, %b, %c : tensor<3xi32>, tensor<1x3xi32>, tensor<3x1xi32>
      }";
    gives(
        source,
        &[counted(I32, &[1, 3, 1])],
        &[
            counted(I32, &[3]),
            counted(I32, &[1, 3]),
            counted(I32, &[3, 1]),
        ],
    );
}

const INSERT_SLICE: &str =
    "func.func @main(%s: tensor<?xi32>, %x: tensor<?x?xi32>, %o: index, %n: index)
      -> tensor<?x?xi32> {
    %y = tensor.insert_slice %s into %x[%o, 1] [%n, 1] [2, 1] : tensor<?xi32> into tensor<?x?xi32>
    return %y : tensor<?x?xi32>
  }";

#[test]
fn insert_slice_writes() {
    let inputs = |o, n| {
        [
            ints(I32, &[2], &[-1, -2]),
            counted(I32, &[3, 2]),
            index(o),
            index(n),
        ]
    };
    gives(
        INSERT_SLICE,
        &inputs(0, 2),
        &[ints(I32, &[3, 2], &[0, -1, 2, 3, 4, -2])],
    );
    fails(
        INSERT_SLICE,
        &inputs(1, 2),
        "'tensor.insert_slice' op the slice with offset 1, size 2 and stride 2 leaves dimension 0 \
         of size 3",
    );
    fails(
        INSERT_SLICE,
        &inputs(0, 1),
        "'tensor.insert_slice' op inserts an array of shape [2] as a slice of shape [1]",
    );
}

#[test]
fn reshaping() {
    let source = "func.func @main(%x: tensor<?x2x3xi32>, %n: index, %shape: tensor<2xi32>)
          -> (tensor<?x3xi32>, tensor<?x2x1x3xi32>, tensor<?x?xi32>) {
        %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x2x3xi32> into tensor<?x3xi32>
        %b = tensor.expand_shape %a [[0, 1, 2], [3]] output_shape [%n, 2, 1, 3]
            : tensor<?x3xi32> into tensor<?x2x1x3xi32>
        %c = tensor.reshape %x(%shape) : (tensor<?x2x3xi32>, tensor<2xi32>) -> tensor<?x?xi32>
        return %a, %b, %c : tensor<?x3xi32>, tensor<?x2x1x3xi32>, tensor<?x?xi32>
      }";
    let inputs = |n, rows, columns| {
        [
            counted(I32, &[2, 2, 3]),
            index(n),
            ints(I32, &[2], &[rows, columns]),
        ]
    };
    gives(
        source,
        &inputs(2, 1, 12),
        &[
            counted(I32, &[4, 3]),
            counted(I32, &[2, 2, 1, 3]),
            counted(I32, &[1, 12]),
        ],
    );
    fails(
        source,
        &inputs(3, 1, 12),
        "'tensor.expand_shape' op dimension 0 of size 4 is not expanded to [3, 2, 1]",
    );
    fails(
        source,
        &inputs(2, 5, 3),
        "'tensor.reshape' op shapes [2, 2, 3] and [5, 3] have different numbers of elements",
    );
    let scalar = "func.func @main(%x: tensor<1x1xi32>) -> (tensor<i32>, tensor<1xi32>) {
        %a = tensor.collapse_shape %x [] : tensor<1x1xi32> into tensor<i32>
        %b = tensor.expand_shape %a [] output_shape [1] : tensor<i32> into tensor<1xi32>
        return %a, %b : tensor<i32>, tensor<1xi32>
      }";
    gives(
        scalar,
        &[counted(I32, &[1, 1])],
        &[counted(I32, &[]), counted(I32, &[1])],
    );
}

#[test]
fn concatenation() {
    let source = "func.func @main(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<?x?xi32> {
        %z = tensor.concat dim(1) %x, %y : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
        return %z : tensor<?x?xi32>
      }";
    gives(
        source,
        &[counted(I32, &[2, 1]), ints(I32, &[2, 2], &[5, 6, 7, 8])],
        &[ints(I32, &[2, 3], &[0, 5, 6, 1, 7, 8])],
    );
    fails(
        source,
        &[counted(I32, &[2, 1]), counted(I32, &[1, 1])],
        "'tensor.concat' op operands 0 and 1, apart from dimension 1, have different shapes: \
         [2, 1] and [1, 1]",
    );
}

#[test]
fn padding() {
    let source = "func.func @main(%x: tensor<?x?xi32>, %low: index) -> tensor<?x?xi32> {
        %y = tensor.pad %x low[%low, 1] high[0, 0] {
        ^bb0(%i: index, %j: index):
          %k = arith.index_cast %j : index to i32
          %c = arith.constant 100 : i32
          %v = arith.addi %k, %c : i32
          tensor.yield %v : i32
        } : tensor<?x?xi32> to tensor<?x?xi32>
        return %y : tensor<?x?xi32>
      }";
    gives(
        source,
        &[counted(I32, &[1, 2]), index(1)],
        &[ints(I32, &[2, 3], &[100, 101, 102, 100, 0, 1])],
    );
    fails(
        source,
        &[counted(I32, &[1, 2]), index(-2)],
        "'tensor.pad' op dimension 0 of size 1 cannot be padded by -2 and 0",
    );
}
