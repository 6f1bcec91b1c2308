//! Decides how a CPU runs loop nests, and writes it at the loops. It changes nothing else.
//!
//! Phases, for each kernel:
//! 1. [`nests`] reads its loops, [`accesses`] how elements that are read and written lie in memory,
//!    [`obstacles`] what speaks against doing several iterations at once, [`streams`] what is written in
//!    whole lines, [`rows`] what rows of stencils have in common, [`packing`]
//!    what is copied first, [`splitting`] where loops are cut, [`scatters`] how threads share those,
//!    [`wavefronts`] what threads may go through one behind the other;
//! 2. [`choose`] decides, a pure function of the kernel and the machine (`comb.machine`), with
//!    [`reasons`];
//! 3. the decisions are written as attributes, but for loops that have one: what is said by hand
//!    stays. Code that is made of nests only obeys ([`nest_to_vectors`](crate::nest_to_vectors)).
//!
//! Works on the value form and the memory form. The reasons are remarks, and `comb explain --loops`
//! prints them.
//!
//! Cost: that of [`choose`].

pub mod accesses;
pub mod blocks;
pub mod choose;
pub mod counts;
pub mod known;
pub mod obstacles;
pub mod packing;
pub mod reasons;
pub mod records;
mod rows;
pub mod scatters;
pub mod segments;
mod shared_work;
pub mod splitting;
pub mod stencils;
pub mod streams;
pub mod sums;
mod transposes;
pub mod wavefronts;
pub mod widths;

use choose::{Choice, Versions, choose};
use comb_kit::{
    machine,
    pass_error::PassError,
    remarks::{Kind as RemarkKind, Remark},
    switches::{self, Switches},
    transformations::Transformation,
    walk::ancestors,
};
use comb_machine::Machine;
use comb_nest::nests::{Nest, kernels};
use melior::ir::{OperationRef, operation::OperationLike};
use nest_dialect::schedule::{SCHEDULE, Schedule};
use reasons::Reason;
use scatters::ways;
use soac_dialect::{
    text::{shown, symbol_bytes},
    view::op_name,
};
use streams::streamed;

/// What schedules may say.
#[derive(Clone, Copy, Debug)]
pub struct May {
    /// Anything but one iteration after the other, by one thread.
    pub be_fast: bool,
    /// What a kernel has to be there in two versions for.
    pub version: Versions,
}

/// Writes a schedule at all loops of kernels that have none.
///
/// # Errors
///
/// If the module is for no CPU.
pub fn run<'c>(module: OperationRef<'c, '_>, may: May) -> Result<(), PassError<'c>> {
    switches::with(module, |switches| {
        for kernel in kernels(module) {
            let machine = machine::of(kernel)?;
            let mut chosen = choices(kernel, &machine, may.version);
            let versions = allowed(&chosen, may.version, switches);
            if versions != may.version {
                chosen = choices(kernel, &machine, versions);
            }
            for mut choice in chosen {
                let is_given = choice.op.has_attribute(SCHEDULE);
                if !is_given {
                    match may.be_fast {
                        true => choice.switch(switches),
                        false => choice.make_scalar(),
                    }
                    choice.schedule.write(choice.op);
                }
                // What was chosen before is said already where the rest is chosen.
                if !is_given || may.version != Versions::NONE {
                    remark(&choice);
                }
            }
        }
        Ok(())
    })
}

/// What is not switched off of what was chosen for a kernel: if operands are not packed for one loop, they are
/// for none, and if one loop is not distributed, none is.
fn allowed(chosen: &[Choice], may: Versions, switches: &Switches) -> Versions {
    let apply = |is_chosen: fn(&Choice) -> bool, transformation| {
        let mut sites = chosen.iter().filter(|choice| is_chosen(choice));
        sites.all(|choice| switches.applies(transformation, choice.op.location()))
    };
    let packed = apply(
        |choice| choice.schedule.pack.is_some(),
        Transformation::Packing,
    );
    let distributed = apply(
        |choice| choice.schedule.blocks.is_some(),
        Transformation::Ahead,
    );
    Versions {
        packed: may.packed && packed,
        distributed: may.distributed && distributed,
        ..may
    }
}

impl Choice<'_, '_> {
    fn make_scalar(&mut self) {
        self.schedule = Schedule::default();
        self.reasons = vec![Reason::Scalar];
    }

    /// Leaves out what is switched off.
    fn switch(&mut self, switches: &Switches) {
        let Schedule {
            lanes,
            accumulators,
            chunk,
            jam,
            stream,
            fetch,
            ahead,
            blocks: _,
            pack: _,
            pack_over: _,
            split,
            wavefront,
            tables,
            buckets,
            buckets_over: _,
        } = self.schedule;
        let location = self.op.location();
        let mut is_off = |is_chosen: bool, transformation| {
            let is_off = is_chosen && !switches.applies(transformation, location);
            if is_off {
                self.reasons.push(Reason::Off(transformation));
            }
            is_off
        };
        let in_lanes = match Nest::of(self.op).is_innermost() {
            true => Transformation::Vectors,
            false => Transformation::OuterLanes,
        };
        if is_off(lanes > 1, in_lanes) {
            self.schedule.lanes = 1;
        }
        let folds_several = accumulators > 1 && self.schedule.lanes > 1;
        if !folds_several || is_off(true, Transformation::Accumulators) {
            self.schedule.accumulators = 1;
        }
        if is_off(jam > 1, Transformation::UnrollAndJam) {
            self.schedule.jam = 1;
        }
        let streams = stream.is_some() && !streamed(&Nest::of(self.op), &self.schedule).is_empty();
        if !streams || is_off(true, Transformation::Streaming) {
            self.schedule.stream = None;
        }
        if is_off(fetch.is_some(), Transformation::RowsAhead) {
            self.schedule.fetch = None;
        }
        if is_off(ahead.is_some(), Transformation::Prefetch) {
            self.schedule.ahead = None;
        }
        if is_off(split.is_some(), Transformation::Pieces) {
            self.schedule.split = None;
        }
        if is_off(wavefront.is_some(), Transformation::Wavefronts) {
            self.schedule.wavefront = None;
        }
        if is_off(tables.is_some(), Transformation::Tables) {
            self.schedule.tables = None;
        }
        if is_off(buckets.is_some(), Transformation::Buckets) {
            self.schedule.buckets = None;
            self.schedule.buckets_over = None;
        }
        let is_unsaid = || ways(&Nest::of(self.op), &self.schedule).is_err();
        let loses_scatters = chunk.is_some() && is_unsaid();
        let has_threads = chunk.or(self.schedule.wavefront).is_some();
        if loses_scatters || is_off(has_threads, Transformation::Threads) {
            self.schedule = Schedule {
                chunk: None,
                tables: None,
                buckets: None,
                buckets_over: None,
                wavefront: None,
                ..self.schedule
            };
        }
    }
}

/// How the loops of a kernel run: as they say, or as is best for a machine.
pub fn choices<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    machine: &Machine,
    may: Versions,
) -> Vec<Choice<'c, 'a>> {
    let mut choices = choose(kernel, machine, may);
    for choice in &mut choices {
        if let Ok(Some(given)) = Schedule::of(choice.op) {
            choice.schedule = given;
            choice.reasons = vec![Reason::Given];
        }
    }
    choices
}

fn remark(choice: &Choice) {
    let function = ancestors(choice.op).find(|&op| op_name(op) == "func.func");
    let function = function.and_then(symbol_bytes).unwrap_or_default();
    let remark = Remark {
        pass: "nest-schedule",
        kind: RemarkKind::Analysis,
        name: "Schedule",
        function: &shown(function),
        location: choice.op.location(),
    };
    remark.emit(&|| {
        let reasons: Vec<String> = choice.reasons.iter().map(Reason::to_string).collect();
        format!("a loop: {}", reasons.join("; "))
    });
}
