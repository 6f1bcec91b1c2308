//! Allocations of the device and of the host, and pools.

use std::ffi::{c_int, c_uint, c_void};

use super::{Handle, Result, api, initialised, put, ready, trace};
use crate::device::{CONTEXT, Device};
use crate::error::Status;
use crate::work::Work;

/// The one pool.
const POOL: usize = CONTEXT + 8;

api! {
    /// Allocates memory.
    fn cuMemAlloc_v2(device, address: *mut u64, bytes: usize) {
        let device = ready(device)?;
        device.forbid_strict_captures()?;
        let found = device.allocate(bytes as u64)?;
        trace(device, || format!("alloc {bytes} bytes"));
        // SAFETY: as this function.
        unsafe { put(address, found)? };
    }

    /// Frees memory, once all work is done.
    fn cuMemFree_v2(device, address: u64) {
        let device = ready(device)?;
        if address == 0 {
            return Ok(());
        }
        device.forbid_strict_captures()?;
        device.finish()?;
        trace(device, || "free".into());
        if !device.memory.free(address) {
            return Err(Status::INVALID_VALUE);
        }
    }

    /// Allocates memory in the order of a stream.
    fn cuMemAllocAsync(device, address: *mut u64, bytes: usize, stream: Handle) {
        let found = allocate_async(ready(device)?, bytes, stream)?;
        // SAFETY: as this function.
        unsafe { put(address, found)? };
    }

    /// Allocates memory of a pool in the order of a stream.
    fn cuMemAllocFromPoolAsync(
        device,
        address: *mut u64,
        bytes: usize,
        pool: Handle,
        stream: Handle,
    ) {
        check_pool(pool)?;
        let found = allocate_async(ready(device)?, bytes, stream)?;
        // SAFETY: as this function.
        unsafe { put(address, found)? };
    }

    /// Frees memory in the order of a stream.
    fn cuMemFreeAsync(device, address: u64, stream: Handle) {
        let device = ready(device)?;
        device.forbid_capture_of(stream as usize)?;
        if device.memory.window(address).is_none_or(|window| window.start != address) {
            return Err(Status::INVALID_VALUE);
        }
        trace(device, || "free (async)".into());
        device.submit(stream as usize, Work::Free(address))?;
    }

    /// The pool of a device.
    fn cuDeviceGetDefaultMemPool(device, pool: *mut Handle, of: c_int) {
        initialised(device)?;
        if of != 0 {
            return Err(Status::INVALID_DEVICE);
        }
        // SAFETY: as this function.
        unsafe { put(pool, POOL as Handle)? };
    }

    /// Changes an attribute of a pool.
    fn cuMemPoolSetAttribute(device, pool: Handle, attribute: c_int, value: *mut c_void) {
        let device = initialised(device)?;
        check_pool(pool)?;
        match attribute {
            1..=3 | 6 | 8 if !value.is_null() => {}
            // SAFETY: the caller vouches for a value of the type of the attribute.
            4 if !value.is_null() => device.release_threshold = unsafe { value.cast::<u64>().read() },
            _ => return Err(Status::INVALID_VALUE),
        }
    }

    /// An attribute of a pool.
    fn cuMemPoolGetAttribute(device, pool: Handle, attribute: c_int, value: *mut c_void) {
        let device = initialised(device)?;
        check_pool(pool)?;
        let used = device.memory.used();
        // SAFETY: the caller vouches for room for a value of the type of the attribute.
        unsafe {
            match attribute {
                1..=3 => put(value.cast::<c_int>(), 1)?,
                4 => put(value.cast::<u64>(), device.release_threshold)?,
                5..=8 => put(value.cast::<u64>(), used)?,
                _ => return Err(Status::INVALID_VALUE),
            }
        }
    }

    /// Gives unused memory of a pool back; nothing is kept.
    fn cuMemPoolTrimTo(device, pool: Handle, _keep: usize) {
        initialised(device)?;
        check_pool(pool)?;
    }

    /// The bytes that are free, and all bytes.
    fn cuMemGetInfo_v2(device, free: *mut usize, total: *mut usize) {
        let device = ready(device)?;
        let limit = device.memory.limit();
        // SAFETY: as this function.
        unsafe {
            put(free, (limit - device.memory.used()) as usize)?;
            put(total, limit as usize)?;
        }
    }

    /// Allocates pinned memory of the host.
    fn cuMemAllocHost_v2(device, pointer: *mut *mut c_void, bytes: usize) {
        let found = allocate_host(ready(device)?, bytes)?;
        // SAFETY: as this function.
        unsafe { put(pointer, found)? };
    }

    /// Allocates pinned memory of the host.
    fn cuMemHostAlloc(device, pointer: *mut *mut c_void, bytes: usize, _flags: c_uint) {
        let found = allocate_host(ready(device)?, bytes)?;
        // SAFETY: as this function.
        unsafe { put(pointer, found)? };
    }

    /// Frees pinned memory, once all work is done.
    fn cuMemFreeHost(device, pointer: *mut c_void) {
        let device = ready(device)?;
        device.forbid_strict_captures()?;
        device.finish()?;
        if !device.pinned.free(pointer.cast()) {
            return Err(Status::INVALID_VALUE);
        }
        device.memory.unpin(pointer as u64);
    }

    /// An attribute of what an address points to.
    fn cuPointerGetAttribute(device, value: *mut c_void, attribute: c_int, address: u64) {
        let device = ready(device)?;
        let window = device.memory.window(address);
        let pinned = device.pinned.contains(address as usize, 1);
        if window.is_none() && !pinned {
            return Err(Status::INVALID_VALUE);
        }
        let window = window.unwrap_or_default();
        // SAFETY: the caller vouches for room for a value of the type of the attribute.
        unsafe {
            match attribute {
                1 => put(value.cast::<Handle>(), CONTEXT as Handle)?,
                2 => put(value.cast::<c_uint>(), if pinned { 1 } else { 2 })?,
                3 if !pinned => put(value.cast::<u64>(), address)?,
                4 if pinned => put(value.cast::<u64>(), address)?,
                7 if !pinned => put(value.cast::<u64>(), window.start)?,
                8 => put(value.cast::<c_uint>(), 0)?,
                9 => put(value.cast::<c_int>(), 0)?,
                11 if !pinned => put(value.cast::<u64>(), window.start)?,
                12 if !pinned => put(value.cast::<usize>(), window.size as usize)?,
                _ => return Err(Status::INVALID_VALUE),
            }
        }
    }
}

fn check_pool(pool: Handle) -> Result<()> {
    if pool as usize == POOL {
        Ok(())
    } else {
        Err(Status::INVALID_VALUE)
    }
}

fn allocate_async(device: &mut Device, bytes: usize, stream: Handle) -> Result<u64> {
    device.forbid_capture_of(stream as usize)?;
    let found = device.allocate(bytes as u64)?;
    trace(device, || format!("alloc {bytes} bytes (async)"));
    Ok(found)
}

fn allocate_host(device: &mut Device, bytes: usize) -> Result<*mut c_void> {
    device.forbid_strict_captures()?;
    if bytes == 0 {
        return Err(Status::INVALID_VALUE);
    }
    let found = device.pinned.allocate(bytes);
    if found.is_null() {
        return Err(Status::OUT_OF_MEMORY);
    }
    device.memory.pin(found as u64, bytes as u64);
    Ok(found.cast())
}
