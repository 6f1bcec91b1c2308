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
/// besides; or only a name. What is inlined comes from the function that it was inlined from, and
/// what was fused from the first of its origins that have a file.
pub fn place(location: Location) -> Option<String> {
    place_in_file(location).or_else(|| name(location))
}

fn place_in_file(location: Location) -> Option<String> {
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
        let place = place_in_file(location.name_child_location())?;
        return Some(format!("{place} ({})", name(location)?));
    }
    parts(location).into_iter().find_map(place_in_file)
}

fn name(location: Location) -> Option<String> {
    match location.is_name() {
        true => Some(format!(
            "'{}'",
            shown(identifier_bytes(location.name_value()))
        )),
        false => parts(location).into_iter().find_map(name),
    }
}

/// The locations that one is made of, the most telling first.
fn parts<'c>(location: Location<'c>) -> Vec<Location<'c>> {
    if location.is_call_site() {
        return vec![location.call_site_callee(), location.call_site_caller()];
    }
    if location.is_fused() {
        let count = location.fused_num_locations();
        return (0..count)
            .map(|index| location.fused_location(index))
            .collect();
    }
    vec![]
}
