//! Copies and fills.

use std::ffi::{c_uchar, c_uint, c_void};

use super::{Handle, Result, api, ready, trace};
use crate::device::{DEFAULT_STREAM, Device};
use crate::error::Status;
use crate::work::{Copy, Fill, Place, Side, Work};

/// Kinds of memory: `CUmemorytype`.
const HOST: c_uint = 1;
const DEVICE: c_uint = 2;
const UNIFIED: c_uint = 4;

/// A copy of rows: `CUDA_MEMCPY2D`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Copy2d {
    pub source_x: usize,
    pub source_y: usize,
    pub source_memory: c_uint,
    pub source_host: *const c_void,
    pub source_device: u64,
    pub source_array: Handle,
    pub source_pitch: usize,
    pub target_x: usize,
    pub target_y: usize,
    pub target_memory: c_uint,
    pub target_host: *mut c_void,
    pub target_device: u64,
    pub target_array: Handle,
    pub target_pitch: usize,
    pub width: usize,
    pub height: usize,
}

api! {
    /// Copies from the host to the device, and waits for it.
    fn cuMemcpyHtoD_v2(device, to: u64, from: *const c_void, bytes: usize) {
        let copy = Copy::plain(Side::Host(from as usize), Side::Device(to), bytes);
        copy_now(ready(device)?, copy)?;
    }

    /// Copies from the device to the host, and waits for it.
    fn cuMemcpyDtoH_v2(device, to: *mut c_void, from: u64, bytes: usize) {
        let copy = Copy::plain(Side::Device(from), Side::Host(to as usize), bytes);
        copy_now(ready(device)?, copy)?;
    }

    /// Copies on the device. It does not wait, as the driver does not.
    fn cuMemcpyDtoD_v2(device, to: u64, from: u64, bytes: usize) {
        let copy = Copy::plain(Side::Device(from), Side::Device(to), bytes);
        copy_later(ready(device)?, copy, DEFAULT_STREAM as Handle)?;
    }

    /// Copies from the host to the device in a stream.
    fn cuMemcpyHtoDAsync_v2(device, to: u64, from: *const c_void, bytes: usize, stream: Handle) {
        let copy = Copy::plain(Side::Host(from as usize), Side::Device(to), bytes);
        copy_later(ready(device)?, copy, stream)?;
    }

    /// Copies from the device to the host in a stream.
    fn cuMemcpyDtoHAsync_v2(device, to: *mut c_void, from: u64, bytes: usize, stream: Handle) {
        let copy = Copy::plain(Side::Device(from), Side::Host(to as usize), bytes);
        copy_later(ready(device)?, copy, stream)?;
    }

    /// Copies on the device in a stream.
    fn cuMemcpyDtoDAsync_v2(device, to: u64, from: u64, bytes: usize, stream: Handle) {
        let copy = Copy::plain(Side::Device(from), Side::Device(to), bytes);
        copy_later(ready(device)?, copy, stream)?;
    }

    /// Copies rows in a stream.
    fn cuMemcpy2DAsync_v2(device, copy: *const Copy2d, stream: Handle) {
        let device = ready(device)?;
        if copy.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: the caller vouches for the description.
        let copy = unsafe { copy.read() };
        copy_later(device, rows(device, &copy)?, stream)?;
    }

    /// Fills with a byte. It does not wait, as the driver does not.
    fn cuMemsetD8_v2(device, to: u64, value: c_uchar, count: usize) {
        fill(ready(device)?, to, u32::from(value), 1, count, DEFAULT_STREAM as Handle)?;
    }

    /// Fills with a byte in a stream.
    fn cuMemsetD8Async(device, to: u64, value: c_uchar, count: usize, stream: Handle) {
        fill(ready(device)?, to, u32::from(value), 1, count, stream)?;
    }

    /// Fills with a word. It does not wait, as the driver does not.
    fn cuMemsetD32_v2(device, to: u64, value: c_uint, count: usize) {
        fill(ready(device)?, to, value, 4, count, DEFAULT_STREAM as Handle)?;
    }

    /// Fills with a word in a stream.
    fn cuMemsetD32Async(device, to: u64, value: c_uint, count: usize, stream: Handle) {
        fill(ready(device)?, to, value, 4, count, stream)?;
    }
}

fn side(side: &Side) -> &'static str {
    match side {
        Side::Device(_) => "device",
        Side::Host(_) | Side::Snapshot(_) => "host",
    }
}

fn describe(copy: &Copy) -> String {
    let (from, to) = (side(&copy.from.memory), side(&copy.to.memory));
    format!("copy {} bytes {from} to {to}", copy.bytes())
}

fn copy_now(device: &mut Device, copy: Copy) -> Result<()> {
    device.forbid_captures()?;
    trace(device, || describe(&copy));
    if copy.bytes() == 0 {
        return device.finish_stream(DEFAULT_STREAM);
    }
    if !copy.is_valid(&device.memory) {
        return Err(Status::INVALID_VALUE);
    }
    device.submit(DEFAULT_STREAM, Work::Copy(copy))?;
    device.finish()
}

fn copy_later(device: &mut Device, copy: Copy, stream: Handle) -> Result<()> {
    let is_captured = device.stream(stream as usize)?.capture.is_some();
    trace(device, || format!("{} (async)", describe(&copy)));
    if copy.bytes() == 0 {
        return Ok(());
    }
    if !copy.is_valid(&device.memory) {
        return Err(Status::INVALID_VALUE);
    }
    let is_pinned = match copy.from.memory {
        Side::Host(start) => device.pinned.contains(start, copy.bytes()),
        _ => true,
    };
    let copy = if is_pinned || is_captured {
        copy
    } else {
        copy.with_snapshot()
    };
    device.submit(stream as usize, Work::Copy(copy))
}

/// The copy that a description means.
fn rows(device: &Device, copy: &Copy2d) -> Result<Copy> {
    let place = |memory, host: usize, address: u64, pitch: usize, x, y| {
        let pitch = if pitch == 0 { copy.width } else { pitch };
        let offset = y * pitch + x;
        if pitch < x + copy.width {
            return Err(Status::INVALID_VALUE);
        }
        let memory = match memory {
            HOST => Side::Host(host + offset),
            DEVICE => Side::Device(address + offset as u64),
            UNIFIED if device.memory.reserves(address) => Side::Device(address + offset as u64),
            UNIFIED => Side::Host(address as usize + offset),
            _ => return Err(Status::INVALID_VALUE),
        };
        Ok(Place { memory, pitch })
    };
    Ok(Copy {
        from: place(
            copy.source_memory,
            copy.source_host as usize,
            copy.source_device,
            copy.source_pitch,
            copy.source_x,
            copy.source_y,
        )?,
        to: place(
            copy.target_memory,
            copy.target_host as usize,
            copy.target_device,
            copy.target_pitch,
            copy.target_x,
            copy.target_y,
        )?,
        width: copy.width,
        height: copy.height,
    })
}

fn fill(
    device: &mut Device,
    to: u64,
    pattern: u32,
    bytes: usize,
    count: usize,
    stream: Handle,
) -> Result<()> {
    device.stream(stream as usize)?;
    let fill = Fill {
        to,
        pattern,
        bytes,
        count,
    };
    trace(device, || format!("fill {} bytes (async)", fill.size()));
    if count == 0 {
        return Ok(());
    }
    if !to.is_multiple_of(bytes as u64) || device.memory.find(to, fill.size()).is_none() {
        return Err(Status::INVALID_VALUE);
    }
    device.submit(stream as usize, Work::Fill(fill))
}
