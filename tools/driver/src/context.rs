//! The compiler's surroundings: a context in which all dialects, upstream's
//! and comb's, are registered, and whose messages are kept.

use std::{cell::RefCell, rc::Rc};

use melior::{
    Context,
    dialect::DialectRegistry,
    utility::{register_all_dialects, register_all_llvm_translations},
};

use crate::{
    bridge,
    diagnostics::{Diagnostic, Diagnostics, Severity},
    hints, reported,
    source::Source,
};

/// A context that compiles programs. It works on one thread, so that the same
/// program always gives the same code and the same messages.
pub struct Compiler {
    context: Context,
    capture: Rc<RefCell<Capture>>,
}

/// Where messages go.
#[derive(Default)]
struct Capture {
    source: Option<Rc<Source>>,
    diagnostics: Vec<Diagnostic>,
}

impl Compiler {
    /// Registers dialects, passes, pipelines and translations.
    pub fn new() -> Self {
        comb_passes::register_passes();
        let registry = DialectRegistry::new();
        register_all_dialects(&registry);
        soac_dialect::register(&registry);
        nest_dialect::register(&registry);
        let context = Context::new_with_registry(&registry, false);
        register_all_llvm_translations(&context);
        let capture = Rc::new(RefCell::new(Capture::default()));
        let target = Rc::clone(&capture);
        reported::receive(&context, move |reported| {
            let mut capture = target.borrow_mut();
            if let Some(source) = capture.source.clone() {
                let diagnostic = Diagnostic::from_mlir(reported, &source);
                capture.diagnostics.push(diagnostic);
            }
        });
        Self { context, capture }
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Does something that may report on the program, and gives what it
    /// returned with the messages: an error if it returned none or reported
    /// one.
    pub(crate) fn captured<T>(
        &self,
        source: &Rc<Source>,
        action: impl FnOnce() -> Option<T>,
    ) -> Result<(T, Diagnostics), Diagnostics> {
        *self.capture.borrow_mut() = Capture {
            source: Some(Rc::clone(source)),
            diagnostics: vec![],
        };
        let result = action();
        let capture = std::mem::take(&mut *self.capture.borrow_mut());
        let mut diagnostics = Diagnostics(capture.diagnostics);
        for diagnostic in &mut diagnostics.0 {
            hints::explain(diagnostic, || bridge::vocabulary(&self.context));
            hints::name_op(diagnostic);
        }
        let failed = diagnostics
            .0
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
        match result {
            Some(result) if !failed => Ok((result, diagnostics)),
            _ => Err(diagnostics),
        }
    }
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}
