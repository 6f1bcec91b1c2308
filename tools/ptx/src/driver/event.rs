//! Events.

use std::ffi::c_uint;
use std::time::Instant;

use super::{Handle, Result, api, put, ready, trace};
use crate::device::{Device, Event};
use crate::error::Status;

/// `CU_EVENT_DISABLE_TIMING`
const DISABLE_TIMING: c_uint = 2;
/// All flags that there are.
const FLAGS: c_uint = 7;

api! {
    /// A new event.
    fn cuEventCreate(device, event: *mut Handle, flags: c_uint) {
        let device = ready(device)?;
        if flags & !FLAGS != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let handle = device.new_handle();
        let created = Event {
            untimed: flags & DISABLE_TIMING != 0,
            ..Event::default()
        };
        device.events.insert(handle, created);
        // SAFETY: as this function.
        unsafe { put(event, handle as Handle)? };
    }

    /// Records an event once the work of a stream so far is done.
    fn cuEventRecord(device, event: Handle, stream: Handle) {
        let device = ready(device)?;
        device.record(event as usize, stream as usize)?;
    }

    /// Whether an event is recorded: it is, for this does the work before it.
    fn cuEventQuery(device, event: Handle) {
        let device = ready(device)?;
        trace(device, || "query event".into());
        wait(device, event as usize)?;
    }

    /// Waits until an event is recorded.
    fn cuEventSynchronize(device, event: Handle) {
        let device = ready(device)?;
        trace(device, || "synchronise event".into());
        wait(device, event as usize)?;
    }

    /// The milliseconds between two events.
    fn cuEventElapsedTime(device, milliseconds: *mut f32, start: Handle, end: Handle) {
        let found = elapsed(ready(device)?, start as usize, end as usize)?;
        // SAFETY: as this function.
        unsafe { put(milliseconds, found)? };
    }

    /// The milliseconds between two events.
    fn cuEventElapsedTime_v2(device, milliseconds: *mut f32, start: Handle, end: Handle) {
        let found = elapsed(ready(device)?, start as usize, end as usize)?;
        // SAFETY: as this function.
        unsafe { put(milliseconds, found)? };
    }

    /// Destroys an event.
    fn cuEventDestroy_v2(device, event: Handle) {
        let device = ready(device)?;
        let destroyed = device.events.remove(&(event as usize));
        destroyed.ok_or(Status::INVALID_HANDLE)?;
    }
}

fn wait(device: &mut Device, event: usize) -> Result<()> {
    if device.event(event)?.capture.is_some() {
        return Err(Status::CAPTURED_EVENT);
    }
    device.finish_event(event)
}

fn elapsed(device: &mut Device, start: usize, end: usize) -> Result<f32> {
    let (start, end) = (time(device, start)?, time(device, end)?);
    let seconds = match end.checked_duration_since(start) {
        Some(after) => after.as_secs_f32(),
        None => -start.duration_since(end).as_secs_f32(),
    };
    Ok(seconds * 1000.0)
}

/// When an event was recorded.
fn time(device: &mut Device, event: usize) -> Result<Instant> {
    let event = device.event(event)?;
    match event.done {
        _ if event.untimed || event.asked == 0 => Err(Status::INVALID_HANDLE),
        Some((done, time)) if done == event.asked => Ok(time),
        _ => Err(Status::NOT_READY),
    }
}
