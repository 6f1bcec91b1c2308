//! Captures and graphs.

use std::ffi::{c_int, c_ulonglong};

use super::{Handle, api, put, ready, trace};
use crate::error::Status;

api! {
    /// Begins to record the work of a stream instead of doing it.
    fn cuStreamBeginCapture_v2(device, stream: Handle, mode: c_int) {
        let device = ready(device)?;
        if !(0..=2).contains(&mode) {
            return Err(Status::INVALID_VALUE);
        }
        device.begin_capture(stream as usize, mode)?;
    }

    /// Ends a capture; the result is a graph.
    fn cuStreamEndCapture(device, stream: Handle, graph: *mut Handle) {
        let device = ready(device)?;
        let found = device.end_capture(stream as usize)?;
        // SAFETY: as this function.
        unsafe { put(graph, found as Handle)? };
    }

    /// Whether the work of a stream is recorded.
    fn cuStreamIsCapturing(device, stream: Handle, status: *mut c_int) {
        let device = ready(device)?;
        let found = device.capture_status(stream as usize)?;
        // SAFETY: as this function.
        unsafe { put(status, found)? };
    }

    /// Makes a graph ready to launch.
    fn cuGraphInstantiateWithFlags(
        device,
        executable: *mut Handle,
        graph: Handle,
        _flags: c_ulonglong,
    ) {
        let device = ready(device)?;
        let work = device.graphs.get(&(graph as usize));
        let work = work.ok_or(Status::INVALID_VALUE)?.clone();
        let handle = device.new_handle();
        device.executables.insert(handle, work);
        // SAFETY: as this function.
        unsafe { put(executable, handle as Handle)? };
    }

    /// Asks for the work of a graph.
    fn cuGraphLaunch(device, executable: Handle, stream: Handle) {
        let device = ready(device)?;
        trace(device, || "launch graph".into());
        device.launch_graph(executable as usize, stream as usize)?;
    }

    /// Destroys a graph that is ready to launch; what was asked for is still done.
    fn cuGraphExecDestroy(device, executable: Handle) {
        let device = ready(device)?;
        let destroyed = device.executables.remove(&(executable as usize));
        destroyed.ok_or(Status::INVALID_VALUE)?;
    }

    /// Destroys a graph.
    fn cuGraphDestroy(device, graph: Handle) {
        let device = ready(device)?;
        let destroyed = device.graphs.remove(&(graph as usize));
        destroyed.ok_or(Status::INVALID_VALUE)?;
    }
}
