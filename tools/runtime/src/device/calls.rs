//! What the host code of compiled programs calls, and programs that use it. All numbers are of 64 bits, addresses as well.
//!
//! A failure is a run-time error of the program ([`crate::failure`]), as one on a CPU.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use super::driver::{DeviceError, Vendor};
use super::state::{self, Device, Handle};
use super::{pointer, strided};
use crate::failure;
use crate::memory::calls as owners;

/// The most bytes that a kernel can report.
const MOST_REPORTED: u64 = 4096;

/// What was done, or else the program fails.
fn or_fail<T>(result: Result<T, DeviceError>) -> T {
    let message = match result {
        Ok(done) => return done,
        Err(error) => CString::new(error.to_string()).unwrap_or_default(),
    };
    failure::report(message)
}

/// The GPU that [`comb_device_open`] has opened.
fn device() -> &'static Device {
    // Compiled code opens it before anything else.
    state::opened().unwrap_or_else(|| failure::report(c"no GPU was opened".to_owned()))
}

/// Bytes of the host.
///
/// # Safety
///
/// They are there, and not written meanwhile.
unsafe fn bytes<'a>(address: u64, count: u64) -> &'a [u8] {
    let first: *const u8 = ptr::with_exposed_provenance(address as usize);
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(first, count as usize) }
}

/// Begins to use the GPU of a vendor, unless this process does so already; each function that can be called
/// from outside begins with it.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comb_device_open(vendor: i64) {
    match Vendor::of_number(vendor) {
        Some(vendor) => or_fail(Device::of(vendor)),
        None => {
            failure::report(c"no vendor of GPUs has that number: 0 is NVIDIA, 1 is AMD".to_owned())
        }
    };
}

/// As `malloc`, on the GPU. [`comb_runtime_free`](crate::memory::comb_runtime_free) frees it.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comb_device_allocate(size: usize) -> *mut c_void {
    let memory = pointer(or_fail(device().allocate(size)));
    owners::note(memory);
    memory
}

/// Copies numbers from the GPU to the host, when everything that was begun before is done.
///
/// # Safety
///
/// Both places have so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_device_read(target: u64, source: u64, count: u64) {
    let first: *mut u8 = ptr::with_exposed_provenance_mut(target as usize);
    // SAFETY: the caller's promise.
    let read = unsafe {
        device().read(
            std::slice::from_raw_parts_mut(first, count as usize),
            source,
        )
    };
    or_fail(read);
}

/// Copies numbers from the host to the GPU; they may change when this returns.
///
/// # Safety
///
/// Both places have so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_device_write(target: u64, source: u64, count: u64) {
    // SAFETY: the caller's promise.
    or_fail(unsafe { device().write(target, bytes(source, count)) });
}

/// Where kernels that this thread launches report what they find: so many bytes of the host, which kernels can write, and the host
/// reads when it has waited for them. Each thread has one such place.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comb_device_report(count: u64) -> u64 {
    thread_local! {
        static PLACE: Cell<u64> = const { Cell::new(0) };
    }
    if count > MOST_REPORTED {
        failure::report(c"internal error: a kernel reports too much".to_owned());
    }
    if PLACE.get() == 0 {
        let place = or_fail(device().allocate_host(MOST_REPORTED as usize));
        PLACE.set(place.expose_provenance() as u64);
    }
    PLACE.get()
}

/// Gives where a constant of the host is on the GPU. The slot is 0 before the first call.
///
/// # Safety
///
/// The slot is one constant's, which has so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_device_constant(
    slot: &AtomicU64,
    source: u64,
    count: u64,
) -> u64 {
    let known = slot.load(Ordering::Acquire);
    if known != 0 {
        return known;
    }
    let device = device();
    let address = or_fail(device.allocate(count as usize));
    // SAFETY: the caller's promise.
    or_fail(unsafe { device.write(address, bytes(source, count)) });
    let ours = slot.compare_exchange(0, address, Ordering::AcqRel, Ordering::Acquire);
    ours.map_or_else(
        |other| {
            or_fail(device.free(address));
            other
        },
        |_| address,
    )
}

/// Copies an array on the GPU. The words are the bytes of an element, the rank, both addresses, the sizes, and the
/// strides in elements; the target comes first.
///
/// # Safety
///
/// The words say what is there, and the arrays do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_device_copy(words: *const u64) {
    // SAFETY: the caller's promise.
    let copied = unsafe {
        let rank = *words.add(1) as usize;
        let words = std::slice::from_raw_parts(words, 4 + 3 * rank);
        let [sizes, target, source] = [0, 1, 2].map(|part| &words[4 + part * rank..][..rank]);
        let copy = strided::Copy {
            element_size: words[0],
            sizes,
            strides: [target, source],
        };
        copy.run(device(), [words[2], words[3]])
    };
    or_fail(copied);
}

/// Launches a kernel. The slots of the code and of the kernel are 0 before the first call with them, and then say what the driver
/// calls them; the sizes are the blocks along x, y and z, and the threads of a block; each of the words is a parameter.
///
/// # Safety
///
/// The slots are those of the code and of the kernel, which is in the code and takes the words.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn comb_device_launch(
    code_slot: &AtomicU64,
    slot: &AtomicU64,
    code: *const c_void,
    kernel: *const c_char,
    sizes: *const u64,
    words: *const u64,
    count: u64,
) {
    let device = device();
    // SAFETY: the caller's promise.
    let launched = unsafe {
        let name = CStr::from_ptr(kernel);
        let sizes: [u64; 6] = *sizes.cast();
        let words = std::slice::from_raw_parts(words, count as usize);
        kept(slot, || {
            let code = kept(code_slot, || device.load(code, name))?;
            device.kernel(code, name)
        })
        .and_then(|kernel| device.launch(kernel, sizes.map(|size| size as c_uint), words))
    };
    or_fail(launched);
}

/// What a slot has, or what is found then. Threads that find it at the same time all may.
fn kept(
    slot: &AtomicU64,
    find: impl FnOnce() -> Result<Handle, DeviceError>,
) -> Result<Handle, DeviceError> {
    match slot.load(Ordering::Acquire) {
        0 => {
            let found = find()?;
            slot.store(found.0.expose_provenance() as u64, Ordering::Release);
            Ok(found)
        }
        known => Ok(Handle(pointer(known))),
    }
}

/// Waits until everything is done that was begun.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comb_device_synchronize() {
    or_fail(device().synchronize());
}

/// Starts the GPU's clock when what was begun before is done.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comb_device_start_clock() {
    or_fail(device().start_clock());
}

/// The milliseconds since the clock started, until what has been begun since is done.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comb_device_stop_clock() -> f64 {
    or_fail(device().stop_clock()).into()
}
