//! How many threads parallel loops of compiled code run on: as many as
//! `OMP_NUM_THREADS` says, or else as there are cores, unless a program says it here.

use std::ffi::c_int;
use std::num::NonZeroU32;

/// Sets the number of threads for parallel loops that this thread starts from now
/// on. Where OpenMP is not loaded, there are no such loops, and nothing is done.
pub fn set_thread_count(count: NonZeroU32) {
    // SAFETY: the name is NUL-terminated; the symbol is only looked for.
    let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"omp_set_num_threads".as_ptr()) };
    if function.is_null() {
        return;
    }
    let count = c_int::try_from(count.get()).unwrap_or(c_int::MAX);
    // SAFETY: this is the type that OpenMP gives the function.
    unsafe {
        let set: unsafe extern "C" fn(c_int) = std::mem::transmute(function);
        set(count);
    }
}
