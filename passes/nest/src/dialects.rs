//! A context that knows the dialects which programs and loop nests are made of.

use melior::{Context, dialect::DialectRegistry, utility};

/// A context with MLIR's dialects, with their interfaces and their translation to LLVM IR, and those of comb.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    utility::register_all_dialects(&registry);
    soac_dialect::register(&registry);
    nest_dialect::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    utility::register_all_llvm_translations(&context);
    context
}
