//! The picture as SVG: hulls, then arrows, then boxes, then the legend. Colours
//! follow the reader's light or dark scheme; all text is in a common font.

use std::fmt::Write;

use comb_fusion::graph::{Graph, Kind, NodeId};

use crate::{
    Hull, Layout, Rectangle,
    arrows::{Arrow, Look},
    captions::Captions,
    chains::{FONT_SIZE, SMALL_FONT_SIZE, TAG_SIZE, tag_width},
    text,
};

const STYLE: &str = "\
.ground{fill:#fcfcfa}text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;\
fill:#23262b;text-anchor:middle}.title{font-weight:bold;text-anchor:start}\
.file{font-weight:normal;fill:#6a707a}.kind{fill:#6a707a}\
.loop{text-anchor:start;fill:#555b65;stroke:#fcfcfa;stroke-width:3;stroke-opacity:.7;paint-order:stroke}.legend{text-anchor:start;fill:#555b65}\
.node rect{fill:#fff;stroke:#5a616c;stroke-width:1.2}.input rect{fill:#eceef1;stroke-dasharray:3 2}\
.result rect{stroke-width:1.6}.use{fill:none;stroke:#4b525d;stroke-width:1.3}\
.unfusible{stroke-width:4.2}.inner{fill:none;stroke:#fcfcfa;stroke-width:1.8}\
.fused{stroke:#1c6e8c;stroke-width:2.6}.before{stroke:#9aa0aa;stroke-dasharray:2 4}\
.head{fill:#4b525d}.fused-head{fill:#1c6e8c}.before-head{fill:#9aa0aa}\
.tag rect{fill:#fff7d6;stroke:#b58a00;stroke-width:.8}.hull{stroke-width:1.4}\
@media(prefers-color-scheme:dark){.ground{fill:#1b1e23}text{fill:#e6e8eb}.file,.kind,.legend{fill:#a4abb6}\
.loop{fill:#a4abb6;stroke:#1b1e23}\
.node rect{fill:#2a2e35;stroke:#98a0ac}.input rect{fill:#353a43}.use{stroke:#aab1bc}\
.inner{stroke:#1b1e23}.fused{stroke:#5cb8d6}.before{stroke:#717884}.head{fill:#aab1bc}\
.fused-head{fill:#5cb8d6}.before-head{fill:#717884}.tag rect{fill:#4a3f14;stroke:#d6ae2b}}";

/// Hues of clusters, in degrees, neighbours far apart.
const HUES: [u32; 8] = [210, 35, 140, 280, 0, 175, 60, 320];

const TAG_HEIGHT: f64 = 13.0;

const TITLE_SIZE: f64 = 14.0;

/// Between the title and the file.
const FILE_GAP: f64 = 12.0;

/// Between the lines of a box.
const LINE_DISTANCE: f64 = 15.0;

/// The length of an arrow's head.
const HEAD_LENGTH: f64 = 8.0;

/// The picture of a layout.
pub(super) fn draw(graph: &Graph, captions: &Captions, layout: &Layout) -> String {
    let entries = legend(graph, layout);
    let (legend, legend_width, legend_height) = draw_legend(&entries, layout);
    let file = captions.file.as_deref().unwrap_or_default();
    let title_width =
        text::width(&graph.name, TITLE_SIZE) + FILE_GAP + text::width(file, SMALL_FONT_SIZE) + 36.0;
    let width = layout.width.max(legend_width).max(title_width);
    let height = layout.height + legend_height;
    let title = text::escaped(&graph.name);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-size=\"{FONT_SIZE}\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n"
    );
    svg += &markers();
    svg += "<rect class=\"ground\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n";
    let _ = writeln!(
        svg,
        "<text class=\"title\" x=\"16\" y=\"26\" font-size=\"{TITLE_SIZE}\">{title}{}</text>",
        draw_file(file),
    );
    for hull in &layout.hulls {
        svg += &draw_hull(hull);
    }
    for (arrow, path) in layout.arrows.iter().zip(&layout.paths) {
        svg += &draw_arrow(arrow.look, path);
    }
    for (node, place) in layout.nodes.iter().enumerate() {
        svg += &draw_node(graph, node, captions.of(node), place);
    }
    for (arrow, path) in layout.arrows.iter().zip(&layout.paths) {
        svg += &draw_tag(arrow, path);
    }
    for hull in &layout.hulls {
        svg += &draw_number(hull, &layout.paths);
    }
    svg + &legend + "</svg>\n"
}

/// The file that the places in the picture are in.
fn draw_file(file: &str) -> String {
    match file {
        "" => String::new(),
        _ => format!(
            "<tspan class=\"file\" dx=\"{FILE_GAP}\" font-size=\"{SMALL_FONT_SIZE}\">{}</tspan>",
            text::escaped(file)
        ),
    }
}

fn markers() -> String {
    let heads = [("head", 0), ("fused-head", 0), ("before-head", 0)].map(|(class, _)| {
        format!(
            "<marker id=\"{class}\" markerUnits=\"userSpaceOnUse\" markerWidth=\"10\" \
             markerHeight=\"10\" refX=\"0\" refY=\"4.5\" orient=\"auto\">\
             <path class=\"{class}\" d=\"M0 0L{HEAD_LENGTH} 4.5L0 9z\"/></marker>"
        )
    });
    format!("<defs>{}</defs>\n", heads.concat())
}

fn draw_hull(hull: &Hull) -> String {
    let Rectangle {
        left,
        top,
        right,
        bottom,
    } = hull.place;
    let hue = HUES[hull.hue % HUES.len()];
    let opacity = 0.11 + 0.05 * (hull.level - 1) as f64;
    format!(
        "<rect class=\"hull\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
         rx=\"11\" style=\"fill:hsl({hue},70%,50%);fill-opacity:{opacity:.2};\
         stroke:hsl({hue},45%,55%)\"/>\n",
        right - left,
        bottom - top,
    )
}

/// The number of a loop, as far to the left in its hull as arrows leave it room; in the
/// corner if there is none.
fn draw_number(hull: &Hull, paths: &[Vec<(f64, f64)>]) -> String {
    const STEP: f64 = 4.0;
    let title = format!("loop {}", hull.number);
    let width = text::width(&title, SMALL_FONT_SIZE);
    let band = Rectangle {
        left: hull.place.left + 9.0,
        top: hull.place.top + 4.0,
        right: hull.place.right - 9.0,
        bottom: hull.place.top + 16.0,
    };
    let crossing = crossing(&band, paths);
    let places = (0..).map(|step| Rectangle {
        left: band.left + STEP * f64::from(step),
        right: band.left + STEP * f64::from(step) + width,
        ..band
    });
    let mut places = places.take_while(|place| place.right <= band.right);
    let free = places.find(|place| !crossing.iter().any(|arrow| arrow.overlaps(place)));
    format!(
        "<text class=\"loop\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{SMALL_FONT_SIZE}\">{title}</text>\n",
        free.unwrap_or(band).left,
        hull.place.top + 14.0,
    )
}

/// Where arrows may run through a rectangle.
fn crossing(place: &Rectangle, paths: &[Vec<(f64, f64)>]) -> Vec<Rectangle> {
    let parts = paths.iter().flat_map(|path| path.windows(2));
    let around = parts.map(|ends| {
        let ((x, y), (next_x, next_y)) = (ends[0], ends[1]);
        Rectangle {
            left: x.min(next_x) - 3.0,
            top: y.min(next_y),
            right: x.max(next_x) + 3.0,
            bottom: y.max(next_y),
        }
    });
    around.filter(|part| part.overlaps(place)).collect()
}

fn draw_arrow(look: Look, points: &[(f64, f64)]) -> String {
    let path = curve(points);
    let (class, head) = match look {
        Look::Fused => ("use fused", "fused-head"),
        Look::Fusible => ("use", "head"),
        Look::Unfusible => ("use unfusible", "head"),
        Look::Before => ("use before", "before-head"),
    };
    let mut svg = format!("<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#{head})\"/>\n");
    if look == Look::Unfusible {
        let _ = writeln!(svg, "<path class=\"inner\" d=\"{path}\"/>");
    }
    svg
}

/// A smooth curve, upright in every point, but where it goes sideways; it ends where
/// the arrow's head begins.
fn curve(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let mut last: Option<(f64, f64)> = None;
    for (position, &(x, y)) in points.iter().enumerate() {
        let is_end = position + 1 == points.len();
        let y = if is_end { y - HEAD_LENGTH } else { y };
        let _ = match last {
            None => write!(path, "M{x:.1} {y:.1}"),
            Some((previous, _)) if previous == x => write!(path, "V{y:.1}"),
            Some((_, above)) if above == y => write!(path, "H{x:.1}"),
            Some((previous, above)) => {
                let middle = (above + y) / 2.0;
                write!(
                    path,
                    "C{previous:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}"
                )
            }
        };
        last = Some((x, y));
    }
    path
}

fn draw_node(graph: &Graph, node: NodeId, lines: &[String], place: &Rectangle) -> String {
    let is_input = graph.is_input(node);
    let class = match (is_input, graph.nodes[node].result) {
        (true, _) => "node input",
        (false, true) => "node result",
        (false, false) => "node",
    };
    let mut svg = format!("<g class=\"{class}\">{}", details(graph, node));
    svg += &draw_box(place, is_input, graph.nodes[node].result);
    let x = (place.left + place.right) / 2.0;
    let middle = (place.top + place.bottom) / 2.0 + 0.36 * FONT_SIZE;
    let above = match lines.len() {
        1 => 0.0,
        lines => (LINE_DISTANCE * (lines - 1) as f64 / 2.0).floor(),
    };
    for (position, line) in lines.iter().enumerate() {
        let y = middle - above + LINE_DISTANCE * position as f64;
        let line = text::escaped(line);
        let _ = match position {
            0 => write!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{line}</text>"),
            _ => write!(
                svg,
                "<text class=\"kind\" x=\"{x:.1}\" y=\"{y:.1}\" \
                 font-size=\"{SMALL_FONT_SIZE}\">{line}</text>"
            ),
        };
    }
    svg + "</g>\n"
}

/// What a pointer at a box shows: the whole name, op and place, if the program has it.
fn details(graph: &Graph, node: NodeId) -> String {
    let node = &graph.nodes[node];
    let Some(location) = &node.location else {
        return String::new();
    };
    let op = node.op.as_ref().map(|op| format!(" = {op}"));
    let op = op.unwrap_or_default();
    format!(
        "<title>{}</title>",
        text::escaped(&format!("{}{op}, {location}", node.name))
    )
}

fn draw_box(place: &Rectangle, is_input: bool, is_result: bool) -> String {
    let radius = match is_input {
        true => (place.bottom - place.top) / 2.0,
        false => 6.0,
    };
    let rectangle = |inset: f64| {
        format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\"/>",
            place.left + inset,
            place.top + inset,
            place.right - place.left - 2.0 * inset,
            place.bottom - place.top - 2.0 * inset,
            radius - inset,
        )
    };
    match is_result {
        true => rectangle(0.0) + &rectangle(3.0),
        false => rectangle(0.0),
    }
}

fn draw_tag(arrow: &Arrow, path: &[(f64, f64)]) -> String {
    match path.last() {
        Some(&(x, y)) if !arrow.tag.is_empty() => tag(&arrow.tag, x, y - HEAD_LENGTH - 9.0),
        _ => String::new(),
    }
}

fn tag(label: &str, x: f64, y: f64) -> String {
    let width = tag_width(label);
    format!(
        "<g class=\"tag\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
         height=\"{TAG_HEIGHT}\" rx=\"4\"/><text x=\"{x:.1}\" y=\"{:.1}\" \
         font-size=\"{TAG_SIZE}\">{}</text></g>\n",
        x - width / 2.0,
        y - TAG_HEIGHT / 2.0,
        y + 0.36 * TAG_SIZE,
        text::escaped(label),
    )
}

/// What the legend explains.
enum Entry {
    Box { is_input: bool, is_result: bool },
    Arrow(Look),
    Hull,
    Tag,
    Stub,
}

/// What occurs in the picture, with its explanation.
fn legend(graph: &Graph, layout: &Layout) -> Vec<(Entry, &'static str)> {
    let has = |look: Look| layout.arrows.iter().any(|arrow| arrow.look == look);
    let has_inputs = graph.nodes.iter().any(|node| node.kind == Kind::Input);
    let has_results = graph.nodes.iter().any(|node| node.result);
    let boxed = |is_input, is_result| Entry::Box {
        is_input,
        is_result,
    };
    let entries = [
        (has_inputs, boxed(true, false), "input"),
        (has_results, boxed(false, true), "result"),
        (has(Look::Fused), Entry::Arrow(Look::Fused), "fused"),
        (has(Look::Fusible), Entry::Arrow(Look::Fusible), "fusible"),
        (
            has(Look::Unfusible),
            Entry::Arrow(Look::Unfusible),
            "cannot be fused",
        ),
        (
            has(Look::Before),
            Entry::Arrow(Look::Before),
            "has to run before",
        ),
        (
            layout
                .arrows
                .iter()
                .any(|arrow| !arrow.tag.is_empty() && !arrow.is_stub),
            Entry::Tag,
            "order of reading",
        ),
        (
            layout.arrows.iter().any(|arrow| arrow.is_stub),
            Entry::Stub,
            "comes from x, far above",
        ),
        (!layout.hulls.is_empty(), Entry::Hull, "one loop"),
    ];
    let occurring = entries.into_iter().filter(|(occurs, ..)| *occurs);
    occurring.map(|(_, entry, name)| (entry, name)).collect()
}

const LEGEND_ROW: f64 = 30.0;
const LEGEND_SYMBOL: f64 = 30.0;
const LEGEND_FONT: f64 = 11.0;
const LEGEND_WIDTH: f64 = 420.0;

/// The legend, its width and its height.
fn draw_legend(entries: &[(Entry, &'static str)], layout: &Layout) -> (String, f64, f64) {
    let most = layout.width.max(LEGEND_WIDTH) - 16.0;
    let (mut x, mut y) = (16.0, layout.height + 6.0);
    let mut widest: f64 = 0.0;
    let mut svg = String::new();
    for (entry, name) in entries {
        let width = LEGEND_SYMBOL + 6.0 + text::width(name, LEGEND_FONT) + 14.0;
        if x > 16.0 && x + width > most {
            x = 16.0;
            y += LEGEND_ROW;
        }
        svg += &symbol(entry, x, y);
        let _ = writeln!(
            svg,
            "<text class=\"legend\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{LEGEND_FONT}\">{name}</text>",
            x + LEGEND_SYMBOL + 6.0,
            y + 4.0,
        );
        x += width;
        widest = widest.max(x);
    }
    (svg, widest, y + 16.0 - layout.height)
}

fn symbol(entry: &Entry, x: f64, y: f64) -> String {
    let place = Rectangle {
        left: x,
        top: y - 9.0,
        right: x + LEGEND_SYMBOL,
        bottom: y + 9.0,
    };
    match *entry {
        Entry::Box {
            is_input,
            is_result,
        } => {
            let class = if is_input {
                "node input"
            } else {
                "node result"
            };
            format!(
                "<g class=\"{class}\">{}</g>\n",
                draw_box(&place, is_input, is_result)
            )
        }
        Entry::Arrow(look) => {
            let x = x + LEGEND_SYMBOL - 8.0;
            draw_arrow(look, &[(x, y - 14.0), (x, y + 12.0)])
        }
        Entry::Hull => draw_hull(&Hull {
            level: 1,
            nodes: vec![],
            place,
            number: String::new(),
            hue: 0,
        }),
        Entry::Stub => tag("x", x + LEGEND_SYMBOL - 10.0, y),
        Entry::Tag => tag("2", x + LEGEND_SYMBOL - 10.0, y),
    }
}
