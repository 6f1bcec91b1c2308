//! Floating-point ops of `arith`.

use crate::program::*;
use comb_interpreter::{Element, Scalar, Value};
use half::{bf16, f16};

const FLOATS: [Element; 4] = [F16, BF16, F32, F64];

/// Numbers that go wrong, and their neighbours.
const NUMBERS: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    -2.5,
    3.0,
    0.1,
    -0.3,
    1e-3,
    65504.0,
    -65504.0,
    1e-7,
    6e-8,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    7.25,
];

fn only(results: Vec<Value>) -> Scalar {
    match results.as_slice() {
        [Value::Scalar(scalar)] => *scalar,
        other => panic!("{other:?}"),
    }
}

/// Both are NaN, or they have the same bits.
#[track_caller]
fn same(found: Scalar, expected: Scalar, what: &str) {
    assert_eq!(found.element(), expected.element(), "{what}");
    if !(found.to_f64().is_nan() && expected.to_f64().is_nan()) {
        assert_eq!(found.bits(), expected.bits(), "{what}: {found} {expected}");
    }
}

fn all_pairs(element: Element) -> (Vec<f64>, Vec<f64>) {
    let rounded = |value: f64| Scalar::float(element, value).to_f64();
    NUMBERS
        .iter()
        .flat_map(|&a| NUMBERS.iter().map(move |&b| (rounded(a), rounded(b))))
        .unzip()
}

/// `op` on all pairs of numbers, in all types, compared with an independent
/// computation on each type.
#[track_caller]
fn binary(
    op: &str,
    in_f16: fn(f16, f16) -> f16,
    in_bf16: fn(bf16, bf16) -> bf16,
    in_f32: fn(f32, f32) -> f32,
    in_f64: fn(f64, f64) -> f64,
) {
    for element in FLOATS {
        let (left, right) = all_pairs(element);
        let ty = format!("tensor<?x{element}>");
        let source = one_op(&format!("{op} %a, %b : {ty}"), &[&ty, &ty], &ty);
        let shape = [left.len()];
        let inputs = [
            floats(element, &shape, &left),
            floats(element, &shape, &right),
        ];
        let results = run(&source, &inputs).unwrap();
        let Value::Array(results) = &results[0] else {
            panic!("{results:?}");
        };
        for ((result, &a), &b) in results.scalars().zip(&left).zip(&right) {
            let bits = match element {
                F16 => in_f16(f16::from_f64(a), f16::from_f64(b)).to_bits().into(),
                BF16 => in_bf16(bf16::from_f64(a), bf16::from_f64(b))
                    .to_bits()
                    .into(),
                F32 => in_f32(a as f32, b as f32).to_bits().into(),
                _ => in_f64(a, b).to_bits(),
            };
            let expected = Scalar::from_bits(element, bits);
            same(result, expected, &format!("{op} {a} {b} : {element}"));
        }
    }
}

#[test]
fn arithmetic() {
    binary(
        "arith.addf",
        |a, b| a + b,
        |a, b| a + b,
        |a, b| a + b,
        |a, b| a + b,
    );
    binary(
        "arith.subf",
        |a, b| a - b,
        |a, b| a - b,
        |a, b| a - b,
        |a, b| a - b,
    );
    binary(
        "arith.mulf",
        |a, b| a * b,
        |a, b| a * b,
        |a, b| a * b,
        |a, b| a * b,
    );
    binary(
        "arith.divf",
        |a, b| a / b,
        |a, b| a / b,
        |a, b| a / b,
        |a, b| a / b,
    );
    binary(
        "arith.remf",
        |a, b| a % b,
        |a, b| a % b,
        |a, b| a % b,
        |a, b| a % b,
    );
}

#[track_caller]
fn scalar(op: &str, element: Element, operands: &[f64]) -> Scalar {
    let ty = element.to_string();
    let names = ["%a", "%b", "%c"][..operands.len()].join(", ");
    let types = vec![ty.as_str(); operands.len()];
    let source = one_op(&format!("{op} {names} : {ty}"), &types, &ty);
    let inputs: Vec<Value> = operands.iter().map(|&x| float(element, x)).collect();
    only(run(&source, &inputs).unwrap())
}

// S33
#[test]
fn rounding_after_every_op() {
    // 2048 + 1 is a tie in f16; both ops round to even.
    let source = "func.func @main(%a: f16, %b: f16) -> f16 {
        %s = arith.addf %a, %b : f16
        %t = arith.addf %s, %b : f16
        return %t : f16
      }";
    gives(
        source,
        &[float(F16, 2048.0), float(F16, 1.0)],
        &[float(F16, 2048.0)],
    );
    let source = source.replace("f16", "bf16");
    gives(
        &source,
        &[float(BF16, 256.0), float(BF16, 1.0)],
        &[float(BF16, 256.0)],
    );
    assert_eq!(
        scalar("arith.mulf", F16, &[300.0, 300.0]).to_f64(),
        f64::INFINITY
    );
    assert_eq!(
        scalar("arith.mulf", F32, &[1e30, 1e30]).to_f64(),
        f64::INFINITY
    );
}

#[test]
fn negation_flips_the_sign_of_anything() {
    for element in FLOATS {
        for value in NUMBERS {
            let operand = Scalar::float(element, value);
            let result = scalar("arith.negf", element, &[value]);
            assert_eq!(result.bits() ^ operand.bits(), 1 << (element.width() - 1));
        }
    }
}

// S35
#[test]
fn minimum_and_maximum() {
    let nan = f64::NAN;
    for element in FLOATS {
        let cases: [(&str, f64, f64, f64); 22] = [
            ("maximumf", 1.0, 2.0, 2.0),
            ("maximumf", 2.0, 1.0, 2.0),
            ("maximumf", nan, 1.0, nan),
            ("maximumf", 1.0, nan, nan),
            ("maximumf", -0.0, 0.0, 0.0),
            ("maximumf", 0.0, -0.0, 0.0),
            ("minimumf", 1.0, 2.0, 1.0),
            ("minimumf", 2.0, 1.0, 1.0),
            ("minimumf", nan, 1.0, nan),
            ("minimumf", 1.0, nan, nan),
            ("minimumf", -0.0, 0.0, -0.0),
            ("minimumf", 0.0, -0.0, -0.0),
            ("maxnumf", 1.0, 2.0, 2.0),
            ("maxnumf", nan, 1.0, 1.0),
            ("maxnumf", 1.0, nan, 1.0),
            ("maxnumf", nan, nan, nan),
            ("minnumf", 2.0, 1.0, 1.0),
            ("minnumf", nan, 1.0, 1.0),
            ("minnumf", 1.0, nan, 1.0),
            ("minnumf", f64::NEG_INFINITY, 1.0, f64::NEG_INFINITY),
            ("minnumf", -0.0, 0.0, -0.0),
            ("maxnumf", -0.0, 0.0, 0.0),
        ];
        for (op, a, b, expected) in cases {
            let result = scalar(&format!("arith.{op}"), element, &[a, b]);
            same(
                result,
                Scalar::float(element, expected),
                &format!("{op} {a} {b}"),
            );
        }
    }
}

#[test]
fn comparisons() {
    // Of (1, 2), (2, 2), (2, 1) and (NaN, 1).
    let expected = [
        ("false", [0, 0, 0, 0]),
        ("oeq", [0, 1, 0, 0]),
        ("ogt", [0, 0, 1, 0]),
        ("oge", [0, 1, 1, 0]),
        ("olt", [1, 0, 0, 0]),
        ("ole", [1, 1, 0, 0]),
        ("one", [1, 0, 1, 0]),
        ("ord", [1, 1, 1, 0]),
        ("ueq", [0, 1, 0, 1]),
        ("ugt", [0, 0, 1, 1]),
        ("uge", [0, 1, 1, 1]),
        ("ult", [1, 0, 0, 1]),
        ("ule", [1, 1, 0, 1]),
        ("une", [1, 0, 1, 1]),
        ("uno", [0, 0, 0, 1]),
        ("true", [1, 1, 1, 1]),
    ];
    for element in FLOATS {
        let ty = format!("tensor<4x{element}>");
        for (predicate, truths) in expected {
            let source = one_op(
                &format!("arith.cmpf {predicate}, %a, %b : {ty}"),
                &[&ty, &ty],
                "tensor<4xi1>",
            );
            gives(
                &source,
                &[
                    floats(element, &[4], &[1.0, 2.0, 2.0, f64::NAN]),
                    floats(element, &[4], &[2.0, 2.0, 1.0, 1.0]),
                ],
                &[ints(I1, &[4], &truths)],
            );
        }
        let source = one_op(
            &format!("arith.cmpf oeq, %a, %b : {element}"),
            &[&element.to_string(), &element.to_string()],
            "i1",
        );
        let zeros = [float(element, 0.0), float(element, -0.0)];
        gives(&source, &zeros, &[int(I1, 1)]);
    }
}

#[track_caller]
fn to_integer(op: &str, from: Element, value: f64, to: Element) -> Value {
    let source = one_op(
        &format!("arith.{op} %a : {from} to {to}"),
        &[&from.to_string()],
        &to.to_string(),
    );
    run(&source, &[float(from, value)]).unwrap()[0].clone()
}

// S34
#[test]
fn conversion_to_integers_saturates() {
    for from in FLOATS {
        for (value, signed, unsigned) in [
            (2.9, 2, 2),
            (-2.9, -2, 0),
            (-0.5, 0, 0),
            (1e4, 127, 255),
            (-1e4, -128, 0),
            (f64::INFINITY, 127, 255),
            (f64::NEG_INFINITY, -128, 0),
            (f64::NAN, 0, 0),
            (200.0, 127, 200),
        ] {
            assert_eq!(to_integer("fptosi", from, value, I8), int(I8, signed));
            assert_eq!(to_integer("fptoui", from, value, I8), int(I8, unsigned));
        }
    }
    assert_eq!(
        to_integer("fptosi", F64, 1e300, I64),
        int(I64, i64::MAX.into())
    );
    assert_eq!(
        to_integer("fptosi", F64, -1e300, I64),
        int(I64, i64::MIN.into())
    );
    assert_eq!(
        to_integer("fptoui", F64, 1e300, I64),
        int(I64, u64::MAX.into())
    );
    assert_eq!(
        to_integer("fptoui", F64, 2f64.powi(63), I64),
        int(I64, 1 << 63)
    );
    let odd = Element::Integer(7);
    assert_eq!(to_integer("fptosi", F32, 64.0, odd), int(odd, 63));
    assert_eq!(to_integer("fptosi", F32, 1.0, I1), int(I1, 0));
    assert_eq!(to_integer("fptosi", F32, -1.0, I1), int(I1, -1));
    assert_eq!(to_integer("fptoui", F32, 1.0, I1), int(I1, 1));
}

#[track_caller]
fn from_integer(op: &str, from: Element, value: i128, to: Element) -> f64 {
    let source = one_op(
        &format!("arith.{op} %a : {from} to {to}"),
        &[&from.to_string()],
        &to.to_string(),
    );
    only(run(&source, &[int(from, value)]).unwrap()).to_f64()
}

#[test]
fn conversion_from_integers() {
    for to in FLOATS {
        assert_eq!(from_integer("sitofp", I8, -3, to), -3.0);
        assert_eq!(from_integer("uitofp", I8, -3, to), 253.0);
        assert_eq!(from_integer("sitofp", I1, 1, to), -1.0);
        assert_eq!(from_integer("uitofp", I1, 1, to), 1.0);
    }
    assert_eq!(from_integer("uitofp", I64, -1, F64), 2f64.powi(64));
    assert_eq!(from_integer("sitofp", I32, (1 << 24) + 1, F32), 16777216.0);
    assert_eq!(from_integer("sitofp", I32, (1 << 24) + 3, F32), 16777220.0);
    assert_eq!(from_integer("sitofp", I32, 2049, F16), 2048.0);
    assert_eq!(from_integer("sitofp", I32, 1 << 20, F16), f64::INFINITY);
    assert_eq!(from_integer("sitofp", I32, 257, BF16), 256.0);
}

#[track_caller]
fn resize(op: &str, from: Element, value: f64, to: Element) -> f64 {
    let source = one_op(
        &format!("{op} : {from} to {to}"),
        &[&from.to_string()],
        &to.to_string(),
    );
    only(run(&source, &[float(from, value)]).unwrap()).to_f64()
}

#[test]
fn conversion_between_floats() {
    for (from, to) in [(F16, F32), (F16, F64), (BF16, F32), (BF16, F64), (F32, F64)] {
        for value in NUMBERS {
            let held = Scalar::float(from, value).to_f64();
            let result = resize("arith.extf %a", from, value, to);
            assert!(result == held || (result.is_nan() && held.is_nan()));
        }
    }
    assert_eq!(
        resize("arith.truncf %a", F64, 1.0 + 2f64.powi(-30), F32),
        1.0
    );
    // Just above a tie of f16: rounding through f32 would lose it.
    let above_tie = 1.0 + 2f64.powi(-11) + 2f64.powi(-45);
    assert_eq!(
        resize("arith.truncf %a", F64, above_tie, F16),
        1.0 + 2f64.powi(-10)
    );
    let value = -(1.0 + 2f64.powi(-11));
    for (mode, expected) in [
        ("to_nearest_even", -1.0),
        ("downward", -(1.0 + 2f64.powi(-10))),
        ("upward", -1.0),
        ("toward_zero", -1.0),
        ("to_nearest_away", -(1.0 + 2f64.powi(-10))),
    ] {
        let op = format!("arith.truncf %a {mode}");
        assert_eq!(resize(&op, F64, value, F16), expected, "{mode}");
    }
}

#[test]
fn bitcasts() {
    gives(
        &one_op("arith.bitcast %a : f32 to i32", &["f32"], "i32"),
        &[float(F32, 1.0)],
        &[int(I32, 0x3F80_0000)],
    );
    gives(
        &one_op("arith.bitcast %a : i16 to bf16", &["i16"], "bf16"),
        &[int(I16, 0x3F80)],
        &[float(BF16, 1.0)],
    );
    gives(
        &one_op(
            "tensor.bitcast %a : tensor<2xi16> to tensor<2xf16>",
            &["tensor<2xi16>"],
            "tensor<2xf16>",
        ),
        &[ints(I16, &[2], &[0x3C00, 0xC000])],
        &[floats(F16, &[2], &[1.0, -2.0])],
    );
}
