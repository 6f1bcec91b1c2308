//! Kernels of a GPU, on one thread of the host: one block after the other, and in a block a coroutine
//! for each thread, which runs until it waits for others. Blocks, or threads of a block, may be run in
//! either order.
//!
//! What a GPU does not tell is an error here: threads that wait at different barriers, lanes that
//! exchange values with lanes that are elsewhere, and accesses that race with each other.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack};

use crate::element::Type;
use crate::failure::Failure;
use crate::machine::{Limits, Machine};
use crate::memory::Memory;
use crate::program::{Function, Op, Program};
use crate::races::{Kind, Races};
use crate::value::{Scalar, Value};

/// The stack of a coroutine: enough for the regions that a kernel has in each other.
const STACK_BYTES: usize = 1 << 20;

/// The most threads that a block may have.
const MOST_THREADS: usize = 1024;

/// Kernels call no function and name no global.
static NOTHING: Program = Program::nothing();

/// What a thread waits for.
#[derive(Clone, Debug)]
pub(crate) enum Wait {
    /// All threads of its block.
    Barrier,
    /// The other lanes of its warp, so many in all, to be given the value of one of them.
    Shuffle {
        value: Scalar,
        from: usize,
        lanes: usize,
    },
}

/// What it is given then; nothing behind a barrier.
type Answer = Option<Scalar>;

/// What a thread waits for, and where.
#[derive(Clone, Debug)]
struct Stop {
    wait: Wait,
    /// The number of the op.
    op: usize,
    location: String,
}

type Fibre = Coroutine<Answer, Stop, Result<(), Failure>, DefaultStack>;

/// Three sizes or positions: along x, y and z.
pub(crate) type Three = [usize; 3];

/// A thread of a kernel.
pub(crate) struct Thread<'p> {
    yielder: &'p Yielder<Answer, Stop>,
    races: Rc<RefCell<Races>>,
    pub(crate) blocks: Three,
    pub(crate) threads: Three,
    pub(crate) block: Three,
    pub(crate) thread: Three,
}

impl Thread<'_> {
    /// Waits.
    pub(crate) fn wait(&self, wait: Wait, op: &Op) -> Answer {
        self.yielder.suspend(Stop {
            wait,
            op: op.number,
            location: op.location.clone(),
        })
    }

    /// Notes an access; gives the block and thread that race with it, if any do.
    pub(crate) fn note(
        &self,
        memory: &Memory,
        index: &[usize],
        kind: Kind,
    ) -> Option<(usize, usize)> {
        let own = (
            number(self.block, self.blocks),
            number(self.thread, self.threads),
        );
        self.races.borrow_mut().note(memory, index, kind, own)
    }
}

/// Which of all it is, x first.
fn number(place: Three, sizes: Three) -> usize {
    place[0] + sizes[0] * (place[1] + sizes[1] * place[2])
}

fn place(number: usize, sizes: Three) -> Three {
    let rows = number / sizes[0];
    [number % sizes[0], rows % sizes[1], rows / sizes[1]]
}

/// A kernel that is launched.
pub(crate) struct Launch {
    pub(crate) kernel: Arc<Function>,
    pub(crate) arguments: Vec<Value>,
    pub(crate) blocks: Three,
    pub(crate) threads: Three,
    pub(crate) limits: Limits,
    /// The location of the launch.
    pub(crate) location: String,
}

/// A thread that has not ended.
struct Running {
    fibre: Fibre,
    /// Where it stands; nothing if it may go on.
    stop: Option<Stop>,
    answer: Answer,
    has_ended: bool,
}

impl Launch {
    /// Runs all blocks.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let threads: usize = self.threads.iter().product();
        let blocks: usize = self.blocks.iter().product();
        if blocks == 0 || threads == 0 || threads > MOST_THREADS {
            return Err(self.undefined(
                &self.location,
                format!(
                    "launches {blocks} blocks of {threads} threads, but there are 1 to {MOST_THREADS} \
                     threads in a block, and 1 block at least"
                ),
            ));
        }
        let races = Rc::new(RefCell::new(Races::default()));
        let in_order: Vec<usize> = match self.limits.backwards {
            true => (0..blocks).rev().collect(),
            false => (0..blocks).collect(),
        };
        for block in in_order {
            races.borrow_mut().wait();
            self.block(place(block, self.blocks), &races)?;
        }
        Ok(())
    }

    fn block(&self, block: Three, races: &Rc<RefCell<Races>>) -> Result<(), Failure> {
        let arguments = [self.arguments.clone(), self.shared()].concat();
        let count: usize = self.threads.iter().product();
        let mut threads = vec![];
        for thread in 0..count {
            threads.push(Running {
                fibre: self.fibre(block, place(thread, self.threads), &arguments, races)?,
                stop: None,
                answer: None,
                has_ended: false,
            });
        }
        loop {
            self.advance(&mut threads)?;
            if threads.iter().all(|thread| thread.has_ended) {
                return Ok(());
            }
            if self.exchange(&mut threads)? {
                continue;
            }
            self.release(&mut threads)?;
            races.borrow_mut().wait();
        }
    }

    /// New memory for the arrays that the threads of a block share.
    fn shared(&self) -> Vec<Value> {
        let arguments = self.kernel.body.iter().flat_map(|body| body.blocks.first());
        let arguments = arguments.flat_map(|block| &block.arguments);
        let shared = arguments.skip(self.arguments.len());
        let array = |ty: &Type| match ty {
            Type::Memory { element, sizes } => {
                let sizes: Option<Vec<usize>> = sizes.iter().copied().collect();
                Some(Value::Memory(Memory::new(*element, &sizes?)))
            }
            _ => None,
        };
        shared.filter_map(|slot| array(&slot.ty)).collect()
    }

    fn fibre(
        &self,
        block: Three,
        thread: Three,
        arguments: &[Value],
        races: &Rc<RefCell<Races>>,
    ) -> Result<Fibre, Failure> {
        let stack = DefaultStack::new(STACK_BYTES).map_err(|error| Failure::Limit {
            location: self.location.clone(),
            what: format!("no stack for a thread of a kernel: {error}"),
        })?;
        let (kernel, arguments) = (Arc::clone(&self.kernel), arguments.to_vec());
        let (limits, races) = (self.limits.clone(), Rc::clone(races));
        let (blocks, threads) = (self.blocks, self.threads);
        Ok(Coroutine::with_stack(stack, move |yielder, _| {
            let mut machine = Machine::new(&NOTHING, &limits);
            machine.thread = Some(Thread {
                yielder,
                races,
                blocks,
                threads,
                block,
                thread,
            });
            match &kernel.body {
                Some(body) => machine.call(&kernel, body, arguments).map(drop),
                None => Ok(()),
            }
        }))
    }

    /// Runs each thread that does not wait until it does.
    fn advance(&self, threads: &mut [Running]) -> Result<(), Failure> {
        let each: Box<dyn Iterator<Item = &mut Running>> = match self.limits.backwards {
            true => Box::new(threads.iter_mut().rev()),
            false => Box::new(threads.iter_mut()),
        };
        for thread in each.filter(|thread| !thread.has_ended && thread.stop.is_none()) {
            match thread.fibre.resume(thread.answer.take()) {
                CoroutineResult::Yield(stop) => thread.stop = Some(stop),
                CoroutineResult::Return(result) => {
                    result?;
                    thread.has_ended = true;
                }
            }
        }
        Ok(())
    }

    /// Warps whose lanes all wait for each other exchange values. Says whether there are any.
    fn exchange(&self, threads: &mut [Running]) -> Result<bool, Failure> {
        let lanes = threads.iter().find_map(|thread| match &thread.stop {
            Some(Stop {
                wait: Wait::Shuffle { lanes, .. },
                ..
            }) => Some(*lanes),
            _ => None,
        });
        let Some(lanes) = lanes.filter(|&lanes| lanes > 0) else {
            return Ok(false);
        };
        for warp in threads.chunks_mut(lanes) {
            let stops: Vec<Option<Stop>> = warp.iter().map(|lane| lane.stop.clone()).collect();
            let mut shuffles = stops.iter().flatten();
            let is_shuffle = |stop: &&Stop| matches!(stop.wait, Wait::Shuffle { .. });
            let Some(first) = shuffles.find(is_shuffle) else {
                continue;
            };
            for (own, lane) in warp.iter_mut().enumerate() {
                lane.answer = Some(self.answer(&stops, own, first)?);
                lane.stop = None;
            }
        }
        Ok(true)
    }

    /// What a lane gets from another one.
    fn answer(&self, stops: &[Option<Stop>], own: usize, first: &Stop) -> Result<Scalar, Failure> {
        let shuffle = |lane: usize| match stops.get(lane)?.as_ref()? {
            Stop {
                wait: Wait::Shuffle { value, from, .. },
                op,
                ..
            } if *op == first.op => Some((*value, *from)),
            _ => None,
        };
        let from = shuffle(own).map(|(_, from)| from);
        let given = from.and_then(&shuffle).map(|(value, _)| value);
        given.ok_or_else(|| {
            let absent = from.unwrap_or(own);
            self.undefined(
                &first.location,
                format!(
                    "'gpu.shuffle' op: lane {absent} of a warp of {} does not come here",
                    stops.len()
                ),
            )
        })
    }

    /// Lets all threads go on that wait at a barrier.
    fn release(&self, threads: &mut [Running]) -> Result<(), Failure> {
        let first = threads.iter().find_map(|thread| thread.stop.clone());
        let Some(first) = first else {
            return Ok(());
        };
        for (number, thread) in threads.iter_mut().enumerate() {
            match thread.stop.take() {
                Some(stop) if stop.op == first.op => {}
                other => {
                    let instead = match other {
                        Some(stop) => format!("waits at another one, at {}", stop.location),
                        None => "has ended".to_owned(),
                    };
                    return Err(self.undefined(
                        &first.location,
                        format!("'gpu.barrier' op: thread {number} of the block {instead}"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn undefined(&self, location: &str, message: String) -> Failure {
        Failure::Undefined {
            location: location.to_owned(),
            message,
        }
    }
}
