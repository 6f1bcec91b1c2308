//! Devices and contexts: there is one of each.

use std::ffi::{c_char, c_int, c_uint};
use std::sync::PoisonError;

use super::{CURRENT, DEVICE, Handle, Result, api, initialised, put, ready, trace};
use crate::device::{CONTEXT, Device};
use crate::error::Status;
use crate::settings::Settings;

const NAME: &[u8] = b"comb PTX interpreter\0";
/// The most shared memory of a block, when a kernel asks for it.
pub(super) const SHARED_LIMIT: usize = 227 * 1024;
/// The most shared memory of a block otherwise.
pub(super) const SHARED_DEFAULT: usize = 48 * 1024;

api! {
    /// Initialises the driver: the environment is read at the first call.
    fn cuInit(device, flags: c_uint) {
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        if device.is_none() {
            let created = Device::new(Settings::from_environment());
            let created = created.ok_or(Status::OUT_OF_MEMORY)?;
            if created.settings.leaks {
                // SAFETY: the function may be called at any time.
                unsafe { libc::atexit(print_leaks) };
            }
            *device = Some(created);
        }
    }

    /// The version of the driver.
    fn cuDriverGetVersion(_device, version: *mut c_int) {
        // SAFETY: as this function.
        unsafe { put(version, 13000)? };
    }

    /// The number of devices.
    fn cuDeviceGetCount(device, count: *mut c_int) {
        initialised(device)?;
        // SAFETY: as this function.
        unsafe { put(count, 1)? };
    }

    /// The device of a number.
    fn cuDeviceGet(device, found: *mut c_int, ordinal: c_int) {
        initialised(device)?;
        check_device(ordinal)?;
        // SAFETY: as this function.
        unsafe { put(found, 0)? };
    }

    /// The name of a device.
    fn cuDeviceGetName(device, name: *mut c_char, length: c_int, of: c_int) {
        initialised(device)?;
        check_device(of)?;
        let length = usize::try_from(length).map_err(|_| Status::INVALID_VALUE)?;
        if name.is_null() || length == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let count = NAME.len().min(length);
        // SAFETY: the caller vouches for `length` bytes, of which no more are written.
        unsafe {
            std::ptr::copy_nonoverlapping(NAME.as_ptr().cast(), name, count);
            name.add(count - 1).write(0);
        }
    }

    /// An attribute of a device.
    fn cuDeviceGetAttribute(device, value: *mut c_int, attribute: c_int, of: c_int) {
        let device = initialised(device)?;
        check_device(of)?;
        if attribute <= 0 {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: as this function.
        unsafe { put(value, attribute_of(device, attribute))? };
    }

    /// The bytes of memory of a device.
    fn cuDeviceTotalMem_v2(device, bytes: *mut usize, of: c_int) {
        let device = initialised(device)?;
        check_device(of)?;
        // SAFETY: as this function.
        unsafe { put(bytes, device.memory.limit() as usize)? };
    }

    /// The primary context of a device.
    fn cuDevicePrimaryCtxRetain(device, context: *mut Handle, of: c_int) {
        initialised(device)?;
        check_device(of)?;
        // SAFETY: as this function.
        unsafe { put(context, CONTEXT as Handle)? };
    }

    /// Gives the primary context back; nothing happens.
    fn cuDevicePrimaryCtxRelease_v2(device, of: c_int) {
        initialised(device)?;
        check_device(of)?;
    }

    /// Makes a context current in this thread, or none.
    fn cuCtxSetCurrent(device, context: Handle) {
        initialised(device)?;
        if !context.is_null() && context as usize != CONTEXT {
            return Err(Status::INVALID_CONTEXT);
        }
        CURRENT.set(!context.is_null());
    }

    /// The context that is current in this thread.
    fn cuCtxGetCurrent(device, context: *mut Handle) {
        initialised(device)?;
        let current = if CURRENT.get() { CONTEXT } else { 0 };
        // SAFETY: as this function.
        unsafe { put(context, current as Handle)? };
    }

    /// Waits for all work.
    fn cuCtxSynchronize(device) {
        let device = ready(device)?;
        trace(device, || "synchronise context".into());
        device.forbid_captures()?;
        device.finish()?;
    }
}

fn check_device(ordinal: c_int) -> Result<()> {
    if ordinal == 0 {
        Ok(())
    } else {
        Err(Status::INVALID_DEVICE)
    }
}

/// The attributes, by their numbers in `cuda.h`; those that are not listed are 0.
fn attribute_of(device: &Device, attribute: c_int) -> c_int {
    match attribute {
        // Threads of a block, and its extents.
        1..=3 => 1024,
        4 => 64,
        // Extents of a grid.
        5 => c_int::MAX,
        6 | 7 => 65535,
        // Shared memory of a block, and all constant memory.
        8 => SHARED_DEFAULT as c_int,
        9 => 65536,
        // Lanes of a warp.
        10 => 32,
        // Registers of a block.
        12 | 82 => 65536,
        // Clocks in kHz, and bits of the bus of memory.
        13 | 36 => 1_000_000,
        37 => 128,
        // Multiprocessors.
        16 => 4,
        // Kernels run while others do; copies do, too.
        31 | 40 => 1,
        // Bytes of the second-level cache.
        38 => 4 << 20,
        // Threads of a multiprocessor.
        39 => 2048,
        // Addresses of host and device are told apart.
        41 => 1,
        // The compute capability.
        75 => (device.settings.chip / 10) as c_int,
        76 => (device.settings.chip % 10) as c_int,
        // Priorities of streams.
        78 => 1,
        // Shared memory of a multiprocessor, and of a block that asks for it.
        81 => SHARED_LIMIT as c_int + 1024,
        97 => SHARED_LIMIT as c_int,
        // Blocks of a multiprocessor, and what each costs.
        106 => 32,
        111 => 1024,
        // Pools of memory.
        115 => 1,
        _ => 0,
    }
}

/// Prints what was not freed, when the process ends.
extern "C" fn print_leaks() {
    let device = DEVICE.lock().unwrap_or_else(PoisonError::into_inner);
    let leaks = device.as_ref().map(Device::leaks).unwrap_or_default();
    if !leaks.is_empty() {
        eprintln!("comb-ptx: not freed: {leaks}");
    }
}
