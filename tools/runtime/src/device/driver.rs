//! The driver of a GPU: a library that is opened when it is first needed, and its functions.
//!
//! NVIDIA's `libcuda` and AMD's `libamdhip64` have the same functions for what is needed here, under other names, with the
//! same parameters. So there is one table, with both names.

use std::env;
use std::ffi::{CStr, OsString, c_char, c_int, c_uint, c_void};
use std::ptr;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use serde::{Deserialize, Serialize};

/// Who makes a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vendor {
    /// NVIDIA: kernels are PTX or cubin, and `libcuda` runs them.
    Nvidia,
    /// AMD: kernels are HSACO, and `libamdhip64` runs them.
    Amd,
}

impl Vendor {
    /// All.
    pub const ALL: [Self; 2] = [Self::Nvidia, Self::Amd];

    /// A number for it, which compiled code has.
    pub fn number(self) -> i64 {
        match self {
            Self::Nvidia => 0,
            Self::Amd => 1,
        }
    }

    /// The one with a number.
    pub fn of_number(number: i64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|vendor| vendor.number() == number)
    }

    /// The variable that names another library, and the driver's usual one.
    fn library(self) -> (&'static str, &'static str) {
        match self {
            Self::Nvidia => ("COMB_CUDA_LIBRARY", "libcuda.so.1"),
            Self::Amd => ("COMB_HIP_LIBRARY", "libamdhip64.so"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nvidia => "NVIDIA",
            Self::Amd => "AMD",
        }
    }
}

/// Why a GPU cannot do something.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DeviceError {
    /// The driver is not there: the machine's fault.
    #[error(
        "there is no driver for a GPU of {vendor}: '{library}' cannot be opened ({reason}); install it, or name \
         it by {variable}"
    )]
    NoDriver {
        /// Who makes the GPU.
        vendor: &'static str,
        /// What was to be opened.
        library: String,
        /// What the loader said.
        reason: String,
        /// The variable that names another library.
        variable: &'static str,
    },
    /// The driver is too old: the machine's fault.
    #[error("the driver '{library}' has no function '{function}'; a newer one is needed")]
    NoFunction {
        /// The driver.
        library: String,
        /// What it lacks.
        function: String,
    },
    /// There is a driver, but no GPU: the machine's fault.
    #[error("the driver '{library}' finds no GPU of {vendor}")]
    NoDevice {
        /// The driver.
        library: String,
        /// Who makes the GPU.
        vendor: &'static str,
    },
    /// Another vendor's GPU is in use: the caller's fault.
    #[error("this process uses a GPU of another vendor already, and cannot use one of {vendor}")]
    OtherVendor {
        /// Who makes the GPU that is wanted.
        vendor: &'static str,
    },
    /// There is no memory left.
    #[error("out of memory on the GPU: an array of {bytes} bytes does not fit")]
    Memory {
        /// The size of what was to be allocated.
        bytes: usize,
    },
    /// The driver does not take a kernel: it is for another GPU, or the compiler is at fault.
    #[error("the GPU's driver does not take the kernel '{kernel}': {reason}{log}")]
    Kernel {
        /// The kernel.
        kernel: String,
        /// What the driver said.
        reason: String,
        /// What its compiler said, on lines of its own.
        log: String,
    },
    /// A function of the driver failed, or what was to be done before: the compiler's fault, or the machine's.
    #[error("the GPU failed: {function}: {reason}")]
    Failed {
        /// The function of the driver.
        function: &'static str,
        /// What the driver said.
        reason: String,
    },
}

/// What functions of the driver give: 0 for success.
pub(super) type Status = c_int;

/// The driver has no memory left.
pub(super) const OUT_OF_MEMORY: Status = 2;

/// A copy of a rectangle, as both drivers describe it.
#[repr(C)]
pub(super) struct Rectangle {
    pub source: Side,
    pub target: Side,
    pub width: usize,
    pub height: usize,
}

/// One side of a [`Rectangle`].
#[repr(C)]
pub(super) struct Side {
    x: usize,
    y: usize,
    memory: c_uint,
    host: *const c_void,
    device: u64,
    array: *const c_void,
    pitch: usize,
}

impl Side {
    /// Memory of the GPU, where rows are at a distance.
    pub fn on_device(address: u64, pitch: usize) -> Self {
        const DEVICE: c_uint = 2;
        Self {
            x: 0,
            y: 0,
            memory: DEVICE,
            host: ptr::null(),
            device: address,
            array: ptr::null(),
            pitch,
        }
    }
}

macro_rules! functions {
    ($($name:ident($($parameter:ty),*) = $nvidia:literal $amd:literal;)*) => {
        /// The functions of a driver.
        pub(super) struct Functions {
            $(pub $name: unsafe extern "C" fn($($parameter),*) -> Status,)*
        }

        impl Functions {
            /// Finds all of them.
            fn of(library: &Library, vendor: Vendor) -> Result<Self, &'static str> {
                $(
                    let name = match vendor {
                        Vendor::Nvidia => $nvidia,
                        Vendor::Amd => $amd,
                    };
                    // SAFETY: both drivers document these parameters.
                    let $name = unsafe { library.get::<unsafe extern "C" fn($($parameter),*) -> Status>(name.as_bytes()) };
                    let $name = *$name.map_err(|_| name)?;
                )*
                Ok(Self { $($name),* })
            }
        }
    };
}

functions! {
    init(c_uint) = "cuInit" "hipInit";
    device_count(*mut c_int) = "cuDeviceGetCount" "hipGetDeviceCount";
    device(*mut c_int, c_int) = "cuDeviceGet" "hipDeviceGet";
    device_name(*mut c_char, c_int, c_int) = "cuDeviceGetName" "hipDeviceGetName";
    device_attribute(*mut c_int, c_int, c_int) = "cuDeviceGetAttribute" "hipDeviceGetAttribute";
    retain_context(*mut *mut c_void, c_int) = "cuDevicePrimaryCtxRetain" "hipDevicePrimaryCtxRetain";
    set_context(*mut c_void) = "cuCtxSetCurrent" "hipCtxSetCurrent";
    default_pool(*mut *mut c_void, c_int) = "cuDeviceGetDefaultMemPool" "hipDeviceGetDefaultMemPool";
    set_pool_attribute(*mut c_void, c_int, *mut c_void) = "cuMemPoolSetAttribute" "hipMemPoolSetAttribute";
    load_module(*mut *mut c_void, *const c_void, c_uint, *mut c_int, *mut *mut c_void)
        = "cuModuleLoadDataEx" "hipModuleLoadDataEx";
    get_function(*mut *mut c_void, *mut c_void, *const c_char) = "cuModuleGetFunction" "hipModuleGetFunction";
    launch(*mut c_void, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, *mut c_void, *mut *mut c_void, *mut *mut c_void)
        = "cuLaunchKernel" "hipModuleLaunchKernel";
    allocate(*mut u64, usize, *mut c_void) = "cuMemAllocAsync" "hipMallocAsync";
    free(u64, *mut c_void) = "cuMemFreeAsync" "hipFreeAsync";
    allocate_host(*mut *mut c_void, usize, c_uint) = "cuMemHostAlloc" "hipHostMalloc";
    write(u64, *const c_void, usize, *mut c_void) = "cuMemcpyHtoDAsync_v2" "hipMemcpyHtoDAsync";
    read(*mut c_void, u64, usize, *mut c_void) = "cuMemcpyDtoHAsync_v2" "hipMemcpyDtoHAsync";
    copy(u64, u64, usize, *mut c_void) = "cuMemcpyDtoDAsync_v2" "hipMemcpyDtoDAsync";
    copy_rectangle(*const Rectangle, *mut c_void) = "cuMemcpy2DAsync_v2" "hipMemcpyParam2DAsync";
    create_stream(*mut *mut c_void, c_uint) = "cuStreamCreate" "hipStreamCreateWithFlags";
    synchronize(*mut c_void) = "cuStreamSynchronize" "hipStreamSynchronize";
    create_event(*mut *mut c_void, c_uint) = "cuEventCreate" "hipEventCreateWithFlags";
    record_event(*mut c_void, *mut c_void) = "cuEventRecord" "hipEventRecord";
    wait_for_event(*mut c_void) = "cuEventSynchronize" "hipEventSynchronize";
    elapsed(*mut f32, *mut c_void, *mut c_void) = "cuEventElapsedTime" "hipEventElapsedTime";
    error_name(Status, *mut *const c_char) = "cuGetErrorName" "hipDrvGetErrorName";
    error_text(Status, *mut *const c_char) = "cuGetErrorString" "hipDrvGetErrorString";
}

/// A driver that was opened.
pub(super) struct Driver {
    pub vendor: Vendor,
    pub functions: Functions,
    library: String,
    /// Stays open as long as its functions may be called.
    _open: Library,
}

impl Driver {
    /// Opens the driver for a vendor's GPUs.
    pub fn open(vendor: Vendor) -> Result<Self, DeviceError> {
        let (variable, usual) = vendor.library();
        let path = env::var_os(variable).unwrap_or_else(|| OsString::from(usual));
        let library = path.to_string_lossy().into_owned();
        // SAFETY: a driver is meant to be opened by programs.
        let open = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) };
        let open = open.map_err(|error| DeviceError::NoDriver {
            vendor: vendor.name(),
            library: library.clone(),
            reason: std::error::Error::source(&error)
                .map_or_else(|| error.to_string(), ToString::to_string),
            variable,
        })?;
        let functions =
            Functions::of(&open, vendor).map_err(|function| DeviceError::NoFunction {
                library: library.clone(),
                function: function.to_owned(),
            })?;
        Ok(Self {
            vendor,
            functions,
            library,
            _open: open,
        })
    }

    /// That it finds no GPU.
    pub fn no_device(&self) -> DeviceError {
        DeviceError::NoDevice {
            library: self.library.clone(),
            vendor: self.vendor.name(),
        }
    }

    /// An error unless a function succeeded.
    pub fn check(&self, function: &'static str, status: Status) -> Result<(), DeviceError> {
        match status {
            0 => Ok(()),
            status => Err(DeviceError::Failed {
                function,
                reason: self.describe(status),
            }),
        }
    }

    /// What the driver says of an error.
    pub fn describe(&self, status: Status) -> String {
        let describe = |function: unsafe extern "C" fn(Status, *mut *const c_char) -> Status| {
            let mut text = ptr::null();
            // SAFETY: the function gives a constant string, or none.
            unsafe {
                let is_known = function(status, &raw mut text) == 0 && !text.is_null();
                is_known.then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
            }
        };
        let name = describe(self.functions.error_name);
        let text = describe(self.functions.error_text);
        match (name, text) {
            (Some(name), Some(text)) => format!("{text} ({name})"),
            _ => format!("error {status}"),
        }
    }

    /// That a GPU of another vendor is in use.
    pub fn other(vendor: Vendor) -> DeviceError {
        DeviceError::OtherVendor {
            vendor: vendor.name(),
        }
    }
}
