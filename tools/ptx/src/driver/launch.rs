//! Launches of kernels.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use super::context::SHARED_LIMIT;
use super::{Handle, Result, api, put, ready, trace};
use crate::error::Status;
use crate::launch::Launch;
use crate::program::Function;
use crate::work::Work;

/// Marks in the list `extra` of a launch.
const PARAMETER_END: usize = 0;
const PARAMETER_BUFFER: usize = 1;
const PARAMETER_SIZE: usize = 2;

api! {
    /// Launches a kernel: its parameters are copied now, it runs when something waits for it.
    fn cuLaunchKernel(
        device,
        kernel: Handle,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        dynamic_shared: c_uint,
        stream: Handle,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) {
        let device = ready(device)?;
        device.stream(stream as usize)?;
        let (kernel, module) = device.kernel(kernel as usize)?;
        let function = &module.program.functions[kernel.function];
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        check_shape(grid, block, function)?;
        if dynamic_shared as usize > kernel.dynamic_shared {
            return Err(Status::INVALID_VALUE);
        }
        let launch = Launch {
            program: Arc::clone(&module.program),
            kernel: kernel.function,
            grid,
            block,
            dynamic_shared: dynamic_shared as usize,
            // SAFETY: as this function.
            parameters: unsafe { gather(function, parameters, extra)? },
        };
        trace(device, || {
            format!("launch {} grid {grid:?} block {block:?} shared {dynamic_shared}", function.name)
        });
        device.submit(stream as usize, Work::Launch(Arc::new(launch)))?;
    }

    /// How many blocks of a kernel a multiprocessor has at a time.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        device,
        count: *mut c_int,
        kernel: Handle,
        threads: c_int,
        dynamic_shared: usize,
    ) {
        let device = ready(device)?;
        let (kernel, module) = device.kernel(kernel as usize)?;
        let function = &module.program.functions[kernel.function];
        let most = function.max_threads.unwrap_or(1024).min(1024);
        let threads = u64::try_from(threads).unwrap_or(0);
        if threads == 0 || threads > most {
            return Err(Status::INVALID_VALUE);
        }
        let by_threads = 2048 / threads.next_multiple_of(32);
        let shared = function.shared_bytes + dynamic_shared + 1024;
        let by_shared = ((SHARED_LIMIT + 1024) / shared) as u64;
        // SAFETY: as this function.
        unsafe { put(count, by_threads.min(by_shared).min(32) as c_int)? };
    }
}

/// Whether a launch of this shape is possible.
fn check_shape(grid: [u32; 3], block: [u32; 3], function: &Function) -> Result<()> {
    let threads: u64 = block.iter().map(|&extent| u64::from(extent)).product();
    let most = function.max_threads.unwrap_or(1024).min(1024);
    let is_grid = grid[0] > 0
        && grid[0] <= i32::MAX as u32
        && grid[1..].iter().all(|extent| (1..=65535).contains(extent));
    let is_block = block[..2].iter().all(|&extent| extent <= 1024)
        && block[2] <= 64
        && (1..=most).contains(&threads);
    if is_grid && is_block {
        Ok(())
    } else {
        Err(Status::INVALID_VALUE)
    }
}

/// The bytes of the parameters.
///
/// # Safety
///
/// Both lists are null or as the API says.
unsafe fn gather(
    function: &Function,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Result<Vec<u8>> {
    let mut bytes = vec![0u8; function.signature_bytes];
    if function.parameters.is_empty() {
        return Ok(bytes);
    }
    if parameters.is_null() {
        // SAFETY: the caller vouches for the list.
        unsafe { unpack(&mut bytes, extra)? };
        return Ok(bytes);
    }
    for (i, slot) in function.parameters.iter().enumerate() {
        // SAFETY: the caller vouches for a pointer to each parameter.
        unsafe {
            let from: *const u8 = parameters.add(i).read().cast();
            if from.is_null() {
                return Err(Status::INVALID_VALUE);
            }
            let to = bytes[slot.offset..].as_mut_ptr();
            std::ptr::copy_nonoverlapping(from, to, slot.size);
        }
    }
    Ok(bytes)
}

/// Copies parameters that are in one buffer.
///
/// # Safety
///
/// The list is null, or ends with its end mark and describes a valid buffer.
unsafe fn unpack(bytes: &mut [u8], extra: *mut *mut c_void) -> Result<()> {
    if extra.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    let (mut buffer, mut size, mut at) = (None, 0, 0);
    // SAFETY: the caller vouches for the list.
    unsafe {
        loop {
            match extra.add(at).read() as usize {
                PARAMETER_END => break,
                PARAMETER_BUFFER => buffer = Some(extra.add(at + 1).read().cast::<u8>()),
                PARAMETER_SIZE => size = extra.add(at + 1).read().cast::<usize>().read(),
                _ => return Err(Status::INVALID_VALUE),
            }
            at += 2;
        }
        match buffer {
            Some(buffer) if size >= bytes.len() => {
                std::ptr::copy_nonoverlapping(buffer, bytes.as_mut_ptr(), bytes.len());
                Ok(())
            }
            _ => Err(Status::INVALID_VALUE),
        }
    }
}
