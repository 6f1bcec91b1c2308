//! Sanitizers: code that finds faults of the compiler while it runs.
//!
//! LLVM's passes put a check before each access to memory, at the very end, so that
//! what is checked is what an optimised program does. The program is then linked
//! with a library of Clang's, which knows what memory may be accessed, and reports.
//!
//! Both passes know loads, stores and masked vectors, but that for threads only
//! accesses of at most 16 bytes. So for it vectors are taken apart before.

use std::fmt;

use inkwell::{
    attributes::{Attribute as LlvmAttribute, AttributeLoc},
    context::Context as LlvmContext,
    module::Module as LlvmModule,
};
use melior::{
    Context, Error,
    ir::{
        BlockLike, Module, OperationRef, RegionLike,
        attribute::{FlatSymbolRefAttribute, IntegerAttribute},
        operation::{OperationLike, OperationMutLike, OperationResult},
    },
};
use soac_dialect::{cast::Parts, text::reference_bytes, view::op_name};

use crate::{
    bridge,
    entry_point::{Types, declare},
};

/// Debian's package with Clang's libraries.
pub const PACKAGE: &str = "libclang-rt-22-dev";

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// Accesses outside of memory that is in use, and memory that is never freed.
    Address,
    /// Accesses of several threads to the same memory that nothing puts in order.
    Thread,
}

impl fmt::Display for Sanitizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Address => "address",
            Self::Thread => "thread",
        })
    }
}

impl Sanitizer {
    /// What the linker is told.
    pub fn link_option(self) -> String {
        format!("-fsanitize={self}")
    }

    /// LLVM's name for the functions to be checked.
    fn attribute(self) -> &'static str {
        match self {
            Self::Address => "sanitize_address",
            Self::Thread => "sanitize_thread",
        }
    }

    /// LLVM's passes that put checks into optimised code.
    pub fn passes(self) -> &'static str {
        match self {
            Self::Address => "asan",
            Self::Thread => {
                "function(scalarize-masked-mem-intrin,scalarizer<load-store>),tsan-module,\
                 function(tsan)"
            }
        }
    }

    /// Marks all functions as to be checked, which optimisation respects.
    pub fn mark(self, module: &LlvmModule, context: &LlvmContext) {
        let kind = LlvmAttribute::get_named_enum_kind_id(self.attribute());
        let attribute = context.create_enum_attribute(kind, 0);
        for function in module.get_functions() {
            if function.count_basic_blocks() > 0 {
                function.add_attribute(AttributeLoc::Function, attribute);
            }
        }
    }

    /// Has the memory of arrays end where they end, in a program that is not yet
    /// optimised. Else it has room to align them.
    pub fn bound_arrays(self, context: &Context, module: &Module) -> Result<(), Error> {
        if self != Self::Address {
            return Ok(());
        }
        let calls = aligned_allocations(module.as_operation());
        if calls.is_empty() {
            return Ok(());
        }
        let types = Types::new(context);
        declare(
            context,
            module,
            ALLOCATE,
            types.pointer(),
            &[types.integer(64)],
        )?;
        for call in calls {
            let callee = FlatSymbolRefAttribute::new(context, ALLOCATE);
            bridge::mutable(call).set_attribute("callee", callee.into());
        }
        Ok(())
    }
}

/// The runtime library's function that takes the place of `malloc` for arrays.
const ALLOCATE: &str = "comb_sanitized_allocate";

/// What MLIR adds to the size of an array, to align it.
const ALIGNMENT: i64 = 64;

/// The calls of `malloc` inside an op that have room to align an array.
fn aligned_allocations<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            let mut inner = current.first_operation();
            while let Some(op) = inner {
                if is_aligned_allocation(op) {
                    found.push(op);
                }
                found.extend(aligned_allocations(op));
                inner = op.next_in_block();
            }
            block = current.next_in_region();
        }
    }
    found
}

fn is_aligned_allocation(op: OperationRef) -> bool {
    let callee = || FlatSymbolRefAttribute::try_from(op.attribute("callee").ok()?).ok();
    op_name(op) == "llvm.call"
        && callee().is_some_and(|callee| reference_bytes(callee) == b"malloc")
        && defining(op, 0).is_some_and(|size| {
            op_name(size) == "llvm.add" && defining(size, 1).and_then(constant) == Some(ALIGNMENT)
        })
}

/// The op that gives an operand.
fn defining<'c: 'a, 'a>(op: OperationRef<'c, 'a>, operand: usize) -> Option<OperationRef<'c, 'a>> {
    let result = OperationResult::try_from(op.operand_at(operand)?).ok()?;
    Some(result.owner())
}

fn constant(op: OperationRef) -> Option<i64> {
    let value = op.attribute("value").ok()?;
    Some(IntegerAttribute::try_from(value).ok()?.value())
}
