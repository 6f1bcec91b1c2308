//! Streams.

use std::ffi::{c_int, c_uint};

use super::{Handle, Result, api, put, ready, trace};
use crate::device::{Device, Stream};
use crate::error::Status;

/// `CU_STREAM_NON_BLOCKING`
const NON_BLOCKING: c_uint = 1;
/// Handles up to this one are default streams, which cannot be destroyed.
const LAST_DEFAULT: usize = 2;

api! {
    /// A new stream.
    fn cuStreamCreate(device, stream: *mut Handle, flags: c_uint) {
        let found = create(ready(device)?, flags)?;
        // SAFETY: as this function.
        unsafe { put(stream, found)? };
    }

    /// A new stream; the priority makes no difference.
    fn cuStreamCreateWithPriority(
        device,
        stream: *mut Handle,
        flags: c_uint,
        _priority: c_int,
    ) {
        let found = create(ready(device)?, flags)?;
        // SAFETY: as this function.
        unsafe { put(stream, found)? };
    }

    /// Destroys a stream; its work is still done.
    fn cuStreamDestroy_v2(device, stream: Handle) {
        let device = ready(device)?;
        let stream = stream as usize;
        if stream <= LAST_DEFAULT || device.streams.remove(&stream).is_none() {
            return Err(Status::INVALID_HANDLE);
        }
    }

    /// Waits for the work of a stream.
    fn cuStreamSynchronize(device, stream: Handle) {
        let device = ready(device)?;
        trace(device, || "synchronise stream".into());
        device.forbid_capture_of(stream as usize)?;
        device.check_default_stream(stream as usize)?;
        device.finish_stream(stream as usize)?;
    }

    /// Whether the work of a stream is done: it is, for this does it.
    fn cuStreamQuery(device, stream: Handle) {
        let device = ready(device)?;
        trace(device, || "query stream".into());
        device.forbid_capture_of(stream as usize)?;
        device.check_default_stream(stream as usize)?;
        device.finish_stream(stream as usize)?;
    }

    /// Makes a stream wait for an event. Work is done in the order of the calls, so nothing more is
    /// needed, except that the stream joins the capture of the event.
    fn cuStreamWaitEvent(device, stream: Handle, event: Handle, _flags: c_uint) {
        let device = ready(device)?;
        device.wait_for(stream as usize, event as usize)?;
    }
}

fn create(device: &mut Device, flags: c_uint) -> Result<Handle> {
    if flags & !NON_BLOCKING != 0 {
        return Err(Status::INVALID_VALUE);
    }
    let handle = device.new_handle();
    let stream = Stream {
        blocking: flags & NON_BLOCKING == 0,
        capture: None,
    };
    device.streams.insert(handle, stream);
    Ok(handle as Handle)
}
