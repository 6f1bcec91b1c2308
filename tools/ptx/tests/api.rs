//! The API of the driver: streams are lazy, graphs, errors, limits and the settings.

mod common;

use std::ffi::{CStr, c_void};
use std::ptr;

use comb_ptx::Status;
use comb_ptx::driver::*;
use common::{Gpu, HEADER, isolated, ok, words_kernel};

const STORE: &str = "add.u32 %r1, %t, 1; st.global.u32 [%out], %r1; ret;";

/// A kernel that fails.
const FAIL: &str = "trap; ret;";

fn stream() -> Handle {
    let mut stream = ptr::null_mut();
    // SAFETY: the pointer is valid.
    ok(unsafe { cuStreamCreate(&mut stream, 1) });
    stream
}

#[test]
fn work_is_done_once_something_waits() {
    isolated("work_is_done_once_something_waits", &[], || {
        let gpu = Gpu::new();
        let kernel = gpu.kernel(&words_kernel("", STORE), "words");
        let out = gpu.upload(&[0u32; 4]);
        let mut host = [0u32; 4];
        gpu.launch(kernel, 1, 4, &[out]);
        // SAFETY: the host memory lives until the work is done.
        unsafe {
            ok(cuMemcpyDtoHAsync_v2(
                host.as_mut_ptr().cast(),
                out,
                16,
                ptr::null_mut(),
            ));
            assert_eq!(ptr::from_ref(&host).read_volatile(), [0; 4]);
            ok(cuStreamSynchronize(ptr::null_mut()));
            assert_eq!(ptr::from_ref(&host).read_volatile(), [1, 2, 3, 4]);
        }
    });
}

#[test]
fn pinned_memory_is_read_when_the_copy_is_done() {
    isolated("pinned_memory_is_read_when_the_copy_is_done", &[], || {
        let gpu = Gpu::new();
        let (one, two) = (gpu.allocate(4), gpu.allocate(4));
        let mut pinned: *mut c_void = ptr::null_mut();
        let mut other = 1u32;
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuMemAllocHost_v2(&mut pinned, 4));
            pinned.cast::<u32>().write(1);
            ok(cuMemcpyHtoDAsync_v2(one, pinned, 4, ptr::null_mut()));
            ok(cuMemcpyHtoDAsync_v2(
                two,
                ptr::from_mut(&mut other).cast(),
                4,
                ptr::null_mut(),
            ));
            pinned.cast::<u32>().write(2);
            ptr::from_mut(&mut other).write_volatile(2);
        }
        assert_eq!(gpu.download::<u32>(one, 1), [2]);
        assert_eq!(gpu.download::<u32>(two, 1), [1]);
        // SAFETY: the memory is not used any more.
        ok(unsafe { cuMemFreeHost(pinned) });
    });
}

#[test]
fn parameters_are_copied_at_the_launch() {
    isolated("parameters_are_copied_at_the_launch", &[], || {
        let gpu = Gpu::new();
        let kernel = gpu.kernel(&words_kernel("", STORE), "words");
        let out = gpu.upload(&[0u32; 4]);
        let mut packed = [out];
        let mut size = 8usize;
        let mut extra: [*mut c_void; 5] = [
            ptr::without_provenance_mut(1),
            packed.as_mut_ptr().cast(),
            ptr::without_provenance_mut(2),
            ptr::from_mut(&mut size).cast(),
            ptr::null_mut(),
        ];
        // SAFETY: the list describes the parameters.
        ok(unsafe {
            let none = ptr::null_mut();
            cuLaunchKernel(
                kernel,
                1,
                1,
                1,
                4,
                1,
                1,
                0,
                none,
                ptr::null_mut(),
                extra.as_mut_ptr(),
            )
        });
        packed[0] = 0;
        assert_eq!(gpu.download::<u32>(out, 4), [1, 2, 3, 4]);
        assert_eq!(packed[0], 0);
    });
}

#[test]
fn freed_memory_is_freed_in_order() {
    isolated("freed_memory_is_freed_in_order", &[], || {
        let gpu = Gpu::new();
        let kernel = gpu.kernel(&words_kernel("", STORE), "words");
        let out = gpu.upload(&[0u32; 4]);
        gpu.launch(kernel, 1, 4, &[out]);
        // SAFETY: there is nothing to vouch for.
        unsafe {
            ok(cuMemFreeAsync(out, ptr::null_mut()));
            ok(cuCtxSynchronize());
        }
        gpu.launch(kernel, 1, 4, &[out]);
        assert_eq!(gpu.synchronise(), Status::ILLEGAL_ADDRESS);
    });
}

#[test]
fn errors_stay() {
    isolated("errors_stay", &[], || {
        let gpu = Gpu::new();
        let kernel = gpu.kernel(&words_kernel("", FAIL), "words");
        let out = gpu.allocate(4);
        gpu.launch(kernel, 1, 1, &[out]);
        // The launch itself does not know yet.
        gpu.launch(kernel, 1, 1, &[out]);
        assert_eq!(gpu.synchronise(), Status::LAUNCH_FAILED);
        assert_eq!(gpu.synchronise(), Status::LAUNCH_FAILED);
        let mut address = 0;
        // SAFETY: the pointer is valid.
        assert_eq!(
            unsafe { cuMemAlloc_v2(&mut address, 4) },
            Status::LAUNCH_FAILED
        );
        assert_eq!(
            gpu.try_launch(kernel, 1, 1, 0, &[out]),
            Status::LAUNCH_FAILED
        );
    });
}

#[test]
fn graphs_are_captured_and_launched() {
    isolated("graphs_are_captured_and_launched", &[], || {
        let gpu = Gpu::new();
        let body =
            "ld.global.u32 %r1, [%out]; add.u32 %r1, %r1, 1; st.global.u32 [%out], %r1; ret;";
        let kernel = gpu.kernel(&words_kernel("", body), "words");
        let out = gpu.upload(&[5u32]);
        let stream = stream();
        let mut pointers = [ptr::from_ref(&out).cast_mut().cast::<c_void>()];
        let mut status = -1;
        let (mut graph, mut executable) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuStreamBeginCapture_v2(stream, 0));
            for _ in 0..2 {
                let (parameters, none) = (pointers.as_mut_ptr(), ptr::null_mut());
                ok(cuLaunchKernel(
                    kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, none,
                ));
            }
            ok(cuStreamIsCapturing(stream, &mut status));
            assert_eq!(status, 1);
            ok(cuStreamEndCapture(stream, &mut graph));
            ok(cuGraphInstantiateWithFlags(&mut executable, graph, 0));
            ok(cuGraphDestroy(graph));
            assert_eq!(gpu.download::<u32>(out, 1), [5]);
            ok(cuGraphLaunch(executable, stream));
            ok(cuGraphLaunch(executable, stream));
            ok(cuStreamSynchronize(stream));
            assert_eq!(gpu.download::<u32>(out, 1), [9]);
            ok(cuGraphExecDestroy(executable));
        }
    });
}

#[test]
fn captures_allow_no_waiting_and_no_memory() {
    isolated("captures_allow_no_waiting_and_no_memory", &[], || {
        let gpu = Gpu::new();
        let stream = stream();
        let mut graph = ptr::null_mut();
        let mut address = 0;
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuStreamBeginCapture_v2(stream, 2));
            let refused = cuStreamSynchronize(stream);
            assert_eq!(refused, Status::STREAM_CAPTURE_UNSUPPORTED);
            let ended = cuStreamEndCapture(stream, &mut graph);
            assert_eq!(ended, Status::STREAM_CAPTURE_INVALIDATED);
            ok(cuStreamBeginCapture_v2(stream, 2));
            let refused = cuMemAllocAsync(&mut address, 4, stream);
            assert_eq!(refused, Status::STREAM_CAPTURE_UNSUPPORTED);
            assert_eq!(gpu.synchronise(), Status::STREAM_CAPTURE_UNSUPPORTED);
        }
    });
}

#[test]
fn events() {
    isolated("events", &[], || {
        let gpu = Gpu::new();
        let kernel = gpu.kernel(&words_kernel("", STORE), "words");
        let out = gpu.upload(&[0u32; 4]);
        let (mut start, mut end) = (ptr::null_mut(), ptr::null_mut());
        let mut time = -1.0;
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuEventCreate(&mut start, 0));
            ok(cuEventCreate(&mut end, 0));
            assert_eq!(
                cuEventElapsedTime(&mut time, start, end),
                Status::INVALID_HANDLE
            );
            ok(cuEventRecord(start, ptr::null_mut()));
            gpu.launch(kernel, 1, 4, &[out]);
            ok(cuEventRecord(end, ptr::null_mut()));
            assert_eq!(cuEventElapsedTime(&mut time, start, end), Status::NOT_READY);
            ok(cuEventSynchronize(end));
            ok(cuEventElapsedTime(&mut time, start, end));
            assert!(time > 0.0);
            ok(cuEventDestroy_v2(start));
            assert_eq!(cuEventDestroy_v2(start), Status::INVALID_HANDLE);
        }
    });
}

#[test]
fn launches_are_checked() {
    isolated("launches_are_checked", &[], || {
        let gpu = Gpu::new();
        let declarations = ".extern .shared .align 4 .b8 more[];";
        let kernel = gpu.kernel(&words_kernel(declarations, STORE), "words");
        let out = gpu.allocate(4096);
        let launch = |grid, block, shared| gpu.try_launch(kernel, grid, block, shared, &[out]);
        assert_eq!(launch(1, 1025, 0), Status::INVALID_VALUE);
        assert_eq!(launch(0, 32, 0), Status::INVALID_VALUE);
        assert_eq!(launch(1, 0, 0), Status::INVALID_VALUE);
        assert_eq!(launch(1, 32, 60_000), Status::INVALID_VALUE);
        // SAFETY: there is nothing to vouch for.
        unsafe {
            ok(cuFuncSetAttribute(kernel, 8, 60_000));
            assert_eq!(
                cuFuncSetAttribute(kernel, 8, 300_000),
                Status::INVALID_VALUE
            );
        }
        ok(launch(1, 1024, 60_000));
        let wrong = gpu.try_launch(ptr::without_provenance_mut(8), 1, 1, 0, &[]);
        assert_eq!(wrong, Status::INVALID_HANDLE);
        ok(gpu.synchronise());
    });
}

#[test]
fn copies_are_checked() {
    isolated("copies_are_checked", &[], || {
        let gpu = Gpu::new();
        let from = gpu.allocate(16);
        let mut host = [0u8; 32];
        let to: *mut c_void = host.as_mut_ptr().cast();
        // SAFETY: all pointers are valid.
        unsafe {
            assert_eq!(cuMemcpyDtoH_v2(to, from, 17), Status::INVALID_VALUE);
            assert_eq!(cuMemcpyDtoH_v2(to, from + 16, 1), Status::INVALID_VALUE);
            assert_eq!(
                cuMemcpyHtoD_v2(from, from as *const c_void, 4),
                Status::INVALID_VALUE
            );
            assert_eq!(cuMemFree_v2(from + 1), Status::INVALID_VALUE);
            ok(cuMemFree_v2(from));
            assert_eq!(cuMemFree_v2(from), Status::INVALID_VALUE);
            assert_eq!(cuMemcpyDtoH_v2(to, from, 4), Status::INVALID_VALUE);
        }
    });
}

#[test]
fn rows_and_fills() {
    isolated("rows_and_fills", &[], || {
        let gpu = Gpu::new();
        let to = gpu.allocate(64);
        let from: Vec<u8> = (0..12).collect();
        let copy = Copy2d {
            source_x: 1,
            source_y: 0,
            source_memory: 1,
            source_host: from.as_ptr().cast(),
            source_device: 0,
            source_array: ptr::null_mut(),
            source_pitch: 4,
            target_x: 0,
            target_y: 1,
            target_memory: 2,
            target_host: ptr::null_mut(),
            target_device: to,
            target_array: ptr::null_mut(),
            target_pitch: 16,
            width: 2,
            height: 3,
        };
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuMemsetD32Async(to, 0x0403_0201, 16, ptr::null_mut()));
            ok(cuMemsetD8_v2(to, 9, 2));
            ok(cuMemcpy2DAsync_v2(&copy, ptr::null_mut()));
        }
        let found = gpu.download::<u8>(to, 64);
        assert_eq!(found[..4], [9, 9, 3, 4]);
        assert_eq!(found[16..20], [1, 2, 3, 4]);
        assert_eq!(found[32..36], [5, 6, 3, 4]);
        assert_eq!(found[48..52], [9, 10, 3, 4]);
    });
}

#[test]
fn memory_runs_out() {
    isolated("memory_runs_out", &[("COMB_PTX_MEMORY", "1000000")], || {
        let gpu = Gpu::new();
        let (mut free, mut total) = (0, 0);
        let (mut first, mut second) = (0, 0);
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuMemAllocAsync(&mut first, 900_000, ptr::null_mut()));
            assert_eq!(cuMemAlloc_v2(&mut second, 200_000), Status::OUT_OF_MEMORY);
            ok(cuMemGetInfo_v2(&mut free, &mut total));
            assert_eq!((free, total), (100_000, 1_000_000));
            // Memory that is about to be freed is there for others.
            ok(cuMemFreeAsync(first, ptr::null_mut()));
            ok(cuMemAlloc_v2(&mut second, 200_000));
        }
        assert_ne!(first, second);
        assert_eq!(gpu.download::<u8>(second, 1), [0xa5]);
    });
}

#[test]
fn modules_for_newer_chips_are_refused() {
    isolated(
        "modules_for_newer_chips_are_refused",
        &[("COMB_PTX_CHIP", "7.0")],
        || {
            let gpu = Gpu::new();
            let (status, _) = gpu
                .try_load(&format!("{HEADER}.entry f() {{ ret; }}"))
                .unwrap_err();
            assert_eq!(status, Status::NO_BINARY_FOR_GPU);
            let mut major = 0;
            // SAFETY: the pointer is valid.
            ok(unsafe { cuDeviceGetAttribute(&mut major, 75, 0) });
            assert_eq!(major, 7);
        },
    );
}

#[test]
fn variables_of_modules() {
    isolated("variables_of_modules", &[], || {
        let gpu = Gpu::new();
        let text = format!(
            "{HEADER}.global .align 4 .u32 numbers[3] = {{7, 8}};
            .global .align 8 .u64 places[2] = {{numbers, generic(numbers)+4}};"
        );
        let module = gpu.try_load(&text).unwrap();
        let (mut address, mut size) = (0, 0);
        let mut function = ptr::null_mut();
        // SAFETY: all pointers are valid.
        unsafe {
            ok(cuModuleGetGlobal_v2(
                &mut address,
                &mut size,
                module,
                c"numbers".as_ptr(),
            ));
            assert_eq!(size, 12);
            assert_eq!(gpu.download::<u32>(address, 3), [7, 8, 0]);
            let mut places = 0;
            let none = ptr::null_mut();
            ok(cuModuleGetGlobal_v2(
                &mut places,
                none,
                module,
                c"places".as_ptr(),
            ));
            assert_eq!(gpu.download::<u64>(places, 2), [address, address + 4]);
            let missing = cuModuleGetFunction(&mut function, module, c"none".as_ptr());
            assert_eq!(missing, Status::NOT_FOUND);
            ok(cuModuleUnload(module));
        }
        assert!(gpu.try_download::<u32>(address, 3).is_err());
    });
}

#[test]
fn a_context_is_needed() {
    isolated("a_context_is_needed", &[], || {
        let mut address = 0;
        // SAFETY: all pointers are valid.
        unsafe {
            assert_eq!(cuMemAlloc_v2(&mut address, 4), Status::NOT_INITIALIZED);
            ok(cuInit(0));
            assert_eq!(cuMemAlloc_v2(&mut address, 4), Status::INVALID_CONTEXT);
        }
        Gpu::new().allocate(4);
        let mut name = ptr::null();
        // SAFETY: the pointer is valid, and the text that it then points to is constant.
        unsafe {
            ok(cuGetErrorName(Status::INVALID_CONTEXT, &mut name));
            assert_eq!(CStr::from_ptr(name), c"CUDA_ERROR_INVALID_CONTEXT");
            assert_eq!(
                cuGetErrorString(Status(12345), &mut name),
                Status::INVALID_VALUE
            );
        }
    });
}

#[test]
fn calls_and_leaks_are_printed() {
    let variables = [("COMB_PTX_TRACE", "1"), ("COMB_PTX_LEAKS", "1")];
    let errors = isolated("calls_and_leaks_are_printed", &variables, || {
        let gpu = Gpu::new();
        let kernel = gpu.kernel(&words_kernel("", STORE), "words");
        let out = gpu.allocate(16);
        gpu.launch(kernel, 1, 4, &[out]);
        gpu.download::<u32>(out, 4);
        ok(gpu.synchronise());
    });
    let Some(errors) = errors else { return };
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(
        lines,
        [
            "comb-ptx: alloc 16 bytes",
            "comb-ptx: launch words grid [1, 1, 1] block [4, 1, 1] shared 0",
            "comb-ptx: copy 16 bytes device to host",
            "comb-ptx: synchronise context",
            "comb-ptx: not freed: 1 allocations of the device, 1 modules",
        ]
    );
}
