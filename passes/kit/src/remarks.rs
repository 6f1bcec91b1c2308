//! Remarks of passes, through MLIR's remark engine, which `comb-opt --remarks-filter=PASS` shows; and
//! such that are always shown.

use std::ffi::c_void;

use melior::{StringRef, ir::Location};
use mlir_sys::{MlirLocation, MlirStringCallback, MlirStringRef};

type WriteText = unsafe extern "C" fn(*mut c_void, MlirStringCallback, *mut c_void);

unsafe extern "C" {
    fn combEmitRemark(
        kind: i32,
        pass: MlirStringRef,
        location: MlirLocation,
        name: MlirStringRef,
        function: MlirStringRef,
        text: WriteText,
        data: *mut c_void,
    ) -> bool;
    fn combReport(location: MlirLocation, message: MlirStringRef);
}

/// Says something about a place through the context's diagnostics engine, whoever wants remarks.
pub fn report(location: Location, message: &str) {
    // SAFETY: defined by cpp/Passes.cpp, which copies the text.
    unsafe { combReport(location.to_raw(), StringRef::new(message).to_raw()) }
}

/// What a remark is about.
#[derive(Clone, Copy)]
#[repr(i32)]
pub enum Kind {
    /// What was done.
    Passed = 0,
    /// What was not.
    Missed = 1,
    /// What was found out.
    Analysis = 2,
}

/// A remark's name and place.
pub struct Remark<'s, 'c> {
    /// The pass that makes it, which is its category.
    pub pass: &'s str,
    /// What it tells of.
    pub kind: Kind,
    /// What users filter by.
    pub name: &'s str,
    /// The function that it is about; empty if it is about none.
    pub function: &'s str,
    /// Where.
    pub location: Location<'c>,
}

impl Remark<'_, '_> {
    /// Emits the remark if somebody wants to have it, and says whether.
    pub fn emit(&self, text: &dyn Fn() -> String) -> bool {
        let [pass, name, function] = [self.pass, self.name, self.function].map(StringRef::new);
        let data: *const &dyn Fn() -> String = &text;
        // SAFETY: defined by cpp/Passes.cpp, which copies the strings, and calls
        // `write_text` with the data before it returns.
        unsafe {
            combEmitRemark(
                self.kind as i32,
                pass.to_raw(),
                self.location.to_raw(),
                name.to_raw(),
                function.to_raw(),
                write_text,
                data.cast_mut().cast(),
            )
        }
    }
}

/// Gives a remark's text to what asked for it.
unsafe extern "C" fn write_text(data: *mut c_void, add: MlirStringCallback, to: *mut c_void) {
    // SAFETY: the data is what `emit` gave.
    let text = unsafe { &*data.cast::<&dyn Fn() -> String>() };
    let text = text();
    if let Some(add) = add {
        // SAFETY: the callback copies the text.
        unsafe { add(StringRef::new(&text).to_raw(), to) }
    }
}
