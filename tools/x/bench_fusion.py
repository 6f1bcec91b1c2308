"""Solves the stored fusion graphs with every solver and formulation, and writes
fusion.md (a table), fusion.json and fusion.svg (time against size).

comb's own solver runs several times, and the median counts; the others run once,
for they may take the whole time limit. Ranked graphs are for comb's own solver
only: the other formulations are flat.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import time
from xml.sax.saxutils import escape

GRAPHS = pathlib.Path("passes/fusion/graphs")
FOLDERS = [".", "depth", "large"]

OWN = "comb"
METHODS = {
    OWN: [],
    "HiGHS, Figure 4": ["--solver", "highs", "--formulation", "figure4"],
    "CBC, Figure 4": ["--solver", "cbc", "--formulation", "figure4"],
    "HiGHS, compact": ["--solver", "highs", "--formulation", "compact"],
    "CBC, compact": ["--solver", "cbc", "--formulation", "compact"],
}
COLOURS = ["#1c6e8c", "#c0392b", "#b58a00", "#8e44ad", "#2e8b57"]

FULL_LIMIT, FULL_RUNS = 60, 9
QUICK_LIMIT, QUICK_RUNS = 5, 3

# A solver that does not stop at its limit is ended after so many times that.
PATIENCE = 3


def solve(comb, graph, options, limit):
    """One run: comb's report, or why there is none; and the process's seconds."""
    command = [comb, "solve", "--json", "--time-limit", str(limit), *options, str(graph)]
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE * limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"failure": "no end"}, time.perf_counter() - start
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        return {"failure": done.stderr.strip()}, seconds
    return json.loads(done.stdout), seconds


def measure(comb, graph, method, limit, runs):
    """The report of a method, with the medians of its times."""
    reports, processes = [], []
    for _ in range(runs if method == OWN else 1):
        report, process = solve(comb, graph, METHODS[method], limit)
        reports.append(report)
        processes.append(process)
        if "failure" in report or process > limit / 2:
            break
    result = dict(reports[-1])
    if "failure" not in result:
        result["seconds"] = statistics.median(report["seconds"] for report in reports)
    result["process"] = statistics.median(processes)
    for detail in ("clusters", "orders"):
        result.pop(detail, None)
    return result


def instances():
    """(name, file, whether it is ranked), the flat ones first, small ones first."""
    found = []
    for file in [file for folder in FOLDERS for file in GRAPHS.glob(f"{folder}/*.json")]:
        graph = json.loads(file.read_text(encoding="utf-8"))
        if "nodes" not in graph:
            continue
        size = sum(node["kind"] != "input" for node in graph["nodes"])
        name = file.relative_to(GRAPHS).with_suffix("").as_posix()
        found.append(("levels" in graph, size, name, file))
    return [(name, file, ranked) for ranked, _, name, file in sorted(found)]


def run_all(comb, limit, runs):
    """By instance and method: what was measured."""
    jobs = [
        (name, file, method)
        for name, file, ranked in instances()
        for method in METHODS
        if method == OWN or not ranked
    ]
    results = {}
    for number, (name, file, method) in enumerate(jobs, 1):
        show_progress(f"[{number}/{len(jobs)}] {name}: {method}")
        results.setdefault(name, {})[method] = measure(comb, file, method, limit, runs)
    show_progress("")
    return results


def show_progress(text):
    """One line on a terminal, nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def in_seconds(value):
    """Three digits, but no smaller than a microsecond."""
    return f"{value:.3g}" if value >= 1e-3 else f"{value:.6f}"


def cell_of_rival(result, own, limit):
    """The seconds of another solver, and how many times comb's they are."""
    if result is None:
        return ""
    if "failure" in result:
        return "no answer"
    seconds, prefix = result["seconds"], ""
    if not result["optimal"]:
        seconds, prefix = max(seconds, limit), "> "
    ratio = seconds / max(own["seconds"], 1e-6)
    return f"{prefix}{in_seconds(seconds)} ({prefix}{ratio:.0f}×)"


def table(results, limit):
    """The measurements as Markdown."""
    rivals = [method for method in METHODS if method != OWN]
    header = ["graph", "combinators", "cost", "stored optimum", "proven", "solver s", "process s"]
    lines = [
        "| " + " | ".join(header + rivals) + " |",
        "|---|" + "---:|" * (len(header) + len(rivals) - 1),
    ]
    for name, methods in results.items():
        own = methods[OWN]
        if "failure" in own:
            lines.append(f"| {name} | {own['failure']} |")
            continue
        stored = own["stored_optimum"]
        cells = [
            name,
            own["combinators"],
            f"{own['cost']:g}",
            "" if stored is None else f"{stored:g}",
            "yes" if own["optimal"] else f"bound {own['bound']:g}",
            in_seconds(own["seconds"]),
            in_seconds(own["process"]),
            *(cell_of_rival(methods.get(rival), own, limit) for rival in rivals),
        ]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


WIDTH, HEIGHT = 760, 500
LEFT, RIGHT, TOP, BOTTOM = 72, 180, 40, 56

STYLE = """.ground{fill:#fcfcfa}text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;
font-size:12px;fill:#23262b}.grid{stroke:#dfe2e6}.axis{stroke:#5a616c}
@media(prefers-color-scheme:dark){.ground{fill:#1b1e23}text{fill:#e6e8eb}.grid{stroke:#33383f}
.axis{stroke:#98a0ac}}"""


class Axis:
    """A logarithmic axis from a power of ten to a power of ten."""

    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.begin, self.end = begin, end

    def at(self, value):
        """The place of a value."""
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + part * (self.end - self.begin)

    def ticks(self):
        """(value, text) of every power of ten."""
        for exponent in range(self.low, self.high + 1):
            yield 10.0**exponent, f"{10.0**exponent:g}"


def points_of(results, method, limit):
    """(combinators, seconds, whether that was all it needed), by size."""
    points = []
    for methods in results.values():
        own, result = methods[OWN], methods.get(method)
        if result is None or "failure" in own:
            continue
        solved = "failure" not in result and result["optimal"]
        seconds = result["seconds"] if solved else limit
        points.append((own["combinators"], max(seconds, 1e-6), solved))
    return sorted(points)


# Outlines of unit size around the origin.
SHAPES = [
    "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0z",
    "M-.9 -.9H.9V.9H-.9z",
    "M0 -1.1L1.1 .9H-1.1z",
    "M0 -1.2L1.2 0L0 1.2L-1.2 0z",
    "M0 1.1L1.1 -.9H-1.1z",
]
MARKER_SIZE = 4.2

# Methods are drawn a little beside each other, for many run into the limit.
ASIDE = 3.5


def marker(x, y, number, solved):
    """The shape of a method, hollow where the time ran out."""
    colour = COLOURS[number]
    fill = colour if solved else "none"
    return (
        f'<path d="{SHAPES[number]}" transform="translate({x:.1f} {y:.1f}) scale({MARKER_SIZE})" '
        f'fill="{fill}" stroke="{colour}" stroke-width=".35"/>'
    )


def plot(results, limit):
    """Time against size for every method, both logarithmic, as SVG."""
    points = {method: points_of(results, method, limit) for method in METHODS}
    everything = [point for some in points.values() for point in some]
    across = Axis([point[0] for point in everything], LEFT, WIDTH - RIGHT)
    up = Axis([point[1] for point in everything], HEIGHT - BOTTOM, TOP)
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<style>{STYLE}</style>",
        '<rect class="ground" width="100%" height="100%" rx="8"/>',
        *axes(across, up),
    ]
    for number, method in enumerate(METHODS):
        aside = ASIDE * (number - (len(METHODS) - 1) / 2)
        for size, seconds, solved in points[method]:
            svg.append(marker(across.at(size) + aside, up.at(seconds), number, solved))
        svg += legend_entry(number, method, number, True)
    svg += legend_entry(len(METHODS), f"not proven in {limit} s", 0, False)
    return "\n".join([*svg, "</svg>"]) + "\n"


def legend_entry(position, text, number, solved):
    """A marker and what it means."""
    x, y = WIDTH - RIGHT + 24, TOP + 10 + 22 * position
    return [
        marker(x, y, number, solved),
        f'<text x="{x + 12}" y="{y + 4}">{escape(text)}</text>',
    ]


def axes(across, up):
    """Grid, numbers and titles."""
    for value, text in across.ticks():
        x = across.at(value)
        yield f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{text}</text>'
    for value, text in up.ticks():
        y = up.at(value)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'
    yield (
        f'<path class="axis" fill="none" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
    )
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 14}" text-anchor="middle">combinators</text>'
    yield f'<text x="{LEFT}" y="{TOP - 14}">seconds to the proven optimum</text>'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--comb", required=True)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    limit, runs = (QUICK_LIMIT, QUICK_RUNS) if arguments.quick else (FULL_LIMIT, FULL_RUNS)
    results = run_all(arguments.comb, limit, runs)
    text = table(results, limit)
    arguments.output.mkdir(parents=True, exist_ok=True)
    report = {"limit": limit, "runs": runs, "results": results}
    for name, content in (
        ("fusion.md", text),
        ("fusion.json", json.dumps(report, indent=1) + "\n"),
        ("fusion.svg", plot(results, limit)),
    ):
        (arguments.output / name).write_text(content, encoding="utf-8")
    print(text)
    print(f"Written to {arguments.output}: fusion.md, fusion.json, fusion.svg.")
    if any("failure" in methods[OWN] for methods in results.values()):
        sys.exit(1)


main()
