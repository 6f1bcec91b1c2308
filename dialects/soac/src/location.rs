//! Where ops come from, and reporting on them.

use melior::ir::Location;
use mlir_sys::mlirEmitError;
use std::ffi::CString;

use crate::text::{identifier_bytes, shown};

/// Emits an error at a location through the context's diagnostics engine.
pub fn emit_error(location: Location, message: &str) {
    let message =
        CString::new(message.replace('\0', "")).expect("no interior NUL after removing them");
    // SAFETY: the location is alive, and the message is NUL-terminated and
    // copied by the callee.
    unsafe { mlirEmitError(location.to_raw(), message.as_ptr()) }
}

/// `file:line:column`, if the location has a file somewhere, and behind it the name that it has
/// besides, or only that: what is inlined comes from the function that it was inlined from, and
/// what was fused from the first of its origins.
pub fn place(location: Location) -> Option<String> {
    if location.is_file_line_col_range() {
        let file = location.file_line_col_range_filename();
        return Some(format!(
            "{}:{}:{}",
            shown(identifier_bytes(file)),
            location.file_line_col_range_start_line(),
            location.file_line_col_range_start_column()
        ));
    }
    if location.is_name() {
        let name = format!("'{}'", shown(identifier_bytes(location.name_value())));
        return Some(match place(location.name_child_location()) {
            Some(place) => format!("{place} ({name})"),
            None => name,
        });
    }
    if location.is_call_site() {
        return place(location.call_site_callee()).or_else(|| place(location.call_site_caller()));
    }
    if location.is_fused() {
        return (0..location.fused_num_locations())
            .find_map(|index| place(location.fused_location(index)));
    }
    None
}
