//! What users write after `-i` and `-o`, right and wrong.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;

use comb_runtime::bind;
use comb_runtime::sign::{self, Sign};
use comb_runtime::spec::{InputSpec, parse_scalar};
use comb_runtime::{ElementType, Scalar, Signature, Value};

fn signature() -> Signature {
    Signature::from_json(
        r#"{"name": "main",
            "parameters": [{"name": "xs", "type": "tensor<?x8xf32>"},
                           {"name": "n", "type": "i8"},
                           {"name": "r", "type": "tensor<f64>"}],
            "results": [{"name": "ys", "type": "tensor<?xf32>"}, {"name": "sum", "type": "f32"}]}"#,
    )
    .unwrap()
}

fn of_type(ty: &str) -> Signature {
    Signature::from_json(&format!(
        r#"{{"name": "f", "parameters": [{{"name": "x", "type": "{ty}"}}], "results": []}}"#
    ))
    .unwrap()
}

fn load(spec: &str, ty: &str) -> Result<Value, String> {
    let signature = of_type(ty);
    let specs = bind::inputs(&signature, &[format!("x={spec}").into()])
        .map_err(|error| error.to_string())?;
    let mut values = bind::load(&signature, &specs).map_err(|error| error.to_string())?;
    Ok(values.remove(0).value)
}

fn options(texts: &[&str]) -> Vec<OsString> {
    texts.iter().map(OsString::from).collect()
}

#[test]
fn literals_are_read_as_the_parameter_s_type() {
    use ElementType::*;
    let int = |value| Ok(Scalar::Int(value));
    let float = |value| Ok(Scalar::Float(value));
    for (text, element, expected) in [
        ("3", I32, int(3)),
        ("-128", I8, int(-128)),
        ("255", I8, int(-1)),
        ("+7", I16, int(7)),
        ("0xff", I16, int(255)),
        ("-0x10", I64, int(-16)),
        ("0b101", I8, int(5)),
        ("0o17", I8, int(15)),
        ("1_000_000", I32, int(1_000_000)),
        ("18446744073709551615", I64, int(-1)),
        ("9223372036854775807", Index, int(i64::MAX)),
        ("true", I1, int(1)),
        ("false", I1, int(0)),
        ("1", I1, int(1)),
        ("-2.5", F32, float(-2.5)),
        ("0.1", F32, float(f64::from(0.1_f32))),
        ("1e-3", F64, float(1e-3)),
        ("3", BF16, float(3.0)),
        ("0x10", F16, float(16.0)),
        ("inf", F16, float(f64::INFINITY)),
        ("-inf", F32, float(f64::NEG_INFINITY)),
        ("65504", F16, float(65504.0)),
    ] {
        let scalar = parse_scalar(text, element, None);
        assert_eq!(scalar, expected, "{text} as {element}");
    }
    for text in ["-0", "-0.0", "-0x0"] {
        let value = parse_scalar(text, F32, None);
        assert!(
            matches!(value, Ok(Scalar::Float(zero)) if zero == 0.0 && zero.is_sign_negative()),
            "{text} is {value:?}"
        );
    }
    assert!(matches!(parse_scalar("nan", F64, None), Ok(Scalar::Float(x)) if x.is_nan()));
}

#[test]
fn wrong_inputs_have_their_messages() {
    let mut messages = String::new();
    for (spec, ty) in [
        ("300", "i8"),
        ("-129", "i8"),
        ("2", "i1"),
        ("yes", "i1"),
        ("2.5", "i32"),
        ("1e3", "i32"),
        ("true", "i32"),
        ("0x", "i32"),
        ("_1", "i32"),
        ("9223372036854775808", "index"),
        ("99999999999999999999999999999999999999999999", "i64"),
        ("abc", "f32"),
        ("1e400", "f64"),
        ("70000", "f16"),
        ("", "f32"),
        ("3", "tensor<?xf32>"),
        ("data", "tensor<?x4xf32>"),
        ("missing.npy", "tensor<?xf32>"),
        ("random:f32[3]:1", "tensor<?xi32>"),
        ("random:f32[3,4]:1", "tensor<?xf32>"),
        ("random:f32[3,4]:1", "tensor<?x5xf32>"),
        ("random:f32[3]", "f32"),
        ("random:f32:1", "tensor<?xf32>"),
        ("random:f33[3]:1", "tensor<?xf32>"),
        ("random:f32[3:1", "tensor<?xf32>"),
        ("random:f32[a]:1", "tensor<?xf32>"),
        ("random:f32[-1]:1", "tensor<?xf32>"),
        ("random:f32[3]:x", "tensor<?xf32>"),
        ("random:f32[3]:-1", "tensor<?xf32>"),
        ("random:i8(0..300)[3]:1", "tensor<?xi8>"),
        ("random:i8(5..5)[3]:1", "tensor<?xi8>"),
        ("random:i8(5)[3]:1", "tensor<?xi8>"),
        ("random:i8(0..1[3]:1", "tensor<?xi8>"),
        ("random:i8(0..b)[3]:1", "tensor<?xi8>"),
        ("random:f16(0..1e6)[3]:1", "tensor<?xf16>"),
        ("random:f32(nan..1)[3]:1", "tensor<?xf32>"),
        ("zeros:f32[3]:1", "tensor<?xf32>"),
        ("random:ui8(-1..3)[3]:1", "tensor<?xi8>"),
        ("zeros:uindex[3]", "tensor<?xindex>"),
        ("zeros:uf32[3]", "tensor<?xf32>"),
        ("zeros:u8[3]", "tensor<?xi8>"),
        ("[1]", "i32"),
        ("[1", "tensor<?xi32>"),
        ("[1,,2]", "tensor<?xi32>"),
        ("[1,2,]", "tensor<?xi32>"),
        ("[1 2]", "tensor<?xi32>"),
        ("[1]]", "tensor<?xi32>"),
        ("[[1]]", "tensor<?xi32>"),
        ("[1]", "tensor<?x?xi32>"),
        ("[[1,2],[3]]", "tensor<?x?xi32>"),
        ("[[1,2],[]]", "tensor<?x?xi32>"),
        ("[1,2]", "tensor<3xi32>"),
        ("[]", "tensor<3xi32>"),
        ("[1,x]", "tensor<?xi32>"),
        ("[300]", "tensor<?xi8>"),
        ("[0.5]", "tensor<?xi8>"),
        ("iota:i8(0..3)[3]", "tensor<?xi8>"),
        (
            "zeros:f64[1000000000,1000000000,1000000000]",
            "tensor<?x?x?xf64>",
        ),
        ("zeros:f64[1000000000,100000000]", "tensor<?x?xf64>"),
    ] {
        let message = load(spec, ty).expect_err(spec);
        writeln!(messages, "x={spec}\n    {message}").unwrap();
    }
    insta::assert_snapshot!(messages);
}

#[test]
fn wrong_options_have_their_messages() {
    let signature = signature();
    let mut messages = String::new();
    for texts in [
        &["xs=random:f32[2,8]:1", "n=3"][..],
        &[],
        &["xs=zeros:f32[2,8]", "n=3", "r=1", "q=3"],
        &["xs=zeros:f32[2,8]", "n=3", "r=1", "n=4"],
        &["xs.npy"],
        &["=3"],
        &["xs=zeros:f32[2,8]", "n=1000", "r=1"],
        &["xs=zeros:f32[2,", "n=1", "r=1"],
        &["xs=-", "n=1", "r=-"],
    ] {
        let error = bind::inputs(&signature, &options(texts)).unwrap_err();
        writeln!(messages, "-i {texts:?}\n    {error}").unwrap();
    }
    for texts in [
        &["zs=out.npy"][..],
        &["ys=a.npy", "ys=b.npy"],
        &["ys=a.npy", "sum=a.npy"],
        &["ys="],
        &["out.npy"],
    ] {
        let error = bind::outputs(&signature, &options(texts)).unwrap_err();
        writeln!(messages, "-o {texts:?}\n    {error}").unwrap();
    }
    insta::assert_snapshot!(messages);
}

#[test]
fn options_find_their_places_in_any_order() {
    let signature = signature();
    let specs = bind::inputs(&signature, &options(&["n=3", "r=0.5", "xs=ones:f32[2,8]"])).unwrap();
    let values = sign::values(bind::load(&signature, &specs).unwrap());
    assert_eq!(values[1], Value::Scalar(ElementType::I8, Scalar::Int(3)));
    assert!(
        values
            .iter()
            .zip(&signature.parameters)
            .all(|(value, parameter)| value.has_type(&parameter.ty))
    );
    let paths = bind::outputs(&signature, &options(&["sum=s=1.npy"])).unwrap();
    assert_eq!(paths, [None, Some("s=1.npy".into())]);
}

#[test]
fn rules_make_the_same_values_for_ever() {
    let mut texts = String::new();
    for (spec, ty) in [
        ("random:f32[2,3]:42", "tensor<?x?xf32>"),
        ("random:f64[4]:42", "tensor<4xf64>"),
        ("random:f16[4]:42", "tensor<4xf16>"),
        ("random:bf16[4]:42", "tensor<4xbf16>"),
        ("random:f32(-1..1)[6]:7", "tensor<?xf32>"),
        ("random:i32[8]:7", "tensor<?xi32>"),
        ("random:i1[8]:7", "tensor<?xi1>"),
        ("random:index(0..10)[12]:3", "tensor<?xindex>"),
        ("random:i8(-128..128)[8]:3", "tensor<?xi8>"),
        (
            "random:i64(-9223372036854775808..9223372036854775808)[2]:3",
            "tensor<?xi64>",
        ),
        ("random:f32[]:5", "tensor<f32>"),
        ("random:f32:5", "f32"),
        ("random:f32[2]", "tensor<?xf32>"),
        ("random:f32[0,3]:1", "tensor<?x?xf32>"),
        ("zeros:i8[3]", "tensor<3xi8>"),
        ("ones:i1[3]", "tensor<3xi1>"),
        ("ones:bf16", "bf16"),
        ("iota:f16[2,2]", "tensor<2x2xf16>"),
        ("iota:i1[5]", "tensor<5xi1>"),
        ("random:ui8(250..256)[6]:3", "tensor<?xi8>"),
        ("[1, -2,0x10]", "tensor<?xi32>"),
        ("[[true,false]]", "tensor<1x?xi1>"),
        ("[[0.5,nan],[-inf,1e3]]", "tensor<?x?xf32>"),
        ("[]", "tensor<?x3xf32>"),
        ("[[],[]]", "tensor<?x?xf32>"),
        ("[[[1]],[[2]]]", "tensor<?x?x?xindex>"),
    ] {
        let value = load(spec, ty).unwrap();
        writeln!(
            texts,
            "{spec}\n    {}",
            comb_runtime::display::format_value(&value, Sign::Signed).replace('\n', "\n    ")
        )
        .unwrap();
    }
    insta::assert_snapshot!(texts);
}

#[test]
fn paths_are_told_from_literals() {
    for path in ["x.npy", "./3", "/dev/stdin", "a/b", "src"] {
        assert_eq!(
            InputSpec::parse(OsStr::new(path)),
            Ok(InputSpec::File(path.into())),
            "{path}"
        );
    }
    assert_eq!(
        InputSpec::parse(OsStr::new("3")),
        Ok(InputSpec::Literal("3".to_owned()))
    );
}

#[test]
fn archives_and_streams_are_told_from_files() {
    let parse = |text: &str| InputSpec::parse(OsStr::new(text)).unwrap();
    let member = |archive: &str, name: Option<&str>| InputSpec::Member {
        archive: archive.into(),
        name: name.map(str::to_owned),
    };
    assert_eq!(parse("-"), InputSpec::StandardInput);
    assert_eq!(parse("a/b.npz"), member("a/b.npz", None));
    assert_eq!(parse("b.npz:x"), member("b.npz", Some("x")));
    assert_eq!(parse("b.npz:c.npz:x:y"), member("b.npz:c.npz", Some("x:y")));
    assert_eq!(parse("b.npz:x/y.npy"), member("b.npz", Some("x/y.npy")));
}

#[test]
fn paths_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let signature = of_type("tensor<?xf32>");
    let option = OsStr::from_bytes(b"x=\xff.npy").to_owned();
    let specs = bind::inputs(&signature, &[option]).unwrap();
    assert_eq!(
        specs,
        [InputSpec::File(OsStr::from_bytes(b"\xff.npy").into())]
    );
    let option = OsStr::from_bytes(b"\xff=x.npy").to_owned();
    assert!(bind::inputs(&signature, &[option]).is_err());
}

// S44
#[test]
fn what_is_unsigned_takes_no_negative_numbers() {
    let signature = Signature::from_json(
        r#"{"name": "f", "parameters": [{"name": "x", "type": "tensor<?xi8>", "sign": "unsigned"}], "results": []}"#,
    )
    .unwrap();
    let mut messages = String::new();
    for text in ["x=[-1]", "x=[256]"] {
        let error = bind::inputs(&signature, &options(&[text])).unwrap_err();
        writeln!(messages, "{text}\n    {error}").unwrap();
    }
    for text in ["x=[255]", "x=zeros:ui8[3]", "x=zeros:i8[3]"] {
        bind::inputs(&signature, &options(&[text])).unwrap();
    }
    insta::assert_snapshot!(messages);
}
