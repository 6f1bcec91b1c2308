//! What MLIR reports to a context. Its text may be any bytes, of which melior gives none.

use std::{
    ffi::c_void,
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind},
};

use melior::{Context, ir::Location};
use mlir_sys::{
    MlirDiagnostic, MlirDiagnosticSeverity_MlirDiagnosticError as ERROR,
    MlirDiagnosticSeverity_MlirDiagnosticRemark as REMARK,
    MlirDiagnosticSeverity_MlirDiagnosticWarning as WARNING, MlirLogicalResult, MlirStringRef,
    mlirContextAttachDiagnosticHandler, mlirDiagnosticGetLocation, mlirDiagnosticGetNote,
    mlirDiagnosticGetNumNotes, mlirDiagnosticGetSeverity, mlirDiagnosticPrint,
};
use soac_dialect::text::{bytes, shown};

use crate::diagnostics::Severity;

/// A diagnostic that is being reported.
pub(crate) struct Reported<'r> {
    raw: MlirDiagnostic,
    lifetime: PhantomData<&'r ()>,
}

impl<'r> Reported<'r> {
    pub fn severity(&self) -> Severity {
        // SAFETY: the diagnostic is alive while it is reported.
        match unsafe { mlirDiagnosticGetSeverity(self.raw) } {
            ERROR => Severity::Error,
            WARNING => Severity::Warning,
            REMARK => Severity::Remark,
            _ => Severity::Note,
        }
    }

    pub fn location(&self) -> Location<'r> {
        // SAFETY: as above.
        unsafe { Location::from_raw(mlirDiagnosticGetLocation(self.raw)) }
    }

    pub fn notes(&self) -> impl Iterator<Item = Reported<'r>> {
        // SAFETY: as above.
        let count = unsafe { mlirDiagnosticGetNumNotes(self.raw) };
        (0..count).map(|index| Reported {
            // SAFETY: as above; the index is smaller than the count.
            raw: unsafe { mlirDiagnosticGetNote(self.raw, index) },
            lifetime: PhantomData,
        })
    }

    pub fn message(&self) -> String {
        let mut text: Vec<u8> = vec![];
        // SAFETY: as above; the callback is given the text that it expects.
        unsafe {
            mlirDiagnosticPrint(self.raw, Some(append), (&raw mut text).cast::<c_void>());
        }
        shown(&text)
    }
}

unsafe extern "C" fn append(part: MlirStringRef, text: *mut c_void) {
    // SAFETY: `message` passes the text; the part is alive during the call.
    unsafe { (*text.cast::<Vec<u8>>()).extend_from_slice(bytes(part)) }
}

/// Gives all that is reported to a context to a function, as long as the context lives.
pub(crate) fn receive<F: FnMut(&Reported)>(context: &Context, function: F) {
    // SAFETY: the function is given to the context, which drops it in the end.
    unsafe {
        mlirContextAttachDiagnosticHandler(
            context.to_raw(),
            Some(handle::<F>),
            Box::into_raw(Box::new(function)).cast::<c_void>(),
            Some(drop_function::<F>),
        );
    }
}

/// A panic ends here, since MLIR called.
unsafe extern "C" fn handle<F: FnMut(&Reported)>(
    raw: MlirDiagnostic,
    function: *mut c_void,
) -> MlirLogicalResult {
    let reported = Reported {
        raw,
        lifetime: PhantomData,
    };
    // SAFETY: `receive` passes the function, which nothing else uses.
    let function = unsafe { &mut *function.cast::<F>() };
    let outcome = catch_unwind(AssertUnwindSafe(|| function(&reported)));
    MlirLogicalResult {
        value: i8::from(outcome.is_ok()),
    }
}

unsafe extern "C" fn drop_function<F>(function: *mut c_void) {
    // SAFETY: `receive` made it of a box, and the context calls this once.
    drop(unsafe { Box::from_raw(function.cast::<F>()) });
}
