//! Programs whose kernels run on a GPU: its memory, copies, and launches.
//!
//! The GPU's driver is a library that is opened when the first such program begins ([`driver`]); nothing else of
//! a vendor is needed where programs run. A process uses one GPU, the first that the driver shows, by its primary context, and one
//! stream, in whose order everything happens ([`state`]). What compiled code calls is in [`calls`]: nothing there waits for
//! the GPU but [`calls::comb_device_read`], which gives the host numbers. Copies of strided arrays are cut into
//! what the driver copies at once ([`strided`]).
//!
//! Arrays that a program takes and gives are in the memory of the GPU; [`upload`] and [`download`] are for
//! callers that have them elsewhere.
//!
//! Cost: a launch is two calls of the driver the first time, and one then.

pub mod calls;
mod driver;
mod state;
mod strided;

pub use driver::{DeviceError, Vendor};
pub use state::{Device, is_address};

use std::ptr;

use crate::Array;

/// Memory of a GPU that is freed when it is dropped.
#[derive(Debug)]
pub struct DeviceMemory {
    device: &'static Device,
    address: u64,
}

impl DeviceMemory {
    /// Where it begins.
    pub fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        // What is wrong with the GPU is told when something waits for it.
        let _ = self.device.free(self.address);
    }
}

/// Copies an array to a GPU.
///
/// # Errors
///
/// If there is no GPU, or no memory.
pub fn upload(vendor: Vendor, array: &Array) -> Result<DeviceMemory, DeviceError> {
    let device = Device::of(vendor)?;
    let bytes = array.bytes();
    let memory = DeviceMemory {
        device,
        address: device.allocate(bytes.len())?,
    };
    // SAFETY: the memory has room for the bytes.
    unsafe { device.write(memory.address, bytes) }?;
    Ok(memory)
}

/// Copies the elements that a descriptor of an array describes, by the convention of [`crate::abi`], out of the
/// GPU's memory.
///
/// # Errors
///
/// If the GPU has failed.
///
/// # Safety
///
/// The elements are in memory of the GPU, and `array` has the sizes in the descriptor.
pub(crate) unsafe fn download(
    vendor: Vendor,
    words: &[u64],
    array: &mut Array,
) -> Result<(), DeviceError> {
    let device = Device::of(vendor)?;
    if array.is_empty() {
        return Ok(());
    }
    let element_size = array.element().byte_size();
    let rank = array.rank();
    let [sizes, strides] = [0, 1].map(|part| &words[3 + part * rank..][..rank]);
    let first = words[1].wrapping_add(words[2].wrapping_mul(element_size as u64));
    let bytes = array.bytes_mut();
    let is_dense = strided::is_dense(sizes, strides);
    // SAFETY: the caller's promise.
    unsafe {
        if is_dense {
            return device.read(bytes, first);
        }
        let dense = DeviceMemory {
            device,
            address: device.allocate(bytes.len())?,
        };
        let target = strided::dense_strides(sizes);
        let copy = strided::Copy {
            element_size: element_size as u64,
            sizes,
            strides: [&target, strides],
        };
        copy.run(device, [dense.address, first])?;
        device.read(bytes, dense.address)
    }
}

/// Waits until a GPU has done everything, and gives what it has failed at.
///
/// # Errors
///
/// If a kernel or a copy has failed.
pub fn synchronize(vendor: Vendor) -> Result<(), DeviceError> {
    Device::of(vendor)?.synchronize()
}

/// Frees memory if it is a GPU's, and says whether it is.
pub(crate) fn free_if_there(memory: *mut std::ffi::c_void) -> bool {
    let address = memory.addr() as u64;
    match state::opened() {
        Some(device) if device.owns(address) => {
            // What is wrong with the GPU is told when something waits for it.
            let _ = device.free(address);
            true
        }
        _ => false,
    }
}

/// A pointer that is an address on a GPU, for those who only hand it on.
fn pointer(address: u64) -> *mut std::ffi::c_void {
    ptr::with_exposed_provenance_mut(address as usize)
}
