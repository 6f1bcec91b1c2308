//! Running programs in process, as tests and fuzzing do.

use comb_driver::{
    Compiler,
    code::{CodeOptions, Optimization},
    compile::{Compiled, PassOptions, compile},
    entry,
    jit::{Executable, JitError, RunError},
    load::{LoadError, parse},
    source::Source,
};
use comb_runtime::{Array, ElementType, Scalar, Value};

const LOOKUP: &str = "
func.func @main(%xs: tensor<?xf32>, %at: tensor<?xindex>) -> tensor<?xf32> {
  %r = soac.gather %xs at %at : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @helper(%x: index) -> index {
  %r = call @inner(%x) : (index) -> index
  return %r : index
}
func.func private @inner(%x: index) -> index {
  %r = arith.addi %x, %x : index
  return %r : index
}
";

fn compiled<'c>(compiler: &'c Compiler, text: &str, entries: &[String]) -> Compiled<'c> {
    let program = parse(compiler, Source::new("test.mlir", text)).unwrap();
    let entries = entry::choose_several(&program, entries).unwrap();
    compile(compiler, program, entries, "comb", PassOptions::default()).unwrap()
}

fn indices(values: &[i64]) -> Value {
    let array = Array::from_fn(ElementType::Index, &[values.len()], |i| {
        Scalar::Int(values[i])
    });
    Value::Array(array.unwrap())
}

fn floats(values: &[f64]) -> Value {
    let array = Array::from_fn(ElementType::F32, &[values.len()], |i| {
        Scalar::Float(values[i])
    });
    Value::Array(array.unwrap())
}

#[test]
fn run_time_errors_are_returned_and_the_program_can_be_called_again() {
    let compiler = Compiler::new();
    let compiled = compiled(&compiler, LOOKUP, &[]);
    let executable = Executable::new(&compiler, &compiled, &CodeOptions::default(), &[]).unwrap();
    let main = executable.function("main").unwrap();
    let xs = floats(&[1.0, 2.0, 3.0]);
    for _ in 0..3 {
        let good = [xs.try_clone().unwrap(), indices(&[2, 0])];
        assert_eq!(main.call(&good).unwrap(), [floats(&[3.0, 1.0])]);
        let bad = [xs.try_clone().unwrap(), indices(&[0, 3])];
        let error = main.call(&bad).unwrap_err();
        assert!(matches!(error, RunError::Failure(_)));
        assert_eq!(
            error.to_string(),
            "test.mlir:3:8: 'soac.gather' op index 3 is out of range [0, 3) in dimension 0"
        );
    }
}

#[test]
fn a_prepared_call_survives_a_failure() {
    let compiler = Compiler::new();
    let compiled = compiled(&compiler, LOOKUP, &[]);
    let executable = Executable::new(&compiler, &compiled, &CodeOptions::default(), &[]).unwrap();
    let inputs = [floats(&[1.0]), indices(&[1])];
    let mut call = executable
        .function("main")
        .unwrap()
        .prepare(&inputs)
        .unwrap();
    for _ in 0..2 {
        assert!(call.invoke().is_err());
        assert!(call.take_results().is_err());
    }
}

#[test]
fn several_functions_share_an_executable() {
    let compiler = Compiler::new();
    let compiled = compiled(&compiler, LOOKUP, &[]);
    let options = CodeOptions {
        optimization: Optimization::O0,
        ..CodeOptions::default()
    };
    let executable = Executable::new(&compiler, &compiled, &options, &[]).unwrap();
    let input = [Value::Scalar(ElementType::Index, Scalar::Int(21))];
    assert_eq!(
        executable.function("helper").unwrap().call(&input).unwrap(),
        [Value::Scalar(ElementType::Index, Scalar::Int(42))]
    );
    assert!(matches!(
        executable.function("inner"),
        Err(JitError::UnknownEntry(_))
    ));
}

#[test]
fn executables_live_side_by_side() {
    let compiler = Compiler::new();
    let twice = "func.func @main(%x: i32) -> i32 {
      %r = arith.addi %x, %x : i32
      return %r : i32
    }";
    let square = twice.replace("addi", "muli");
    let executables: Vec<Executable> = [twice, &square]
        .map(|text| {
            let compiled = compiled(&compiler, text, &[]);
            Executable::new(&compiler, &compiled, &CodeOptions::default(), &[]).unwrap()
        })
        .into();
    let input = [Value::Scalar(ElementType::I32, Scalar::Int(7))];
    let results: Vec<Value> = executables
        .iter()
        .flat_map(|executable| executable.function("main").unwrap().call(&input).unwrap())
        .collect();
    assert_eq!(
        results,
        [14, 49].map(|value| Value::Scalar(ElementType::I32, Scalar::Int(value)))
    );
}

#[test]
fn arguments_of_another_type_are_refused() {
    let compiler = Compiler::new();
    let compiled = compiled(&compiler, LOOKUP, &["main".to_owned()]);
    let executable = Executable::new(&compiler, &compiled, &CodeOptions::default(), &[]).unwrap();
    let error = executable
        .function("main")
        .unwrap()
        .call(&[indices(&[0]), indices(&[0])])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter 'xs' of @main is tensor<?xf32>, but the value given is tensor<1xindex>"
    );
}

#[test]
fn errors_come_with_their_notes_and_without_the_module() {
    let compiler = Compiler::new();
    let text = "func.func @f() {\n  return\n}\nfunc.func @f() {\n  return\n}\n";
    let Err(LoadError::Invalid(diagnostics)) = parse(&compiler, Source::new("twice.mlir", text))
    else {
        panic!("two functions of one name are accepted");
    };
    assert_eq!(
        diagnostics.to_string(),
        "twice.mlir:4:1: error: redefinition of symbol named 'f'\n\
         func.func @f() {\n^\n\
         twice.mlir:1:1: note: see existing symbol definition here\n\
         func.func @f() {\n^"
    );
    // The compiler is usable afterwards.
    assert!(
        parse(
            &compiler,
            Source::new("once.mlir", "func.func @f() { return }")
        )
        .is_ok()
    );
}
