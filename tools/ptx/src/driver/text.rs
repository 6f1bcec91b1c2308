//! Names and descriptions of errors.

use std::ffi::c_char;
use std::ptr;

use crate::error::Status;

/// The name of an error.
///
/// # Safety
///
/// The pointer is null or valid for a write.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn cuGetErrorName(status: Status, name: *mut *const c_char) -> Status {
    let found = status.name().map(|name| name.as_ptr());
    // SAFETY: as this function.
    unsafe { put_text(name, found) }
}

/// What an error means.
///
/// # Safety
///
/// The pointer is null or valid for a write.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn cuGetErrorString(status: Status, text: *mut *const c_char) -> Status {
    let found = status.text().map(|text| text.as_ptr());
    // SAFETY: as this function.
    unsafe { put_text(text, found) }
}

/// Stores a text, or null for an error that is not known.
///
/// # Safety
///
/// The pointer is null or valid for a write.
unsafe fn put_text(to: *mut *const c_char, text: Option<*const c_char>) -> Status {
    if to.is_null() {
        return Status::INVALID_VALUE;
    }
    // SAFETY: the caller vouches for the pointer.
    unsafe { to.write(text.unwrap_or(ptr::null())) };
    match text {
        Some(_) => Status::SUCCESS,
        None => Status::INVALID_VALUE,
    }
}
