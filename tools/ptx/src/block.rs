//! A block: its threads take turns until all wait; then exchanges and barriers let them go on.

use crate::error::{Fault, Status};
use crate::launch::{Launch, Machine};
use crate::memory::POISON;
use crate::program::{Barrier, BarrierKind, BarrierReduction, Op, Program};
use crate::thread::{Place, State, Thread};
use crate::warp;

/// The instructions of a thread in a row before another one runs.
const SLICE: u64 = 10_000;
/// The exchanges of a warp in a row before another one runs.
const EXCHANGES: usize = 256;
/// The passes over all threads before another block runs.
const PASSES: usize = 64;
/// The barriers that a block has.
const BARRIERS: usize = 16;
/// The waiting threads that an error lists.
const LISTED: usize = 4;

/// A block.
pub(crate) struct Block {
    threads: Vec<Thread>,
    shared: Vec<u8>,
    index: [u32; 3],
    /// The threads that arrived at each barrier without waiting.
    arrived: [u64; BARRIERS],
}

/// How a turn ended.
pub(crate) enum Turn {
    Running,
    Ended,
}

/// What happened in a pass over all threads.
#[derive(Default)]
struct Pass {
    /// Something ran.
    progress: bool,
    /// A thread or warp stopped because it was long enough at it.
    interrupted: bool,
}

impl Block {
    pub(crate) fn new(launch: &Launch) -> Block {
        Block {
            threads: (0..launch.threads()).map(|_| Thread::default()).collect(),
            shared: Vec::new(),
            index: [0; 3],
            arrived: [0; BARRIERS],
        }
    }

    /// Begins the block of this number.
    pub(crate) fn start(&mut self, launch: &Launch, number: u64) {
        let [x, y, _] = launch.grid.map(u64::from);
        self.index = [number % x, number / x % y, number / x / y].map(|axis| axis as u32);
        self.arrived = [0; BARRIERS];
        self.shared.clear();
        self.shared.resize(launch.shared_bytes(), POISON);
        let block = self.index;
        for (thread, state) in self.threads.iter_mut().enumerate() {
            let thread = thread as u32;
            state.start(launch, Place { thread, block });
        }
    }

    /// Runs until all threads have ended, or some of them were long enough at it.
    pub(crate) fn turn(&mut self, machine: &mut Machine) -> Result<Turn, Fault> {
        for _ in 0..PASSES {
            let mut pass = Pass::default();
            self.run_warps(machine, &mut pass)?;
            if self
                .threads
                .iter()
                .all(|thread| thread.state == State::Ended)
            {
                return Ok(Turn::Ended);
            }
            let released = self.release_barriers(machine)?;
            if pass.interrupted {
                break;
            }
            if !pass.progress && !released {
                return Err(self.deadlock(machine));
            }
        }
        Ok(Turn::Running)
    }

    fn run_warps(&mut self, machine: &mut Machine, pass: &mut Pass) -> Result<(), Fault> {
        let count = self.threads.len().div_ceil(32);
        for i in 0..count {
            let warp = if machine.reverse { count - 1 - i } else { i };
            self.run_warp(machine, warp, pass)?;
        }
        Ok(())
    }

    fn run_warp(
        &mut self,
        machine: &mut Machine,
        warp: usize,
        pass: &mut Pass,
    ) -> Result<(), Fault> {
        let first = warp * 32;
        let end = (first + 32).min(self.threads.len());
        for _ in 0..EXCHANGES {
            for i in first..end {
                let thread = if machine.reverse {
                    end - 1 - (i - first)
                } else {
                    i
                };
                self.run_thread(machine, thread, pass)?;
            }
            let program = &machine.launch.program;
            match warp::exchange(program, &mut self.threads[first..end]) {
                Ok(true) => pass.progress = true,
                Ok(false) => return Ok(()),
                Err(mismatch) => {
                    return Err(self.located(machine, first + mismatch.lane, mismatch.fault));
                }
            }
        }
        pass.interrupted = true;
        Ok(())
    }

    fn run_thread(
        &mut self,
        machine: &mut Machine,
        number: usize,
        pass: &mut Pass,
    ) -> Result<(), Fault> {
        let thread = &mut self.threads[number];
        if thread.state != State::Ready {
            return Ok(());
        }
        pass.progress = true;
        let place = Place {
            thread: number as u32,
            block: self.index,
        };
        if let Err(fault) = thread.run(machine, &mut self.shared, place, SLICE) {
            return Err(self.located(machine, number, fault));
        }
        match thread.state {
            State::Ready => pass.interrupted = true,
            State::Arrived => self.arrive(machine, number)?,
            _ => {}
        }
        Ok(())
    }

    /// Counts a thread that arrives at a barrier without waiting.
    fn arrive(&mut self, machine: &Machine, number: usize) -> Result<(), Fault> {
        let barrier = barrier_at(&machine.launch.program, &self.threads[number]);
        let index = barrier.map_or(0, |barrier| self.threads[number].get(barrier.number));
        let Some(arrived) = self.arrived.get_mut(index as usize) else {
            return Err(self.located(machine, number, no_barrier(index)));
        };
        *arrived += 1;
        self.threads[number].at += 1;
        self.threads[number].state = State::Ready;
        Ok(())
    }

    /// Lets the threads go on that wait at a barrier which all have reached.
    fn release_barriers(&mut self, machine: &Machine) -> Result<bool, Fault> {
        let mut waiting: [Vec<usize>; BARRIERS] = Default::default();
        for (number, thread) in self.threads.iter().enumerate() {
            if thread.state != State::Barrier {
                continue;
            }
            let barrier = barrier_at(&machine.launch.program, thread);
            let index = barrier.map_or(0, |barrier| thread.get(barrier.number));
            match waiting.get_mut(index as usize) {
                Some(waiting) => waiting.push(number),
                None => return Err(self.located(machine, number, no_barrier(index))),
            }
        }
        let mut released = false;
        for (index, waiting) in waiting.iter().enumerate() {
            released |= self.release(machine, index, waiting)?;
        }
        Ok(released)
    }

    fn release(
        &mut self,
        machine: &Machine,
        index: usize,
        waiting: &[usize],
    ) -> Result<bool, Fault> {
        let Some(&first) = waiting.first() else {
            return Ok(false);
        };
        let program = &machine.launch.program;
        let Some(barrier) = barrier_at(program, &self.threads[first]) else {
            return Ok(false);
        };
        let expected = match barrier.count {
            Some(count) => self.threads[first].get(count),
            None => self.live(),
        };
        if (waiting.len() as u64) + self.arrived[index] < expected {
            return Ok(false);
        }
        if barrier.aligned {
            self.check_aligned(machine, waiting)?;
        }
        self.arrived[index] = 0;
        self.reduce(program, waiting);
        for &number in waiting {
            self.threads[number].at += 1;
            self.threads[number].state = State::Ready;
        }
        Ok(true)
    }

    /// The threads that have not ended.
    fn live(&self) -> u64 {
        let live = self
            .threads
            .iter()
            .filter(|thread| thread.state != State::Ended);
        live.count() as u64
    }

    /// All threads of a warp must wait at the same instruction.
    fn check_aligned(&self, machine: &Machine, waiting: &[usize]) -> Result<(), Fault> {
        for pair in waiting.windows(2) {
            let (one, other) = (&self.threads[pair[0]], &self.threads[pair[1]]);
            if pair[0] / 32 == pair[1] / 32 && one.at != other.at {
                let sources = &machine.launch.program.sources;
                let message = format!(
                    "threads of one warp wait at different barriers, of lines {} and {}",
                    sources[one.at].line, sources[other.at].line
                );
                let fault = Fault::new(Status::LAUNCH_FAILED, message);
                return Err(self.located(machine, pair[0], fault));
            }
        }
        Ok(())
    }

    /// Combines the predicates of those that wait, where a barrier asks for it.
    fn reduce(&mut self, program: &Program, waiting: &[usize]) {
        let mut given = Vec::new();
        for &number in waiting {
            let thread = &self.threads[number];
            if let Some(BarrierKind::Reduce { a, .. }) = kind_at(program, thread) {
                given.push(thread.get(a) & 1);
            }
        }
        let count: u64 = given.iter().sum();
        for &number in waiting {
            let thread = &mut self.threads[number];
            if let Some(BarrierKind::Reduce { how, d, .. }) = kind_at(program, thread) {
                thread.set(
                    d,
                    match how {
                        BarrierReduction::Count => count,
                        BarrierReduction::All => u64::from(count == given.len() as u64),
                        BarrierReduction::Any => u64::from(count > 0),
                    },
                );
            }
        }
    }

    fn deadlock(&self, machine: &Machine) -> Fault {
        let waiting = || {
            let threads = self.threads.iter().enumerate();
            threads.filter(|(_, thread)| thread.state != State::Ended)
        };
        // One thread for each place where threads wait.
        let mut places: Vec<(usize, usize)> = waiting().map(|(i, thread)| (thread.at, i)).collect();
        places.sort_unstable();
        places.dedup_by_key(|place| place.0);
        let listed: Vec<String> = places
            .iter()
            .take(LISTED)
            .map(|&(at, number)| {
                let source = &machine.launch.program.sources[at];
                format!(
                    "thread {number} at line {} ({})",
                    source.line, source.opcode
                )
            })
            .collect();
        let message = format!(
            "kernel {}, block {:?}: {} threads wait for each other for ever: {}",
            machine.launch.function().name,
            self.index,
            waiting().count(),
            listed.join(", ")
        );
        Fault::new(Status::LAUNCH_FAILED, message)
    }

    /// A fault with the place where it happened.
    fn located(&self, machine: &Machine, number: usize, fault: Fault) -> Fault {
        let launch = machine.launch;
        let source = &launch.program.sources[self.threads[number].at];
        let place = Place {
            thread: number as u32,
            block: self.index,
        };
        let message = format!(
            "kernel {}, line {} ({}), block {:?}, thread {:?}: {}",
            launch.function().name,
            source.line,
            source.opcode,
            self.index,
            place.coordinates(launch.block),
            fault.message
        );
        Fault::new(fault.status, message)
    }
}

fn barrier_at<'a>(program: &'a Program, thread: &Thread) -> Option<&'a Barrier> {
    match &program.ops[thread.at] {
        Op::Barrier(barrier) => Some(barrier),
        _ => None,
    }
}

fn kind_at(program: &Program, thread: &Thread) -> Option<BarrierKind> {
    barrier_at(program, thread).map(|barrier| barrier.kind)
}

fn no_barrier(index: u64) -> Fault {
    Fault::new(
        Status::LAUNCH_FAILED,
        format!("there is no barrier {index}"),
    )
}
