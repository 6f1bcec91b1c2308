//! Parsing, running, and short names for values.
//!
//! Programs with an expected outcome are run as they are written, and again
//! after the passes that make checks explicit and lower combinators: what the
//! passes make of a program must have the same outcome, down to the message.

use std::sync::Once;

use comb_interpreter::{Array, Element, Failure, Limits, Program, Scalar, Value};
// The crate whose native library registers the passes.
use comb_passes as _;
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_dialects},
};

pub const I1: Element = Element::Integer(1);
pub const I8: Element = Element::Integer(8);
pub const I16: Element = Element::Integer(16);
pub const I32: Element = Element::Integer(32);
pub const I64: Element = Element::Integer(64);
pub const INDEX: Element = Element::Index;
pub const F16: Element = Element::F16;
pub const BF16: Element = Element::BF16;
pub const F32: Element = Element::F32;
pub const F64: Element = Element::F64;

/// Element types of every kind and some odd widths.
pub const ELEMENTS: [Element; 15] = [
    I1,
    Element::Integer(2),
    Element::Integer(7),
    I8,
    I16,
    Element::Integer(31),
    I32,
    Element::Integer(33),
    Element::Integer(63),
    I64,
    INDEX,
    F16,
    BF16,
    F32,
    F64,
];

/// Checks made explicit, and combinators lowered.
const LOWERING: &str = "builtin.module(soac-insert-checks,convert-soac-to-linalg)";

/// Combinators put into clusters: all of them, and the core ones.
const FUSION: [&str; 2] = [
    "builtin.module(soac-fuse)",
    "builtin.module(soac-insert-checks,soac-desugar,soac-fuse)",
];

unsafe extern "C" {
    fn combRegisterPasses();
}

fn register_passes() {
    static REGISTERED: Once = Once::new();
    // SAFETY: the function takes nothing, and is called once.
    REGISTERED.call_once(|| unsafe { combRegisterPasses() });
}

pub fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    soac_dialect::register(&registry);
    let context = Context::new_with_threading(false);
    context.append_dialect_registry(&registry);
    context.get_or_load_dialect("soac");
    context
}

fn parse<'c>(context: &'c Context, source: &str) -> Module<'c> {
    Module::parse(context, source).expect("the module parses")
}

fn read_module(module: &Module) -> Program {
    Program::read(&module.as_operation()).expect("the module verifies")
}

pub fn read(source: &str) -> Program {
    read_module(&parse(&context(), source))
}

/// Reads what passes make of a program.
fn read_after(passes: &str, source: &str) -> Program {
    register_passes();
    let context = context();
    let mut module = parse(&context, source);
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), passes).expect("a pipeline");
    manager.run(&mut module).expect("the passes succeed");
    read_module(&module)
}

fn limits() -> Limits {
    Limits {
        steps: Some(10_000_000),
        ..Limits::default()
    }
}

pub fn run_limited(source: &str, inputs: &[Value], limits: &Limits) -> Result<Vec<Value>, Failure> {
    read(source).run("main", inputs.to_vec(), limits)
}

/// Runs `@main`, which must not take for ever.
pub fn run(source: &str, inputs: &[Value]) -> Result<Vec<Value>, Failure> {
    run_limited(source, inputs, &limits())
}

fn run_after(passes: &str, source: &str, inputs: &[Value]) -> Result<Vec<Value>, Failure> {
    read_after(passes, source).run("main", inputs.to_vec(), &limits())
}

/// `@main` gives these values.
#[track_caller]
pub fn gives(source: &str, inputs: &[Value], expected: &[Value]) {
    assert_eq!(run(source, inputs).as_deref(), Ok(expected));
    for passes in [LOWERING].into_iter().chain(FUSION) {
        let results = run_after(passes, source, inputs);
        assert_eq!(results.as_deref(), Ok(expected), "after {passes}");
    }
}

/// `@main` ends with a run-time error of the program. Locations are the same
/// after lowering.
#[track_caller]
pub fn fails(source: &str, inputs: &[Value], expected: &str) {
    fails_as_written(source, inputs, expected);
    let lowered = run_after(LOWERING, source, inputs);
    assert_eq!(lowered, run(source, inputs), "after lowering");
}

/// As [`fails`], where the passes put the error in other words.
#[track_caller]
pub fn fails_as_written(source: &str, inputs: &[Value], expected: &str) {
    match run(source, inputs) {
        Err(Failure::Program { message, .. }) => assert_eq!(message, expected),
        other => panic!("{other:?}"),
    }
}

/// `@main` breaks a promise of its own.
#[track_caller]
pub fn is_undefined(source: &str, inputs: &[Value], expected: &str) {
    match run(source, inputs) {
        Err(Failure::Undefined { message, .. }) => assert_eq!(message, expected),
        other => panic!("{other:?}"),
    }
}

pub fn int(element: Element, value: i128) -> Value {
    Value::Scalar(Scalar::integer(element, value))
}

pub fn index(value: i64) -> Value {
    int(INDEX, value.into())
}

pub fn float(element: Element, value: f64) -> Value {
    Value::Scalar(Scalar::float(element, value))
}

fn array(element: Element, shape: &[usize], bits: Vec<u64>) -> Value {
    Value::Array(Array::new(element, shape.to_vec(), bits).expect("as many as the shape says"))
}

pub fn ints(element: Element, shape: &[usize], values: &[i128]) -> Value {
    let bits = values
        .iter()
        .map(|&value| Scalar::integer(element, value).bits())
        .collect();
    array(element, shape, bits)
}

pub fn floats(element: Element, shape: &[usize], values: &[f64]) -> Value {
    let bits = values
        .iter()
        .map(|&value| Scalar::float(element, value).bits())
        .collect();
    array(element, shape, bits)
}

/// Small numbers of any element type.
pub fn numbers(element: Element, shape: &[usize], values: &[i64]) -> Value {
    if element.is_float() {
        let values: Vec<f64> = values.iter().map(|&value| value as f64).collect();
        floats(element, shape, &values)
    } else {
        let values: Vec<i128> = values.iter().map(|&value| value.into()).collect();
        ints(element, shape, &values)
    }
}

/// `0, 1, 2, …` of the element type, in a shape.
pub fn counted(element: Element, shape: &[usize]) -> Value {
    let count = shape.iter().product::<usize>() as i64;
    numbers(element, shape, &(0..count).collect::<Vec<_>>())
}

/// A program of one op on operands of these types: `%a`, `%b`, `%c`.
pub fn one_op(op: &str, operands: &[&str], result: &str) -> String {
    let names = ["%a", "%b", "%c"];
    let arguments: Vec<_> = names
        .iter()
        .zip(operands)
        .map(|(name, ty)| format!("{name}: {ty}"))
        .collect();
    format!(
        "func.func @main({}) -> {result} {{ %r = {op} return %r : {result} }}",
        arguments.join(", ").as_str()
    )
    .replace(" return", "\n return")
}
