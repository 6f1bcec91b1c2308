//! The structured combinators.

use crate::program::*;

/// A program that applies one op to `%x` (and `%y` of the same type), with
/// numbers `%n` and `%m`.
fn rearranges(op: &str, input: &str, result: &str) -> String {
    format!(
        "func.func @main(%x: {input}, %n: index, %m: index) -> {result} {{
           %r = soac.{op} : ({input}) -> {result}
           return %r : {result}
         }}"
    )
}

#[test]
fn iota_wraps_to_every_type() {
    for element in ELEMENTS.into_iter().filter(|element| !element.is_float()) {
        let ty = format!("tensor<?x{element}>");
        let source = format!(
            "func.func @main(%n: index) -> {ty} {{
               %y = soac.iota [%n] dim 0 : {ty}
               return %y : {ty}
             }}"
        );
        gives(&source, &[index(200)], &[counted(element, &[200])]);
        gives(&source, &[index(0)], &[counted(element, &[0])]);
        fails(
            &source,
            &[index(-3)],
            "'soac.iota' op size 0 is negative: -3",
        );
    }
}

#[test]
fn iota_along_each_dimension() {
    for (dim, values) in [(0, [0, 0, 0, 1, 1, 1]), (1, [0, 1, 2, 0, 1, 2])] {
        let source = format!(
            "func.func @main() -> tensor<2x3xi32> {{
               %y = soac.iota [2, 3] dim {dim} : tensor<2x3xi32>
               return %y : tensor<2x3xi32>
             }}"
        );
        gives(&source, &[], &[ints(I32, &[2, 3], &values)]);
    }
}

#[test]
fn fill_with_several_values_at_every_rank() {
    let source = "func.func @main(%f: bf16, %i: i7, %n: index)
          -> (tensor<?x2xbf16>, tensor<?x2xi7>, tensor<i7>) {
        %a, %b = soac.fill %f, %i [%n, 2] : (bf16, i7) -> (tensor<?x2xbf16>, tensor<?x2xi7>)
        %c = soac.fill %i [] : (i7) -> tensor<i7>
        return %a, %b, %c : tensor<?x2xbf16>, tensor<?x2xi7>, tensor<i7>
      }";
    let i7 = comb_interpreter::Element::Integer(7);
    gives(
        source,
        &[float(BF16, 1.5), int(i7, -3), index(2)],
        &[
            floats(BF16, &[2, 2], &[1.5; 4]),
            ints(i7, &[2, 2], &[-3; 4]),
            ints(i7, &[], &[-3]),
        ],
    );
    fails(
        source,
        &[float(BF16, 1.5), int(i7, -3), index(-2)],
        "'soac.fill' op size 0 is negative: -2",
    );
}

#[test]
fn replicate_adds_outer_dimensions() {
    let source = rearranges("replicate %x [%n, 1]", "tensor<?xi32>", "tensor<?x1x?xi32>");
    let x = ints(I32, &[2], &[5, 6]);
    gives(
        &source,
        &[x.clone(), index(3), index(0)],
        &[ints(I32, &[3, 1, 2], &[5, 6, 5, 6, 5, 6])],
    );
    gives(
        &source,
        &[x.clone(), index(0), index(0)],
        &[ints(I32, &[0, 1, 2], &[])],
    );
    fails(
        &source,
        &[x, index(-1), index(0)],
        "'soac.replicate' op size 0 is negative: -1",
    );
}

#[test]
fn reverse_some_dimensions() {
    let x = counted(I32, &[2, 3]);
    for (dims, expected) in [
        ("0", [3, 4, 5, 0, 1, 2]),
        ("1", [2, 1, 0, 5, 4, 3]),
        ("1, 0", [5, 4, 3, 2, 1, 0]),
        ("", [0, 1, 2, 3, 4, 5]),
    ] {
        let ty = "tensor<?x?xi32>";
        let source = rearranges(&format!("reverse %x dims [{dims}]"), ty, ty);
        gives(
            &source,
            &[x.clone(), index(0), index(0)],
            &[ints(I32, &[2, 3], &expected)],
        );
        let empty = counted(I32, &[0, 3]);
        gives(&source, &[empty.clone(), index(0), index(0)], &[empty]);
    }
}

#[test]
fn rotate_by_any_amount() {
    let ty = "tensor<?x?xi32>";
    let source = rearranges("rotate %x by [%n, %m]", ty, ty);
    let x = counted(I32, &[2, 3]);
    for (n, m, expected) in [
        (0, 1, [1, 2, 0, 4, 5, 3]),
        (1, 0, [3, 4, 5, 0, 1, 2]),
        (-1, -1, [5, 3, 4, 2, 0, 1]),
        (i64::MAX, i64::MIN, {
            // An odd number of rows, and MIN mod 3 = 1 columns.
            [4, 5, 3, 1, 2, 0]
        }),
    ] {
        assert_eq!(i64::MIN.rem_euclid(3), 1);
        gives(
            &source,
            &[x.clone(), index(n), index(m)],
            &[ints(I32, &[2, 3], &expected)],
        );
    }
    let empty = counted(I32, &[0, 3]);
    gives(&source, &[empty.clone(), index(5), index(0)], &[empty]);
    let outer = rearranges("rotate %x by [1]", ty, ty);
    gives(
        &outer,
        &[x, index(0), index(0)],
        &[ints(I32, &[2, 3], &[3, 4, 5, 0, 1, 2])],
    );
}

#[test]
fn slice_with_all_strides() {
    let x = counted(I32, &[10]);
    for (slice, expected) in [
        ("[3] [2] [-2]", &[3, 1][..]),
        ("[0] [5] [2]", &[0, 2, 4, 6, 8]),
        ("[4] [3] [0]", &[4, 4, 4]),
        ("[9] [10] [-1]", &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        ("[100] [0] [7]", &[]),
        ("[0] [1] [9223372036854775807]", &[0]),
    ] {
        let result = format!("tensor<{}xi32>", expected.len());
        let source = rearranges(&format!("slice %x {slice}"), "tensor<10xi32>", &result);
        gives(
            &source,
            &[x.clone(), index(0), index(0)],
            &[ints(I32, &[expected.len()], expected)],
        );
    }
    let source = rearranges(
        "slice %x [1, 0] [2, %n] [1, %m]",
        "tensor<?x?xi32>",
        "tensor<2x?xi32>",
    );
    gives(
        &source,
        &[counted(I32, &[3, 4]), index(2), index(3)],
        &[ints(I32, &[2, 2], &[4, 7, 8, 11])],
    );
}

#[test]
fn slice_must_stay_inside() {
    let source = rearranges("slice %x [1] [%n] [%m]", "tensor<?xi32>", "tensor<?xi32>");
    let x = counted(I32, &[4]);
    fails(
        &source,
        &[x.clone(), index(4), index(1)],
        "'soac.slice' op the slice with offset 1, size 4 and stride 1 leaves dimension 0 of size 4",
    );
    fails(
        &source,
        &[x.clone(), index(3), index(-1)],
        "'soac.slice' op the slice with offset 1, size 3 and stride -1 leaves dimension 0 of size 4",
    );
    fails(
        &source,
        &[x.clone(), index(2), index(i64::MAX)],
        "'soac.slice' op the slice with offset 1, size 2 and stride 9223372036854775807 leaves \
         dimension 0 of size 4",
    );
    fails(
        &source,
        &[x.clone(), index(-1), index(1)],
        "'soac.slice' op size 0 is negative: -1",
    );
    let promised = source.replace("[%m] :", "[%m] unchecked :");
    is_undefined(
        &promised,
        &[x, index(4), index(1)],
        "'soac.slice' op the slice with offset 1, size 4 and stride 1 leaves dimension 0 of size 4",
    );
}

#[test]
fn take_and_drop() {
    let take = rearranges("take %x [%n]", "tensor<?x2xi32>", "tensor<?x2xi32>");
    let drop = rearranges("drop %x [%n]", "tensor<?x2xi32>", "tensor<?x2xi32>");
    let x = counted(I32, &[3, 2]);
    gives(
        &take,
        &[x.clone(), index(2), index(0)],
        &[counted(I32, &[2, 2])],
    );
    gives(
        &drop,
        &[x.clone(), index(2), index(0)],
        &[ints(I32, &[1, 2], &[4, 5])],
    );
    for (source, kept) in [(&take, 0), (&drop, 3)] {
        gives(
            source,
            &[x.clone(), index(kept), index(0)],
            &[ints(I32, &[0, 2], &[])],
        );
    }
    for (source, op) in [(take, "take"), (drop, "drop")] {
        for count in [4, -1] {
            fails(
                &source,
                &[x.clone(), index(count), index(0)],
                &format!(
                    "'soac.{op}' op count {count} is not between 0 and 3, the size of dimension 0"
                ),
            );
        }
    }
    let both = rearranges("drop %x [1, 1]", "tensor<3x2xi32>", "tensor<2x1xi32>");
    gives(
        &both,
        &[x, index(0), index(0)],
        &[ints(I32, &[2, 1], &[3, 5])],
    );
}

#[test]
fn transpose_permutes() {
    gives(
        &rearranges("transpose %x [1, 0]", "tensor<?x?xi32>", "tensor<?x?xi32>"),
        &[counted(I32, &[2, 3]), index(0), index(0)],
        &[ints(I32, &[3, 2], &[0, 3, 1, 4, 2, 5])],
    );
    // Dimension k of the result is dimension permutation[k] of the input, so
    // that y[i, j, k] = x[j, k, i] here.
    let (a, b, c) = (2, 3, 4);
    let mut expected = vec![];
    for i in 0..c {
        for j in 0..a {
            for k in 0..b {
                expected.push((j * b + k) * c + i);
            }
        }
    }
    gives(
        &rearranges(
            "transpose %x [2, 0, 1]",
            "tensor<2x3x4xi32>",
            "tensor<4x2x3xi32>",
        ),
        &[counted(I32, &[2, 3, 4]), index(0), index(0)],
        &[numbers(I32, &[4, 2, 3], &expected)],
    );
    gives(
        &rearranges("transpose %x []", "tensor<i32>", "tensor<i32>"),
        &[counted(I32, &[]), index(0), index(0)],
        &[counted(I32, &[])],
    );
}

#[test]
fn reshape_keeps_the_elements() {
    let source = rearranges("reshape %x to [%n, %m]", "tensor<?xi32>", "tensor<?x?xi32>");
    gives(
        &source,
        &[counted(I32, &[6]), index(2), index(3)],
        &[counted(I32, &[2, 3])],
    );
    gives(
        &source,
        &[counted(I32, &[0]), index(0), index(1 << 59)],
        &[counted(I32, &[0, 1 << 59])],
    );
    fails(
        &source,
        &[counted(I32, &[0]), index(0), index(i64::MAX)],
        "'soac.reshape' op gives an array of shape [0, 9223372036854775807], which has too many elements",
    );
    fails(
        &source,
        &[counted(I32, &[6]), index(2), index(2)],
        "'soac.reshape' op shapes [6] and [2, 2] have different numbers of elements",
    );
    fails(
        &source,
        &[counted(I32, &[6]), index(-2), index(-3)],
        "'soac.reshape' op size 0 is negative: -2",
    );
    gives(
        &rearranges("reshape %x to []", "tensor<1x1xi32>", "tensor<i32>"),
        &[counted(I32, &[1, 1]), index(0), index(0)],
        &[counted(I32, &[])],
    );
}

const BACKPERMUTE: &str = "func.func @main(%x: tensor<?x?xi32>, %y: tensor<?x?xf16>, %n: index)
      -> (tensor<?xi32>, tensor<?xf16>) {
    %p, %q = soac.backpermute %x, %y [%n] : (tensor<?x?xi32>, tensor<?x?xf16>)
        -> (tensor<?xi32>, tensor<?xf16>) (%i: index) {
      soac.yield %i, %i : index, index
    }
    return %p, %q : tensor<?xi32>, tensor<?xf16>
  }";

#[test]
fn backpermute_reads_at_a_function_of_the_index() {
    let arrays = |rows, columns| {
        [
            counted(I32, &[rows, columns]),
            counted(F16, &[rows, columns]),
        ]
    };
    let inputs = |rows, columns, n| {
        let [x, y] = arrays(rows, columns);
        [x, y, index(n)]
    };
    gives(
        BACKPERMUTE,
        &inputs(2, 3, 2),
        &[ints(I32, &[2], &[0, 4]), floats(F16, &[2], &[0.0, 4.0])],
    );
    gives(
        BACKPERMUTE,
        &inputs(0, 0, 0),
        &[counted(I32, &[0]), counted(F16, &[0])],
    );
    fails(
        BACKPERMUTE,
        &inputs(3, 2, 3),
        "'soac.backpermute' op index 2 is out of range [0, 2) in dimension 1",
    );
    fails(
        BACKPERMUTE,
        &inputs(2, 2, -1),
        "'soac.backpermute' op size 0 is negative: -1",
    );
    is_undefined(
        &BACKPERMUTE.replace("[%n] :", "[%n] unchecked :"),
        &inputs(3, 2, 3),
        "'soac.backpermute' op index 2 is out of range [0, 2) in dimension 1",
    );
}

#[test]
fn zip_checks_shapes() {
    let source = "func.func @main(%x: tensor<?xi32>, %y: tensor<?xf16>)
          -> (tensor<?xi32>, tensor<?xf16>) {
        %a, %b = soac.zip %x, %y : tensor<?xi32>, tensor<?xf16>
        return %a, %b : tensor<?xi32>, tensor<?xf16>
      }";
    let values = [counted(I32, &[2]), counted(F16, &[2])];
    gives(source, &values, &values);
    fails(
        source,
        &[counted(I32, &[2]), counted(F16, &[3])],
        "'soac.zip' op operands 0 and 1 have different shapes: [2] and [3]",
    );
}

#[test]
fn several_arrays_are_rearranged_alike() {
    let ty = "tensor<?xi32>";
    for (op, expected) in [
        ("reverse %x, %y dims [0]", [2, 1, 0]),
        ("rotate %x, %y by [1]", [1, 2, 0]),
        ("slice %x, %y [0] [3] [1]", [0, 1, 2]),
        ("take %x, %y [3]", [0, 1, 2]),
        ("drop %x, %y [0]", [0, 1, 2]),
        ("reshape %x, %y to [3]", [0, 1, 2]),
        ("transpose %x, %y [0]", [0, 1, 2]),
    ] {
        let result = if op.contains("[3]") {
            "tensor<3xi32>"
        } else {
            ty
        };
        let source = format!(
            "func.func @main(%x: {ty}, %y: {ty}) -> ({result}, {result}) {{
               %a, %b = soac.{op} : ({ty}, {ty}) -> ({result}, {result})
               return %a, %b : {result}, {result}
             }}"
        );
        let x = counted(I32, &[3]);
        let shifted: Vec<i128> = expected.iter().map(|value| value + 10).collect();
        gives(
            &source,
            &[x.clone(), ints(I32, &[3], &[10, 11, 12])],
            &[ints(I32, &[3], &expected), ints(I32, &[3], &shifted)],
        );
        let name = op.split(' ').next().unwrap();
        fails(
            &source,
            &[x, counted(I32, &[4])],
            &format!("'soac.{name}' op operands 0 and 1 have different shapes: [3] and [4]"),
        );
    }
}
