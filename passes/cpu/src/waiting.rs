//! Chunks of a parallel loop that wait for each other: each has a flag in memory, which says that
//! what it gives to the next one is known.

use comb_kit::library_function::LibraryFunction;
use melior::ir::Value;
use soac_dialect::builder::{Builder, Size};

use crate::lanes::Emitted;

/// The functions of the runtime library by which chunks wait for each other.
pub const WAIT: LibraryFunction = on_flag("comb_runtime_wait");
/// Tells those who wait at a flag that a thread is further.
pub const SIGNAL: LibraryFunction = on_flag("comb_runtime_signal");

const fn on_flag(name: &'static str) -> LibraryFunction {
    LibraryFunction {
        name,
        r#type: "(memref<?xi64>, index) -> ()",
        takes_memory: true,
    }
}

/// OpenMP's function that says how many threads a parallel loop will have.
pub const THREADS: LibraryFunction = LibraryFunction {
    name: "omp_get_max_threads",
    r#type: "() -> i32",
    takes_memory: false,
};

/// How many threads a parallel loop has.
pub fn thread_count<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
    let number = builder.integer_type(32);
    let callee = [("callee", builder.attribute(&format!("@{}", THREADS.name))?)];
    let count = builder.value("func.call", &[], number, &callee)?;
    Ok(builder.value("arith.index_cast", &[count], builder.index_type(), &[])?)
}

/// Waits for a flag, or sets it.
pub fn call_for_flag<'c, 'a>(
    builder: &Builder<'c, 'a>,
    function: LibraryFunction,
    flags: Value<'c, 'a>,
    flag: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    let callee = builder.attribute(&format!("@{}", function.name))?;
    builder.op(
        "func.call",
        &[flags, flag],
        &[],
        &[("callee", callee)],
        vec![],
    )?;
    Ok(())
}

/// Flags, none of which is set.
pub fn allocate_flags<'c, 'a>(
    builder: &Builder<'c, 'a>,
    count: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let number = builder.integer_type(64);
    let flags = builder.allocate(&[Size::Dynamic(count)], number)?;
    let none = builder.integer(0, number)?;
    builder.for_loop(count, &[], |builder, index, _| {
        builder.store(none, flags, &[index])?;
        Emitted::Ok(vec![])
    })?;
    Ok(flags)
}
