//! Remarks of `soac-fuse`, through MLIR's remark engine: what was fused and what
//! that gains, what was not and why, and how good the answer is.
//!
//! `comb-opt --remarks-filter=soac-fuse` shows them. They cost a small search for
//! each pair of combinators that share an array, so that they are made only if
//! somebody wants them: the engine asks for the text of a block's first remark of
//! each kind, and then gets the others.

use std::cell::OnceCell;

use comb_fusion::report::{FusionKind, Gain, Report};
use melior::ir::operation::OperationLike;

use super::Decision;
use comb_kit::remarks::{Kind, Remark};

/// Says what was decided about a block, as far as somebody wants to know.
pub fn emit(decision: &Decision) {
    let report = OnceCell::new();
    let report = || report.get_or_init(|| decision.report());
    let remark = |kind, name, location| Remark {
        pass: "soac-fuse",
        kind,
        name,
        function: decision.function,
        location,
    };
    let place = decision.problem.members[0].op.location();
    remark(Kind::Analysis, "Cost", place).emit(&|| cost(report()));
    if remark(Kind::Passed, "Fusions", place).emit(&|| fusions(report())) {
        for fusion in &report().fusions {
            if let Some(location) = decision.location(fusion.second.id) {
                let text = format!(
                    "{} fused with {} over {}: {}, {} shared, {}",
                    fusion.second.name,
                    fusion.first.name,
                    fusion.array.name,
                    kind_of_fusion(fusion.kind),
                    count(fusion.level, "loop"),
                    gain(fusion.gain)
                );
                remark(Kind::Passed, "Fused", location).emit(&|| text.clone());
            }
        }
    }
    if remark(Kind::Missed, "Fusions", place).emit(&|| missed(report())) {
        for missed in &report().missed {
            if let Some(location) = decision.location(missed.second.id) {
                remark(Kind::Missed, "NotFused", location).emit(&|| missed.sentence.clone());
            }
        }
        for apart in &report().apart {
            if let Some(location) = decision.location(apart.by.id) {
                remark(Kind::Missed, "KeptApart", location).emit(&|| apart.sentence.clone());
            }
        }
    }
}

fn cost(report: &Report) -> String {
    let chosen = report.costs.iter().find(|row| row.chosen);
    let cost = chosen.map(|row| row.cost).unwrap_or_default();
    let objective = &report.objective;
    match (report.optimality.optimal, report.optimality.bound) {
        (true, _) => format!("{objective} = {cost}, which is the least"),
        (false, Some(bound)) => format!("{objective} = {cost}; the least is {bound} or more"),
        (false, None) => format!("{objective} = {cost}"),
    }
}

fn fusions(report: &Report) -> String {
    let loops = count(report.clusters.len(), "loop");
    format!("{} in {loops}", count(report.fusions.len(), "fusion"))
}

fn missed(report: &Report) -> String {
    let pairs = count(report.missed.len(), "pair");
    format!("{pairs} of combinators that share an array, but no loop")
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

fn kind_of_fusion(kind: FusionKind) -> &'static str {
    match kind {
        FusionKind::Vertical => "vertical",
        FusionKind::Diagonal => "diagonal",
        FusionKind::Horizontal => "horizontal",
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
