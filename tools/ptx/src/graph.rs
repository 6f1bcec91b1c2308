//! Captures of streams: work is recorded instead of done, and becomes a graph that can be launched.

use std::sync::Arc;

use crate::device::{DEFAULT_STREAM, Device};
use crate::error::Status;
use crate::work::{Handle, Work};

type Result<T> = std::result::Result<T, Status>;

/// A capture in progress.
#[derive(Debug)]
pub(crate) struct Capture {
    /// The stream that it began in, and must end in.
    origin: Handle,
    work: Vec<Work>,
    /// Whether something was asked for that cannot be captured.
    invalid: bool,
    /// Whether calls that are unsafe during captures are allowed.
    relaxed: bool,
}

/// `CU_STREAM_CAPTURE_MODE_RELAXED`
const RELAXED: i32 = 2;

impl Device {
    /// Begins a capture.
    pub(crate) fn begin_capture(&mut self, stream: Handle, mode: i32) -> Result<()> {
        if stream == DEFAULT_STREAM {
            return Err(Status::STREAM_CAPTURE_UNSUPPORTED);
        }
        if self.stream(stream)?.capture.is_some() {
            return Err(Status::INVALID_VALUE);
        }
        let capture = Capture {
            origin: stream,
            work: Vec::new(),
            invalid: false,
            relaxed: mode == RELAXED,
        };
        let handle = self.new_handle();
        self.captures.insert(handle, capture);
        self.stream(stream)?.capture = Some(handle);
        Ok(())
    }

    /// Ends a capture; the result is the graph.
    pub(crate) fn end_capture(&mut self, stream: Handle) -> Result<Handle> {
        let handle = self.stream(stream)?.capture;
        let handle = handle.ok_or(Status::INVALID_VALUE)?;
        if self.captures[&handle].origin != stream {
            return Err(Status::STREAM_CAPTURE_UNMATCHED);
        }
        for stream in self.streams.values_mut() {
            if stream.capture == Some(handle) {
                stream.capture = None;
            }
        }
        let capture = self.captures.remove(&handle).ok_or(Status::INVALID_VALUE)?;
        if capture.invalid {
            return Err(Status::STREAM_CAPTURE_INVALIDATED);
        }
        let graph = self.new_handle();
        self.graphs.insert(graph, Arc::from(capture.work));
        Ok(graph)
    }

    /// Adds work to a capture.
    pub(crate) fn record_work(&mut self, capture: Handle, work: Work) -> Result<()> {
        let capture = self.captures.get_mut(&capture).ok_or(Status::UNKNOWN)?;
        if capture.invalid {
            return Err(Status::STREAM_CAPTURE_INVALIDATED);
        }
        if matches!(work, Work::Free(_)) {
            capture.invalid = true;
            return Err(Status::STREAM_CAPTURE_UNSUPPORTED);
        }
        capture.work.push(work);
        Ok(())
    }

    /// Makes a stream wait for an event: in a capture it joins that.
    pub(crate) fn wait_for(&mut self, stream: Handle, event: Handle) -> Result<()> {
        let capture = self.event(event)?.capture;
        let capture = capture.filter(|capture| self.captures.contains_key(capture));
        let stream = self.stream(stream)?;
        if capture.is_some() && stream.capture.is_none() {
            stream.capture = capture;
        }
        Ok(())
    }

    /// What captures are in the way of a call that waits for all work: they become invalid.
    pub(crate) fn forbid_captures(&mut self) -> Result<()> {
        self.forbid(|_| true)
    }

    /// The same of a call that is only unsafe during captures.
    pub(crate) fn forbid_strict_captures(&mut self) -> Result<()> {
        self.forbid(|capture| !capture.relaxed)
    }

    fn forbid(&mut self, is_in_the_way: impl Fn(&Capture) -> bool) -> Result<()> {
        let mut found = false;
        for capture in self.captures.values_mut() {
            if is_in_the_way(capture) {
                capture.invalid = true;
                found = true;
            }
        }
        if found {
            return Err(Status::STREAM_CAPTURE_UNSUPPORTED);
        }
        Ok(())
    }

    /// A call that waits for a stream, or allocates in it, cannot be captured.
    pub(crate) fn forbid_capture_of(&mut self, stream: Handle) -> Result<()> {
        let Some(capture) = self.stream(stream)?.capture else {
            return Ok(());
        };
        if let Some(capture) = self.captures.get_mut(&capture) {
            capture.invalid = true;
        }
        Err(Status::STREAM_CAPTURE_UNSUPPORTED)
    }

    /// The default stream would wait for streams that are captured.
    pub(crate) fn check_default_stream(&mut self, stream: Handle) -> Result<()> {
        let mut streams = self.streams.values();
        let waits = streams.any(|other| other.blocking && other.capture.is_some());
        if stream == DEFAULT_STREAM && waits {
            for capture in self.captures.values_mut() {
                capture.invalid = true;
            }
            return Err(Status::STREAM_CAPTURE_IMPLICIT);
        }
        Ok(())
    }

    /// Whether a stream is captured: `CUstreamCaptureStatus`.
    pub(crate) fn capture_status(&mut self, stream: Handle) -> Result<i32> {
        let capture = self.stream(stream)?.capture;
        let capture = capture.and_then(|capture| self.captures.get(&capture));
        Ok(match capture {
            None => 0,
            Some(capture) if capture.invalid => 2,
            Some(_) => 1,
        })
    }

    /// Asks for the work of a graph.
    pub(crate) fn launch_graph(&mut self, executable: Handle, stream: Handle) -> Result<()> {
        let work = self.executables.get(&executable);
        let work = work.ok_or(Status::INVALID_HANDLE)?.clone();
        for work in work.iter() {
            self.submit(stream, work.clone())?;
        }
        Ok(())
    }
}
