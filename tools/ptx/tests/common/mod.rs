//! What the tests share: a small wrapper of the C API, and processes of their own for tests, as the
//! driver has one state and reads the environment once.

#![allow(dead_code)]

use std::ffi::{CString, c_void};
use std::process::Command;
use std::ptr;

use comb_ptx::Status;
use comb_ptx::driver::*;

/// Runs a test in a process of its own, with these variables; returns what it prints to stderr, or
/// `None` inside of that process.
pub fn isolated(name: &str, variables: &[(&str, &str)], body: impl FnOnce()) -> Option<String> {
    if std::env::var_os("COMB_PTX_TEST").is_some() {
        body();
        return None;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env("COMB_PTX_TEST", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{errors}");
    assert!(
        text.contains("1 passed"),
        "no test is called {name}: {text}"
    );
    Some(errors)
}

/// Asserts success.
pub fn ok(status: Status) {
    assert_eq!(status, Status::SUCCESS);
}

/// The first lines of a module.
pub const HEADER: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

/// The device, with a context.
pub struct Gpu;

impl Gpu {
    pub fn new() -> Gpu {
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuInit(0));
            let mut context = ptr::null_mut();
            ok(cuDevicePrimaryCtxRetain(&mut context, 0));
            ok(cuCtxSetCurrent(context));
        }
        Gpu
    }

    /// Loads a module; the error has the text of the log.
    pub fn try_load(&self, text: &str) -> Result<Handle, (Status, String)> {
        let image = CString::new(text).unwrap();
        let mut log = vec![0u8; 1000];
        let options = [5, 6];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let mut module = ptr::null_mut();
        // SAFETY: all pointers are valid, and the log has the size that is named.
        let status = unsafe {
            cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                2,
                options.as_ptr(),
                values.as_mut_ptr(),
            )
        };
        log.truncate(values[1] as usize);
        match status {
            Status::SUCCESS => Ok(module),
            status => Err((status, String::from_utf8(log).unwrap())),
        }
    }

    /// The kernel of a name in a module.
    pub fn kernel(&self, text: &str, name: &str) -> Handle {
        let module = self.try_load(text).unwrap();
        let name = CString::new(name).unwrap();
        let mut kernel = ptr::null_mut();
        // SAFETY: all pointers are valid.
        ok(unsafe { cuModuleGetFunction(&mut kernel, module, name.as_ptr()) });
        kernel
    }

    pub fn allocate(&self, bytes: usize) -> u64 {
        let mut address = 0;
        // SAFETY: the pointer is valid.
        ok(unsafe { cuMemAlloc_v2(&mut address, bytes) });
        address
    }

    pub fn upload<T: Copy>(&self, values: &[T]) -> u64 {
        let bytes = size_of_val(values);
        let address = self.allocate(bytes);
        // SAFETY: the values have these bytes.
        ok(unsafe { cuMemcpyHtoD_v2(address, values.as_ptr().cast(), bytes) });
        address
    }

    pub fn try_download<T: Copy + Default>(
        &self,
        from: u64,
        count: usize,
    ) -> Result<Vec<T>, Status> {
        let mut values = vec![T::default(); count];
        let bytes = size_of_val(values.as_slice());
        // SAFETY: the values have these bytes.
        match unsafe { cuMemcpyDtoH_v2(values.as_mut_ptr().cast(), from, bytes) } {
            Status::SUCCESS => Ok(values),
            status => Err(status),
        }
    }

    pub fn download<T: Copy + Default>(&self, from: u64, count: usize) -> Vec<T> {
        self.try_download(from, count).unwrap()
    }

    /// Launches a kernel with parameters of at most 8 bytes each.
    pub fn try_launch(
        &self,
        kernel: Handle,
        grid: u32,
        block: u32,
        shared: u32,
        parameters: &[u64],
    ) -> Status {
        let mut pointers: Vec<*mut c_void> = parameters
            .iter()
            .map(|parameter| ptr::from_ref(parameter).cast_mut().cast())
            .collect();
        // SAFETY: there is a pointer to each parameter.
        unsafe {
            cuLaunchKernel(
                kernel,
                grid,
                1,
                1,
                block,
                1,
                1,
                shared,
                ptr::null_mut(),
                pointers.as_mut_ptr(),
                ptr::null_mut(),
            )
        }
    }

    pub fn launch(&self, kernel: Handle, grid: u32, block: u32, parameters: &[u64]) {
        ok(self.try_launch(kernel, grid, block, 0, parameters));
    }

    pub fn synchronise(&self) -> Status {
        // SAFETY: there is nothing to vouch for.
        unsafe { cuCtxSynchronize() }
    }

    /// Runs a kernel with the body `body` and one parameter, the address of as many words as there
    /// are threads, which the body finds in `%out`; the number of the thread is in `%t`.
    pub fn run_words(
        &self,
        block: u32,
        declarations: &str,
        body: &str,
    ) -> Result<Vec<u32>, Status> {
        let kernel = self.kernel(&words_kernel(declarations, body), "words");
        let out = self.upload(&vec![0u32; block as usize]);
        self.launch(kernel, 1, block, &[out]);
        self.try_download(out, block as usize)
    }

    /// What a body of instructions computes, for each row of inputs. The inputs are in `%d1` to
    /// `%d3`, and their low bits in `%r1`, `%h1`, `%p1` and so on; the result is `%d0`, `%r0`, `%h0`
    /// or `%p0`, as the letter says.
    pub fn evaluate(&self, result: char, body: &str, inputs: &[[u64; 3]]) -> Vec<u64> {
        let finish = match result {
            'r' => "cvt.u64.u32 %d0, %r0;",
            'h' => "cvt.u64.u16 %d0, %h0;",
            'p' => "selp.u64 %d0, 1, 0, %p0;",
            _ => "",
        };
        let text = format!(
            "{HEADER}.visible .entry f(.param .u64 in, .param .u64 out) {{
            .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<12>;
            ld.param.u64 %d8, [in]; ld.param.u64 %d9, [out];
            mov.u32 %r7, %tid.x; mad.wide.u32 %d8, %r7, 24, %d8; mad.wide.u32 %d9, %r7, 8, %d9;
            ld.global.u64 %d1, [%d8]; ld.global.u64 %d2, [%d8+8]; ld.global.u64 %d3, [%d8+16];
            cvt.u32.u64 %r1, %d1; cvt.u32.u64 %r2, %d2; cvt.u32.u64 %r3, %d3;
            cvt.u16.u64 %h1, %d1; cvt.u16.u64 %h2, %d2; cvt.u16.u64 %h3, %d3;
            setp.ne.u64 %p1, %d1, 0; setp.ne.u64 %p2, %d2, 0; setp.ne.u64 %p3, %d3, 0;
            {body}
            {finish}
            st.global.u64 [%d9], %d0;
            ret; }}"
        );
        let kernel = self.kernel(&text, "f");
        let from = self.upload(inputs);
        let to = self.allocate(inputs.len() * 8);
        self.launch(kernel, 1, inputs.len() as u32, &[from, to]);
        self.download(to, inputs.len())
    }
}

/// The text of a kernel for [`Gpu::run_words`].
pub fn words_kernel(declarations: &str, body: &str) -> String {
    format!(
        "{HEADER}{declarations}
        .visible .entry words(.param .u64 out) {{
        .reg .pred %p<9>; .reg .b32 %r<19>; .reg .b64 %d<9>; .reg .b64 %out; .reg .b32 %t;
        .reg .f32 %f<4>;
        mov.u32 %t, %tid.x; ld.param.u64 %out, [out];
        mul.wide.u32 %d0, %t, 4; add.u64 %out, %out, %d0;
        {body}
        }}"
    )
}
