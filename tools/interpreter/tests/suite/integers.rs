//! Integer ops of `arith`, `index` and `math`, constants and conversions.

use crate::program::*;
use comb_interpreter::{Element, Value};

/// All pairs of 8-bit numbers.
fn pairs() -> (Vec<i128>, Vec<i128>) {
    let numbers = i128::from(i8::MIN)..=i8::MAX.into();
    numbers
        .clone()
        .flat_map(|left| numbers.clone().map(move |right| (left, right)))
        .unzip()
}

#[track_caller]
fn all_pairs(op: &str, skip_zero: bool, expected: impl Fn(i8, i8) -> i8) {
    let (mut left, mut right) = pairs();
    if skip_zero {
        (left, right) = left
            .into_iter()
            .zip(right)
            .filter(|&(_, right)| right != 0)
            .unzip();
    }
    let shape = [left.len()];
    let results: Vec<i128> = left
        .iter()
        .zip(&right)
        .map(|(&left, &right)| expected(left as i8, right as i8).into())
        .collect();
    let source = one_op(
        &format!("{op} %a, %b : tensor<?xi8>"),
        &["tensor<?xi8>", "tensor<?xi8>"],
        "tensor<?xi8>",
    );
    gives(
        &source,
        &[ints(I8, &shape, &left), ints(I8, &shape, &right)],
        &[ints(I8, &shape, &results)],
    );
}

#[test]
fn arithmetic_on_all_pairs_of_bytes() {
    all_pairs("arith.addi", false, i8::wrapping_add);
    all_pairs("arith.subi", false, i8::wrapping_sub);
    all_pairs("arith.muli", false, i8::wrapping_mul);
    all_pairs("arith.andi", false, |a, b| a & b);
    all_pairs("arith.ori", false, |a, b| a | b);
    all_pairs("arith.xori", false, |a, b| a ^ b);
    all_pairs("arith.maxsi", false, i8::max);
    all_pairs("arith.minsi", false, i8::min);
    all_pairs("arith.maxui", false, |a, b| (a as u8).max(b as u8) as i8);
    all_pairs("arith.minui", false, |a, b| (a as u8).min(b as u8) as i8);
}

#[test]
fn division_on_all_pairs_of_bytes() {
    all_pairs("arith.divsi", true, i8::wrapping_div);
    all_pairs("arith.remsi", true, i8::wrapping_rem);
    all_pairs("arith.divui", true, |a, b| (a as u8 / b as u8) as i8);
    all_pairs("arith.remui", true, |a, b| (a as u8 % b as u8) as i8);
    // Floor and ceiling by way of real numbers, which hold all of these.
    all_pairs("arith.floordivsi", true, |a, b| {
        (f64::from(a) / f64::from(b)).floor() as i64 as i8
    });
    all_pairs("arith.ceildivsi", true, |a, b| {
        (f64::from(a) / f64::from(b)).ceil() as i64 as i8
    });
    all_pairs("arith.ceildivui", true, |a, b| {
        (f64::from(a as u8) / f64::from(b as u8)).ceil() as i64 as i8
    });
}

#[test]
fn shifts_on_all_pairs_of_bytes() {
    all_pairs("arith.shli", false, |a, b| {
        a.checked_shl(b as u8 as u32).unwrap_or(0)
    });
    all_pairs("arith.shrui", false, |a, b| {
        (a as u8).checked_shr(b as u8 as u32).unwrap_or(0) as i8
    });
    all_pairs("arith.shrsi", false, |a, b| {
        a.checked_shr(b as u8 as u32)
            .unwrap_or(if a < 0 { -1 } else { 0 })
    });
}

#[test]
fn comparisons_on_all_pairs_of_bytes() {
    let (left, right) = pairs();
    let shape = [left.len()];
    type Predicate = fn(i8, i8) -> bool;
    let predicates: [(&str, Predicate); 10] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b),
        ("slt", |a, b| a < b),
        ("sle", |a, b| a <= b),
        ("sgt", |a, b| a > b),
        ("sge", |a, b| a >= b),
        ("ult", |a, b| (a as u8) < b as u8),
        ("ule", |a, b| a as u8 <= b as u8),
        ("ugt", |a, b| a as u8 > b as u8),
        ("uge", |a, b| a as u8 >= b as u8),
    ];
    for (name, holds) in predicates {
        let expected: Vec<i128> = left
            .iter()
            .zip(&right)
            .map(|(&left, &right)| holds(left as i8, right as i8).into())
            .collect();
        let source = one_op(
            &format!("arith.cmpi {name}, %a, %b : tensor<?xi8>"),
            &["tensor<?xi8>", "tensor<?xi8>"],
            "tensor<?xi1>",
        );
        let inputs = [ints(I8, &shape, &left), ints(I8, &shape, &right)];
        gives(&source, &inputs, &[ints(I1, &shape, &expected)]);
    }
}

#[track_caller]
fn binary(op: &str, element: Element, left: i128, right: i128) -> Value {
    let ty = element.to_string();
    let source = one_op(&format!("{op} %a, %b : {ty}"), &[&ty, &ty], &ty);
    let results = run(&source, &[int(element, left), int(element, right)]);
    results.unwrap_or_else(|failure| panic!("{failure}"))[0].clone()
}

#[test]
fn arithmetic_wraps_at_every_width() {
    for element in ELEMENTS.into_iter().filter(|element| !element.is_float()) {
        let width = element.width();
        let largest = (1i128 << (width - 1)) - 1;
        let smallest = -largest - 1;
        assert_eq!(
            binary("arith.addi", element, largest, 1),
            int(element, smallest)
        );
        assert_eq!(
            binary("arith.subi", element, smallest, 1),
            int(element, largest)
        );
        assert_eq!(binary("arith.muli", element, smallest, 2), int(element, 0));
        if width > 1 {
            let minus_one = -1;
            assert_eq!(
                binary("arith.divsi", element, smallest, minus_one),
                int(element, smallest)
            );
            assert_eq!(
                binary("arith.remsi", element, smallest, minus_one),
                int(element, 0)
            );
            assert_eq!(
                binary("arith.ceildivsi", element, smallest, minus_one),
                int(element, smallest)
            );
            assert_eq!(
                binary("arith.floordivsi", element, smallest, minus_one),
                int(element, smallest)
            );
            assert_eq!(
                binary("arith.divui", element, minus_one, 2),
                int(element, largest)
            );
            let wide = i128::from(width);
            if wide <= largest {
                assert_eq!(binary("arith.shli", element, 1, wide), int(element, 0));
                assert_eq!(binary("arith.shrui", element, -1, wide), int(element, 0));
                assert_eq!(binary("arith.shrsi", element, -1, wide), int(element, -1));
                assert_eq!(
                    binary("arith.shrsi", element, largest, wide),
                    int(element, 0)
                );
                assert_eq!(
                    binary("arith.shrsi", element, smallest, wide - 1),
                    int(element, -1)
                );
            }
            // An amount that is negative when signed is large.
            assert_eq!(binary("arith.shli", element, 1, -1), int(element, 0));
        }
    }
}

#[test]
fn large_products() {
    let a = 0x1234_5678_9ABC_DEF1_i64;
    let b = -0x7EDC_BA98_7654_3211_i64;
    assert_eq!(
        binary("arith.muli", I64, a.into(), b.into()),
        int(I64, a.wrapping_mul(b).into())
    );
    let source = one_op("index.mul %a, %b", &["index", "index"], "index");
    gives(&source, &[index(a), index(b)], &[index(a.wrapping_mul(b))]);
}

#[test]
fn division_by_zero_is_an_error() {
    for op in [
        "divsi",
        "divui",
        "remsi",
        "remui",
        "ceildivsi",
        "ceildivui",
        "floordivsi",
    ] {
        let source = one_op(&format!("arith.{op} %a, %b : i32"), &["i32", "i32"], "i32");
        fails(
            &source,
            &[int(I32, 5), int(I32, 0)],
            &format!("'arith.{op}' op division by zero"),
        );
    }
    for op in [
        "divs",
        "divu",
        "rems",
        "remu",
        "ceildivs",
        "ceildivu",
        "floordivs",
    ] {
        let source = one_op(&format!("index.{op} %a, %b"), &["index", "index"], "index");
        fails(
            &source,
            &[index(5), index(0)],
            &format!("'index.{op}' op division by zero"),
        );
    }
    let source = one_op(
        "arith.divsi %a, %b : tensor<3xi8>",
        &["tensor<3xi8>", "tensor<3xi8>"],
        "tensor<3xi8>",
    );
    let inputs = [ints(I8, &[3], &[1, 2, 3]), ints(I8, &[3], &[1, 0, 1])];
    fails(&source, &inputs, "'arith.divsi' op division by zero");
}

#[test]
fn extended_arithmetic() {
    let source = |op: &str, second: &str| {
        format!(
            "func.func @main(%a: i8, %b: i8) -> (i8, {second}) {{
               %l, %h = arith.{op} %a, %b : i8{}
               return %l, %h : i8, {second}
             }}",
            if second == "i1" { ", i1" } else { "" }
        )
    };
    let add = source("addui_extended", "i1");
    gives(
        &add,
        &[int(I8, 200), int(I8, 56)],
        &[int(I8, 0), int(I1, 1)],
    );
    gives(
        &add,
        &[int(I8, 200), int(I8, 55)],
        &[int(I8, 255), int(I1, 0)],
    );
    // 200 * 200 = 156 * 256 + 64; as signed numbers (-56) * (-56) = 12 * 256 + 64.
    let inputs = [int(I8, 200), int(I8, 200)];
    gives(
        &source("mului_extended", "i8"),
        &inputs,
        &[int(I8, 64), int(I8, 156)],
    );
    gives(
        &source("mulsi_extended", "i8"),
        &inputs,
        &[int(I8, 64), int(I8, 12)],
    );
    let wide = source("mului_extended", "i8").replace("i8", "i64");
    gives(
        &wide,
        &[int(I64, -1), int(I64, -1)],
        &[int(I64, 1), int(I64, -2)],
    );
}

#[track_caller]
fn convert(op: &str, from: Element, value: i128, to: Element, expected: i128) {
    let source = one_op(
        &format!("arith.{op} %a : {from} to {to}"),
        &[&from.to_string()],
        &to.to_string(),
    );
    gives(&source, &[int(from, value)], &[int(to, expected)]);
}

#[test]
fn conversions_between_integers() {
    convert("extsi", I8, -3, I32, -3);
    convert("extui", I8, -3, I32, 253);
    convert("extsi", I1, 1, I8, -1);
    convert("extui", I1, 1, I8, 1);
    convert("trunci", I32, 0x1234_56F0, I8, 0xF0);
    convert("trunci", I64, 0xFFF, Element::Integer(7), 0x7F);
    convert("extsi", Element::Integer(7), 0x40, I8, -64);
    convert("index_cast", I32, -5, INDEX, -5);
    convert("index_castui", I32, -5, INDEX, 0xFFFF_FFFB);
    convert("index_cast", INDEX, (1 << 40) + 7, I32, 7);
    convert("index_cast", INDEX, 0x80, I8, -128);
    convert("index_castui", INDEX, 0x1FF, I8, 255);
    for (op, expected) in [("casts", -5), ("castu", 0xFFFF_FFFB)] {
        let source = one_op(&format!("index.{op} %a : i32 to index"), &["i32"], "index");
        gives(&source, &[int(I32, -5)], &[index(expected)]);
    }
}

#[test]
fn index_ops() {
    let cases: [(&str, i64, i64, i64); 21] = [
        ("add", i64::MAX, 1, i64::MIN),
        ("sub", 3, 5, -2),
        ("mul", -3, 5, -15),
        ("divs", -7, 2, -3),
        ("divs", i64::MIN, -1, i64::MIN),
        ("divu", -1, 2, i64::MAX),
        ("ceildivs", -7, 2, -3),
        ("ceildivu", 7, 2, 4),
        ("floordivs", -7, 2, -4),
        ("rems", -7, 2, -1),
        ("remu", -1, 10, 5),
        ("maxs", -1, 1, 1),
        ("maxu", -1, 1, -1),
        ("mins", -1, 1, -1),
        ("minu", -1, 1, 1),
        ("shl", 1, 64, 0),
        ("shrs", -8, 1, -4),
        ("shru", -8, 1, i64::MAX - 3),
        ("and", 12, 10, 8),
        ("or", 12, 10, 14),
        ("xor", 12, 10, 6),
    ];
    for (op, left, right, expected) in cases {
        let source = one_op(&format!("index.{op} %a, %b"), &["index", "index"], "index");
        gives(&source, &[index(left), index(right)], &[index(expected)]);
    }
}

#[test]
fn index_comparisons() {
    let expected = [
        ("eq", false),
        ("ne", true),
        ("slt", true),
        ("sle", true),
        ("sgt", false),
        ("sge", false),
        ("ult", false),
        ("ule", false),
        ("ugt", true),
        ("uge", true),
    ];
    for (predicate, holds) in expected {
        let source = one_op(
            &format!("index.cmp {predicate}(%a, %b)"),
            &["index", "index"],
            "i1",
        );
        gives(&source, &[index(-1), index(1)], &[int(I1, holds.into())]);
    }
}

#[test]
fn index_constants() {
    gives(
        "func.func @main() -> (index, i1, i1, index) {
           %a = index.constant -7
           %t = index.bool.constant true
           %f = index.bool.constant false
           %s = index.sizeof
           return %a, %t, %f, %s : index, i1, i1, index
         }",
        &[],
        &[index(-7), int(I1, 1), int(I1, 0), index(64)],
    );
}

#[test]
fn scalar_constants_of_every_type() {
    for element in ELEMENTS {
        let (text, value) = if element.is_float() {
            ("-1.5", float(element, -1.5))
        } else if element == I1 {
            ("true", int(element, 1))
        } else {
            ("-1", int(element, -1))
        };
        let typed = match element {
            I1 => text.to_owned(),
            _ => format!("{text} : {element}"),
        };
        let source = one_op(
            &format!("arith.constant {typed}"),
            &[],
            &element.to_string(),
        );
        gives(&source, &[], &[value]);
    }
}

#[test]
fn array_constants_of_every_type() {
    for element in ELEMENTS {
        let (text, values): (&str, &[i64]) = if element == I1 {
            (
                "[[true, false, true], [false, false, true]]",
                &[1, 0, 1, 0, 0, 1],
            )
        } else if element == Element::Integer(2) {
            ("[[0, 1, -2], [-1, 1, 1]]", &[0, 1, -2, -1, 1, 1])
        } else if element.is_float() {
            ("[[0.0, 1.0, -2.0], [3.0, 4.0, 5.0]]", &[0, 1, -2, 3, 4, 5])
        } else {
            ("[[0, 1, -2], [3, 4, 5]]", &[0, 1, -2, 3, 4, 5])
        };
        let ty = format!("tensor<2x3x{element}>");
        let source = one_op(&format!("arith.constant dense<{text}> : {ty}"), &[], &ty);
        gives(&source, &[], &[numbers(element, &[2, 3], values)]);

        let (text, value) = match element.is_float() {
            true => ("-1.0", -1),
            false if element == I1 => ("true", 1),
            false => ("-1", -1),
        };
        let source = one_op(&format!("arith.constant dense<{text}> : {ty}"), &[], &ty);
        gives(&source, &[], &[numbers(element, &[2, 3], &[value; 6])]);

        let ty = format!("tensor<2x0x{element}>");
        let source = one_op(&format!("arith.constant dense<> : {ty}"), &[], &ty);
        gives(&source, &[], &[numbers(element, &[2, 0], &[])]);
    }
}

#[test]
fn many_truth_values() {
    // More than one byte of them, whichever way they are stored.
    let values: Vec<i128> = (0..19).map(|i| i128::from(i % 3 == 0)).collect();
    let text: Vec<_> = values.iter().map(|&v| (v == 1).to_string()).collect();
    let source = one_op(
        &format!(
            "arith.constant dense<[{}]> : tensor<19xi1>",
            text.join(", ")
        ),
        &[],
        "tensor<19xi1>",
    );
    gives(&source, &[], &[ints(I1, &[19], &values)]);
}

/// Run-time checks compute with more bits than arrays have.
#[test]
fn wide_scalars() {
    let source = "func.func @main(%a: index, %b: index) -> (i1, i1, index, index) {
        %x = arith.index_cast %a : index to i128
        %y = arith.index_cast %b : index to i128
        %product = arith.muli %x, %y : i128
        %bound = arith.constant 85070591730234615847396907784232501249 : i128
        %same = arith.cmpi eq, %product, %bound : i128
        %zero = arith.constant 0 : i128
        %negative = arith.subi %zero, %product : i128
        %below = arith.cmpi slt, %negative, %zero : i128
        %larger = arith.maxsi %negative, %x : i128
        %largest = arith.index_cast %larger : i128 to index
        %quotient = arith.divsi %product, %y : i128
        %half = arith.index_cast %quotient : i128 to index
        return %same, %below, %largest, %half : i1, i1, index, index
      }";
    // (2^63 - 1)^2.
    let most = index(i64::MAX);
    gives(
        source,
        &[most.clone(), most.clone()],
        &[int(I1, 1), int(I1, 1), most.clone(), most],
    );
    gives(
        source,
        &[index(-6), index(2)],
        &[int(I1, 0), int(I1, 0), index(12), index(-6)],
    );
}

#[test]
fn selection() {
    let source = one_op(
        "arith.select %a, %b, %c : i32",
        &["i1", "i32", "i32"],
        "i32",
    );
    for (condition, expected) in [(1, 5), (0, 7)] {
        let inputs = [int(I1, condition), int(I32, 5), int(I32, 7)];
        gives(&source, &inputs, &[int(I32, expected)]);
    }
    let arrays = [ints(I32, &[2], &[1, 2]), ints(I32, &[2], &[3, 4])];
    let ty = "tensor<2xi32>";
    gives(
        &one_op(
            &format!("arith.select %a, %b, %c : {ty}"),
            &["i1", ty, ty],
            ty,
        ),
        &[int(I1, 0), arrays[0].clone(), arrays[1].clone()],
        &[ints(I32, &[2], &[3, 4])],
    );
    gives(
        &one_op(
            &format!("arith.select %a, %b, %c : tensor<2xi1>, {ty}"),
            &["tensor<2xi1>", ty, ty],
            ty,
        ),
        &[
            ints(I1, &[2], &[1, 0]),
            arrays[0].clone(),
            arrays[1].clone(),
        ],
        &[ints(I32, &[2], &[1, 4])],
    );
}

#[test]
fn arrays_must_have_one_shape() {
    let ty = "tensor<?x?xi32>";
    let source = one_op(&format!("arith.addi %a, %b : {ty}"), &[ty, ty], ty);
    // Lowered, arithmetic on arrays is soac.map.
    fails_as_written(
        &source,
        &[counted(I32, &[2, 3]), counted(I32, &[3, 2])],
        "'arith.addi' op operands 0 and 1 have different shapes: [2, 3] and [3, 2]",
    );
    gives(
        &source,
        &[counted(I32, &[2, 2]), counted(I32, &[2, 2])],
        &[ints(I32, &[2, 2], &[0, 2, 4, 6])],
    );
    gives(
        &source,
        &[counted(I32, &[0, 2]), counted(I32, &[0, 2])],
        &[counted(I32, &[0, 2])],
    );
}

#[test]
fn poison_is_zero() {
    gives(
        "func.func @main() -> i32 { %p = ub.poison : i32 return %p : i32 }",
        &[],
        &[int(I32, 0)],
    );
}
