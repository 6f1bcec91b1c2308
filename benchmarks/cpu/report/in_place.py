"""The tables of programs with and without arrays that are computed where they go, and the page of the book with them."""

import statistics

from report import figures, page, tables
from report.plot import CIRCLE, DIAMOND, Series, plot

# The transformations that this is about.
DISABLED = ["short-circuiting", "forwarded-copies"]

OWN, NUMPY = "comb-ilp", "numpy"
WITHOUT = "-".join([OWN, *("no_" + name.replace("-", "_") for name in DISABLED)])
NAME = "memory-measured"

COLOURS = ["#1f6fb4", "#d9822b"]

HEAD = """<!-- Written by ./x bench memory --page from what it measured, as is memory-measured.json; do not edit. -->

# Arrays in memory, measured

Programs after those of the paper on [arrays in memory](memory.md), in whose form arrays are computed first and then copied
to where they go. They are in `benchmarks/cpu/memory`, each beside a NumPy function that says what is right; `./x bench memory`
repeats it on your machine. *Without* is the same compiler with `--disable short-circuiting,forwarded-copies`; blocks are
used again, and loops overwrite what they carry, all the same.

"""

METHOD = """## How it is measured

* A time is that of a call, from inputs in memory to the complete result. All have a process of their own, and take turns in
  each of seven rounds, in an order that is shuffled, while the others are stopped. A ratio is the median over the rounds.
* Results are compared with NumPy's: integers must be equal, and floating-point numbers may be off by a thousandth.
* Blocks, copies and bytes are those that `comb explain --memory` counts: as bufferization leaves them, and then. A copy in a
  branch, as of a parameter if a loop does not run, is not counted.
* Compile time is that of `comb build`, in turns.

"""


def ratio(entry):
    """How many times as long it takes without; None if one has no right result."""
    return figures.paired_ratio(entry, WITHOUT, OWN)


def times_table(entries):
    """The programs of a size and a number of threads."""
    header = ["program", "after", "with, ms", "without, ms", "without / with"]
    lines = [
        [
            entry["program"],
            entry["group"],
            tables.milliseconds(figures.seconds(entry, OWN)),
            tables.milliseconds(figures.seconds(entry, WITHOUT)),
            tables.times(ratio(entry)),
        ]
        for entry in entries
    ]
    return tables.markdown(header, lines)


def copies(usage):
    """How often a function copies, but for branches."""
    return sum(not copied["conditional"] for copied in usage["copies"])


def most(usage):
    """What is live at a time at most."""
    return ", or ".join(amount["text"] for amount in usage["most"]) or "0"


def counts_table(memory):
    """Blocks, copies, bytes and compile time of all programs."""
    header = ["program", "blocks", "copies", "bytes before", "bytes now", "compiling: with / without"]
    lines = []
    for name, counted in memory.items():
        before, after = counted["usage"]["before"], counted["usage"]["after"]
        lines.append(
            [
                name,
                f"{len(before['blocks'])} → {len(after['blocks'])}",
                f"{copies(before)} → {copies(after)}",
                most(before),
                most(after),
                tables.times(compile_ratio(counted)),
            ]
        )
    return tables.markdown(header, lines)


def compile_ratio(counted):
    """How many times as long compiling takes with it."""
    return statistics.median(counted["compiled_with"]) / statistics.median(counted["compiled_without"])


def everything(results):
    """All tables."""
    parts = [f"## Blocks and copies\n\n{counts_table(results.get('memory', {}))}\n"]
    for size, threads in figures.settings(results):
        entries = figures.entries(results, size, threads)
        parts.append(f"## {page.setting(size, threads)}\n\n{times_table(entries)}\n")
    return "\n".join(parts)


def picture(results):
    """How many times as long programs take without, in a plot; for large arrays."""
    settings = [(size, threads) for size, threads in figures.settings(results) if size == "large"]
    names, all_series = [], []
    for (size, threads), colour, shape in zip(settings, COLOURS, (CIRCLE, DIAMOND)):
        entries = figures.entries(results, size, threads)
        names = [entry["program"] for entry in entries]
        ratios = [ratio(entry) for entry in entries]
        all_series.append(Series(f"{threads} threads" if threads > 1 else "one thread", colour, shape, ratios))
    return plot("Time without short-circuiting / with it, large arrays", names, all_series)


def problems(results):
    """The results that were wrong, as errors."""
    return [f"WRONG: {line}" for line in tables.wrong_results(results)]


def write_page(results, book):
    """Writes the page, the plot, and the results beside it; gives where."""
    (book / f"{NAME}.svg").write_text(picture(results), encoding="utf-8")
    shown = f"![Time without short-circuiting, as a multiple of that with it]({NAME}.svg)\n\n"
    text = HEAD + page.machine(results) + "\n" + METHOD + shown + everything(results)
    return page.save(book, NAME, text, results)
