//! The C API of the driver. The state of the device is behind a lock; panics do not leave.

mod capture;
mod context;
mod copy;
mod event;
mod launch;
mod memory;
mod module;
mod stream;
mod text;

use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use crate::device::Device;
use crate::error::Status;

pub use capture::*;
pub use context::*;
pub use copy::*;
pub use event::*;
pub use launch::*;
pub use memory::*;
pub use module::*;
pub use stream::*;
pub use text::*;

type Result<T> = std::result::Result<T, Status>;

/// A handle: `CUstream`, `CUevent` and the like.
pub type Handle = *mut c_void;

static DEVICE: Mutex<Option<Device>> = Mutex::new(None);

thread_local! {
    /// Whether the context is current in this thread.
    static CURRENT: Cell<bool> = const { Cell::new(false) };
}

/// Defines functions of the API. Each has the state of the device, and returns a status.
macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident($device:ident $(, $argument:ident: $ty:ty)* $(,)?) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// As in the API of the driver: pointers are null, or valid for what is read and written.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $name($($argument: $ty),*) -> $crate::error::Status {
            $crate::driver::guarded(stringify!($name), |$device| {
                $body
                Ok(())
            })
        }
    )*};
}
use api;

/// Runs a function of the API with the state of the device.
fn guarded(name: &str, body: impl FnOnce(&mut Option<Device>) -> Result<()>) -> Status {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut device = DEVICE.lock().unwrap_or_else(PoisonError::into_inner);
        body(&mut device)
    }));
    match outcome {
        Ok(Ok(())) => Status::SUCCESS,
        Ok(Err(status)) => status,
        Err(_) => {
            eprintln!("comb-ptx: {name} failed; this is a fault of comb-ptx");
            Status::UNKNOWN
        }
    }
}

/// The device, for calls that need no context.
fn initialised(device: &mut Option<Device>) -> Result<&mut Device> {
    device.as_mut().ok_or(Status::NOT_INITIALIZED)
}

/// The device, for calls that need a context and that no work failed.
fn ready(device: &mut Option<Device>) -> Result<&mut Device> {
    let device = initialised(device)?;
    if !CURRENT.get() {
        return Err(Status::INVALID_CONTEXT);
    }
    device.check()?;
    Ok(device)
}

/// Stores a result.
///
/// # Safety
///
/// The pointer is null or valid for a write.
unsafe fn put<T>(to: *mut T, value: T) -> Result<()> {
    if to.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: the caller vouches for the pointer.
    unsafe { to.write(value) };
    Ok(())
}

/// Prints a line about work on the device, if that was asked for.
fn trace(device: &Device, text: impl FnOnce() -> String) {
    if device.settings.trace {
        eprintln!("comb-ptx: {}", text());
    }
}
