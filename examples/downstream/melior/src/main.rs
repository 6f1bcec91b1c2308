//! A compiler in Rust with comb in it: builds a function of combinators with
//! the dialect's builders, compiles it with comb's pipeline, and calls it.
//!
//! The function gives the running share of each element in the sum of all:
//! `scanl (+) 0 xs / fold (+) 0 xs`.
//!
//! Arguments: the libraries that compiled code calls. These are comb's runtime
//! library, target/release/libcomb_runtime.so, and LLVM's OpenMP library.

use std::{env, error::Error, ptr};

use melior::{
    Context, ExecutionEngine,
    ir::{Location, Module, Type, Value, operation::OperationLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use soac_dialect::builder::{Builder, Values, array_type, combinators::Scan};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [runtime, openmp] = arguments.as_slice() else {
        return Err("usage: melior-compiler libcomb_runtime.so libomp.so".into());
    };
    let context = comb_passes::context();
    let mut module = build(&context)?;
    println!("{}", module.as_operation());
    compile(&context, &mut module)?;

    let engine = ExecutionEngine::new(&module, 2, &[runtime, openmp], false, false);
    let address = engine.lookup("_mlir_ciface_running_shares");
    if address.is_null() {
        return Err("the compiled module does not have the function".into());
    }
    // SAFETY: MLIR's C interface of a function from tensor<?xf64> to
    // tensor<?xf64>; the engine outlives the calls.
    let running_shares: Compiled = unsafe { std::mem::transmute(address) };
    let shares = call(running_shares, &mut [1.0, 2.0, 5.0, 8.0]);
    println!("{shares:?}");
    assert_eq!(shares, [0.0625, 0.1875, 0.5, 1.0]);
    assert!(call(running_shares, &mut []).is_empty());
    Ok(())
}

/// The module with `running_shares`.
fn build(context: &Context) -> Result<Module<'_>, melior::Error> {
    let f64 = Type::float64(context);
    let array = array_type(&[None], f64);
    let location = Location::new(context, "shares.example", 1, 1);
    let module = Module::new(location);
    let builder = Builder::at_end(module.body(), location);
    builder.function("running_shares", &[array], |builder, arguments| {
        let zero = builder.float(0.0, f64)?;
        let sum = builder.fold(arguments, &[zero], add)?;
        let sum = builder.extract(sum[0], &[])?;
        let sums = builder.scanl(arguments, &[zero], Scan::Inclusive, add)?;
        builder.map(&sums, |builder, element| {
            Ok(vec![builder.arithmetic("arith.divf", &[element[0], sum])?])
        })
    })?;
    if !module.as_operation().verify() {
        return Err(melior::Error::OperationBuild);
    }
    Ok(module)
}

/// The lambda `a + b`.
fn add<'c, 'a>(
    builder: &Builder<'c, 'a>,
    pair: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, melior::Error> {
    Ok(vec![builder.arithmetic("arith.addf", pair)?])
}

/// Lowers the module to the LLVM dialect.
fn compile(context: &Context, module: &mut Module) -> Result<(), melior::Error> {
    let passes = PassManager::new(context);
    parse_pass_pipeline(
        passes.as_operation_pass_manager(),
        "builtin.module(comb-cpu)",
    )?;
    passes.run(module)
}

/// MLIR's descriptor of an array of rank 1.
#[repr(C)]
struct Array {
    allocated: *mut f64,
    aligned: *mut f64,
    offset: i64,
    size: i64,
    stride: i64,
}

type Compiled = unsafe extern "C" fn(result: *mut Array, argument: *const Array);

fn call(function: Compiled, elements: &mut [f64]) -> Vec<f64> {
    let argument = Array {
        allocated: elements.as_mut_ptr(),
        aligned: elements.as_mut_ptr(),
        offset: 0,
        size: elements.len() as i64,
        stride: 1,
    };
    let mut result = Array {
        allocated: ptr::null_mut(),
        aligned: ptr::null_mut(),
        offset: 0,
        size: 0,
        stride: 0,
    };
    // SAFETY: the descriptor is that of `elements`. The result is a new array
    // from malloc, which the caller frees.
    unsafe {
        function(&mut result, &argument);
        let values = (0..result.size)
            .map(|index| {
                *result
                    .aligned
                    .offset((result.offset + index * result.stride) as isize)
            })
            .collect();
        libc::free(result.allocated.cast());
        values
    }
}
