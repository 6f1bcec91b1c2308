//! Calls of entry points written here as the compiler writes them.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use comb_runtime::abi::{self, CallError, Entry, PreparedCall};
use comb_runtime::{Array, ElementType, Scalar, Signature, Value};
use proptest::prelude::*;

/// A descriptor as MLIR lays it out.
#[repr(C)]
#[derive(Clone, Copy)]
struct Descriptor<const RANK: usize> {
    allocated: *mut u8,
    aligned: *mut u8,
    offset: i64,
    sizes: [i64; RANK],
    strides: [i64; RANK],
}

unsafe fn argument<'a, T>(arguments: *const *mut c_void, position: usize) -> &'a mut T {
    unsafe { &mut *(*arguments.add(position)).cast() }
}

unsafe fn allocate(bytes: usize) -> *mut u8 {
    unsafe { libc::malloc(bytes).cast() }
}

fn signature(parameters: &[&str], results: &[&str]) -> Signature {
    let list = |prefix: &str, types: &[&str]| {
        let items: Vec<String> = types
            .iter()
            .enumerate()
            .map(|(i, ty)| format!(r#"{{"name": "{prefix}{i}", "type": "{ty}"}}"#))
            .collect();
        items.join(",")
    };
    Signature::from_json(&format!(
        r#"{{"name": "f", "parameters": [{}], "results": [{}]}}"#,
        list("p", parameters),
        list("r", results)
    ))
    .unwrap()
}

fn array(element: ElementType, shape: &[usize]) -> Value {
    Value::Array(Array::from_fn(element, shape, |i| Scalar::Int(i as i64)).unwrap())
}

fn call(entry: Entry, signature: &Signature, inputs: &[Value]) -> Result<Vec<Value>, CallError> {
    unsafe { abi::call(entry, signature, inputs) }
}

fn ints(value: &Value) -> Vec<i64> {
    let Value::Array(array) = value else {
        panic!("an array was expected")
    };
    array
        .scalars()
        .map(|scalar| match scalar {
            Scalar::Int(value) => value,
            Scalar::Float(value) => value as i64,
        })
        .collect()
}

/// (xs: tensor<?xi32>, k: i32) -> (ys: tensor<?xi32>, sum: i32): ys = k * xs.
unsafe extern "C" fn scale(arguments: *const *mut c_void) {
    unsafe {
        let xs = *argument::<Descriptor<1>>(arguments, 0);
        let k = *argument::<i32>(arguments, 1);
        let n = xs.sizes[0] as usize;
        assert_eq!(
            (xs.offset, xs.strides[0], xs.aligned as usize % 64),
            (0, 1, 0)
        );
        let memory = allocate(4 * n);
        let mut sum = 0;
        for i in 0..n {
            let value = *xs.aligned.cast::<i32>().add(i) * k;
            *memory.cast::<i32>().add(i) = value;
            sum += value;
        }
        *argument(arguments, 2) = Descriptor {
            allocated: memory,
            aligned: memory,
            offset: 0,
            sizes: xs.sizes,
            strides: [1],
        };
        *argument(arguments, 3) = sum;
    }
}

#[test]
fn arrays_and_scalars_go_in_and_come_out() {
    let signature = signature(&["tensor<?xi32>", "i32"], &["tensor<?xi32>", "i32"]);
    for n in [0, 1, 5, 1000] {
        let inputs = [
            array(ElementType::I32, &[n]),
            Value::Scalar(ElementType::I32, Scalar::Int(-3)),
        ];
        let results = call(scale, &signature, &inputs).unwrap();
        let expected: Vec<i64> = (0..n as i64).map(|i| -3 * i).collect();
        assert_eq!(ints(&results[0]), expected);
        let sum = expected.iter().sum();
        assert_eq!(
            results[1],
            Value::Scalar(ElementType::I32, Scalar::Int(sum))
        );
    }
}

#[test]
fn a_prepared_call_can_be_repeated() {
    let signature = signature(&["tensor<?xi32>", "i32"], &["tensor<?xi32>", "i32"]);
    let inputs = [
        array(ElementType::I32, &[3]),
        Value::Scalar(ElementType::I32, Scalar::Int(2)),
    ];
    let mut call = unsafe { PreparedCall::new(scale, &signature, &inputs) }.unwrap();
    assert!(matches!(
        call.take_results(),
        Err(CallError::NoResults { .. })
    ));
    for _ in 0..3 {
        call.invoke();
    }
    assert_eq!(ints(&call.take_results().unwrap()[0]), [0, 2, 4]);
    assert!(matches!(
        call.take_results(),
        Err(CallError::NoResults { .. })
    ));
    call.invoke();
    assert_eq!(ints(&call.take_results().unwrap()[0]), [0, 2, 4]);
}

/// Returns each of its scalars, one of every element type.
unsafe extern "C" fn return_scalars(arguments: *const *mut c_void) {
    for (position, element) in ElementType::ALL.into_iter().enumerate() {
        unsafe {
            let source = *arguments.add(position);
            let target = *arguments.add(ElementType::ALL.len() + position);
            std::ptr::copy_nonoverlapping(
                source.cast::<u8>(),
                target.cast::<u8>(),
                element.byte_size(),
            );
        }
    }
}

#[test]
fn scalars_of_every_type_pass_through() {
    let names = ElementType::ALL.map(ElementType::name);
    let signature = signature(&names, &names);
    for value in [0, 1, -1, 77, i64::MIN] {
        let inputs = ElementType::ALL
            .map(|element| Value::Scalar(element, Scalar::Int(value).convert(element)));
        assert_eq!(call(return_scalars, &signature, &inputs).unwrap(), inputs);
    }
}

/// (x: tensor<f64>) -> (y: tensor<f64>): y = x + 1.
unsafe extern "C" fn increment_rank_zero(arguments: *const *mut c_void) {
    unsafe {
        let x = *argument::<Descriptor<0>>(arguments, 0);
        let memory = allocate(8);
        *memory.cast::<f64>() = *x.aligned.cast::<f64>() + 1.0;
        *argument(arguments, 1) = Descriptor {
            allocated: memory,
            aligned: memory,
            offset: 0,
            sizes: [],
            strides: [],
        };
    }
}

#[test]
fn arrays_of_rank_zero_work() {
    let signature = signature(&["tensor<f64>"], &["tensor<f64>"]);
    let input =
        Value::Array(Array::from_scalars(ElementType::F64, &[], &[Scalar::Float(1.5)]).unwrap());
    let results = call(increment_rank_zero, &signature, &[input]).unwrap();
    let Value::Array(result) = &results[0] else {
        panic!("an array was expected")
    };
    assert_eq!(result.get(0), Some(Scalar::Float(2.5)));
}

/// (xs: tensor<?x?xi16>) -> (its transpose, its reverse, its second column from
/// the second row on, a row seen three times): all views of one copy.
unsafe extern "C" fn views(arguments: *const *mut c_void) {
    unsafe {
        let xs = *argument::<Descriptor<2>>(arguments, 0);
        let [rows, columns] = xs.sizes;
        let bytes = (2 * rows * columns) as usize;
        let memory = allocate(bytes);
        std::ptr::copy_nonoverlapping(xs.aligned, memory, bytes);
        let view = |offset, sizes, strides| Descriptor {
            allocated: memory,
            aligned: memory,
            offset,
            sizes,
            strides,
        };
        *argument(arguments, 1) = view(0, [columns, rows], [1, columns]);
        *argument(arguments, 2) = view(rows * columns - 1, [rows, columns], [-columns, -1]);
        *argument(arguments, 3) = Descriptor {
            allocated: memory,
            aligned: memory,
            offset: columns + 1,
            sizes: [rows - 1],
            strides: [columns],
        };
        *argument(arguments, 4) = view(0, [3, columns], [0, 1]);
    }
}

#[test]
fn strided_results_that_share_memory_are_copied() {
    let signature = signature(
        &["tensor<?x?xi16>"],
        &[
            "tensor<?x?xi16>",
            "tensor<?x?xi16>",
            "tensor<?xi16>",
            "tensor<3x?xi16>",
        ],
    );
    let results = call(views, &signature, &[array(ElementType::I16, &[2, 3])]).unwrap();
    assert_eq!(ints(&results[0]), [0, 3, 1, 4, 2, 5]);
    assert_eq!(ints(&results[1]), [5, 4, 3, 2, 1, 0]);
    assert_eq!(ints(&results[2]), [4]);
    assert_eq!(ints(&results[3]), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
}

/// (xs: tensor<?xi8>) -> (xs, xs from 1 on): both are the parameter's memory.
unsafe extern "C" fn return_parameter(arguments: *const *mut c_void) {
    unsafe {
        let xs = *argument::<Descriptor<1>>(arguments, 0);
        *argument(arguments, 1) = xs;
        *argument(arguments, 2) = Descriptor {
            offset: 1,
            sizes: [xs.sizes[0] - 1],
            ..xs
        };
    }
}

#[test]
fn results_in_a_parameter_s_memory_are_copied_and_not_freed() {
    let signature = signature(&["tensor<?xi8>"], &["tensor<?xi8>", "tensor<?xi8>"]);
    let inputs = [array(ElementType::I8, &[4])];
    for _ in 0..2 {
        let results = call(return_parameter, &signature, &inputs).unwrap();
        assert_eq!(results[0], inputs[0]);
        assert_eq!(ints(&results[1]), [1, 2, 3]);
    }
}

static CONSTANT: [i32; 3] = [7, 8, 9];

/// () -> tensor<3xi32>: memory of the program, as MLIR describes it.
unsafe extern "C" fn return_constant(arguments: *const *mut c_void) {
    unsafe {
        *argument(arguments, 0) = Descriptor {
            allocated: std::ptr::without_provenance_mut(0xdead_beef),
            aligned: CONSTANT.as_ptr().cast_mut().cast(),
            offset: 0,
            sizes: [3],
            strides: [1],
        };
    }
}

#[test]
fn constants_are_copied_and_not_freed() {
    let signature = signature(&[], &["tensor<3xi32>"]);
    let results = call(return_constant, &signature, &[]).unwrap();
    assert_eq!(ints(&results[0]), [7, 8, 9]);
}

/// () -> (tensor<?x?xf32>, tensor<0xf32>): empty arrays without memory.
unsafe extern "C" fn return_empty(arguments: *const *mut c_void) {
    let null = std::ptr::null_mut();
    unsafe {
        *argument(arguments, 0) = Descriptor {
            allocated: null,
            aligned: null,
            offset: 0,
            sizes: [0, 1 << 59],
            strides: [1 << 59, 1],
        };
        *argument(arguments, 1) = Descriptor {
            allocated: null,
            aligned: null,
            offset: 0,
            sizes: [0],
            strides: [1],
        };
    }
}

#[test]
fn empty_results_need_no_memory() {
    let signature = signature(&[], &["tensor<?x?xf32>", "tensor<0xf32>"]);
    let results = call(return_empty, &signature, &[]).unwrap();
    assert_eq!(
        results[0].ty().to_string(),
        "tensor<0x576460752303423488xf32>"
    );
    assert_eq!(results[1], array(ElementType::F32, &[0]));
}

#[test]
fn sizes_that_contradict_the_signature_are_reported() {
    let signature = signature(&[], &["tensor<4xi32>"]);
    let error = call(return_constant, &signature, &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "result 'r0' of @f came back with sizes [3], but its type is tensor<4xi32>; this is a fault of the compiler"
    );
}

#[test]
fn inputs_are_checked_before_the_call() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn count(_: *const *mut c_void) {
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
    let signature = signature(&["tensor<?x3xf32>"], &[]);
    let message = |inputs: &[Value]| call(count, &signature, inputs).unwrap_err().to_string();
    assert_eq!(message(&[]), "@f takes 1 values, but 0 were given");
    assert_eq!(
        message(&[array(ElementType::F32, &[3, 2])]),
        "parameter 'p0' of @f is tensor<?x3xf32>, but the value given is tensor<3x2xf32>"
    );
    assert_eq!(
        message(&[Value::Scalar(ElementType::F32, Scalar::Float(1.0))]),
        "parameter 'p0' of @f is tensor<?x3xf32>, but the value given is f32"
    );
    assert_eq!(CALLS.load(Ordering::Relaxed), 0);
    call(count, &signature, &[array(ElementType::F32, &[0, 3])]).unwrap();
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
}

/// (memory: tensor<?xi32>, layout: tensor<7xi64>) -> tensor<?x?x?xi32>: the view
/// of the memory with offset layout[0], sizes layout[1..4], strides layout[4..7].
unsafe extern "C" fn view_as_told(arguments: *const *mut c_void) {
    unsafe {
        let xs = *argument::<Descriptor<1>>(arguments, 0);
        let layout = *argument::<Descriptor<1>>(arguments, 1)
            .aligned
            .cast::<[i64; 7]>();
        let [offset, a, b, c, s, t, u] = layout;
        *argument(arguments, 2) = Descriptor {
            allocated: xs.allocated,
            aligned: xs.aligned,
            offset,
            sizes: [a, b, c],
            strides: [s, t, u],
        };
    }
}

proptest! {
    #[test]
    fn any_strides_are_followed(
        sizes in proptest::array::uniform3(0..5_i64),
        strides in proptest::array::uniform3(-30..30_i64),
        dense in proptest::option::of(Just([12_i64, 4, 1])),
    ) {
        let strides = dense.unwrap_or(strides);
        let signature = signature(&["tensor<?xi32>", "tensor<7xi64>"], &["tensor<?x?x?xi32>"]);
        let offset = 500;
        let layout = [vec![offset], sizes.to_vec(), strides.to_vec()].concat();
        let inputs = [
            array(ElementType::I32, &[1000]),
            Value::Array(Array::from_fn(ElementType::I64, &[7], |i| Scalar::Int(layout[i])).unwrap()),
        ];
        let results = call(view_as_told, &signature, &inputs).unwrap();
        let mut expected = Vec::new();
        for i in 0..sizes[0] {
            for j in 0..sizes[1] {
                for k in 0..sizes[2] {
                    expected.push(offset + i * strides[0] + j * strides[1] + k * strides[2]);
                }
            }
        }
        prop_assert_eq!(ints(&results[0]), expected);
    }
}
