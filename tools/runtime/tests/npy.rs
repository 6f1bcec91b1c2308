//! `.npy` files: round trips, files as NumPy writes them, and everything that
//! can be wrong with one.

use std::fs;
use std::io::Write;
use std::path::Path;

use comb_runtime::npy::{self, Expected};
use comb_runtime::{Array, ElementType, Parameter, Scalar, Sign, Signature, Value, ValueType};
use proptest::prelude::*;

/// A file with the given header dictionary and data, in a version of the format.
fn file(version: u8, dictionary: &str, data: &[u8]) -> Vec<u8> {
    let length_size = if version == 1 { 2 } else { 4 };
    let unpadded = 8 + length_size + dictionary.len() + 1;
    let text = format!(
        "{dictionary}{}\n",
        " ".repeat(unpadded.next_multiple_of(64) - unpadded)
    );
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    bytes.extend(&(text.len() as u32).to_le_bytes()[..length_size]);
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

fn dictionary(descr: &str, fortran_order: bool, shape: &str) -> String {
    let order = if fortran_order { "True" } else { "False" };
    format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")
}

/// A little file of four values that read as `descr`.
fn four(descr: &str, data: &[u8]) -> Vec<u8> {
    file(1, &dictionary(&format!("'{descr}'"), false, "(4,)"), data)
}

fn signature(ty: &str) -> Signature {
    Signature {
        name: "main".to_owned(),
        parameters: vec![Parameter {
            name: "xs".to_owned(),
            ty: ty.parse().unwrap(),
            sign: None,
        }],
        results: Vec::new(),
        device: None,
    }
}

fn read_bytes(bytes: &[u8], ty: &str) -> Result<Value, String> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.npy");
    fs::write(&path, bytes).unwrap();
    read_path(&path, ty)
}

fn read_path(path: &Path, ty: &str) -> Result<Value, String> {
    let directory = format!("{}/", path.parent().unwrap().display());
    npy::read_value(path, signature(ty).place(0))
        .map(|input| input.value)
        .map_err(|error| error.to_string().replace(&directory, ""))
}

fn scalars(value: &Value) -> Vec<Scalar> {
    match value {
        Value::Array(array) => array.scalars().collect(),
        Value::Scalar(_, scalar) => vec![*scalar],
    }
}

fn ints(values: &[i64]) -> Vec<Scalar> {
    values.iter().map(|&value| Scalar::Int(value)).collect()
}

fn floats(values: &[f64]) -> Vec<Scalar> {
    values.iter().map(|&value| Scalar::Float(value)).collect()
}

fn any_array() -> impl Strategy<Value = Array> {
    let element = proptest::sample::select(ElementType::ALL.to_vec());
    let shape = proptest::collection::vec(0..5_usize, 0..5);
    (element, shape, any::<u64>()).prop_map(|(element, shape, seed)| {
        let mut state = seed;
        let mut array = Array::zeroed(element, &shape).unwrap();
        for byte in array.bytes_mut() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            *byte = (state >> 56) as u8 & if element == ElementType::I1 { 1 } else { 0xFF };
        }
        array
    })
}

proptest! {
    #[test]
    fn arrays_survive_a_file(array in any_array()) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.npy");
        let ty = array.ty();
        let value = Value::Array(array);
        npy::write(&path, &value).unwrap();
        let read = npy::read(&path, &Expected::of_type(&ty)).unwrap();
        prop_assert_eq!(&Value::Array(read), &value);
        prop_assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn scalars_survive_a_file(bits: i64) {
        let directory = tempfile::tempdir().unwrap();
        for element in ElementType::ALL {
            let path = directory.path().join(format!("{element}.npy"));
            let value = Value::Scalar(element, Scalar::Int(bits).convert(element));
            npy::write(&path, &value).unwrap();
            prop_assert_eq!(&read_path(&path, element.name()).unwrap(), &value);
        }
    }

    #[test]
    fn damaged_files_never_panic(
        array in any_array(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.npy");
        let expected = Expected::of_type(&array.ty());
        npy::write(&path, &Value::Array(array)).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        for (position, byte) in damage {
            let position = position.index(bytes.len().min(128));
            bytes[position] = byte;
        }
        fs::write(&path, &bytes).unwrap();
        let _ = npy::read(&path, &expected);
        bytes.truncate(cut.index(bytes.len()));
        fs::write(&path, &bytes).unwrap();
        let _ = npy::read(&path, &expected);
    }

    #[test]
    fn arbitrary_dictionaries_never_panic(text in "[\\[\\](){}'\", :0-9TrueFalsdcopht_<>|V-]{0,200}") {
        let _ = read_bytes(&file(1, &text, &[0; 16]), "tensor<?xf32>");
        let _ = read_bytes(&file(3, &dictionary(&text, false, &text), &[0; 16]), "tensor<?xf32>");
    }
}

#[test]
fn the_header_is_one_that_numpy_reads() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.npy");
    let array = Array::from_scalars(ElementType::F32, &[2, 1], &floats(&[1.0, 2.0])).unwrap();
    npy::write(&path, &Value::Array(array)).unwrap();
    let bytes = fs::read(&path).unwrap();
    let (header, data) = bytes.split_at(bytes.len() - 8);
    assert!(header.starts_with(b"\x93NUMPY\x01\x00"));
    assert_eq!(header.len() % 64, 0, "NumPy aligns the data");
    let text = String::from_utf8_lossy(&header[10..]);
    assert_eq!(
        text.trim_end().replace(' ', "").replace(",}", "}"),
        "{'descr':'<f4','fortran_order':False,'shape':(2,1,)}"
    );
    assert_eq!(data, [0, 0, 128, 63, 0, 0, 0, 64]);
}

// S44
#[test]
fn every_numpy_type_is_read_where_it_belongs() {
    let le = |values: &[u64], size: usize| -> Vec<u8> {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes()[..size].to_vec())
            .collect()
    };
    let minus_one = u64::MAX;
    for (descr, size, ty) in [
        ("|i1", 1, "tensor<?xi8>"),
        ("|u1", 1, "tensor<4xi8>"),
        ("<i2", 2, "tensor<?xi16>"),
        ("<u2", 2, "tensor<?xi16>"),
        ("<i4", 4, "tensor<?xi32>"),
        ("<u4", 4, "tensor<?xi32>"),
        ("<i8", 8, "tensor<?xi64>"),
        ("<u8", 8, "tensor<?xi64>"),
        ("<i8", 8, "tensor<?xindex>"),
        ("<u8", 8, "tensor<?xindex>"),
    ] {
        let bytes = four(descr, &le(&[1, 2, 3, minus_one], size));
        let value = read_bytes(&bytes, ty).unwrap();
        assert_eq!(scalars(&value), ints(&[1, 2, 3, -1]), "{descr} as {ty}");
    }
    let f32s: Vec<u8> = [1.5_f32, -2.0, 0.0, f32::INFINITY]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let f64s: Vec<u8> = [1.5_f64, -2.0, 0.0, f64::INFINITY]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let f16s = le(&[0x3E00, 0xC000, 0, 0x7C00], 2);
    let bf16s = le(&[0x3FC0, 0xC000, 0, 0x7F80], 2);
    for (descr, data, ty) in [
        ("<f4", &f32s, "tensor<?xf32>"),
        ("<f8", &f64s, "tensor<?xf64>"),
        ("<f2", &f16s, "tensor<?xf16>"),
        ("<V2", &bf16s, "tensor<?xbf16>"),
        ("|V2", &bf16s, "tensor<?xbf16>"),
        ("<u2", &bf16s, "tensor<?xbf16>"),
        ("<i2", &bf16s, "tensor<?xbf16>"),
    ] {
        let value = read_bytes(&four(descr, data), ty).unwrap();
        assert_eq!(
            scalars(&value),
            floats(&[1.5, -2.0, 0.0, f64::INFINITY]),
            "{descr}"
        );
    }
}

#[test]
fn truth_values_other_than_one_become_one() {
    let value = read_bytes(&four("|b1", &[0, 1, 2, 255]), "tensor<?xi1>").unwrap();
    let Value::Array(array) = value else {
        panic!("an array was expected")
    };
    assert_eq!(array.bytes(), [0, 1, 1, 1]);
}

#[test]
fn all_versions_of_the_format_are_read() {
    for version in 1..=3 {
        let bytes = file(
            version,
            &dictionary("'<i2'", false, "(2, 1)"),
            &[1, 0, 2, 0],
        );
        let value = read_bytes(&bytes, "tensor<2x?xi16>").unwrap();
        assert_eq!(scalars(&value), ints(&[1, 2]));
    }
}

// S44
#[test]
fn fortran_order_is_accepted_where_it_is_the_same() {
    for shape in ["(2,)", "(1, 2)", "(2, 1, 1)"] {
        let rank = shape.matches(char::is_numeric).count();
        let ty = format!("tensor<{}i16>", "?x".repeat(rank));
        let bytes = file(1, &dictionary("'<i2'", true, shape), &[1, 0, 2, 0]);
        assert_eq!(scalars(&read_bytes(&bytes, &ty).unwrap()), ints(&[1, 2]));
    }
    let empty = file(1, &dictionary("'<i2'", true, "(3, 0, 4)"), &[]);
    assert!(read_bytes(&empty, "tensor<?x?x?xi16>").is_ok());
}

#[test]
fn a_file_of_rank_zero_is_a_scalar() {
    let bytes = file(1, &dictionary("'<f4'", false, "()"), &1.5_f32.to_le_bytes());
    assert_eq!(
        read_bytes(&bytes, "f32"),
        Ok(Value::Scalar(ElementType::F32, Scalar::Float(1.5)))
    );
    assert!(matches!(
        read_bytes(&bytes, "tensor<f32>"),
        Ok(Value::Array(_))
    ));
}

// S44
#[test]
fn every_wrong_file_has_its_message() {
    let plain = |descr: &str, shape: &str, length: usize| {
        file(
            1,
            &dictionary(&format!("'{descr}'"), false, shape),
            &vec![0; length],
        )
    };
    let nested = format!("{{'descr': {}'<f4'{}}}", "[".repeat(4000), "]".repeat(4000));
    // As many brackets as are let through to a parser that goes back at each.
    let costly = format!(
        "[{}]",
        format!("{}1{},", "[".repeat(7), "]".repeat(7)).repeat(600)
    );
    let long = format!("[{}]", "1,".repeat(6000));
    let enormous_header = {
        let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
        bytes.extend(u32::MAX.to_le_bytes());
        bytes
    };
    let mut truncated_header = plain("<f4", "(4,)", 0);
    truncated_header.truncate(40);
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", vec![], "tensor<?xf32>"),
        ("one byte of magic", b"\x93".to_vec(), "tensor<?xf32>"),
        ("magic only", b"\x93NUMPY".to_vec(), "tensor<?xf32>"),
        ("text", b"1.0, 2.0, 3.0\n".to_vec(), "tensor<?xf32>"),
        (
            "zip",
            b"PK\x03\x04\x14\x00\x00\x00\x08\x00".to_vec(),
            "tensor<?xf32>",
        ),
        ("version 9", file(9, "", &[]), "tensor<?xf32>"),
        (
            "header cut in its length",
            b"\x93NUMPY\x01\x00\x76".to_vec(),
            "tensor<?xf32>",
        ),
        ("header cut in its text", truncated_header, "tensor<?xf32>"),
        ("enormous header", enormous_header, "tensor<?xf32>"),
        ("not a dictionary", file(1, "[1, 2]", &[]), "tensor<?xf32>"),
        (
            "unbalanced",
            file(1, "{'descr': '<f4', ", &[]),
            "tensor<?xf32>",
        ),
        (
            "no shape",
            file(1, "{'descr': '<f4', 'fortran_order': False}", &[]),
            "tensor<?xf32>",
        ),
        ("nested", file(1, &nested, &[]), "tensor<?xf32>"),
        ("costly", file(1, &costly, &[]), "tensor<?xf32>"),
        ("long", file(1, &long, &[]), "tensor<?xf32>"),
        (
            "dictionaries inside",
            file(1, &"{1: ".repeat(8), &[]),
            "tensor<?xf32>",
        ),
        ("negative size", plain("<f4", "(-4,)", 16), "tensor<?xf32>"),
        // S11
        (
            "too many elements but for a size of zero",
            plain("<f4", "(4611686018427387904, 0)", 0),
            "tensor<?x?xf32>",
        ),
        (
            "arithmetic",
            plain("<f4", "(9999999999+1j,)", 16),
            "tensor<?xf32>",
        ),
        ("unknown type", plain("<q4", "(4,)", 16), "tensor<?xf32>"),
        ("not ASCII", plain("<f4é", "(4,)", 16), "tensor<?xf32>"),
        ("other type", plain("<i4", "(4,)", 16), "tensor<?xf32>"),
        ("other width", plain("<f8", "(4,)", 32), "tensor<?xf32>"),
        (
            "other width, index",
            plain("<i4", "(4,)", 16),
            "tensor<?xindex>",
        ),
        ("bool wanted", plain("|u1", "(4,)", 4), "tensor<?xi1>"),
        ("bool given", plain("|b1", "(4,)", 4), "tensor<?xi8>"),
        (
            "bfloat16 wanted",
            plain("<f4", "(4,)", 16),
            "tensor<?xbf16>",
        ),
        ("bfloat16 given", plain("<V2", "(4,)", 8), "tensor<?xf16>"),
        ("complex", plain("<c8", "(4,)", 32), "tensor<?xf32>"),
        ("date", plain("<M8[ns]", "(4,)", 32), "tensor<?xi64>"),
        ("strings", plain("<U5", "(4,)", 80), "tensor<?xi32>"),
        ("byte strings", plain("|S4", "(4,)", 16), "tensor<?xi32>"),
        ("objects", plain("|O", "(4,)", 16), "tensor<?xf32>"),
        (
            "structured",
            file(
                1,
                &dictionary("[('a', '<f4'), ('b', '<i4', (2,))]", false, "(4,)"),
                &[0; 48],
            ),
            "tensor<?xf32>",
        ),
        ("big-endian", plain(">f4", "(4,)", 16), "tensor<?xf32>"),
        (
            "Fortran order",
            file(1, &dictionary("'<f4'", true, "(2, 2)"), &[0; 16]),
            "tensor<?x2xf32>",
        ),
        ("rank too low", plain("<f4", "(4,)", 16), "tensor<?x?xf32>"),
        ("rank too high", plain("<f4", "(2, 2)", 16), "tensor<?xf32>"),
        ("array for a scalar", plain("<f4", "(4,)", 16), "f32"),
        (
            "scalar for an array",
            plain("<f4", "()", 4),
            "tensor<?xf32>",
        ),
        ("other size", plain("<f4", "(2, 3)", 24), "tensor<?x4xf32>"),
        ("truncated", plain("<f4", "(2, 3)", 17), "tensor<?x3xf32>"),
        ("no data", plain("<f4", "(2, 3)", 0), "tensor<?x3xf32>"),
        (
            "trailing data",
            plain("<f4", "(2, 3)", 26),
            "tensor<?x3xf32>",
        ),
        (
            "data after an empty array",
            plain("<f4", "(0, 3)", 4),
            "tensor<?x3xf32>",
        ),
        (
            "enormous",
            plain("<f4", "(1000000, 1000000, 1000)", 16),
            "tensor<?x?x?xf32>",
        ),
        (
            "more than 2^64 bytes",
            plain("<f8", "(4611686018427387904,)", 16),
            "tensor<?xf64>",
        ),
        (
            "more than 2^64 elements",
            plain("<f4", "(4294967296, 4294967296)", 16),
            "tensor<?x?xf32>",
        ),
        (
            "more than 2^64 in a size",
            plain("<f4", "(99999999999999999999,)", 16),
            "tensor<?xf32>",
        ),
    ];
    let mut messages = String::new();
    for (name, bytes, ty) in cases {
        let message = read_bytes(&bytes, ty).expect_err(name);
        messages.push_str(&format!("{name}:\n    {message}\n"));
    }
    insta::assert_snapshot!(messages);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir(path("folder.npy")).unwrap();
    fs::write(path("plain"), "").unwrap();
    let messages = ["missing.npy", "folder.npy", "plain/x.npy"].map(|name| {
        npy::read(
            &path(name),
            &Expected::of_type(&ValueType::Scalar(ElementType::F32)),
        )
        .unwrap_err()
        .to_string()
        .replace(&directory.path().display().to_string(), "DIRECTORY")
    });
    insta::assert_snapshot!(messages.join("\n"));
}

/// A named pipe: its size is not known before it is read.
#[test]
fn pipes_are_read_and_checked() {
    let through_pipe = |bytes: Vec<u8>| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe.npy");
        let made = std::process::Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap();
        assert!(made.success());
        let writer = std::thread::spawn({
            let path = path.clone();
            // The reader may close early; then the write fails.
            move || {
                drop(
                    fs::OpenOptions::new()
                        .write(true)
                        .open(path)
                        .unwrap()
                        .write_all(&bytes),
                )
            }
        });
        let result = read_path(&path, "tensor<?xi16>");
        writer.join().unwrap();
        result
    };
    let data: Vec<u8> = (0..2_000_000_u32)
        .flat_map(|i| (i as i16).to_le_bytes())
        .collect();
    let header = dictionary("'<i2'", false, "(2000000,)");
    let value = through_pipe(file(1, &header, &data)).unwrap();
    let Value::Array(array) = value else {
        panic!("an array was expected")
    };
    assert_eq!(array.bytes(), data);

    let short = through_pipe(file(1, &header, &data[..100])).unwrap_err();
    let long = through_pipe(file(1, &header, &[&data[..], &[0]].concat())).unwrap_err();
    let enormous = through_pipe(file(
        1,
        &dictionary("'<i2'", false, "(1000000000000000,)"),
        &[0; 64],
    ));
    insta::assert_snapshot!([short, long, enormous.unwrap_err()].join("\n"));
}

#[test]
fn files_that_cannot_be_written_are_named_and_leave_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir(path("folder.npy")).unwrap();
    fs::write(path("plain"), "kept").unwrap();
    let value = Value::Scalar(ElementType::F32, Scalar::Float(1.0));
    let targets = [
        path("missing/x.npy"),
        path("folder.npy"),
        path("plain/x.npy"),
        path("folder.npy/.."),
        "/dev/full".into(),
    ];
    let messages = targets.map(|target| {
        npy::write(&target, &value)
            .unwrap_err()
            .to_string()
            .replace(&directory.path().display().to_string(), "DIRECTORY")
    });
    insta::assert_snapshot!(messages.join("\n"));
    assert_eq!(fs::read_to_string(path("plain")).unwrap(), "kept");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    assert_eq!(fs::read_dir(path("folder.npy")).unwrap().count(), 0);
}

#[test]
fn of_several_files_all_or_none_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let value = Value::Scalar(ElementType::F32, Scalar::Float(1.0));
    let (good, bad) = (path("good.npy"), path("missing/bad.npy"));
    npy::write_all(&[(&good, &value, Sign::Signed), (&bad, &value, Sign::Signed)]).unwrap_err();
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    let other = path("other.npy");
    npy::write_all(&[
        (&good, &value, Sign::Signed),
        (&other, &value, Sign::Signed),
    ])
    .unwrap();
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}
