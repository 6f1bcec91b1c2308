//! What can go wrong: the status codes of the driver API, errors of loading a module, and faults of
//! running kernels.

use std::ffi::CStr;

/// Why PTX text could not be loaded.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub(crate) struct LoadError {
    line: u32,
    message: String,
}

impl LoadError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> LoadError {
        LoadError {
            line,
            message: message.into(),
        }
    }
}

/// Why a kernel stopped.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Fault {
    /// What the driver API returns from then on.
    pub(crate) status: Status,
    /// What happened, for people.
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Fault {
        Fault {
            status,
            message: message.into(),
        }
    }
}

/// A status of the driver API: `CUresult`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Status(pub u32);

macro_rules! statuses {
    ($($name:ident = $code:literal, $symbol:literal, $text:literal;)*) => {
        impl Status {
            $(#[doc = $text] pub const $name: Status = Status($code);)*

            /// The name of the constant in `cuda.h`.
            pub(crate) fn name(self) -> Option<&'static CStr> {
                match self.0 {
                    $($code => Some($symbol),)*
                    _ => None,
                }
            }

            /// What it means.
            pub(crate) fn text(self) -> Option<&'static CStr> {
                match self.0 {
                    $($code => CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()).ok(),)*
                    _ => None,
                }
            }
        }
    };
}

statuses! {
    SUCCESS = 0, c"CUDA_SUCCESS", "no error";
    INVALID_VALUE = 1, c"CUDA_ERROR_INVALID_VALUE", "invalid argument";
    OUT_OF_MEMORY = 2, c"CUDA_ERROR_OUT_OF_MEMORY", "out of memory";
    NOT_INITIALIZED = 3, c"CUDA_ERROR_NOT_INITIALIZED", "initialization error";
    INVALID_DEVICE = 101, c"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal";
    INVALID_CONTEXT = 201, c"CUDA_ERROR_INVALID_CONTEXT", "invalid device context";
    INVALID_IMAGE = 200, c"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid";
    NO_BINARY_FOR_GPU = 209, c"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device";
    INVALID_PTX = 218, c"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed";
    INVALID_HANDLE = 400, c"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle";
    NOT_FOUND = 500, c"CUDA_ERROR_NOT_FOUND", "named symbol not found";
    NOT_READY = 600, c"CUDA_ERROR_NOT_READY", "device not ready";
    ILLEGAL_ADDRESS = 700, c"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered";
    LAUNCH_OUT_OF_RESOURCES = 701, c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch";
    LAUNCH_TIMEOUT = 702, c"CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated";
    ILLEGAL_INSTRUCTION = 715, c"CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered";
    MISALIGNED_ADDRESS = 716, c"CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address";
    LAUNCH_FAILED = 719, c"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure";
    NOT_SUPPORTED = 801, c"CUDA_ERROR_NOT_SUPPORTED", "operation not supported";
    STREAM_CAPTURE_UNSUPPORTED = 900, c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing";
    STREAM_CAPTURE_INVALIDATED = 901, c"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture";
    STREAM_CAPTURE_UNMATCHED = 903, c"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture was not initiated in this stream";
    STREAM_CAPTURE_IMPLICIT = 906, c"CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "operation would make the legacy stream depend on a capturing blocking stream";
    CAPTURED_EVENT = 907, c"CUDA_ERROR_CAPTURED_EVENT", "operation not permitted on an event last recorded in a capturing stream";
    UNKNOWN = 999, c"CUDA_ERROR_UNKNOWN", "unknown error";
}
