//! `comb explain --memory`: says which blocks of memory a program has and what it copies, before its arrays share memory
//! and then.

use comb_driver::{
    Compiler,
    explain_memory::{ExplainedMemory, explain_memory},
};
use comb_passes::memory::usage::{Amount, Block, Copied, Usage};
use serde_json::{Value, json};

use crate::{
    explain::{ExplainFailure, fusion_options, load_program},
    failure::Failure,
    options::{ExplainFormat, ExplainOptions},
    progress::Progress,
};

mod picture;

/// What memory a program uses, as text, JSON or a picture.
pub fn explained(options: &ExplainOptions) -> Result<String, Failure> {
    fusion_options(options).map_err(ExplainFailure::from)?;
    let shown = match options.format {
        ExplainFormat::Text => text,
        ExplainFormat::Json => as_json,
        ExplainFormat::Svg => picture::svg,
        ExplainFormat::Graph | ExplainFormat::Dot => return Err(ExplainFailure::NoGraph.into()),
    };
    let progress = Progress::start();
    progress.step("fusing");
    let compiler = Compiler::new();
    let (mut program, function) = load_program(&compiler, options)?;
    comb_driver::parameter_names::write(&compiler, &program);
    let extents = options.fusion.extents();
    let fusion = options.fusion.text(&options.algorithm, &extents);
    let (mut functions, warnings) = explain_memory(&compiler, &mut program, &fusion)?;
    drop(progress);
    crate::run::warn(&warnings);
    functions.retain(|one| function.is_none_or(|function| function == one.function));
    if functions.is_empty() {
        let of = function.map_or_else(String::new, |function| format!(" in '{function}'"));
        let file = options.file.display().to_string();
        return Err(ExplainFailure::NoMemory { file, of }.into());
    }
    Ok(shown(&functions))
}

/// Bytes at a time: more than one amount if it is not known which is more.
fn most(usage: &Usage) -> String {
    match usage.most.as_slice() {
        [] => "no bytes".to_owned(),
        [one] => in_bytes(one),
        several => {
            let texts: Vec<&str> = several.iter().map(|one| one.text.as_str()).collect();
            format!("the most of {} bytes", texts.join(", "))
        }
    }
}

fn in_bytes(amount: &Amount) -> String {
    format!("{} bytes", amount.text)
}

fn counted(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}

fn text(functions: &[ExplainedMemory]) -> String {
    let shown = functions.iter().map(|explained| {
        let heading = format!("memory of {}", explained.function);
        let rule = "=".repeat(heading.chars().count());
        let summary = |when: &str, usage: &Usage| {
            format!(
                "{when}: {}, {}, {} at a time\n",
                counted(usage.blocks.len(), "block", "blocks"),
                counted(usage.copies.len(), "copy", "copies"),
                most(usage),
            )
        };
        let (before, after) = (&explained.before, &explained.after);
        let blocks = (1..).zip(&after.blocks).map(block_text);
        let copies = after.copies.iter().map(copy_text);
        let listed: String = blocks.chain(copies).collect();
        let (before, now) = (summary("before", before), summary("now", after));
        let gap = if listed.is_empty() { "" } else { "\n" };
        format!("{heading}\n{rule}\n\n{before}{now}{gap}{listed}")
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Where something is: in how many loops, and in which line.
fn whereabouts(depth: usize, is_conditional: bool, place: Option<&String>) -> String {
    let branch = if is_conditional { ", in a branch" } else { "" };
    let loops = match depth {
        0 => String::new(),
        depth => format!(", in {}", counted(depth, "loop", "loops")),
    };
    let place = place.map_or_else(String::new, |place| format!(", {place}"));
    format!("{loops}{branch}{place}")
}

fn block_text((number, block): (usize, &Block)) -> String {
    let whereabouts = whereabouts(block.depth, false, block.place.as_ref());
    format!("block {number}: {}{whereabouts}\n", in_bytes(&block.amount))
}

fn copy_text(copied: &Copied) -> String {
    let whereabouts = whereabouts(copied.depth, copied.is_conditional, copied.place.as_ref());
    let reason = copied.reason.as_ref();
    let reason = reason.map_or_else(String::new, |reason| format!("  - {reason}\n"));
    format!(
        "copy from {} to {}: {}{whereabouts}\n{reason}",
        copied.from,
        copied.to,
        in_bytes(&copied.amount)
    )
}

fn as_json(functions: &[ExplainedMemory]) -> String {
    let functions = functions.iter().map(|explained| {
        json!({
            "function": explained.function,
            "before": usage_json(&explained.before),
            "after": usage_json(&explained.after),
        })
    });
    let functions: Vec<Value> = functions.collect();
    serde_json::to_string_pretty(&functions).expect("text and numbers are JSON") + "\n"
}

fn amount_json(amount: &Amount) -> Value {
    json!({"text": amount.text, "bytes": amount.bytes})
}

fn usage_json(usage: &Usage) -> Value {
    let blocks = usage.blocks.iter().map(|block| {
        json!({
            "size": amount_json(&block.amount),
            "type": block.r#type,
            "depth": block.depth,
            "first": block.first,
            "last": block.last,
            "place": block.place,
        })
    });
    let copies = usage.copies.iter().map(|copied| {
        json!({
            "size": amount_json(&copied.amount),
            "from": copied.from,
            "to": copied.to,
            "depth": copied.depth,
            "conditional": copied.is_conditional,
            "at": copied.at,
            "place": copied.place,
            "reason": copied.reason,
        })
    });
    json!({
        "ops": usage.ops,
        "blocks": blocks.collect::<Vec<_>>(),
        "copies": copies.collect::<Vec<_>>(),
        "most": usage.most.iter().map(amount_json).collect::<Vec<_>>(),
    })
}
