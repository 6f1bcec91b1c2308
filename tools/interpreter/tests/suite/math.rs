//! The `math` dialect.

use crate::program::*;
use comb_interpreter::{Element, Scalar, Value};

const FLOATS: [Element; 4] = [F16, BF16, F32, F64];

#[track_caller]
fn call(op: &str, element: Element, operands: &[f64]) -> f64 {
    let ty = element.to_string();
    let names = ["%a", "%b", "%c"][..operands.len()].join(", ");
    let types = vec![ty.as_str(); operands.len()];
    let source = one_op(&format!("math.{op} {names} : {ty}"), &types, &ty);
    let inputs: Vec<Value> = operands.iter().map(|&x| float(element, x)).collect();
    match run(&source, &inputs).unwrap().as_slice() {
        [Value::Scalar(scalar)] => scalar.to_f64(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn functions_agree_with_the_standard_library() {
    let erf_of_half = 0.520_499_877_813_046_5;
    let cases: [(&str, &[f64], f64); 25] = [
        ("acos", &[0.5], 0.5f64.acos()),
        ("acosh", &[1.5], 1.5f64.acosh()),
        ("asin", &[0.5], 0.5f64.asin()),
        ("asinh", &[0.5], 0.5f64.asinh()),
        ("atan", &[0.5], 0.5f64.atan()),
        ("atan2", &[1.0, -2.0], 1f64.atan2(-2.0)),
        ("atanh", &[0.5], 0.5f64.atanh()),
        ("cbrt", &[27.0], 3.0),
        ("cos", &[0.5], 0.5f64.cos()),
        ("cosh", &[0.5], 0.5f64.cosh()),
        ("erf", &[0.5], erf_of_half),
        ("erfc", &[0.5], 1.0 - erf_of_half),
        ("exp", &[0.5], 0.5f64.exp()),
        ("exp2", &[0.5], 2f64.sqrt()),
        ("expm1", &[0.5], 0.5f64.exp_m1()),
        ("log", &[2.5], 2.5f64.ln()),
        ("log10", &[2.5], 2.5f64.log10()),
        ("log1p", &[0.5], 1.5f64.ln()),
        ("log2", &[2.5], 2.5f64.log2()),
        ("sin", &[0.5], 0.5f64.sin()),
        ("sinh", &[0.5], 0.5f64.sinh()),
        ("tan", &[0.5], 0.5f64.tan()),
        ("tanh", &[0.5], 0.5f64.tanh()),
        ("rsqrt", &[2.0], 0.5f64.sqrt()),
        ("powf", &[2.5, 1.5], 2.5f64.powf(1.5)),
    ];
    for (op, operands, expected) in cases {
        for element in FLOATS {
            let error = (call(op, element, operands) - expected).abs() / expected.abs();
            let fraction_bits = match element {
                F16 => 10,
                BF16 => 7,
                F32 => 23,
                _ => 52,
            };
            // Rounded to nearest, but for a few units in f32 and f64.
            let units = if fraction_bits > 10 { 4.0 } else { 0.5 };
            assert!(
                error <= units * 2f64.powi(-fraction_bits),
                "{op} : {element} is off by {error}"
            );
        }
    }
}

#[test]
fn functions_outside_their_domain() {
    for element in FLOATS {
        assert!(call("log", element, &[-1.0]).is_nan());
        assert_eq!(call("log", element, &[0.0]), f64::NEG_INFINITY);
        assert!(call("sqrt", element, &[-1.0]).is_nan());
        assert!(call("acos", element, &[2.0]).is_nan());
        assert_eq!(call("exp", element, &[1000.0]), f64::INFINITY);
        assert_eq!(call("exp", element, &[f64::NEG_INFINITY]), 0.0);
    }
}

#[test]
fn square_roots_are_exact() {
    for element in FLOATS {
        assert_eq!(call("sqrt", element, &[6.25]), 2.5);
        let root = call("sqrt", element, &[2.0]);
        assert_eq!(root, Scalar::float(element, 2f64.sqrt()).to_f64());
    }
}

#[test]
fn rounding_to_integers() {
    for element in FLOATS {
        for (value, floor, ceil, trunc, round, roundeven) in [
            (2.5, 2.0, 3.0, 2.0, 3.0, 2.0),
            (-2.5, -3.0, -2.0, -2.0, -3.0, -2.0),
            (3.5, 3.0, 4.0, 3.0, 4.0, 4.0),
            (-0.25, -1.0, -0.0, -0.0, -0.0, -0.0),
            (
                f64::INFINITY,
                f64::INFINITY,
                f64::INFINITY,
                f64::INFINITY,
                f64::INFINITY,
                f64::INFINITY,
            ),
        ] {
            for (op, expected) in [
                ("floor", floor),
                ("ceil", ceil),
                ("trunc", trunc),
                ("round", round),
                ("roundeven", roundeven),
            ] {
                let result = call(op, element, &[value]);
                assert_eq!(result.to_bits(), f64::to_bits(expected), "{op} {value}");
            }
        }
    }
}

#[test]
fn signs() {
    for element in FLOATS {
        assert_eq!(call("absf", element, &[-1.5]), 1.5);
        assert!(call("absf", element, &[-0.0]).is_sign_positive());
        assert_eq!(call("copysign", element, &[1.5, -0.0]), -1.5);
        assert_eq!(call("copysign", element, &[-1.5, f64::INFINITY]), 1.5);
    }
}

#[test]
fn classification() {
    let values = [1.0, 0.0, f64::INFINITY, f64::NAN, 6e-8];
    for element in FLOATS {
        let subnormal_is_normal = element != F16;
        for (op, expected) in [
            ("isfinite", [true, true, false, false, true]),
            ("isinf", [false, false, true, false, false]),
            ("isnan", [false, false, false, true, false]),
            ("isnormal", [true, false, false, false, subnormal_is_normal]),
        ] {
            let ty = format!("tensor<5x{element}>");
            let source = one_op(&format!("math.{op} %a : {ty}"), &[&ty], "tensor<5xi1>");
            let expected: Vec<i128> = expected.map(i128::from).to_vec();
            gives(
                &source,
                &[floats(element, &[5], &values)],
                &[ints(I1, &[5], &expected)],
            );
        }
    }
}

#[test]
fn fused_multiplication_and_addition_rounds_once() {
    // (1 + e)² - (1 + 2e) = e², which separate rounding loses.
    for (element, fraction_bits) in [(F16, 10), (BF16, 7), (F32, 23), (F64, 52)] {
        let e = 2f64.powi(-fraction_bits);
        let result = call("fma", element, &[1.0 + e, 1.0 + e, -(1.0 + 2.0 * e)]);
        assert_eq!(result, e * e, "{element}");
    }
}

#[test]
fn clamping_follows_its_definition() {
    // maxf(minf(value, first), second): the first bound is the upper one.
    for element in FLOATS {
        let ty = element.to_string();
        let source = one_op(
            &format!("math.clampf %a to [%b, %c] : {ty}"),
            &[&ty, &ty, &ty],
            &ty,
        );
        for (value, expected) in [(5.0, 2.0), (-5.0, -1.0), (0.5, 0.5)] {
            let inputs = [value, 2.0, -1.0].map(|x| float(element, x));
            gives(&source, &inputs, &[float(element, expected)]);
        }
    }
}

#[test]
fn sine_and_cosine_at_once() {
    let source = "func.func @main(%a: f64) -> (f64, f64) {
        %s, %c = math.sincos %a : f64
        return %s, %c : f64, f64
      }";
    gives(
        source,
        &[float(F64, 0.5)],
        &[
            float(F64, call("sin", F64, &[0.5])),
            float(F64, call("cos", F64, &[0.5])),
        ],
    );
}

#[track_caller]
fn integer(op: &str, element: Element, value: i128, expected: i128) {
    let ty = element.to_string();
    let source = one_op(&format!("math.{op} %a : {ty}"), &[&ty], &ty);
    gives(&source, &[int(element, value)], &[int(element, expected)]);
}

#[test]
fn integer_functions() {
    let odd = Element::Integer(7);
    integer("absi", I8, -5, 5);
    integer("absi", I8, -128, -128);
    integer("absi", odd, -64, -64);
    integer("ctlz", I8, 1, 7);
    integer("ctlz", I8, 0, 8);
    integer("ctlz", I64, 1, 63);
    integer("ctlz", odd, 1, 6);
    integer("cttz", I8, 8, 3);
    integer("cttz", I8, 0, 8);
    integer("cttz", odd, 0, 7);
    integer("ctpop", I8, -1, 8);
    integer("ctpop", odd, -1, 7);
    integer("ctpop", I64, 0x1_0000_0001, 2);
}

#[test]
fn integer_powers() {
    let source = one_op("math.ipowi %a, %b : i32", &["i32", "i32"], "i32");
    for (base, exponent, expected) in [
        (3, 4, 81),
        (-2, 31, i128::from(i32::MIN)),
        (3, 21, i128::from(3i32.wrapping_pow(21))),
        (7, 0, 1),
        (0, 0, 1),
        (0, 5, 0),
        (1, -7, 1),
        (-1, -7, -1),
        (-1, -8, 1),
        (2, -1, 0),
        (-1, i128::from(i32::MAX), -1),
    ] {
        let inputs = [int(I32, base), int(I32, exponent)];
        gives(&source, &inputs, &[int(I32, expected)]);
    }
    fails(
        &source,
        &[int(I32, 0), int(I32, -1)],
        "'math.ipowi' op division by zero",
    );
}

#[test]
fn float_powers_of_integers() {
    for element in FLOATS {
        let ty = element.to_string();
        let source = one_op(
            &format!("math.fpowi %a, %b : {ty}, i32"),
            &[&ty, "i32"],
            &ty,
        );
        for (base, exponent, expected) in [
            (1.5, 3, 3.375),
            (2.0, -2, 0.25),
            (5.0, 0, 1.0),
            (0.0, -1, f64::INFINITY),
            (-2.0, 3, -8.0),
        ] {
            let inputs = [float(element, base), int(I32, exponent)];
            gives(&source, &inputs, &[float(element, expected)]);
        }
    }
}

#[test]
fn float_powers_are_rounded_once() {
    // 1.1 to the power of 500 by multiplying is off by 20 roundings.
    let source = one_op("math.fpowi %a, %b : f32, i64", &["f32", "i64"], "f32");
    for (base, exponent) in [(1.1, 500), (0.999, -3000), (-1.01, 4001)] {
        let expected = f64::from(base as f32).powi(exponent) as f32;
        let inputs = [float(F32, base), int(I64, exponent.into())];
        gives(&source, &inputs, &[float(F32, expected.into())]);
    }
}

#[test]
fn on_arrays() {
    let ty = "tensor<2x2xf64>";
    gives(
        &one_op(&format!("math.sqrt %a : {ty}"), &[ty], ty),
        &[floats(F64, &[2, 2], &[1.0, 4.0, 9.0, 16.0])],
        &[floats(F64, &[2, 2], &[1.0, 2.0, 3.0, 4.0])],
    );
}
