//! One thread: its registers, its memory, and how it executes ops until it waits or ends.

use std::time::Instant;

use crate::error::{Fault, Status};
use crate::launch::{Launch, Machine};
use crate::memory::{POISON, Window};
use crate::program::{
    Access, Address, Atomic, BarrierKind, Call, Function, Lanes, Op, Reg, Slot, Special, Update,
};
use crate::types::{LOCAL_WINDOW, SHARED_WINDOW, Space, WINDOW_SIZE};

/// The deepest nesting of calls.
const DEPTH: usize = 256;

/// A thread.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub(crate) registers: Vec<u64>,
    /// The position of the next op.
    pub(crate) at: usize,
    pub(crate) state: State,
    /// The memory of all calls.
    stack: Vec<u8>,
    /// Where the memory of the current call begins.
    frame: usize,
    calls: Vec<Caller>,
}

/// What a thread does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    #[default]
    Ready,
    /// Waits for other lanes at the op at its position.
    Exchange,
    /// Waits for other threads at the op at its position.
    Barrier,
    /// Arrived at a barrier without waiting.
    Arrived,
    Ended,
}

/// What is restored when a call returns.
#[derive(Debug)]
struct Caller {
    registers: Vec<u64>,
    at: usize,
    frame: usize,
}

/// Where a thread is in its block, and its block in the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) thread: u32,
    pub(crate) block: [u32; 3],
}

impl Place {
    /// The coordinates of the thread in a block of this shape.
    pub(crate) fn coordinates(&self, shape: [u32; 3]) -> [u32; 3] {
        let [x, y, _] = shape;
        [self.thread % x, self.thread / x % y, self.thread / x / y]
    }

    fn special(&self, special: Special, launch: &Launch) -> u64 {
        let lane = self.thread % 32;
        let number = match special {
            Special::Thread(axis) => self.coordinates(launch.block)[axis],
            Special::Threads(axis) => launch.block[axis],
            Special::Block(axis) => self.block[axis],
            Special::Blocks(axis) => launch.grid[axis],
            Special::Lane => lane,
            Special::Warp => self.thread / 32,
            Special::Warps => launch.threads().div_ceil(32) as u32,
            Special::LaneMask(lanes) => lane_mask(lanes, lane),
            Special::DynamicShared => launch.dynamic_shared_start() as u32,
            Special::DynamicSharedSize => launch.dynamic_shared as u32,
            Special::SharedSize => launch.shared_bytes() as u32,
        };
        u64::from(number)
    }
}

fn lane_mask(lanes: Lanes, lane: u32) -> u32 {
    let own = 1u32 << lane;
    match lanes {
        Lanes::Equal => own,
        Lanes::Less => own - 1,
        Lanes::LessOrEqual => own | (own - 1),
        Lanes::Greater => !(own | (own - 1)),
        Lanes::GreaterOrEqual => !(own - 1),
    }
}

impl Thread {
    /// Begins the kernel of a launch.
    pub(crate) fn start(&mut self, launch: &Launch, place: Place) {
        let function = launch.function();
        self.calls.clear();
        self.frame = 0;
        self.state = State::Ready;
        self.stack.clear();
        self.stack.extend_from_slice(&launch.parameters);
        self.stack.resize(function.frame_bytes, POISON);
        self.enter(function, launch, place);
    }

    fn enter(&mut self, function: &Function, launch: &Launch, place: Place) {
        self.registers.clear();
        self.registers.extend_from_slice(&function.registers);
        for &(register, special) in &function.specials {
            self.registers[register as usize] = place.special(special, launch);
        }
        self.at = function.start as usize;
    }

    /// What a register holds.
    #[inline(always)]
    pub(crate) fn get(&self, register: Reg) -> u64 {
        self.registers[register as usize]
    }

    /// Executes ops until the thread waits or ends, or was long enough at it.
    pub(crate) fn run(
        &mut self,
        machine: &mut Machine,
        shared: &mut [u8],
        place: Place,
        budget: u64,
    ) -> Result<(), Fault> {
        let launch = machine.launch;
        let ops = launch.program.ops.as_slice();
        let mut left = budget;
        while left > 0 {
            left -= 1;
            let at = self.at;
            self.at = at + 1;
            match &ops[at] {
                Op::Copy { d, a } => self.set(*d, self.get(*a)),
                Op::Unary { f, d, a } => self.set(*d, f(self.get(*a))),
                Op::Binary { f, d, a, b } => self.set(*d, f(self.get(*a), self.get(*b))),
                Op::Ternary { f, d, a, b, c } => {
                    self.set(*d, f(self.get(*a), self.get(*b), self.get(*c)));
                }
                Op::Quaternary { f, d, of } => {
                    let [a, b, c, e] = of.map(|register| self.get(register));
                    self.set(*d, f(a, b, c, e));
                }
                Op::Select { d, a, b, c } => {
                    let from = if self.get(*c) & 1 != 0 { *a } else { *b };
                    self.set(*d, self.get(from));
                }
                Op::Convert { d, a, how } => self.set(*d, how.apply(self.get(*a))),
                Op::Jump { target } => self.at = *target as usize,
                Op::Branch {
                    predicate,
                    expected,
                    target,
                } => {
                    if (self.get(*predicate) & 1 != 0) == *expected {
                        self.at = *target as usize;
                    }
                }
                Op::Indexed { index, targets } => self.indexed(*index, targets)?,
                Op::Load { access, d, from } => {
                    let bytes = self.locate(machine, shared, at, *access, 1, *from)?;
                    // SAFETY: `locate` checked that these bytes are live.
                    self.set(*d, unsafe { read(bytes, *access) });
                }
                Op::Store { access, a, to } => {
                    let value = self.get(*a);
                    let bytes = self.locate(machine, shared, at, *access, 1, *to)?;
                    // SAFETY: `locate` checked that these bytes are live.
                    unsafe { write(bytes, *access, value) };
                }
                Op::LoadVector { access, d, from } => {
                    let bytes = self.locate(machine, shared, at, *access, d.len(), **from)?;
                    for (i, d) in d.iter().enumerate() {
                        let part = bytes.wrapping_add(i * usize::from(access.bytes));
                        // SAFETY: `locate` checked the bytes of the whole vector.
                        self.set(*d, unsafe { read(part, *access) });
                    }
                }
                Op::StoreVector { access, a, to } => {
                    let bytes = self.locate(machine, shared, at, *access, a.len(), **to)?;
                    for (i, a) in a.iter().enumerate() {
                        let part = bytes.wrapping_add(i * usize::from(access.bytes));
                        // SAFETY: `locate` checked the bytes of the whole vector.
                        unsafe { write(part, *access, self.get(*a)) };
                    }
                }
                Op::Atomic(atomic) => self.atomic(machine, shared, at, atomic)?,
                Op::FrameAddress { d, offset } => {
                    self.set(*d, self.frame as u64 + u64::from(*offset));
                }
                Op::IsSpace { d, a, space } => {
                    let found = resolve(self.get(*a)).0;
                    self.set(*d, u64::from(found == *space));
                }
                Op::Exchange(_) => {
                    self.at = at;
                    self.state = State::Exchange;
                    break;
                }
                Op::Barrier(barrier) => {
                    self.at = at;
                    self.state = match barrier.kind {
                        BarrierKind::Arrive => State::Arrived,
                        _ => State::Barrier,
                    };
                    break;
                }
                Op::Call(call) => self.call(call, launch, place)?,
                Op::Return if !self.calls.is_empty() => self.return_to_caller(ops),
                Op::Return | Op::Exit => {
                    self.state = State::Ended;
                    break;
                }
                Op::Trap => {
                    self.at = at;
                    return Err(Fault::new(Status::LAUNCH_FAILED, "a trap was reached"));
                }
                Op::Clock { d } => self.set(*d, clock()),
                Op::ActiveMask { d } => self.set(*d, 1 << (place.thread % 32)),
            }
        }
        machine.spent += budget - left;
        Ok(())
    }

    /// Changes what a register holds.
    #[inline(always)]
    pub(crate) fn set(&mut self, register: Reg, value: u64) {
        self.registers[register as usize] = value;
    }

    fn indexed(&mut self, index: Reg, targets: &[u32]) -> Result<(), Fault> {
        let index = self.get(index) as u32 as usize;
        match targets.get(index) {
            Some(target) => {
                self.at = *target as usize;
                Ok(())
            }
            None => {
                self.at -= 1;
                let message = format!("the branch has no target {index}");
                Err(Fault::new(Status::ILLEGAL_INSTRUCTION, message))
            }
        }
    }

    /// Where the bytes of an access are, which are checked to be live and aligned.
    #[inline(always)]
    fn locate(
        &mut self,
        machine: &mut Machine,
        shared: &mut [u8],
        at: usize,
        access: Access,
        count: usize,
        address: Address,
    ) -> Result<*mut u8, Fault> {
        let address = self.get(address.base).wrapping_add(address.offset as u64);
        let size = u64::from(access.bytes) * count as u64;
        if access.space == Space::Global {
            let window = &machine.windows[at];
            if window.contains(address, size) && address & (size - 1) == 0 {
                return Ok((window.bytes + (address - window.start) as usize) as *mut u8);
            }
        }
        self.locate_slowly(machine, shared, at, access.space, address, size)
    }

    #[inline(never)]
    fn locate_slowly(
        &mut self,
        machine: &mut Machine,
        shared: &mut [u8],
        at: usize,
        space: Space,
        address: u64,
        size: u64,
    ) -> Result<*mut u8, Fault> {
        let (space, address) = match space {
            Space::Generic => resolve(address),
            Space::Frame => (Space::Local, address.wrapping_add(self.frame as u64)),
            space => (space, address),
        };
        if address & (size - 1) != 0 {
            self.at = at;
            return Err(misaligned(address, size));
        }
        let found = match space {
            Space::Shared => Window::of(shared).find(address, size),
            Space::Local => Window::of(&mut self.stack).find(address, size),
            _ => machine.memory.window(address).and_then(|window| {
                machine.windows[at] = window;
                window.find(address, size)
            }),
        };
        found.ok_or_else(|| {
            self.at = at;
            illegal(space, address, size)
        })
    }

    fn atomic(
        &mut self,
        machine: &mut Machine,
        shared: &mut [u8],
        at: usize,
        atomic: &Atomic,
    ) -> Result<(), Fault> {
        let bytes = self.locate(machine, shared, at, atomic.access, 1, atomic.at)?;
        // SAFETY: `locate` checked that these bytes are live.
        let old = unsafe { read(bytes, atomic.access) };
        let (b, c) = (self.get(atomic.b), self.get(atomic.c));
        let new = match atomic.update {
            Update::With(f) => f(old, b),
            Update::Exchange => b,
            Update::CompareExchange if is_same(old, b, atomic.access) => c,
            Update::CompareExchange => old,
        };
        // SAFETY: as above.
        unsafe { write(bytes, atomic.access, new) };
        if let Some(d) = atomic.d {
            self.set(d, old);
        }
        Ok(())
    }

    fn call(&mut self, call: &Call, launch: &Launch, place: Place) -> Result<(), Fault> {
        if self.calls.len() == DEPTH {
            self.at -= 1;
            let message = format!("calls are nested more than {DEPTH} deep");
            return Err(Fault::new(Status::LAUNCH_FAILED, message));
        }
        let function = &launch.program.functions[call.function];
        let frame = self.stack.len().next_multiple_of(16);
        self.stack.resize(frame + function.frame_bytes, POISON);
        for (from, to) in &call.arguments {
            self.copy(self.frame, *from, frame, *to);
        }
        self.calls.push(Caller {
            registers: std::mem::take(&mut self.registers),
            at: self.at,
            frame: self.frame,
        });
        self.frame = frame;
        self.enter(function, launch, place);
        Ok(())
    }

    fn copy(&mut self, from_frame: usize, from: Slot, to_frame: usize, to: Slot) {
        let start = from_frame + from.offset;
        let end = start + from.size.min(to.size);
        self.stack.copy_within(start..end, to_frame + to.offset);
    }

    fn return_to_caller(&mut self, ops: &[Op]) {
        let Some(caller) = self.calls.pop() else {
            return;
        };
        let frame = self.frame;
        self.registers = caller.registers;
        self.at = caller.at;
        self.frame = caller.frame;
        if let Op::Call(call) = &ops[caller.at - 1] {
            for (from, to) in &call.results {
                self.copy(frame, *from, self.frame, *to);
            }
        }
        self.stack.truncate(frame);
    }
}

impl Window {
    /// Memory whose addresses count from 0.
    fn of(bytes: &mut [u8]) -> Window {
        Window {
            start: 0,
            size: bytes.len() as u64,
            bytes: bytes.as_mut_ptr() as usize,
        }
    }

    fn find(&self, address: u64, count: u64) -> Option<*mut u8> {
        self.contains(address, count)
            .then(|| (self.bytes + (address - self.start) as usize) as *mut u8)
    }
}

/// The space of a generic address, and the address in it.
fn resolve(address: u64) -> (Space, u64) {
    if address.wrapping_sub(SHARED_WINDOW) < WINDOW_SIZE {
        (Space::Shared, address - SHARED_WINDOW)
    } else if address.wrapping_sub(LOCAL_WINDOW) < WINDOW_SIZE {
        (Space::Local, address - LOCAL_WINDOW)
    } else {
        (Space::Global, address)
    }
}

fn misaligned(address: u64, size: u64) -> Fault {
    let message = format!("the address {address:#x} is not a multiple of {size}");
    Fault::new(Status::MISALIGNED_ADDRESS, message)
}

fn illegal(space: Space, address: u64, size: u64) -> Fault {
    let place = match space {
        Space::Shared => "the shared memory of the block",
        Space::Local => "the memory of the thread",
        _ => "every allocation",
    };
    let message = format!("{size} bytes at {address:#x} lie outside of {place}");
    Fault::new(Status::ILLEGAL_ADDRESS, message)
}

fn is_same(old: u64, expected: u64, access: Access) -> bool {
    let unused = 64 - 8 * u32::from(access.bytes);
    (old ^ expected) << unused == 0
}

/// Nanoseconds since some time in the past.
fn clock() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Reads a value as a register holds it.
///
/// # Safety
///
/// `bytes` points to as many live bytes as the access has.
#[inline(always)]
unsafe fn read(bytes: *const u8, access: Access) -> u64 {
    // SAFETY: the caller vouches for the bytes; reads need no alignment.
    unsafe {
        match (access.bytes, access.signed) {
            (8, _) => bytes.cast::<u64>().read_unaligned(),
            (4, false) => u64::from(bytes.cast::<u32>().read_unaligned()),
            (4, true) => bytes.cast::<i32>().read_unaligned() as u64,
            (2, false) => u64::from(bytes.cast::<u16>().read_unaligned()),
            (2, true) => bytes.cast::<i16>().read_unaligned() as u64,
            (_, false) => u64::from(bytes.read()),
            (_, true) => bytes.cast::<i8>().read() as u64,
        }
    }
}

/// Writes the low bytes of a register.
///
/// # Safety
///
/// `bytes` points to as many live bytes as the access has.
#[inline(always)]
unsafe fn write(bytes: *mut u8, access: Access, value: u64) {
    // SAFETY: the caller vouches for the bytes; writes need no alignment.
    unsafe {
        match access.bytes {
            8 => bytes.cast::<u64>().write_unaligned(value),
            4 => bytes.cast::<u32>().write_unaligned(value as u32),
            2 => bytes.cast::<u16>().write_unaligned(value as u16),
            _ => bytes.write(value as u8),
        }
    }
}
