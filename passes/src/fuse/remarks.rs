//! Remarks of `soac-fuse`, through MLIR's remark engine: what was fused and what
//! that gains, what was not and why, and how good the answer is.
//!
//! `comb-opt --remarks-filter=soac-fuse` shows them. They cost a small search for
//! each pair of combinators that share an array, so that they are made only if
//! somebody wants them.

use comb_fusion::report::{FusionKind, Gain, Report};
use melior::{
    StringRef,
    ir::{Location, OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirLocation, MlirOperation, MlirStringRef};

use super::Decision;

unsafe extern "C" {
    fn combRemarksAreWanted(op: MlirOperation) -> bool;
    fn combEmitRemark(
        kind: i32,
        location: MlirLocation,
        name: MlirStringRef,
        function: MlirStringRef,
        text: MlirStringRef,
    );
}

/// Whether anybody listens to remarks on an op.
pub(crate) fn are_wanted(op: OperationRef) -> bool {
    // SAFETY: defined by cpp/Passes.cpp; the op is alive, and only looked at.
    unsafe { combRemarksAreWanted(op.to_raw()) }
}

#[derive(Clone, Copy)]
#[repr(i32)]
enum Kind {
    Passed = 0,
    Missed = 1,
    Analysis = 2,
}

/// Says what was decided about a block.
pub(crate) fn emit(decision: &Decision) {
    let report = decision.report();
    let members = &decision.problem.members;
    let emit = |kind, location: Location, name: &str, text: &str| {
        let [name, function, text] = [name, decision.function, text].map(StringRef::new);
        // SAFETY: defined by cpp/Passes.cpp, which copies the strings; the location
        // lives as long as the context.
        unsafe {
            combEmitRemark(
                kind as i32,
                location.to_raw(),
                name.to_raw(),
                function.to_raw(),
                text.to_raw(),
            );
        }
    };
    for fusion in &report.fusions {
        let Some(location) = decision.location(fusion.second.id) else {
            continue;
        };
        let text = format!(
            "{} fused with {} over {}: {}, {} shared, {}",
            fusion.second.name,
            fusion.first.name,
            fusion.array.name,
            kind(fusion.kind),
            loops(fusion.level),
            gain(fusion.gain)
        );
        emit(Kind::Passed, location, "Fused", &text);
    }
    for missed in &report.missed {
        if let Some(location) = decision.location(missed.second.id) {
            emit(Kind::Missed, location, "NotFused", &missed.sentence);
        }
    }
    emit(
        Kind::Analysis,
        members[0].op.location(),
        "Cost",
        &summary(&report),
    );
}

fn kind(kind: FusionKind) -> &'static str {
    match kind {
        FusionKind::Vertical => "vertical",
        FusionKind::Diagonal => "diagonal",
        FusionKind::Horizontal => "horizontal",
    }
}

fn loops(count: usize) -> String {
    match count {
        1 => "1 loop".to_owned(),
        _ => format!("{count} loops"),
    }
}

fn gain(gain: Gain) -> String {
    match gain {
        Gain::Exactly(more) => format!("saves {more}"),
        Gain::AtLeast(more) => format!("saves {more} at least"),
        Gain::Local(more) => format!("saves {more} by itself"),
        Gain::Everything => "nothing else is possible".to_owned(),
    }
}

fn summary(report: &Report) -> String {
    let chosen = report.costs.iter().find(|row| row.chosen);
    let cost = chosen.map_or(0.0, |row| row.cost);
    match (report.optimality.optimal, report.optimality.bound) {
        (true, _) => format!("{} = {cost}, which is the least", report.objective),
        (false, Some(bound)) => format!(
            "{} = {cost}; the least is {bound} or more",
            report.objective
        ),
        (false, None) => format!("{} = {cost}", report.objective),
    }
}
