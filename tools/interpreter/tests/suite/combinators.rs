//! The core combinators, clusters, externals and checks.

use crate::program::*;
use comb_interpreter::{Element, Failure, Value};

/// The text of a sum of two scalars of a type.
fn sum(element: Element) -> &'static str {
    if element.is_float() {
        "arith.addf"
    } else {
        "arith.addi"
    }
}

/// The text of the constant zero of a type.
fn zero(element: Element) -> String {
    match element {
        I1 => "false".to_owned(),
        _ if element.is_float() => format!("0.0 : {element}"),
        _ => format!("0 : {element}"),
    }
}

#[test]
fn generate_at_every_rank() {
    let cases: [(&str, &str, &str, &[usize]); 5] = [
        ("", "", "", &[]),
        ("5", "%i: index", "%i", &[5]),
        ("2, 3", "%i: index, %j: index", "%i, %j", &[2, 3]),
        (
            "2, 1, 3",
            "%i: index, %j: index, %k: index",
            "%i, %j, %k",
            &[2, 1, 3],
        ),
        (
            "2, 1, 3, 2",
            "%i: index, %j: index, %k: index, %l: index",
            "%i, %j, %k, %l",
            &[2, 1, 3, 2],
        ),
    ];
    for (sizes, arguments, names, shape) in cases {
        // The position in row-major order, by Horner's rule.
        let mut body = "%p0 = arith.constant 0 : index\n".to_owned();
        let names: Vec<&str> = names.split(", ").filter(|name| !name.is_empty()).collect();
        for (position, (name, size)) in names.iter().zip(shape).enumerate() {
            let next = position + 1;
            body += &format!(
                "%s{next} = arith.constant {size} : index
                 %m{next} = arith.muli %p{position}, %s{next} : index
                 %p{next} = arith.addi %m{next}, {name} : index\n"
            );
        }
        let dims: String = shape.iter().map(|size| format!("{size}x")).collect();
        let ty = format!("tensor<{dims}index>");
        let source = format!(
            "func.func @main() -> {ty} {{
               %y = soac.generate [{sizes}] : {ty} ({arguments}) {{
                 {body}
                 soac.yield %p{} : index
               }}
               return %y : {ty}
             }}",
            names.len()
        );
        gives(&source, &[], &[counted(INDEX, shape)]);
    }
}

const GENERATE_TWO: &str = "func.func @main(%n: index) -> (tensor<?xindex>, tensor<?xi1>) {
    %two = arith.constant 2 : index
    %a, %b = soac.generate [%n] : tensor<?xindex>, tensor<?xi1> (%i: index) {
      %s = arith.muli %i, %i : index
      %r = arith.remui %i, %two : index
      %c = arith.index_cast %r : index to i1
      soac.yield %s, %c : index, i1
    }
    return %a, %b : tensor<?xindex>, tensor<?xi1>
  }";

#[test]
fn generate_several_arrays_of_dynamic_size() {
    gives(
        GENERATE_TWO,
        &[index(4)],
        &[
            ints(INDEX, &[4], &[0, 1, 4, 9]),
            ints(I1, &[4], &[0, 1, 0, 1]),
        ],
    );
    gives(
        GENERATE_TWO,
        &[index(0)],
        &[ints(INDEX, &[0], &[]), ints(I1, &[0], &[])],
    );
    fails(
        GENERATE_TWO,
        &[index(-1)],
        "'soac.generate' op size 0 is negative: -1",
    );
}

#[test]
fn map_over_every_element_type_and_rank() {
    for element in ELEMENTS {
        for shape in [
            &[][..],
            &[3],
            &[2, 2],
            &[1, 3, 1],
            &[2, 1, 2, 2],
            &[0],
            &[2, 0, 3],
        ] {
            let ty = format!("tensor<{}{element}>", "?x".repeat(shape.len()));
            let add = sum(element);
            let source = format!(
                "func.func @main(%x: {ty}, %y: {ty}) -> {ty} {{
                   %z = soac.map %x, %y : ({ty}, {ty}) -> {ty} (%a: {element}, %b: {element}) {{
                     %s = {add} %a, %b : {element}
                     soac.yield %s : {element}
                   }}
                   return %z : {ty}
                 }}"
            );
            let x = counted(element, shape);
            let count = shape.iter().product::<usize>() as i64;
            let doubled: Vec<i64> = (0..count).map(|i| 2 * i).collect();
            gives(
                &source,
                &[x.clone(), x],
                &[numbers(element, shape, &doubled)],
            );
        }
    }
}

#[test]
fn map_gives_several_arrays_and_captures() {
    let source = "func.func @main(%x: tensor<?xi32>, %y: tensor<?xi8>, %t: tensor<?xi32>)
          -> (tensor<?xi8>, tensor<?xi32>) {
        %last = arith.constant 2 : index
        %c = tensor.extract %t[%last] : tensor<?xi32>
        %p, %q = soac.map %x, %y : (tensor<?xi32>, tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi32>)
            (%a: i32, %b: i8) {
          %s = arith.addi %a, %c : i32
          %i = arith.index_cast %b : i8 to index
          %u = tensor.extract %t[%i] : tensor<?xi32>
          %v = arith.addi %s, %u : i32
          soac.yield %b, %v : i8, i32
        }
        return %p, %q : tensor<?xi8>, tensor<?xi32>
      }";
    gives(
        source,
        &[
            ints(I32, &[2], &[1, 2]),
            ints(I8, &[2], &[1, 0]),
            ints(I32, &[3], &[10, 20, 30]),
        ],
        &[ints(I8, &[2], &[1, 0]), ints(I32, &[2], &[51, 42])],
    );
    fails(
        source,
        &[
            ints(I32, &[2], &[1, 2]),
            ints(I8, &[3], &[1, 0, 0]),
            ints(I32, &[3], &[10, 20, 30]),
        ],
        "'soac.map' op operands 0 and 1 have different shapes: [2] and [3]",
    );
}

const ROW_SUMS: &str = "func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {
    %zero = arith.constant 0.0 : f32
    %sums = soac.map %x outer 1 : (tensor<?x?xf32>) -> tensor<?xf32> (%row: tensor<?xf32>) {
      %sum = soac.fold %row neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
          (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        soac.yield %s : f32
      }
      %scalar = tensor.extract %sum[] : tensor<f32>
      soac.yield %scalar : f32
    }
    return %sums : tensor<?xf32>
  }";

#[test]
fn map_over_rows() {
    gives(
        ROW_SUMS,
        &[counted(F32, &[2, 3])],
        &[floats(F32, &[2], &[3.0, 12.0])],
    );
    gives(
        ROW_SUMS,
        &[counted(F32, &[0, 3])],
        &[floats(F32, &[0], &[])],
    );
    gives(
        ROW_SUMS,
        &[counted(F32, &[2, 0])],
        &[floats(F32, &[2], &[0.0, 0.0])],
    );
}

const GROWING_ROWS: &str = "func.func @main(%x: tensor<?xindex>, %n: index) -> tensor<?x?xindex> {
    %y = soac.map %x outer 1 inner (%n) : (tensor<?xindex>) -> tensor<?x?xindex> (%k: index) {
      %row = soac.iota [%k] dim 0 : tensor<?xindex>
      soac.yield %row : tensor<?xindex>
    }
    return %y : tensor<?x?xindex>
  }";

#[test]
fn map_gives_inner_arrays_of_the_size_it_states() {
    gives(
        GROWING_ROWS,
        &[ints(INDEX, &[2], &[3, 3]), index(3)],
        &[ints(INDEX, &[2, 3], &[0, 1, 2, 0, 1, 2])],
    );
    gives(
        GROWING_ROWS,
        &[ints(INDEX, &[0], &[]), index(3)],
        &[ints(INDEX, &[0, 3], &[])],
    );
    fails(
        GROWING_ROWS,
        &[ints(INDEX, &[2], &[3, 2]), index(3)],
        "'soac.map' op yields array 0 with size 2 in dimension 0, but 'inner' says 3",
    );
    fails(
        GROWING_ROWS,
        &[ints(INDEX, &[0], &[]), index(-1)],
        "'soac.map' op inner size 0 is negative: -1",
    );
}

#[test]
fn map_over_outer_dimensions_of_arrays_of_different_rank() {
    let source = "func.func @main(%x: tensor<2x3x2xi32>, %y: tensor<2x3xi32>)
          -> (tensor<2x3x2xi32>, tensor<2x3xi32>) {
        %p, %q = soac.map %x, %y outer 2 : (tensor<2x3x2xi32>, tensor<2x3xi32>)
            -> (tensor<2x3x2xi32>, tensor<2x3xi32>) (%row: tensor<2xi32>, %e: i32) {
          %r = soac.reverse %row dims [0] : (tensor<2xi32>) -> tensor<2xi32>
          %d = arith.addi %e, %e : i32
          soac.yield %r, %d : tensor<2xi32>, i32
        }
        return %p, %q : tensor<2x3x2xi32>, tensor<2x3xi32>
      }";
    gives(
        source,
        &[counted(I32, &[2, 3, 2]), counted(I32, &[2, 3])],
        &[
            ints(I32, &[2, 3, 2], &[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10]),
            ints(I32, &[2, 3], &[0, 2, 4, 6, 8, 10]),
        ],
    );
}

const GATHER: &str = "func.func @main(%x: tensor<?xf32>, %is: tensor<?x?xi8>) -> tensor<?x?xf32> {
    %y = soac.gather %x at %is : (tensor<?xf32>, tensor<?x?xi8>) -> tensor<?x?xf32>
    return %y : tensor<?x?xf32>
  }";

#[test]
fn gather_with_indices_of_any_rank() {
    gives(
        GATHER,
        &[counted(F32, &[4]), ints(I8, &[2, 2], &[3, 0, 0, 2])],
        &[floats(F32, &[2, 2], &[3.0, 0.0, 0.0, 2.0])],
    );
    gives(
        GATHER,
        &[counted(F32, &[0]), ints(I8, &[0, 2], &[])],
        &[floats(F32, &[0, 2], &[])],
    );
    for (bad, shown) in [(4, "4"), (-1, "-1")] {
        fails(
            GATHER,
            &[counted(F32, &[4]), ints(I8, &[1, 2], &[3, bad])],
            &format!("'soac.gather' op index {shown} is out of range [0, 4) in dimension 0"),
        );
    }
}

#[test]
fn gather_of_rows_and_points() {
    let source = "func.func @main(%x: tensor<3x2xi16>, %y: tensor<3x2xf64>, %is: tensor<2xi64>,
            %js: tensor<2xi64>) -> (tensor<2x2xi16>, tensor<2x2xf64>, tensor<2xi16>) {
        %p, %q = soac.gather %x, %y at %is
            : (tensor<3x2xi16>, tensor<3x2xf64>, tensor<2xi64>) -> (tensor<2x2xi16>, tensor<2x2xf64>)
        %r = soac.gather %x at %is, %js
            : (tensor<3x2xi16>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi16>
        return %p, %q, %r : tensor<2x2xi16>, tensor<2x2xf64>, tensor<2xi16>
      }";
    let inputs = |is: [i128; 2], js: [i128; 2]| {
        [
            counted(I16, &[3, 2]),
            counted(F64, &[3, 2]),
            ints(I64, &[2], &is),
            ints(I64, &[2], &js),
        ]
    };
    gives(
        source,
        &inputs([2, 0], [1, 0]),
        &[
            ints(I16, &[2, 2], &[4, 5, 0, 1]),
            floats(F64, &[2, 2], &[4.0, 5.0, 0.0, 1.0]),
            ints(I16, &[2], &[5, 0]),
        ],
    );
    fails(
        source,
        &inputs([2, 0], [0, 2]),
        "'soac.gather' op index 2 is out of range [0, 2) in dimension 1",
    );
}

#[test]
fn indices_of_which_nothing_is_read_may_be_anything() {
    let source = "func.func @main(%x: tensor<?x?xf32>, %is: tensor<?xi8>) -> tensor<?x?xf32> {
        %y = soac.gather %x at %is : (tensor<?x?xf32>, tensor<?xi8>) -> tensor<?x?xf32>
        return %y : tensor<?x?xf32>
      }";
    gives(
        source,
        &[counted(F32, &[2, 0]), ints(I8, &[1], &[9])],
        &[counted(F32, &[1, 0])],
    );
    fails(
        source,
        &[counted(F32, &[2, 1]), ints(I8, &[1], &[9])],
        "'soac.gather' op index 9 is out of range [0, 2) in dimension 0",
    );
}

#[test]
fn results_are_checked_before_anything_is_computed() {
    let source = "func.func @main(%n: index, %d: index) -> tensor<3xindex> {
        %y = soac.generate [%n] : tensor<3xindex> (%i: index) {
          %q = arith.divui %i, %d : index
          soac.yield %q : index
        }
        return %y : tensor<3xindex>
      }";
    gives(source, &[index(3), index(1)], &[counted(INDEX, &[3])]);
    fails(
        source,
        &[index(4), index(0)],
        "'soac.generate' op size 4 of dimension 0 of result 0 is not 3",
    );
    fails(
        source,
        &[index(3), index(0)],
        "'arith.divui' op division by zero",
    );
}

#[test]
fn gather_sources_must_agree() {
    let source = "func.func @main(%x: tensor<?xi8>, %y: tensor<?xi8>, %is: tensor<?xindex>,
            %js: tensor<?xindex>) -> tensor<?xi8> {
        %p, %q = soac.gather %x, %y at %is
            : (tensor<?xi8>, tensor<?xi8>, tensor<?xindex>) -> (tensor<?xi8>, tensor<?xi8>)
        return %q : tensor<?xi8>
      }";
    fails(
        source,
        &[
            counted(I8, &[2]),
            counted(I8, &[3]),
            counted(INDEX, &[1]),
            counted(INDEX, &[1]),
        ],
        "'soac.gather' op sources 0 and 1 have different shapes: [2] and [3]",
    );
    let source = "func.func @main(%x: tensor<?x?xi8>, %is: tensor<?xindex>, %js: tensor<?xindex>)
          -> tensor<?xi8> {
        %p = soac.gather %x at %is, %js
            : (tensor<?x?xi8>, tensor<?xindex>, tensor<?xindex>) -> tensor<?xi8>
        return %p : tensor<?xi8>
      }";
    fails(
        source,
        &[
            counted(I8, &[2, 2]),
            counted(INDEX, &[1]),
            counted(INDEX, &[2]),
        ],
        "'soac.gather' op index arrays 0 and 1 have different shapes: [1] and [2]",
    );
}

#[test]
fn unchecked_ops_out_of_range_are_undefined() {
    let source = GATHER.replace("at %is :", "at %is unchecked :");
    is_undefined(
        &source,
        &[counted(F32, &[4]), ints(I8, &[1, 1], &[9])],
        "'soac.gather' op index 9 is out of range [0, 4) in dimension 0",
    );
    gives(
        &source,
        &[counted(F32, &[4]), ints(I8, &[1, 1], &[3])],
        &[floats(F32, &[1, 1], &[3.0])],
    );
}

const HISTOGRAM: &str =
    "func.func @main(%new: tensor<?xi32>, %old: tensor<?xi32>, %is: tensor<?xi16>)
      -> (tensor<?xi32>, tensor<?xi32>) {
    %y = soac.scatter %new into %old at %is
        : (tensor<?xi32>, tensor<?xi32>, tensor<?xi16>) -> tensor<?xi32> (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    return %y, %old : tensor<?xi32>, tensor<?xi32>
  }";

#[test]
fn scatter_combines() {
    let old = ints(I32, &[3], &[10, 20, 30]);
    gives(
        HISTOGRAM,
        &[
            ints(I32, &[4], &[1, 2, 3, 4]),
            old.clone(),
            ints(I16, &[4], &[2, 0, 2, 2]),
        ],
        &[ints(I32, &[3], &[12, 20, 38]), old.clone()],
    );
    gives(
        HISTOGRAM,
        &[ints(I32, &[0], &[]), old.clone(), ints(I16, &[0], &[])],
        &[old.clone(), old.clone()],
    );
    fails(
        HISTOGRAM,
        &[ints(I32, &[1], &[1]), old.clone(), ints(I16, &[1], &[3])],
        "'soac.scatter' op index 3 is out of range [0, 3) in dimension 0",
    );
    fails(
        HISTOGRAM,
        &[ints(I32, &[1], &[1]), old, ints(I16, &[2], &[0, 0])],
        "'soac.scatter' op source 0 and index array 0 have different shapes: [1] and [2]",
    );
}

#[test]
fn scatter_combines_in_order() {
    // 10 * old + new is neither associative nor commutative.
    let source = HISTOGRAM.replace(
        "%s = arith.addi %a, %b : i32",
        "%ten = arith.constant 10 : i32
         %t = arith.muli %a, %ten : i32
         %s = arith.addi %t, %b : i32",
    );
    let old = ints(I32, &[2], &[1, 2]);
    gives(
        &source,
        &[
            ints(I32, &[4], &[3, 4, 5, 6]),
            old.clone(),
            ints(I16, &[4], &[0, 1, 0, 0]),
        ],
        &[ints(I32, &[2], &[1356, 24]), old],
    );
}

#[test]
fn scatter_replaces_and_the_last_wins() {
    let source = "func.func @main(%x: tensor<2x2xi8>, %y: tensor<2x2xf16>, %p: tensor<2x2xi8>,
            %q: tensor<2x2xf16>, %is: tensor<2x2xindex>, %js: tensor<2x2xindex>)
            -> (tensor<2x2xi8>, tensor<2x2xf16>) {
        %a, %b = soac.scatter %x, %y into %p, %q at %is, %js
            : (tensor<2x2xi8>, tensor<2x2xf16>, tensor<2x2xi8>, tensor<2x2xf16>,
               tensor<2x2xindex>, tensor<2x2xindex>) -> (tensor<2x2xi8>, tensor<2x2xf16>)
        return %a, %b : tensor<2x2xi8>, tensor<2x2xf16>
      }";
    let inputs = [
        ints(I8, &[2, 2], &[1, 2, 3, 4]),
        floats(F16, &[2, 2], &[1.5, 2.5, 3.5, 4.5]),
        ints(I8, &[2, 2], &[-1, -1, -1, -1]),
        floats(F16, &[2, 2], &[0.0; 4]),
        ints(INDEX, &[2, 2], &[0, 1, 0, 1]),
        ints(INDEX, &[2, 2], &[1, 0, 1, 1]),
    ];
    let expected = [
        ints(I8, &[2, 2], &[-1, 3, 2, 4]),
        floats(F16, &[2, 2], &[0.0, 3.5, 2.5, 4.5]),
    ];
    gives(source, &inputs, &expected);
    let source = source.replace("at %is, %js\n", "at %is, %js any_write\n");
    gives(&source, &inputs, &expected);
}

fn folded(element: Element, rank: usize, inner: usize) -> String {
    let ty = format!("tensor<{}{element}>", "?x".repeat(rank));
    let result = format!("tensor<{}{element}>", "?x".repeat(rank - inner));
    let add = sum(element);
    let zero = zero(element);
    format!(
        "func.func @main(%x: {ty}) -> {result} {{
           %zero = arith.constant {zero}
           %y = soac.fold %x neutral %zero inner {inner} : ({ty}, {element}) -> {result}
               (%a: {element}, %b: {element}) {{
             %s = {add} %a, %b : {element}
             soac.yield %s : {element}
           }}
           return %y : {result}
         }}"
    )
}

#[test]
fn fold_of_every_element_type() {
    for element in ELEMENTS {
        gives(
            &folded(element, 1, 1),
            &[counted(element, &[5])],
            &[numbers(element, &[], &[10])],
        );
        gives(
            &folded(element, 1, 1),
            &[counted(element, &[0])],
            &[numbers(element, &[], &[0])],
        );
    }
}

#[test]
fn fold_at_every_rank() {
    gives(
        &folded(I32, 2, 1),
        &[counted(I32, &[2, 3])],
        &[ints(I32, &[2], &[3, 12])],
    );
    gives(
        &folded(I32, 2, 2),
        &[counted(I32, &[2, 3])],
        &[ints(I32, &[], &[15])],
    );
    gives(
        &folded(I32, 3, 1),
        &[counted(I32, &[2, 1, 2])],
        &[ints(I32, &[2, 1], &[1, 5])],
    );
    gives(
        &folded(I32, 4, 2),
        &[counted(I32, &[2, 1, 2, 2])],
        &[ints(I32, &[2, 1], &[6, 22])],
    );
    gives(
        &folded(I32, 4, 4),
        &[counted(I32, &[2, 1, 2, 2])],
        &[ints(I32, &[], &[28])],
    );
    gives(
        &folded(I32, 2, 1),
        &[counted(I32, &[2, 0])],
        &[ints(I32, &[2], &[0, 0])],
    );
    gives(
        &folded(I32, 2, 1),
        &[counted(I32, &[0, 2])],
        &[ints(I32, &[0], &[])],
    );
    gives(
        &folded(I32, 3, 2),
        &[counted(I32, &[2, 0, 3])],
        &[ints(I32, &[2], &[0, 0])],
    );
}

#[test]
fn fold_goes_from_the_neutral_element_to_the_right() {
    // accumulator - element: ((0 - 1) - 2) - 3.
    let source = folded(I32, 1, 1).replace("arith.addi", "arith.subi");
    gives(
        &source,
        &[ints(I32, &[3], &[1, 2, 3])],
        &[ints(I32, &[], &[-6])],
    );
    // 1e8 + 1 is 1e8 in f32.
    gives(
        &folded(F32, 1, 1),
        &[floats(F32, &[3], &[1e8, 1.0, -1e8])],
        &[floats(F32, &[], &[0.0])],
    );
    gives(
        &folded(F32, 1, 1),
        &[floats(F32, &[3], &[1e8, -1e8, 1.0])],
        &[floats(F32, &[], &[1.0])],
    );
}

const ARGMAX: &str = "func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xindex>)
      -> (tensor<?xf32>, tensor<?xindex>) {
    %least = arith.constant 0xFF800000 : f32
    %none = arith.constant -1 : index
    %m, %j = soac.fold %x, %i neutral %least, %none
        : (tensor<?x?xf32>, tensor<?x?xindex>, f32, index) -> (tensor<?xf32>, tensor<?xindex>)
        (%a: f32, %p: index, %b: f32, %q: index) {
      %c = arith.cmpf ogt, %b, %a : f32
      %r = arith.select %c, %b, %a : f32
      %s = arith.select %c, %q, %p : index
      soac.yield %r, %s : f32, index
    }
    return %m, %j : tensor<?xf32>, tensor<?xindex>
  }";

#[test]
fn fold_of_several_arrays() {
    gives(
        ARGMAX,
        &[
            floats(F32, &[2, 3], &[1.0, 5.0, 5.0, -7.0, f64::NAN, -8.0]),
            ints(INDEX, &[2, 3], &[0, 1, 2, 0, 1, 2]),
        ],
        &[floats(F32, &[2], &[5.0, -7.0]), ints(INDEX, &[2], &[1, 0])],
    );
    gives(
        ARGMAX,
        &[floats(F32, &[1, 0], &[]), ints(INDEX, &[1, 0], &[])],
        &[
            floats(F32, &[1], &[f64::NEG_INFINITY]),
            ints(INDEX, &[1], &[-1]),
        ],
    );
    fails(
        ARGMAX,
        &[floats(F32, &[1, 0], &[]), ints(INDEX, &[0, 1], &[])],
        "'soac.fold' op operands 0 and 1 have different shapes: [1, 0] and [0, 1]",
    );
}

/// A scan with `10 * accumulator + element` or, from the right, the same with
/// the element as the left argument.
fn scanned(op: &str, exclusive: &str, rank: usize) -> String {
    let ty = format!("tensor<{}i64>", "?x".repeat(rank));
    let (accumulator, element) = if op == "scanl" {
        ("%a", "%b")
    } else {
        ("%b", "%a")
    };
    format!(
        "func.func @main(%x: {ty}) -> {ty} {{
           %ne = arith.constant 7 : i64
           %ten = arith.constant 10 : i64
           %y = soac.{op} %x neutral %ne {exclusive} : ({ty}, i64) -> {ty} (%a: i64, %b: i64) {{
             %t = arith.muli {accumulator}, %ten : i64
             %s = arith.addi %t, {element} : i64
             soac.yield %s : i64
           }}
           return %y : {ty}
         }}"
    )
}

#[test]
fn scans() {
    let x = ints(I64, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    for (op, exclusive, expected) in [
        ("scanl", "", [71, 712, 7123, 74, 745, 7456]),
        ("scanl", "exclusive", [7, 71, 712, 7, 74, 745]),
        ("scanr", "", [7321, 732, 73, 7654, 765, 76]),
        ("scanr", "exclusive", [732, 73, 7, 765, 76, 7]),
    ] {
        gives(
            &scanned(op, exclusive, 2),
            std::slice::from_ref(&x),
            &[ints(I64, &[2, 3], &expected)],
        );
        for shape in [&[2, 0][..], &[0, 3]] {
            gives(
                &scanned(op, exclusive, 2),
                &[counted(I64, shape)],
                &[counted(I64, shape)],
            );
        }
        gives(
            &scanned(op, exclusive, 1),
            &[ints(I64, &[1], &[4])],
            &[ints(
                I64,
                &[1],
                &[if exclusive.is_empty() { 74 } else { 7 }],
            )],
        );
        gives(
            &scanned(op, exclusive, 4),
            &[ints(I64, &[1, 2, 1, 1], &[4, 5])],
            &[ints(
                I64,
                &[1, 2, 1, 1],
                if exclusive.is_empty() {
                    &[74, 75]
                } else {
                    &[7, 7]
                },
            )],
        );
    }
}

#[test]
fn scan_of_every_element_type() {
    for element in ELEMENTS {
        let zero = zero(element);
        let add = sum(element);
        let ty = format!("tensor<?x{element}>");
        let source = format!(
            "func.func @main(%x: {ty}) -> {ty} {{
               %zero = arith.constant {zero}
               %y = soac.scanl %x neutral %zero : ({ty}, {element}) -> {ty}
                   (%a: {element}, %b: {element}) {{
                 %s = {add} %a, %b : {element}
                 soac.yield %s : {element}
               }}
               return %y : {ty}
             }}"
        );
        gives(
            &source,
            &[numbers(element, &[4], &[1, 1, 0, 1])],
            &[numbers(element, &[4], &[1, 2, 2, 3])],
        );
    }
}

#[test]
fn scan_of_several_arrays() {
    let source = "func.func @main(%x: tensor<3xi8>, %y: tensor<3xf32>)
          -> (tensor<3xi8>, tensor<3xf32>) {
        %i = arith.constant 0 : i8
        %f = arith.constant 1.0 : f32
        %p, %q = soac.scanr %x, %y neutral %i, %f exclusive
            : (tensor<3xi8>, tensor<3xf32>, i8, f32) -> (tensor<3xi8>, tensor<3xf32>)
            (%a: i8, %b: f32, %c: i8, %d: f32) {
          %s = arith.addi %a, %c : i8
          %t = arith.mulf %b, %d : f32
          soac.yield %s, %t : i8, f32
        }
        return %p, %q : tensor<3xi8>, tensor<3xf32>
      }";
    gives(
        source,
        &[
            ints(I8, &[3], &[1, 2, 3]),
            floats(F32, &[3], &[2.0, 3.0, 5.0]),
        ],
        &[
            ints(I8, &[3], &[5, 3, 0]),
            floats(F32, &[3], &[15.0, 5.0, 1.0]),
        ],
    );
}

const POSITIVE: &str = "func.func @main(%x: tensor<?xf32>, %y: tensor<?xi64>)
      -> (tensor<?xf32>, tensor<?xi64>, index) {
    %zero = arith.constant 0.0 : f32
    %p, %q = soac.filter %x, %y : (tensor<?xf32>, tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>)
        (%a: f32, %b: i64) {
      %keep = arith.cmpf ogt, %a, %zero : f32
      soac.yield %keep : i1
    }
    %c = arith.constant 0 : index
    %n = tensor.dim %p, %c : tensor<?xf32>
    return %p, %q, %n : tensor<?xf32>, tensor<?xi64>, index
  }";

#[test]
fn filter_keeps_in_order() {
    gives(
        POSITIVE,
        &[
            floats(F32, &[5], &[1.0, -1.0, 0.0, 3.0, f64::NAN]),
            counted(I64, &[5]),
        ],
        &[
            floats(F32, &[2], &[1.0, 3.0]),
            ints(I64, &[2], &[0, 3]),
            index(2),
        ],
    );
    let none = [floats(F32, &[0], &[]), ints(I64, &[0], &[]), index(0)];
    gives(POSITIVE, &none[..2], &none);
    gives(
        POSITIVE,
        &[floats(F32, &[1], &[-1.0]), counted(I64, &[1])],
        &none,
    );
    fails(
        POSITIVE,
        &[floats(F32, &[1], &[-1.0]), counted(I64, &[2])],
        "'soac.filter' op operands 0 and 1 have different shapes: [1] and [2]",
    );
}

const FALLING: &str = "func.func @main(%x: tensor<?x?xi8>, %y: tensor<?x?xi64>)
      -> (tensor<?x?xi8>, tensor<?x?xi64>) {
    %p, %q = soac.sort %x, %y : (tensor<?x?xi8>, tensor<?x?xi64>) -> (tensor<?x?xi8>, tensor<?x?xi64>)
        (%a: i8, %i: i64, %b: i8, %j: i64) {
      %before = arith.cmpi sgt, %a, %b : i8
      soac.yield %before : i1
    }
    return %p, %q : tensor<?x?xi8>, tensor<?x?xi64>
  }";

#[test]
fn sort_is_stable_in_each_row() {
    gives(
        FALLING,
        &[
            ints(I8, &[2, 5], &[3, -1, 7, 3, 7, 0, 0, 1, 0, 0]),
            counted(I64, &[2, 5]),
        ],
        &[
            ints(I8, &[2, 5], &[7, 7, 3, 3, -1, 1, 0, 0, 0, 0]),
            ints(I64, &[2, 5], &[2, 4, 0, 3, 1, 7, 5, 6, 8, 9]),
        ],
    );
    for shape in [[0, 3], [3, 0], [3, 1]] {
        let values = [counted(I8, &shape), counted(I64, &shape)];
        gives(FALLING, &values, &values);
    }
    fails(
        FALLING,
        &[counted(I8, &[2, 3]), counted(I64, &[3, 2])],
        "'soac.sort' op operands 0 and 1 have different shapes: [2, 3] and [3, 2]",
    );
}

#[test]
fn sort_by_no_order_gives_a_permutation() {
    let source = "func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {
        %true = arith.constant true
        %y = soac.sort %x : (tensor<?xi8>) -> tensor<?xi8> (%a: i8, %b: i8) {
          soac.yield %true : i1
        }
        return %y : tensor<?xi8>
      }";
    gives(
        source,
        &[counted(I8, &[5])],
        &[ints(I8, &[5], &[4, 3, 2, 1, 0])],
    );
}

#[test]
fn cross_is_the_cartesian_product() {
    let source = "func.func @main(%x: tensor<?xi8>, %u: tensor<?xf16>, %y: tensor<1x?xi32>)
          -> (tensor<?x1x?xi8>, tensor<?x1x?xf16>, tensor<?x1x?xi32>) {
        %a, %b, %c = soac.cross %x, %u by %y
            : (tensor<?xi8>, tensor<?xf16>, tensor<1x?xi32>)
            -> (tensor<?x1x?xi8>, tensor<?x1x?xf16>, tensor<?x1x?xi32>)
        return %a, %b, %c : tensor<?x1x?xi8>, tensor<?x1x?xf16>, tensor<?x1x?xi32>
      }";
    let right = ints(I32, &[1, 3], &[7, 8, 9]);
    gives(
        source,
        &[
            ints(I8, &[2], &[1, 2]),
            floats(F16, &[2], &[0.5, 1.5]),
            right.clone(),
        ],
        &[
            ints(I8, &[2, 1, 3], &[1, 1, 1, 2, 2, 2]),
            floats(F16, &[2, 1, 3], &[0.5, 0.5, 0.5, 1.5, 1.5, 1.5]),
            ints(I32, &[2, 1, 3], &[7, 8, 9, 7, 8, 9]),
        ],
    );
    fails(
        source,
        &[ints(I8, &[2], &[1, 2]), floats(F16, &[1], &[0.5]), right],
        "'soac.cross' op left arrays 0 and 1 have different shapes: [2] and [1]",
    );
}

#[test]
fn force_changes_nothing() {
    let source = "func.func @main(%x: tensor<?xi8>, %y: tensor<2xf64>)
          -> (tensor<?xi8>, tensor<2xf64>) {
        %a, %b = soac.force %x, %y : tensor<?xi8>, tensor<2xf64>
        return %a, %b : tensor<?xi8>, tensor<2xf64>
      }";
    let values = [counted(I8, &[3]), counted(F64, &[2])];
    gives(source, &values, &values);
}

#[test]
fn cluster_is_its_body() {
    let source = "func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) {
        %zero = arith.constant 0.0 : f32
        %y, %z = soac.cluster %x reads [0] writes [0, -1]
            : (tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) (%a: tensor<?xf32>) {
          %b = soac.map %a : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
            %s = arith.addf %e, %e : f32
            soac.yield %s : f32
          }
          %c = soac.fold %b neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
              (%p: f32, %q: f32) {
            %s = arith.addf %p, %q : f32
            soac.yield %s : f32
          }
          soac.yield %b, %c : tensor<?xf32>, tensor<f32>
        }
        return %y, %z : tensor<?xf32>, tensor<f32>
      }";
    gives(
        source,
        &[counted(F32, &[3])],
        &[
            floats(F32, &[3], &[0.0, 2.0, 4.0]),
            floats(F32, &[], &[6.0]),
        ],
    );
}

#[test]
fn external_functions_with_a_body_are_called() {
    let source = "func.func @twice(%x: tensor<?xi32>, %k: i32) -> (tensor<?xi32>, i32) {
        %y = arith.addi %x, %x : tensor<?xi32>
        return %y, %k : tensor<?xi32>, i32
      }
      func.func @main(%x: tensor<?xi32>, %k: i32) -> (tensor<?xi32>, i32) {
        %y, %l = soac.external @twice(%x, %k) effects none
            : (tensor<?xi32>, i32) -> (tensor<?xi32>, i32)
        return %y, %l : tensor<?xi32>, i32
      }";
    gives(
        source,
        &[counted(I32, &[3]), int(I32, 5)],
        &[ints(I32, &[3], &[0, 2, 4]), int(I32, 5)],
    );
}

#[test]
fn external_functions_without_a_body_are_named() {
    let source = "func.func private @fft(tensor<?xf32>) -> tensor<?xf32>
      func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %y = soac.external @fft(%x) : (tensor<?xf32>) -> tensor<?xf32>
        return %y : tensor<?xf32>
      }";
    let failure = run(source, &[counted(F32, &[2])]).unwrap_err();
    assert!(matches!(failure, Failure::NoBody { .. }));
    assert!(
        failure
            .to_string()
            .ends_with("'soac.external' op calls @fft, which is declared but has no body"),
        "{failure}"
    );
}

#[test]
fn checks_end_the_program_with_their_message() {
    let source = "func.func @main(%c: i1, %n: index, %m: index) -> index {
        soac.check %c, \"sizes {} and {} differ\" (%n, %m)
        return %n : index
      }";
    let inputs = |condition| [int(I1, condition), index(3), index(-4)];
    gives(source, &inputs(1), &[index(3)]);
    fails(source, &inputs(0), "sizes 3 and -4 differ");
}

#[test]
fn combinators_within_lambdas() {
    // The number of elements below each element.
    let source = "func.func @main(%x: tensor<?xi32>) -> tensor<?xindex> {
        %zero = arith.constant 0 : index
        %y = soac.map %x : (tensor<?xi32>) -> tensor<?xindex> (%a: i32) {
          %f = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%b: i32) {
            %c = arith.cmpi slt, %b, %a : i32
            soac.yield %c : i1
          }
          %n = tensor.dim %f, %zero : tensor<?xi32>
          soac.yield %n : index
        }
        return %y : tensor<?xindex>
      }";
    gives(
        source,
        &[ints(I32, &[4], &[5, 1, 9, 5])],
        &[ints(INDEX, &[4], &[1, 0, 3, 1])],
    );
}

#[test]
fn results_must_have_the_sizes_of_their_types() {
    let source = "func.func @main(%x: tensor<?xi32>) -> tensor<3xi32> {
        %y = soac.map %x : (tensor<?xi32>) -> tensor<3xi32> (%a: i32) {
          soac.yield %a : i32
        }
        return %y : tensor<3xi32>
      }";
    gives(source, &[counted(I32, &[3])], &[counted(I32, &[3])]);
    fails(
        source,
        &[counted(I32, &[2])],
        "'soac.map' op size 2 of dimension 0 of result 0 is not 3",
    );
}

#[test]
fn inputs_keep_their_values() {
    let source = "func.func @main(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
        %v = arith.constant 9 : i32
        %i = arith.constant 1 : index
        %y = tensor.insert %v into %x[%i] : tensor<3xi32>
        return %x, %y : tensor<3xi32>, tensor<3xi32>
      }";
    let x: Value = counted(I32, &[3]);
    let updated = ints(I32, &[3], &[0, 9, 2]);
    gives(source, std::slice::from_ref(&x), &[x.clone(), updated]);
}
