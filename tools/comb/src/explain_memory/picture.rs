//! Pictures of memory: each block is a bar from the op that allocates it to the last one that may use it, of another colour
//! in loops, and each copy an arrow from block to block.

use std::fmt::Write;

use comb_driver::explain_memory::ExplainedMemory;
use comb_passes::memory::usage::{Copied, Usage};

/// How wide the part with the bars is, in pixels.
const WIDTH: usize = 560;
/// What stands left of it.
const MARGIN: usize = 80;
/// The room for what stands right of it.
const LABELS: usize = 360;
/// How high the row of a block is.
const ROW: usize = 26;
/// How high a bar is.
const BAR: usize = 16;

/// A picture of functions, one below the other.
pub fn svg(functions: &[ExplainedMemory]) -> String {
    let (mut body, mut top) = (String::new(), 0);
    for explained in functions {
        for (when, usage) in [("before", &explained.before), ("now", &explained.after)] {
            let title = format!(
                "{}, {when}: {} at a time",
                explained.function,
                super::most(usage)
            );
            top = drawn(&mut body, top, &title, usage);
        }
    }
    let width = MARGIN + WIDTH + LABELS;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}" font-family="sans-serif" font-size="12">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#c0392b"/></marker></defs>
<rect width="{width}" height="{top}" fill="white"/>
{body}</svg>
"##
    )
}

/// Draws one state of a function; gives where the next picture begins.
fn drawn(body: &mut String, top: usize, title: &str, usage: &Usage) -> usize {
    let first_row = top + 34;
    let at = |op: usize| MARGIN + op * WIDTH / usage.ops.max(1);
    let _ = writeln!(
        body,
        r#"<text x="8" y="{}" font-weight="bold">{}</text>"#,
        top + 20,
        escaped(title)
    );
    let row = |number: usize| first_row + number * ROW;
    for (number, block) in usage.blocks.iter().enumerate() {
        let (y, left) = (row(number), at(block.first));
        let width = at(block.last.min(usage.ops)).saturating_sub(left).max(3);
        let colour = if block.depth == 0 {
            "#4a90d9"
        } else {
            "#8e6bbf"
        };
        let text = format!("{}: {} bytes", number + 1, block.amount.text);
        let _ = writeln!(
            body,
            r#"<rect x="{left}" y="{y}" width="{width}" height="{BAR}" rx="3" fill="{colour}"/><text x="{}" y="{}">{}</text>"#,
            MARGIN + WIDTH + 12,
            y + BAR - 4,
            escaped(&text)
        );
    }
    let bottom = row(usage.blocks.len().max(1));
    for copied in &usage.copies {
        let (from, to) = (blocks(&copied.from).next(), blocks(&copied.to).last());
        let y = |number: Option<usize>| number.map_or(bottom, |number| row(number) + BAR / 2);
        let (x, from, to) = (at(copied.at), y(from), y(to));
        let _ = writeln!(
            body,
            r##"<path d="M{x} {from} L{x} {to}" stroke="#c0392b" stroke-width="2" marker-end="url(#head)"><title>{}</title></path>"##,
            escaped(&copy_title(copied))
        );
    }
    let mut names = usage
        .copies
        .iter()
        .flat_map(|copied| [&copied.from, &copied.to]);
    if names.any(|name| blocks(name).next().is_none()) {
        let _ = writeln!(body, r#"<text x="8" y="{}">parameters</text>"#, bottom + 4);
    }
    bottom + 24
}

/// The numbers, from 0 on, of what is called `block N or block M`: blocks that are taken in turn.
fn blocks(name: &str) -> impl Iterator<Item = usize> {
    let numbers = name
        .split(" or ")
        .filter_map(|name| name.strip_prefix("block ")?.parse::<usize>().ok());
    numbers.filter_map(|number| number.checked_sub(1))
}

fn copy_title(copied: &Copied) -> String {
    format!(
        "{} to {}: {} bytes",
        copied.from, copied.to, copied.amount.text
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
