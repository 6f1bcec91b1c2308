//! Modules, their kernels and their variables.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use super::context::{SHARED_DEFAULT, SHARED_LIMIT};
use super::{Handle, Result, api, put, ready};
use crate::device::{Device, Kernel};
use crate::error::Status;
use crate::module;

const INFO_LOG: c_int = 3;
const INFO_LOG_SIZE: c_int = 4;
const ERROR_LOG: c_int = 5;
const ERROR_LOG_SIZE: c_int = 6;

/// What the logs of compiling go to.
struct Log {
    buffer: *mut c_char,
    /// Where the size is, among the values of the options.
    size: *mut *mut c_void,
}

api! {
    /// Loads a module of PTX text.
    fn cuModuleLoadData(device, module: *mut Handle, image: *const c_void) {
        let device = ready(device)?;
        // SAFETY: as this function.
        unsafe { load(device, module, image, None)? };
    }

    /// Loads a module of PTX text; the options name buffers for errors.
    fn cuModuleLoadDataEx(
        device,
        module: *mut Handle,
        image: *const c_void,
        count: c_uint,
        options: *const c_int,
        values: *mut *mut c_void,
    ) {
        let device = ready(device)?;
        // SAFETY: as this function.
        unsafe {
            if let Some(info) = log(count, options, values, INFO_LOG, INFO_LOG_SIZE) {
                info.write("");
            }
            let errors = log(count, options, values, ERROR_LOG, ERROR_LOG_SIZE);
            load(device, module, image, errors)?;
        }
    }

    /// Unloads a module, once all work is done.
    fn cuModuleUnload(device, module: Handle) {
        let device = ready(device)?;
        if !device.modules.contains_key(&(module as usize)) {
            return Err(Status::INVALID_HANDLE);
        }
        device.forbid_strict_captures()?;
        device.finish()?;
        if let Some(loaded) = device.modules.remove(&(module as usize)) {
            module::unload(&loaded.variables, &mut device.memory);
        }
        device.kernels.retain(|_, kernel| kernel.module != module as usize);
    }

    /// The kernel of a name.
    fn cuModuleGetFunction(device, function: *mut Handle, module: Handle, name: *const c_char) {
        let device = ready(device)?;
        // SAFETY: as this function.
        let name = unsafe { text(name)? };
        let loaded = device.modules.get(&(module as usize));
        let program = &loaded.ok_or(Status::INVALID_HANDLE)?.program;
        let number = *program.kernels.get(name).ok_or(Status::NOT_FOUND)?;
        let handle = kernel_handle(device, module as usize, number);
        // SAFETY: as this function.
        unsafe { put(function, handle)? };
    }

    /// The address and size of a variable.
    fn cuModuleGetGlobal_v2(
        device,
        address: *mut u64,
        size: *mut usize,
        module: Handle,
        name: *const c_char,
    ) {
        let device = ready(device)?;
        // SAFETY: as this function.
        let name = unsafe { text(name)? };
        let loaded = device.modules.get(&(module as usize));
        let variables = &loaded.ok_or(Status::INVALID_HANDLE)?.variables;
        let (found, bytes) = *variables.get(name).ok_or(Status::NOT_FOUND)?;
        // SAFETY: as this function.
        unsafe {
            if !address.is_null() {
                put(address, found)?;
            }
            if !size.is_null() {
                put(size, bytes as usize)?;
            }
        }
    }

    /// An attribute of a kernel.
    fn cuFuncGetAttribute(device, value: *mut c_int, attribute: c_int, kernel: Handle) {
        let device = ready(device)?;
        let (kernel, module) = device.kernel(kernel as usize)?;
        let function = &module.program.functions[kernel.function];
        let found = match attribute {
            0 => function.max_threads.unwrap_or(1024).min(1024) as usize,
            1 => function.shared_bytes,
            3 => function.frame_bytes - function.signature_bytes,
            4 => 32,
            5 | 6 => device.settings.chip as usize,
            8 => kernel.dynamic_shared,
            2 | 7 | 9..=15 => 0,
            _ => return Err(Status::INVALID_VALUE),
        };
        // SAFETY: as this function.
        unsafe { put(value, found as c_int)? };
    }

    /// Changes an attribute of a kernel: the most shared memory that launches may ask for.
    fn cuFuncSetAttribute(device, kernel: Handle, attribute: c_int, value: c_int) {
        let device = ready(device)?;
        let (found, module) = device.kernel(kernel as usize)?;
        let fixed = module.program.functions[found.function].shared_bytes;
        let value = usize::try_from(value).ok();
        match (attribute, value) {
            (8, Some(value)) if fixed + value <= SHARED_LIMIT => {
                if let Some(kernel) = device.kernels.get_mut(&(kernel as usize)) {
                    kernel.dynamic_shared = value;
                }
            }
            (9, _) => {}
            _ => return Err(Status::INVALID_VALUE),
        }
    }
}

/// The handle of a kernel: always the same one.
fn kernel_handle(device: &mut Device, module: usize, function: usize) -> Handle {
    let mut kernels = device.kernels.iter();
    let known = kernels.find(|(_, kernel)| kernel.module == module && kernel.function == function);
    if let Some((handle, _)) = known {
        return *handle as Handle;
    }
    let fixed = device.modules[&module].program.functions[function].shared_bytes;
    let handle = device.new_handle();
    let kernel = Kernel {
        module,
        function,
        dynamic_shared: SHARED_DEFAULT.saturating_sub(fixed),
    };
    device.kernels.insert(handle, kernel);
    handle as Handle
}

/// Loads a module.
///
/// # Safety
///
/// The image is null or text that ends with a zero; the others are null or valid.
unsafe fn load(
    device: &mut Device,
    to: *mut Handle,
    image: *const c_void,
    errors: Option<Log>,
) -> Result<()> {
    // SAFETY: the caller vouches for the text.
    let image = unsafe { text(image.cast())? };
    if image.starts_with('\u{7f}') {
        return Err(Status::NO_BINARY_FOR_GPU);
    }
    let loaded = module::load(image, device.settings.chip, &mut device.memory);
    let message = loaded.as_ref().err().map(ToString::to_string);
    if let Some(errors) = errors {
        // SAFETY: the caller vouches for the buffer.
        unsafe { errors.write(message.as_deref().unwrap_or("")) };
    } else if let Some(message) = message {
        eprintln!("comb-ptx: {message}");
    }
    let loaded = loaded.map_err(|error| error.status())?;
    let handle = device.new_handle();
    device.modules.insert(handle, loaded);
    // SAFETY: the caller vouches for the pointer.
    unsafe { put(to, handle as Handle) }
}

/// The buffer that options name, of the kinds of its address and its size.
///
/// # Safety
///
/// There are `count` options and values.
unsafe fn log(
    count: c_uint,
    options: *const c_int,
    values: *mut *mut c_void,
    address: c_int,
    size: c_int,
) -> Option<Log> {
    let (mut buffer, mut length) = (None, None);
    for i in 0..count as usize {
        // SAFETY: the caller vouches for `count` of both.
        unsafe {
            let option = options.add(i).read();
            if option == address {
                buffer = Some(values.add(i).read().cast());
            } else if option == size {
                length = Some(values.add(i));
            }
        }
    }
    Some(Log {
        buffer: buffer.filter(|buffer: &*mut c_char| !buffer.is_null())?,
        size: length?,
    })
}

impl Log {
    /// Fills the buffer, and stores how much of it is used.
    ///
    /// # Safety
    ///
    /// The buffer is valid for the size that the option names.
    unsafe fn write(&self, text: &str) {
        // SAFETY: the caller vouches for the buffer and the option.
        unsafe {
            let size = self.size.read() as usize;
            if size == 0 {
                return;
            }
            let count = text.len().min(size - 1);
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), self.buffer, count);
            self.buffer.add(count).write(0);
            self.size.write(count as *mut c_void);
        }
    }
}

/// Text that ends with a zero.
///
/// # Safety
///
/// The pointer is null or points to such text.
unsafe fn text<'a>(text: *const c_char) -> Result<&'a str> {
    if text.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: the caller vouches for the text.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Status::INVALID_IMAGE)
}
