//! The GPU that a process uses: its context, its stream, and what is allocated there.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::driver::{DeviceError, Driver, OUT_OF_MEMORY, Rectangle, Status, Vendor};

/// The GPU that the driver shows first; variables of the vendors say which that is.
const FIRST: c_int = 0;

/// A GPU that is in use.
pub struct Device {
    driver: Driver,
    context: *mut c_void,
    stream: *mut c_void,
    name: String,
    /// The addresses of what is allocated, with its bytes.
    allocated: Mutex<HashMap<u64, usize>>,
    clock: OnceLock<[Handle; 2]>,
}

// SAFETY: contexts, streams and modules may be used by any thread, which makes the context its own first.
unsafe impl Send for Device {}
// SAFETY: as above; what is not the driver's is behind a lock.
unsafe impl Sync for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.name).finish()
    }
}

static DEVICE: OnceLock<Device> = OnceLock::new();

/// Held while a GPU is opened.
static OPENING: Mutex<()> = Mutex::new(());

/// The GPU, if one is in use.
pub(super) fn opened() -> Option<&'static Device> {
    DEVICE.get()
}

/// Whether an address is where memory of the GPU begins that comb has allocated.
pub fn is_address(address: u64) -> bool {
    opened().is_some_and(|device| device.owns(address))
}

/// What a driver calls something: code that is loaded, a kernel in it, an event. Any thread may use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handle(pub *mut c_void);

/// How many blocks a launch has along each axis, then how many threads a block.
pub(super) type Grid = [c_uint; 6];

impl Device {
    /// The GPU of a vendor; it is opened if none is in use yet.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn of(vendor: Vendor) -> Result<&'static Self, DeviceError> {
        let device = match DEVICE.get() {
            Some(device) => device,
            None => {
                let _opening = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
                match DEVICE.get() {
                    Some(device) => device,
                    None => {
                        let opened = Self::open(vendor)?;
                        DEVICE.get_or_init(|| opened)
                    }
                }
            }
        };
        if device.driver.vendor != vendor {
            return Err(Driver::other(vendor));
        }
        device.enter()?;
        Ok(device)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What NVIDIA calls the architecture: 90 is `sm_90`.
    ///
    /// # Errors
    ///
    /// If the driver does not say.
    pub fn architecture(&self) -> Result<u32, DeviceError> {
        const MAJOR: c_int = 75;
        const MINOR: c_int = 76;
        let number = |attribute| {
            let mut number = 0;
            // SAFETY: there is room for the number.
            let status = unsafe {
                (self.driver.functions.device_attribute)(&raw mut number, attribute, FIRST)
            };
            self.driver.check("architecture", status)?;
            Ok(number as u32)
        };
        Ok(10 * number(MAJOR)? + number(MINOR)?)
    }

    fn open(vendor: Vendor) -> Result<Self, DeviceError> {
        /// Ordered with what others do without naming a stream.
        const BLOCKING: c_uint = 0;
        let driver = Driver::open(vendor)?;
        let functions = &driver.functions;
        let (mut count, mut device) = (0, 0);
        let (mut context, mut stream) = (ptr::null_mut(), ptr::null_mut());
        let mut name: [c_char; 256] = [0; 256];
        // SAFETY: each function is given room for what it gives.
        unsafe {
            // A driver without a GPU says so in several ways.
            let is_there =
                (functions.init)(0) == 0 && (functions.device_count)(&raw mut count) == 0;
            if !is_there || count == 0 {
                return Err(driver.no_device());
            }
            driver.check("device", (functions.device)(&raw mut device, FIRST))?;
            let length = name.len() as c_int - 1;
            let named = (functions.device_name)(name.as_mut_ptr(), length, device);
            driver.check("device name", named)?;
            let retained = (functions.retain_context)(&raw mut context, device);
            driver.check("context", retained)?;
            driver.check("context", (functions.set_context)(context))?;
            let created = (functions.create_stream)(&raw mut stream, BLOCKING);
            driver.check("stream", created)?;
            keep_freed_memory(&driver, device)?;
        }
        // SAFETY: the last byte was left 0.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) };
        Ok(Self {
            context,
            stream,
            name: name.to_string_lossy().into_owned(),
            allocated: Mutex::default(),
            clock: OnceLock::new(),
            driver,
        })
    }

    /// Makes the context that of this thread, unless it is.
    fn enter(&self) -> Result<(), DeviceError> {
        thread_local! {
            static IS_ENTERED: Cell<bool> = const { Cell::new(false) };
        }
        if IS_ENTERED.get() {
            return Ok(());
        }
        // SAFETY: the context is alive as long as the process.
        let status = unsafe { (self.driver.functions.set_context)(self.context) };
        self.driver.check("context", status)?;
        IS_ENTERED.set(true);
        Ok(())
    }

    fn allocated(&self) -> MutexGuard<'_, HashMap<u64, usize>> {
        self.allocated
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether memory that begins at an address is its own, and not freed.
    pub(super) fn owns(&self, address: u64) -> bool {
        self.allocated().contains_key(&address)
    }

    /// Allocates memory, which is not initialised; of no bytes, too.
    pub(super) fn allocate(&self, bytes: usize) -> Result<u64, DeviceError> {
        let mut address = 0;
        // SAFETY: there is room for the address.
        let status = unsafe {
            (self.driver.functions.allocate)(&raw mut address, bytes.max(1), self.stream)
        };
        if status == OUT_OF_MEMORY {
            return Err(DeviceError::Memory { bytes });
        }
        self.driver.check("allocation", status)?;
        self.allocated().insert(address, bytes);
        Ok(address)
    }

    /// Frees memory when what was begun before is done.
    pub(super) fn free(&self, address: u64) -> Result<(), DeviceError> {
        self.allocated().remove(&address);
        // SAFETY: the memory was allocated, and is not freed yet.
        let status = unsafe { (self.driver.functions.free)(address, self.stream) };
        self.driver.check("freeing memory", status)
    }

    /// Memory of the host that kernels can use as well, at the same address. It is never freed.
    pub(super) fn allocate_host(&self, bytes: usize) -> Result<*mut c_void, DeviceError> {
        /// For all contexts, and for kernels.
        const PORTABLE_AND_MAPPED: c_uint = 1 | 2;
        let mut memory = ptr::null_mut();
        // SAFETY: there is room for the address.
        let status = unsafe {
            (self.driver.functions.allocate_host)(&raw mut memory, bytes, PORTABLE_AND_MAPPED)
        };
        self.driver.check("memory of the host", status)?;
        Ok(memory)
    }

    /// Copies bytes to the GPU; they are read before this returns.
    ///
    /// # Safety
    ///
    /// There is room for the bytes.
    pub(super) unsafe fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the caller's promise; drivers read memory that is not pinned before they return.
        let status = unsafe {
            (self.driver.functions.write)(address, bytes.as_ptr().cast(), bytes.len(), self.stream)
        };
        self.driver.check("copy to the GPU", status)
    }

    /// Copies bytes from the GPU, when everything that was begun before is done.
    ///
    /// # Safety
    ///
    /// So many bytes are there.
    pub(super) unsafe fn read(&self, bytes: &mut [u8], address: u64) -> Result<(), DeviceError> {
        if !bytes.is_empty() {
            let (target, count) = (bytes.as_mut_ptr().cast(), bytes.len());
            // SAFETY: the caller's promise; the bytes are borrowed until the copy is done.
            let status =
                unsafe { (self.driver.functions.read)(target, address, count, self.stream) };
            self.driver.check("copy from the GPU", status)?;
        }
        self.synchronize()
    }

    /// Copies bytes on the GPU.
    ///
    /// # Safety
    ///
    /// Both places have so many bytes, and do not overlap.
    pub(super) unsafe fn copy(
        &self,
        target: u64,
        source: u64,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        let status = unsafe { (self.driver.functions.copy)(target, source, bytes, self.stream) };
        self.driver.check("copy on the GPU", status)
    }

    /// Copies a rectangle on the GPU.
    ///
    /// # Safety
    ///
    /// Both sides have the rectangle, and do not overlap.
    pub(super) unsafe fn copy_rectangle(&self, rectangle: &Rectangle) -> Result<(), DeviceError> {
        // SAFETY: the caller's promise.
        let status = unsafe { (self.driver.functions.copy_rectangle)(rectangle, self.stream) };
        self.driver.check("copy on the GPU", status)
    }

    /// Loads code, for the sake of a kernel.
    ///
    /// # Safety
    ///
    /// The code is what a compiler made for the vendor's GPUs, and ends in a NUL if it is text.
    pub(super) unsafe fn load(
        &self,
        code: *const c_void,
        kernel: &CStr,
    ) -> Result<Handle, DeviceError> {
        let mut log = Log::default();
        let mut module = ptr::null_mut();
        let (count, mut options, mut values) = log.options(self.driver.vendor);
        // SAFETY: the caller's promise; there is room for what is given, and for the log.
        let status = unsafe {
            (self.driver.functions.load_module)(
                &raw mut module,
                code,
                count,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        match status {
            0 => Ok(Handle(module)),
            status => Err(self.refused(kernel, status, log.lines())),
        }
    }

    /// A kernel in code that is loaded.
    pub(super) fn kernel(&self, code: Handle, kernel: &CStr) -> Result<Handle, DeviceError> {
        let mut function = ptr::null_mut();
        // SAFETY: the code is loaded, and there is room for the kernel.
        let status = unsafe {
            (self.driver.functions.get_function)(&raw mut function, code.0, kernel.as_ptr())
        };
        match status {
            0 => Ok(Handle(function)),
            status => Err(self.refused(kernel, status, String::new())),
        }
    }

    fn refused(&self, kernel: &CStr, status: Status, log: String) -> DeviceError {
        DeviceError::Kernel {
            kernel: kernel.to_string_lossy().into_owned(),
            reason: self.driver.describe(status),
            log,
        }
    }

    /// Launches a kernel, when what was begun before is done.
    ///
    /// # Safety
    ///
    /// The words are what the kernel takes, each in the first bytes of one.
    pub(super) unsafe fn launch(
        &self,
        kernel: Handle,
        grid: Grid,
        words: &[u64],
    ) -> Result<(), DeviceError> {
        let mut parameters: Vec<*mut c_void> = words
            .iter()
            .map(|word| ptr::from_ref(word).cast_mut().cast())
            .collect();
        let [blocks, threads] = [&grid[..3], &grid[3..]];
        // SAFETY: the caller's promise; the driver copies what parameters point to.
        let status = unsafe {
            (self.driver.functions.launch)(
                kernel.0,
                blocks[0],
                blocks[1],
                blocks[2],
                threads[0],
                threads[1],
                threads[2],
                0,
                self.stream,
                parameters.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        self.driver.check("launch of a kernel", status)
    }

    /// Starts the clock when what was begun before is done.
    pub(super) fn start_clock(&self) -> Result<(), DeviceError> {
        let [start, _] = self.clock()?;
        // SAFETY: the event and the stream are alive as long as the process.
        let status = unsafe { (self.driver.functions.record_event)(start.0, self.stream) };
        self.driver.check("clock", status)
    }

    /// The milliseconds since the clock started until what has been begun since is done.
    pub(super) fn stop_clock(&self) -> Result<f32, DeviceError> {
        let [start, end] = self.clock()?.map(|event| event.0);
        let mut elapsed = 0.0;
        let functions = &self.driver.functions;
        // SAFETY: as above, and there is room for the time.
        unsafe {
            let recorded = (functions.record_event)(end, self.stream);
            self.driver.check("clock", recorded)?;
            self.driver
                .check("kernels", (functions.wait_for_event)(end))?;
            let found = (functions.elapsed)(&raw mut elapsed, start, end);
            self.driver.check("clock", found)?;
        }
        Ok(elapsed)
    }

    /// The events at the beginning and the end of what is timed.
    fn clock(&self) -> Result<[Handle; 2], DeviceError> {
        if let Some(&clock) = self.clock.get() {
            return Ok(clock);
        }
        let event = || {
            let mut event = ptr::null_mut();
            // SAFETY: there is room for the event.
            let status = unsafe { (self.driver.functions.create_event)(&raw mut event, 0) };
            self.driver.check("clock", status)?;
            Ok(Handle(event))
        };
        let clock = [event()?, event()?];
        Ok(*self.clock.get_or_init(|| clock))
    }

    /// Waits until everything is done that was begun.
    pub(super) fn synchronize(&self) -> Result<(), DeviceError> {
        // SAFETY: the stream is alive as long as the process.
        let status = unsafe { (self.driver.functions.synchronize)(self.stream) };
        self.driver.check("kernels", status)
    }
}

/// Has the driver give freed memory out again, and not to the system at every synchronisation.
///
/// # Safety
///
/// The driver has a GPU, whose context is this thread's.
unsafe fn keep_freed_memory(driver: &Driver, device: c_int) -> Result<(), DeviceError> {
    const RELEASE_THRESHOLD: c_int = 4;
    let (mut pool, mut all) = (ptr::null_mut(), u64::MAX);
    // SAFETY: there is room for the pool; the attribute is a number of 64 bits.
    unsafe {
        let found = (driver.functions.default_pool)(&raw mut pool, device);
        driver.check("memory pool", found)?;
        let threshold = (&raw mut all).cast();
        let set = (driver.functions.set_pool_attribute)(pool, RELEASE_THRESHOLD, threshold);
        driver.check("memory pool", set)
    }
}

/// What the driver's compiler says of code that it does not take.
struct Log {
    bytes: Vec<u8>,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            bytes: vec![0; 4096],
        }
    }
}

impl Log {
    /// How many options have the driver write to it, their numbers and values. AMD's driver compiles nothing.
    fn options(&mut self, vendor: Vendor) -> (c_uint, [c_int; 2], [*mut c_void; 2]) {
        const BUFFER: c_int = 5;
        const SIZE: c_int = 6;
        let size = ptr::without_provenance_mut(self.bytes.len());
        let count = if vendor == Vendor::Nvidia { 2 } else { 0 };
        let buffer = self.bytes.as_mut_ptr().cast();
        (count, [BUFFER, SIZE], [buffer, size])
    }

    /// What was written, on lines of its own.
    fn lines(&self) -> String {
        let text = CStr::from_bytes_until_nul(&self.bytes).map(CStr::to_owned);
        let text = text.unwrap_or_else(|_| CString::default());
        match text.to_string_lossy().trim() {
            "" => String::new(),
            text => format!("\n{text}"),
        }
    }
}
