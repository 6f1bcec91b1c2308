//! The state of the device: memory, modules, streams, events and graphs. Work of all streams waits
//! in one queue, and is done only once something has to wait for it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use crate::error::Status;
use crate::graph::Capture;
use crate::host::Pinned;
use crate::memory::Memory;
use crate::module::Loaded;
use crate::settings::Settings;
use crate::work::{self, Handle, Work};

type Result<T> = std::result::Result<T, Status>;

/// The legacy default stream.
pub(crate) const DEFAULT_STREAM: Handle = 0;
/// Other names of default streams: `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`.
const NAMED_STREAMS: [Handle; 2] = [1, 2];
/// The one context.
pub(crate) const CONTEXT: Handle = 0x1000;

/// The device.
#[derive(Debug)]
pub(crate) struct Device {
    pub(crate) settings: Settings,
    pub(crate) memory: Memory,
    pub(crate) pinned: Pinned,
    pub(crate) streams: HashMap<Handle, Stream>,
    pub(crate) events: HashMap<Handle, Event>,
    pub(crate) modules: HashMap<Handle, Loaded>,
    pub(crate) kernels: HashMap<Handle, Kernel>,
    pub(crate) captures: HashMap<Handle, Capture>,
    pub(crate) graphs: HashMap<Handle, Arc<[Work]>>,
    pub(crate) executables: HashMap<Handle, Arc<[Work]>>,
    pub(crate) release_threshold: u64,
    queue: VecDeque<(Handle, Work)>,
    /// The error of work that failed, which all later calls return.
    failure: Option<Status>,
    next_handle: Handle,
    next_record: u64,
}

/// A stream.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    /// Whether the legacy default stream waits for it.
    pub(crate) blocking: bool,
    /// The capture that takes its work.
    pub(crate) capture: Option<Handle>,
}

/// An event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    /// The number of the record asked for last; 0 if there is none.
    pub(crate) asked: u64,
    /// The number of the record done last, and when.
    pub(crate) done: Option<(u64, Instant)>,
    /// The capture that it was recorded in.
    pub(crate) capture: Option<Handle>,
    /// Whether no times are taken.
    pub(crate) untimed: bool,
}

/// A kernel of a loaded module.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) module: Handle,
    /// The number of the function.
    pub(crate) function: usize,
    /// The most bytes of shared memory that a launch may ask for.
    pub(crate) dynamic_shared: usize,
}

impl Device {
    /// A device with these settings; `None` if the host has no room for its addresses.
    pub(crate) fn new(settings: Settings) -> Option<Device> {
        let default = Stream {
            blocking: true,
            capture: None,
        };
        let named = NAMED_STREAMS.iter().chain([&DEFAULT_STREAM]);
        Some(Device {
            memory: Memory::new(settings.memory)?,
            settings,
            pinned: Pinned::default(),
            streams: named.map(|stream| (*stream, default.clone())).collect(),
            events: HashMap::new(),
            modules: HashMap::new(),
            kernels: HashMap::new(),
            captures: HashMap::new(),
            graphs: HashMap::new(),
            executables: HashMap::new(),
            release_threshold: 0,
            queue: VecDeque::new(),
            failure: None,
            next_handle: CONTEXT,
            next_record: 0,
        })
    }

    /// A handle that no other object has.
    pub(crate) fn new_handle(&mut self) -> Handle {
        self.next_handle += 16;
        self.next_handle
    }

    /// The error of work that failed earlier.
    pub(crate) fn check(&self) -> Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    pub(crate) fn stream(&mut self, stream: Handle) -> Result<&mut Stream> {
        self.streams.get_mut(&stream).ok_or(Status::INVALID_HANDLE)
    }

    pub(crate) fn event(&mut self, event: Handle) -> Result<&mut Event> {
        self.events.get_mut(&event).ok_or(Status::INVALID_HANDLE)
    }

    /// Adds work to a stream, or to the capture that takes its work.
    pub(crate) fn submit(&mut self, stream: Handle, work: Work) -> Result<()> {
        if let Some(capture) = self.stream(stream)?.capture {
            return self.record_work(capture, work);
        }
        self.check_default_stream(stream)?;
        self.queue.push_back((stream, work));
        Ok(())
    }

    /// Asks for a record of an event.
    pub(crate) fn record(&mut self, event: Handle, stream: Handle) -> Result<()> {
        let capture = self.stream(stream)?.capture;
        self.event(event)?.capture = capture;
        if capture.is_some() {
            return Ok(());
        }
        self.next_record += 1;
        let number = self.next_record;
        self.event(event)?.asked = number;
        self.submit(stream, Work::Record(event, number))
    }

    /// Does all work.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.run(self.queue.len())
    }

    /// Does the work of a stream, and all that was asked for before it.
    pub(crate) fn finish_stream(&mut self, stream: Handle) -> Result<()> {
        let last = self.queue.iter().rposition(|(of, _)| *of == stream);
        self.run(last.map_or(0, |last| last + 1))
    }

    /// Does the work until an event is recorded.
    pub(crate) fn finish_event(&mut self, event: Handle) -> Result<()> {
        let asked = self.event(event)?.asked;
        let is_record = |(_, work): &(Handle, Work)| match work {
            Work::Record(of, number) => *of == event && *number == asked,
            _ => false,
        };
        let last = self.queue.iter().rposition(is_record);
        self.run(last.map_or(0, |last| last + 1))
    }

    fn run(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let Some((_, work)) = self.queue.pop_front() else {
                break;
            };
            if let Err(fault) = work::run(&work, &mut self.memory, &self.settings) {
                eprintln!("comb-ptx: {fault}");
                self.failure = Some(fault.status);
                self.queue.clear();
            }
            if let Work::Record(event, number) = work
                && let Some(event) = self.events.get_mut(&event)
            {
                event.done = Some((number, Instant::now()));
            }
        }
        self.check()
    }

    /// New memory. Work that may free some is done first if there is not enough.
    pub(crate) fn allocate(&mut self, size: u64) -> Result<u64> {
        if size == 0 {
            return Err(Status::INVALID_VALUE);
        }
        if let Some(address) = self.memory.allocate(size) {
            return Ok(address);
        }
        self.finish()?;
        self.memory.allocate(size).ok_or(Status::OUT_OF_MEMORY)
    }

    /// A kernel, and the module that it belongs to.
    pub(crate) fn kernel(&self, kernel: Handle) -> Result<(&Kernel, &Loaded)> {
        let kernel = self.kernels.get(&kernel).ok_or(Status::INVALID_HANDLE)?;
        let module = self.modules.get(&kernel.module);
        Ok((kernel, module.ok_or(Status::INVALID_HANDLE)?))
    }

    /// What is not freed, for people; empty if there is nothing.
    pub(crate) fn leaks(&self) -> String {
        let variables: usize = self
            .modules
            .values()
            .map(|module| module.variables.len())
            .sum();
        let counts = [
            (self.memory.count() - variables, "allocations of the device"),
            (self.pinned.count(), "allocations of the host"),
            (self.modules.len(), "modules"),
            (self.events.len(), "events"),
            (self.streams.len() - 1 - NAMED_STREAMS.len(), "streams"),
            (self.graphs.len() + self.executables.len(), "graphs"),
        ];
        let found = counts.iter().filter(|(count, _)| *count > 0);
        let texts: Vec<String> = found
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        texts.join(", ")
    }
}
