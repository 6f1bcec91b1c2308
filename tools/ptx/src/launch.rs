//! Runs the grid of a kernel: several blocks are resident at a time and take turns, so that a block
//! may wait for what another one writes.

use std::sync::Arc;

use crate::block::{Block, Turn};
use crate::error::{Fault, Status};
use crate::memory::{Memory, Window};
use crate::program::{Function, Program};
use crate::settings::Settings;

/// The blocks that are resident at a time.
const RESIDENT: usize = 8;

/// A kernel and what it is launched with.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) program: Arc<Program>,
    /// The number of the function.
    pub(crate) kernel: usize,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// The bytes of shared memory beyond those of the kernel.
    pub(crate) dynamic_shared: usize,
    /// The bytes of the parameters.
    pub(crate) parameters: Vec<u8>,
}

/// What all threads of a launch share.
pub(crate) struct Machine<'a> {
    pub(crate) launch: &'a Launch,
    pub(crate) memory: &'a Memory,
    pub(crate) reverse: bool,
    /// The allocation that each op accessed last.
    pub(crate) windows: Vec<Window>,
    /// Instructions since a block ended last.
    pub(crate) spent: u64,
}

impl Launch {
    pub(crate) fn function(&self) -> &Function {
        &self.program.functions[self.kernel]
    }

    /// The bytes of shared memory of a block.
    pub(crate) fn shared_bytes(&self) -> usize {
        self.dynamic_shared_start() + self.dynamic_shared
    }

    /// Where shared memory of a size given at the launch begins.
    pub(crate) fn dynamic_shared_start(&self) -> usize {
        self.function().shared_bytes.next_multiple_of(16)
    }

    /// The threads of a block.
    pub(crate) fn threads(&self) -> usize {
        self.block.iter().map(|&count| count as usize).product()
    }

    /// Runs all blocks.
    pub(crate) fn run(&self, memory: &Memory, settings: &Settings) -> Result<(), Fault> {
        let mut machine = Machine {
            launch: self,
            memory,
            reverse: settings.reverse,
            windows: vec![Window::default(); self.program.ops.len()],
            spent: 0,
        };
        let count: u64 = self.grid.iter().map(|&count| u64::from(count)).product();
        let mut order = (0..count).map(|i| if settings.reverse { count - 1 - i } else { i });
        let mut resident: Vec<Block> = Vec::new();
        let mut idle: Vec<Block> = Vec::new();
        loop {
            while resident.len() < RESIDENT
                && let Some(number) = order.next()
            {
                let mut block = idle.pop().unwrap_or_else(|| Block::new(self));
                block.start(self, number);
                resident.push(block);
                // A block that ends at once leaves its place to the next one.
                turns(&mut machine, &mut resident, &mut idle, true)?;
            }
            if resident.is_empty() {
                return Ok(());
            }
            turns(&mut machine, &mut resident, &mut idle, false)?;
            if machine.spent > settings.patience {
                return Err(self.timeout(&machine));
            }
        }
    }

    fn timeout(&self, machine: &Machine) -> Fault {
        let name = &self.function().name;
        let spent = machine.spent;
        Fault::new(
            Status::LAUNCH_TIMEOUT,
            format!("kernel {name}: no block ended for {spent} instructions"),
        )
    }
}

/// Gives a turn to each block, or only to the newest one; those that end become idle.
fn turns(
    machine: &mut Machine,
    resident: &mut Vec<Block>,
    idle: &mut Vec<Block>,
    only_newest: bool,
) -> Result<(), Fault> {
    let mut at = if only_newest { resident.len() - 1 } else { 0 };
    while at < resident.len() {
        match resident[at].turn(machine)? {
            Turn::Ended => {
                machine.spent = 0;
                idle.push(resident.remove(at));
            }
            Turn::Running => at += 1,
        }
    }
    Ok(())
}
