//! concat, update, lmad_slice, lmad_update.

use crate::program::*;

#[test]
fn concat_along_each_dimension() {
    let source = |dim| {
        format!(
            "func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>)
                 -> tensor<?x?xi32> {{
               %y = soac.concat %a, %b, %c dim {dim}
                   : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
               return %y : tensor<?x?xi32>
             }}"
        )
    };
    gives(
        &source(0),
        &[
            counted(I32, &[2, 2]),
            counted(I32, &[0, 2]),
            ints(I32, &[1, 2], &[8, 9]),
        ],
        &[ints(I32, &[3, 2], &[0, 1, 2, 3, 8, 9])],
    );
    gives(
        &source(1),
        &[
            counted(I32, &[2, 2]),
            ints(I32, &[2, 1], &[7, 8]),
            counted(I32, &[2, 0]),
        ],
        &[ints(I32, &[2, 3], &[0, 1, 7, 2, 3, 8])],
    );
    fails(
        &source(0),
        &[
            counted(I32, &[2, 2]),
            counted(I32, &[2, 2]),
            counted(I32, &[2, 3]),
        ],
        "'soac.concat' op operands 0 and 2, apart from dimension 0, have different shapes: \
         [2] and [3]",
    );
}

const UPDATE: &str = "func.func @main(%s: tensor<?xi32>, %x: tensor<?xi32>, %o: index, %t: index)
      -> (tensor<?xi32>, tensor<?xi32>) {
    %y = soac.update %s into %x at [%o] strides [%t]
        : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    return %y, %x : tensor<?xi32>, tensor<?xi32>
  }";

#[test]
fn update_writes_a_slice() {
    let x = counted(I32, &[5]);
    for (offset, stride, expected) in [
        (1, 1, [0, 10, 11, 3, 4]),
        (0, 3, [10, 1, 2, 11, 4]),
        (4, -2, [0, 1, 11, 3, 10]),
    ] {
        gives(
            UPDATE,
            &[
                ints(I32, &[2], &[10, 11]),
                x.clone(),
                index(offset),
                index(stride),
            ],
            &[ints(I32, &[5], &expected), x.clone()],
        );
    }
    gives(
        UPDATE,
        &[ints(I32, &[0], &[]), x.clone(), index(77), index(1)],
        &[x.clone(), x.clone()],
    );
    fails(
        UPDATE,
        &[ints(I32, &[2], &[10, 11]), x.clone(), index(4), index(1)],
        "'soac.update' op the slice with offset 4, size 2 and stride 1 leaves dimension 0 of size 5",
    );
    fails(
        UPDATE,
        &[ints(I32, &[2], &[10, 11]), x.clone(), index(1), index(0)],
        "'soac.update' op the stride of dimension 0 is zero",
    );
    is_undefined(
        &UPDATE.replace("[%t]\n", "[%t] unchecked\n"),
        &[ints(I32, &[2], &[10, 11]), x, index(-1), index(1)],
        "'soac.update' op the slice with offset -1, size 2 and stride 1 leaves dimension 0 of \
         size 5",
    );
}

#[test]
fn update_of_two_dimensions() {
    let source = "func.func @main(%s: tensor<1x2xf32>, %x: tensor<3x3xf32>) -> tensor<3x3xf32> {
        %y = soac.update %s into %x at [1, 0] strides [1, 2]
            : tensor<1x2xf32> into tensor<3x3xf32> -> tensor<3x3xf32>
        return %y : tensor<3x3xf32>
      }";
    gives(
        source,
        &[floats(F32, &[1, 2], &[-1.0, -2.0]), counted(F32, &[3, 3])],
        &[floats(
            F32,
            &[3, 3],
            &[0.0, 1.0, 2.0, -1.0, 4.0, -2.0, 6.0, 7.0, 8.0],
        )],
    );
}

const DIAGONAL: &str = "func.func @main(%x: tensor<?x?xi32>, %o: index, %n: index, %s: index)
      -> tensor<?xi32> {
    %d = soac.lmad_slice %x offset [%o] sizes [%n] strides [%s]
        : tensor<?x?xi32> -> tensor<?xi32>
    return %d : tensor<?xi32>
  }";

#[test]
fn lmad_slice_reads_points() {
    let x = counted(I32, &[3, 4]);
    let numbers = |o, n, s| [x.clone(), index(o), index(n), index(s)];
    gives(DIAGONAL, &numbers(0, 3, 5), &[ints(I32, &[3], &[0, 5, 10])]);
    gives(
        DIAGONAL,
        &numbers(11, 3, -4),
        &[ints(I32, &[3], &[11, 7, 3])],
    );
    gives(DIAGONAL, &numbers(6, 2, 0), &[ints(I32, &[2], &[6, 6])]);
    gives(DIAGONAL, &numbers(1000, 0, 1), &[ints(I32, &[0], &[])]);
    fails(
        DIAGONAL,
        &numbers(0, 4, 5),
        "'soac.lmad_slice' op the LMAD with offset 0, sizes [4] and strides [5] leaves the array \
         of shape [3, 4]",
    );
    fails(
        DIAGONAL,
        &numbers(0, 2, -1),
        "'soac.lmad_slice' op the LMAD with offset 0, sizes [2] and strides [-1] leaves the array \
         of shape [3, 4]",
    );
    fails(
        DIAGONAL,
        &numbers(0, -2, -1),
        "'soac.lmad_slice' op size 0 is negative: -2",
    );
}

#[test]
fn lmad_slice_of_another_rank() {
    // Overlapping windows of three.
    let source = "func.func @main(%x: tensor<5xi8>) -> (tensor<3x3xi8>, tensor<i8>) {
        %w = soac.lmad_slice %x offset [0] sizes [3, 3] strides [1, 1]
            : tensor<5xi8> -> tensor<3x3xi8>
        %p = soac.lmad_slice %x offset [4] sizes [] strides [] : tensor<5xi8> -> tensor<i8>
        return %w, %p : tensor<3x3xi8>, tensor<i8>
      }";
    gives(
        source,
        &[counted(I8, &[5])],
        &[
            ints(I8, &[3, 3], &[0, 1, 2, 1, 2, 3, 2, 3, 4]),
            ints(I8, &[], &[4]),
        ],
    );
}

const LMAD_UPDATE: &str = "func.func @main(%s: tensor<?xi32>, %x: tensor<?x?xi32>, %o: index,
        %t: index) -> tensor<?x?xi32> {
    %y = soac.lmad_update %s into %x offset [%o] strides [%t]
        : tensor<?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    return %y : tensor<?x?xi32>
  }";

#[test]
fn lmad_update_writes_points() {
    let source = ints(I32, &[3], &[-1, -2, -3]);
    let inputs = |o, t| [source.clone(), counted(I32, &[3, 3]), index(o), index(t)];
    gives(
        LMAD_UPDATE,
        &inputs(0, 4),
        &[ints(I32, &[3, 3], &[-1, 1, 2, 3, -2, 5, 6, 7, -3])],
    );
    gives(
        LMAD_UPDATE,
        &inputs(8, -4),
        &[ints(I32, &[3, 3], &[-3, 1, 2, 3, -2, 5, 6, 7, -1])],
    );
    // A point that is named three times keeps what was written last.
    gives(
        LMAD_UPDATE,
        &inputs(2, 0),
        &[ints(I32, &[3, 3], &[0, 1, -3, 3, 4, 5, 6, 7, 8])],
    );
    fails(
        LMAD_UPDATE,
        &inputs(1, 4),
        "'soac.lmad_update' op the LMAD with offset 1, sizes [3] and strides [4] leaves the array \
         of shape [3, 3]",
    );
    is_undefined(
        &LMAD_UPDATE.replace("[%t]\n", "[%t] unchecked\n"),
        &inputs(1, 4),
        "'soac.lmad_update' op the LMAD with offset 1, sizes [3] and strides [4] leaves the array \
         of shape [3, 3]",
    );
}
