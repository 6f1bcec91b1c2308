//! Work that waits in a stream: launches, copies, fills, frees and records of events.

use std::sync::Arc;

use crate::error::{Fault, Status};
use crate::launch::Launch;
use crate::memory::Memory;
use crate::settings::Settings;

/// A handle of the driver API, as a number.
pub(crate) type Handle = usize;

/// A piece of work.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Launch(Arc<Launch>),
    Copy(Copy),
    Fill(Fill),
    /// Frees an allocation.
    Free(u64),
    /// Records an event for the time with this number.
    Record(Handle, u64),
}

/// A copy of rows of bytes.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    pub(crate) from: Place,
    pub(crate) to: Place,
    /// The bytes of a row.
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Where rows begin, and the bytes from one to the next.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) memory: Side,
    pub(crate) pitch: usize,
}

/// One side of a copy.
#[derive(Clone, Debug)]
pub(crate) enum Side {
    Device(u64),
    Host(usize),
    /// What memory of the host held when the copy was asked for, without gaps between rows.
    Snapshot(Arc<[u8]>),
}

/// A pattern that is stored again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fill {
    pub(crate) to: u64,
    pub(crate) pattern: u32,
    /// The bytes of the pattern that count: 1 or 4.
    pub(crate) bytes: usize,
    pub(crate) count: usize,
}

impl Copy {
    /// A copy without gaps.
    pub(crate) fn plain(from: Side, to: Side, bytes: usize) -> Copy {
        Copy {
            from: Place {
                memory: from,
                pitch: bytes,
            },
            to: Place {
                memory: to,
                pitch: bytes,
            },
            width: bytes,
            height: 1,
        }
    }

    /// The bytes copied.
    pub(crate) fn bytes(&self) -> usize {
        self.width.saturating_mul(self.height)
    }

    /// Whether the device has all bytes that are copied from or to it.
    pub(crate) fn is_valid(&self, memory: &Memory) -> bool {
        [&self.from, &self.to]
            .iter()
            .all(|place| match place.memory {
                Side::Device(start) => (0..self.height).all(|row| {
                    let address = start.saturating_add(row.saturating_mul(place.pitch) as u64);
                    memory.find(address, self.width as u64).is_some()
                }),
                Side::Host(address) => !memory.reserves(address as u64),
                Side::Snapshot(_) => true,
            })
    }

    /// The same copy, of what memory of the host holds now.
    pub(crate) fn with_snapshot(mut self) -> Copy {
        let Side::Host(start) = self.from.memory else {
            return self;
        };
        let mut bytes = vec![0; self.bytes()];
        for row in 0..self.height {
            let from = (start + row * self.from.pitch) as *const u8;
            let to = bytes[row * self.width..].as_mut_ptr();
            // SAFETY: the caller of the driver API vouches for the rows that it wants copied.
            unsafe { std::ptr::copy_nonoverlapping(from, to, self.width) };
        }
        self.from = Place {
            memory: Side::Snapshot(bytes.into()),
            pitch: self.width,
        };
        self
    }

    fn run(&self, memory: &Memory) -> Result<(), Fault> {
        for row in 0..self.height {
            let from = self.from.row(row, self.width, memory)?;
            let to = self.to.row(row, self.width, memory)?;
            // SAFETY: rows of the device were just found to be live; for those of the host the
            // caller of the driver API vouches.
            unsafe { std::ptr::copy(from, to.cast_mut(), self.width) };
        }
        Ok(())
    }
}

impl Place {
    fn row(&self, row: usize, width: usize, memory: &Memory) -> Result<*const u8, Fault> {
        let offset = row * self.pitch;
        match &self.memory {
            Side::Host(start) => Ok((start + offset) as *const u8),
            Side::Snapshot(bytes) => Ok(bytes[offset..].as_ptr()),
            Side::Device(start) => {
                let address = start + offset as u64;
                let found = memory.find(address, width as u64);
                found.map(<*mut u8>::cast_const).ok_or_else(|| {
                    let text = format!("a copy of {width} bytes at {address:#x} is out of range");
                    Fault::new(Status::ILLEGAL_ADDRESS, text)
                })
            }
        }
    }
}

impl Fill {
    /// The bytes filled.
    pub(crate) fn size(&self) -> u64 {
        self.bytes.saturating_mul(self.count) as u64
    }

    fn run(&self, memory: &Memory) -> Result<(), Fault> {
        let Some(start) = memory.find(self.to, self.size()) else {
            let text = format!("a fill at {:#x} is out of range", self.to);
            return Err(Fault::new(Status::ILLEGAL_ADDRESS, text));
        };
        let pattern = self.pattern.to_le_bytes();
        for i in 0..self.count {
            // SAFETY: the whole range was just found to be live.
            unsafe {
                let to = start.add(i * self.bytes);
                std::ptr::copy_nonoverlapping(pattern.as_ptr(), to, self.bytes);
            }
        }
        Ok(())
    }
}

/// Does a piece of work; those of events are for the caller.
pub(crate) fn run(work: &Work, memory: &mut Memory, settings: &Settings) -> Result<(), Fault> {
    match work {
        Work::Launch(launch) => launch.run(memory, settings),
        Work::Copy(copy) => copy.run(memory),
        Work::Fill(fill) => fill.run(memory),
        Work::Free(address) => {
            if memory.free(*address) {
                return Ok(());
            }
            let text = format!("{address:#x} is freed twice");
            Err(Fault::new(Status::INVALID_VALUE, text))
        }
        Work::Record(..) => Ok(()),
    }
}
