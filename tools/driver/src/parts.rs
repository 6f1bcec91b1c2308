//! Machine code of a program's functions, several at a time.
//!
//! Once calls are inlined, LLVM optimises each function for itself, and generates its code
//! without knowing others. So the functions are dealt out to parts of about the same size, as
//! many as there are processors: the largest first, each to the part that has least. Each
//! part becomes an object, on a thread of its own, in a copy of the module in which the
//! other functions are only declared. The instructions of a function do not depend on its
//! part, except how it calls functions of others.
//!
//! Cost: that of copying the module for each part, which is little next to compiling it.

use std::{collections::BTreeSet, thread};

use inkwell::{
    context::Context,
    memory_buffer::MemoryBuffer,
    module::{Linkage, Module},
};

use crate::code::CodeError;

/// A further thread is worth it if the largest part loses more instructions than this by it.
/// Compiling them takes some 14 ms, and copying the module for a thread 3 ms.
const WORTH_A_THREAD: usize = 200;

/// Threads compile as deeply nested programs as the first one does.
const STACK_SIZE: usize = 512 << 20;

/// The names of functions that are compiled together.
pub(crate) type Part = BTreeSet<String>;

/// Deals out the functions of a module to at most so many parts. One, if there is something
/// that only one part can have.
pub(crate) fn deal(module: &Module, most: usize) -> Vec<Part> {
    let mut functions: Vec<(usize, String)> = module
        .get_functions()
        .filter(|function| function.count_basic_blocks() > 0)
        .map(|function| {
            let blocks = function.get_basic_blocks();
            let size = blocks
                .iter()
                .map(|block| block.get_instructions().count())
                .sum();
            (size, function.get_name().to_string_lossy().into_owned())
        })
        .collect();
    functions.sort_by(|a, b| b.cmp(a));
    let has_variables = module.get_globals().any(|global| !global.is_constant());
    let most = if has_variables { 1 } else { most.max(1) };
    let cost = |parts: &Vec<(usize, Part)>| {
        let largest = parts.iter().map(|(size, _)| *size).max();
        largest.unwrap_or_default() + parts.len() * WORTH_A_THREAD
    };
    (1..=most)
        .map(|count| deal_to(&functions, count))
        .min_by_key(cost)
        .into_iter()
        .flatten()
        .map(|(_, part)| part)
        .collect()
}

/// Deals out functions, the largest first, each to the part that has least.
fn deal_to(functions: &[(usize, String)], count: usize) -> Vec<(usize, Part)> {
    let mut parts = vec![(0, Part::new()); count];
    for (size, name) in functions {
        if let Some((total, part)) = parts.iter_mut().min_by_key(|(total, _)| *total) {
            *total += size;
            part.insert(name.clone());
        }
    }
    parts
}

/// Compiles the parts of a module, each by a call with a copy of the module in which other
/// functions are to be dropped; see [`DROP_OTHERS`].
///
/// # Errors
///
/// Those of the calls, or if LLVM cannot copy the module.
pub(crate) fn compile<T: Send>(
    module: &Module,
    parts: &[Part],
    action: impl Fn(&Module) -> Result<T, CodeError> + Sync,
) -> Result<Vec<T>, CodeError> {
    for function in module.get_functions() {
        if function.get_linkage() == Linkage::Internal {
            function.set_linkage(Linkage::External);
        }
    }
    let bitcode = module.write_bitcode_to_memory();
    let bitcode = bitcode.as_slice();
    thread::scope(|scope| {
        let threads: Vec<_> = parts
            .iter()
            .map(|part| {
                let action = &action;
                thread::Builder::new()
                    .stack_size(STACK_SIZE)
                    .spawn_scoped(scope, move || compile_part(bitcode, part, action))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                let thread = thread.map_err(|error| CodeError::Thread(error.to_string()))?;
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    })
}

/// The passes by which a copy of a module loses the functions of other parts.
pub(crate) const DROP_OTHERS: &str = "elim-avail-extern,globaldce";

fn compile_part<T>(
    bitcode: &[u8],
    part: &Part,
    action: impl Fn(&Module) -> Result<T, CodeError>,
) -> Result<T, CodeError> {
    let context = Context::create();
    let bitcode = MemoryBuffer::create_from_memory_range_copy(bitcode, "comb");
    let module = Module::parse_bitcode_from_buffer(&bitcode, &context)
        .map_err(|error| CodeError::Llvm(error.to_string()))?;
    for function in module.get_functions() {
        let is_other = !part.contains(&*function.get_name().to_string_lossy());
        if is_other && function.count_basic_blocks() > 0 {
            function.set_linkage(Linkage::AvailableExternally);
        }
    }
    action(&module)
}

#[cfg(test)]
mod tests {
    use inkwell::targets::{CodeModel, RelocMode, Target, TargetMachine};

    use super::*;
    use crate::optimize::run_passes;

    /// A function of so many additions, which calls another.
    fn function(name: &str, size: usize, callee: &str) -> String {
        let additions: String = (1..size)
            .map(|number| format!("  %x{number} = add i64 %x{}, 1\n", number - 1))
            .collect();
        format!(
            "define internal i64 @{name}(i64 %x0) {{\n{additions}  %r = call i64 @{callee}(i64 \
             %x{})\n  ret i64 %r\n}}\n",
            size - 1
        )
    }

    fn module<'c>(context: &'c Context, text: &str) -> Module<'c> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
        context.create_module_from_ir(buffer).unwrap()
    }

    fn part(names: &[&str]) -> Part {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn text() -> String {
        [
            function("small", 100, "large"),
            function("large", 900, "middle"),
            function("middle", 600, "other"),
            "declare i64 @other(i64)\n".to_owned(),
        ]
        .concat()
    }

    #[test]
    fn the_largest_functions_are_dealt_out_first() {
        let context = Context::create();
        let module = module(&context, &text());
        let expected = [part(&["large"]), part(&["middle", "small"])];
        assert_eq!(deal(&module, 2), expected);
        assert_eq!(deal(&module, 1), [part(&["large", "middle", "small"])]);
        assert_eq!(deal(&module, 8).len(), 2);
    }

    #[test]
    fn little_code_is_one_part() {
        let context = Context::create();
        let functions = [function("a", 90, "b"), function("b", 90, "a")].concat();
        assert_eq!(deal(&module(&context, &functions), 2).len(), 1);
    }

    #[test]
    fn variables_belong_to_one_part() {
        let context = Context::create();
        let constant = "@k = private constant i64 1\n";
        let variable = "@v = internal global i64 1\n";
        let of = |global: &str| deal(&module(&context, &(text() + global)), 2).len();
        assert_eq!(of(constant), 2);
        assert_eq!(of(variable), 1);
    }

    #[test]
    fn every_function_is_in_one_part() {
        crate::native::initialize().unwrap();
        let context = Context::create();
        let module = module(&context, &text());
        let parts = deal(&module, 2);
        let defined = compile(&module, &parts, |module| {
            let triple = TargetMachine::get_default_triple();
            let machine = Target::from_triple(&triple)
                .unwrap()
                .create_target_machine(
                    &triple,
                    "",
                    "",
                    Default::default(),
                    RelocMode::PIC,
                    CodeModel::Default,
                )
                .unwrap();
            run_passes(module, &machine, DROP_OTHERS)?;
            let defined = module
                .get_functions()
                .filter(|function| function.count_basic_blocks() > 0)
                .map(|function| function.get_name().to_string_lossy().into_owned());
            Ok(defined.collect::<Part>())
        });
        assert_eq!(defined.unwrap(), parts);
    }

    #[test]
    fn what_fails_in_a_part_fails() {
        let context = Context::create();
        let module = module(&context, &text());
        let parts = deal(&module, 2);
        let result = compile(&module, &parts, |_| {
            Err::<(), _>(CodeError::Llvm("no".to_owned()))
        });
        assert!(matches!(result, Err(CodeError::Llvm(reason)) if reason == "no"));
    }
}
