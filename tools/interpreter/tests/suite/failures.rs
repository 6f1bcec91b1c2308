//! Whose fault it is, where, and the limits.

use crate::program::*;
use comb_interpreter::{Failure, Limits, Program, interpret};
use comb_runtime::{Array as FileArray, ElementType, Scalar as FileScalar, Value as FileValue};
use melior::ir::Module;

#[test]
fn errors_begin_with_the_place_in_the_source() {
    let source = "func.func @main(%a: i32, %b: i32) -> i32 {\n  %r = arith.divsi %a, %b : i32\n  \
                  return %r : i32\n}";
    let failure = run(source, &[int(I32, 1), int(I32, 0)]).unwrap_err();
    let text = failure.to_string();
    assert!(
        text.ends_with(":2:8: 'arith.divsi' op division by zero"),
        "{text}"
    );
}

#[test]
fn all_kinds_of_locations_lead_to_a_place() {
    for (location, place) in [
        ("\"a.py\":3:4", "a.py:3:4"),
        ("\"name\"(\"a.py\":3:4)", "a.py:3:4 ('name')"),
        ("callsite(\"a.py\":3:4 at \"b.py\":5:6)", "a.py:3:4"),
        ("fused[unknown, \"a.py\":3:4, \"b.py\":5:6]", "a.py:3:4"),
        ("callsite(unknown at \"b.py\":5:6)", "b.py:5:6"),
        ("unknown", "unknown location"),
    ] {
        let source = format!(
            "func.func @main(%a: i32, %b: i32) -> i32 {{
               %r = arith.divsi %a, %b : i32 loc({location})
               return %r : i32
             }}"
        );
        let failure = run(&source, &[int(I32, 1), int(I32, 0)]).unwrap_err();
        assert_eq!(
            failure.to_string(),
            format!("{place}: 'arith.divsi' op division by zero")
        );
    }
}

#[test]
fn unknown_ops_are_named() {
    let source = "func.func @main(%x: memref<?xf32>, %i: index) -> f32 {
        %v = memref.load %x[%i] : memref<?xf32>
        return %v : f32
      }
      func.func @known() { return }";
    let failure = run(source, &[]).unwrap_err();
    assert!(matches!(failure, Failure::Input(_)), "{failure}");

    let source = "func.func @main(%n: index) -> index {
        %x = vector.broadcast %n : index to vector<4xindex>
        return %n : index
      }";
    let failure = run(source, &[index(1)]).unwrap_err();
    assert!(matches!(failure, Failure::Unsupported { .. }));
    assert!(
        failure
            .to_string()
            .ends_with("the interpreter does not know the op 'vector.broadcast'"),
        "{failure}"
    );
    // What is not executed need not be known.
    let source = "func.func @main(%c: i1, %n: index) -> index {
        scf.if %c {
          %x = vector.broadcast %n : index to vector<4xindex>
        }
        return %n : index
      }";
    gives(source, &[int(I1, 0), index(1)], &[index(1)]);
}

#[test]
fn unknown_types_are_named() {
    let source = "func.func @main(%a: i64) -> i64 {
        %b = arith.extsi %a : i64 to i256
        %c = arith.trunci %b : i256 to i64
        return %c : i64
      }";
    let failure = run(source, &[int(I64, 1)]).unwrap_err();
    assert!(
        failure
            .to_string()
            .ends_with("the interpreter does not know the type i256"),
        "{failure}"
    );
}

const IDENTITY: &str = "func.func @main(%x: tensor<?x2xf32>, %i: i8) -> tensor<?x2xf32> {
    return %x : tensor<?x2xf32>
  }
  func.func private @declared(f32) -> f32
  func.func @other() { return }";

#[test]
fn wrong_inputs() {
    let program = read(IDENTITY);
    let limits = Limits::default();
    let text = |entry, inputs| {
        let failure = program.run(entry, inputs, &limits).unwrap_err();
        assert!(matches!(failure, Failure::Input(_)));
        failure.to_string()
    };
    assert_eq!(
        text("nothing", vec![]),
        "the module has no function @nothing; it has: @main, @other"
    );
    assert_eq!(
        text("declared", vec![float(F32, 1.0)]),
        "@declared is declared but has no body"
    );
    assert_eq!(
        text("main", vec![]),
        "@main takes 2 arguments, but 0 are given"
    );
    assert_eq!(
        text("main", vec![counted(F32, &[2, 3]), int(I8, 0)]),
        "argument 0 of @main is of type tensor<?x2xf32>, but tensor<2x3xf32> is given"
    );
    assert_eq!(
        text("main", vec![counted(F32, &[2, 2]), int(I16, 0)]),
        "argument 1 of @main is of type i8, but i16 is given"
    );
}

#[test]
fn endless_loops_end_with_a_limit() {
    let source = "func.func @main(%c: i1) -> i1 {
        %r = scf.while (%a = %c) : (i1) -> i1 {
          scf.condition(%c) %a : i1
        } do {
        ^bb0(%a: i1):
          scf.yield %a : i1
        }
        return %r : i1
      }";
    let limits = Limits {
        steps: Some(1000),
        ..Limits::default()
    };
    let failure = run_limited(source, &[int(I1, 1)], &limits).unwrap_err();
    assert!(matches!(failure, Failure::Limit { .. }));
    assert!(
        failure.to_string().ends_with("more than 1000 steps"),
        "{failure}"
    );
    let source = "func.func @main(%n: i32) -> i32 {
        cf.br ^bb1
      ^bb1:
        cf.br ^bb1
      }";
    let failure = run_limited(source, &[int(I32, 1)], &limits).unwrap_err();
    assert!(matches!(failure, Failure::Limit { .. }));
}

#[test]
fn large_arrays_end_with_a_limit() {
    let source = "func.func @main(%n: index) -> tensor<?x?xf32> {
        %c = arith.constant 1.0 : f32
        %x = soac.fill %c [%n, %n] : (f32) -> tensor<?x?xf32>
        return %x : tensor<?x?xf32>
      }";
    let failure = run(source, &[index(1 << 20)]).unwrap_err();
    assert!(matches!(failure, Failure::Limit { .. }), "{failure}");
    let shape = "[9223372036854775807, 9223372036854775807]";
    fails(
        source,
        &[index(i64::MAX)],
        &format!("'soac.fill' op gives an array of shape {shape}, which has too many elements"),
    );
    let limits = Limits {
        elements: 100,
        ..Limits::default()
    };
    assert!(run_limited(source, &[index(10)], &limits).is_ok());
    let failure = run_limited(source, &[index(11)], &limits).unwrap_err();
    assert!(
        failure
            .to_string()
            .ends_with("an array of shape [11, 11] is larger than 100 elements"),
        "{failure}"
    );
    // Elements count as steps.
    let limits = Limits {
        steps: Some(1000),
        ..Limits::default()
    };
    assert!(run_limited(source, &[index(100)], &limits).is_err());
}

#[test]
fn ops_in_between_do_not_hide_unreachable_code() {
    let source = "func.func @main(%c: i1) -> i1 {
        cf.cond_br %c, ^a, ^b
      ^a:
        return %c : i1
      ^b:
        ub.unreachable
      }";
    gives(source, &[int(I1, 1)], &[int(I1, 1)]);
    is_undefined(source, &[int(I1, 0)], "'ub.unreachable' op is reached");
}

fn file_array(element: ElementType, values: &[FileScalar]) -> FileValue {
    FileValue::Array(FileArray::from_scalars(element, &[values.len()], values).unwrap())
}

#[test]
fn values_of_the_runtime_library_go_in_and_out() {
    let context = context();
    for element in ElementType::ALL {
        let ty = format!("tensor<?x{element}>");
        let source = format!(
            "func.func @main(%x: {ty}, %s: {element}) -> ({ty}, {element}) {{
               %y = soac.reverse %x dims [0] : ({ty}) -> {ty}
               return %y, %s : {ty}, {element}
             }}"
        );
        let module = Module::parse(&context, &source).unwrap();
        let scalars = if element.is_float() {
            [1.5, -0.0, f64::INFINITY].map(FileScalar::Float)
        } else {
            [0, 1, -1].map(|value| FileScalar::Int(element.wrap(value)))
        };
        let reversed: Vec<_> = scalars.iter().rev().copied().collect();
        let results = interpret(
            &module.as_operation(),
            "main",
            &[
                file_array(element, &scalars),
                FileValue::Scalar(element, scalars[2]),
            ],
            &Limits::default(),
        )
        .unwrap();
        assert_eq!(
            results,
            [
                file_array(element, &reversed),
                FileValue::Scalar(element, scalars[2]),
            ]
        );
    }
}

#[test]
fn odd_widths_do_not_leave_a_program() {
    let context = context();
    let source = "func.func @main() -> i7 { %c = arith.constant 5 : i7 return %c : i7 }";
    let module = Module::parse(&context, source).unwrap();
    let failure = interpret(&module.as_operation(), "main", &[], &Limits::default()).unwrap_err();
    assert!(matches!(failure, Failure::Input(_)), "{failure}");
}

#[test]
fn signatures() {
    let program: Program = read(IDENTITY);
    let (inputs, results) = program.signature("main").unwrap();
    let text = |types: &[comb_interpreter::Type]| {
        types.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(text(inputs), ["tensor<?x2xf32>", "i8"]);
    assert_eq!(text(results), ["tensor<?x2xf32>"]);
}
