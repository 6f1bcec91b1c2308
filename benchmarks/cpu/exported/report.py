"""The tables of what was measured, and the page of the book with them and a plot."""

from typing import NamedTuple, Optional

from report import figures, page, tables
from report.plot import CIRCLE, DIAMOND, Series, plot

COMB, JAX = "comb-ilp", "jax"

# Up to so many times as long as JAX counts as no slower, as far as such numbers can tell.
LEVEL = 1.25

NAME = "jax"

HEAD = """<!-- Written by ./x bench jax --page from what it measured, as is {name}.json; do not edit. -->

# Benchmarks against JAX

How fast functions of JAX are that comb compiles from [portable artifacts](stablehlo.md), next to what
JAX's own compiler for the CPU, XLA, makes of them. `./x bench jax --threads 1,2` repeats it on your
machine; the functions are in `benchmarks/cpu/exported/functions.py`.

"""

METHOD = """## How it is measured

* `jax.export` writes each function as an artifact, of which `comb build` makes a library. JAX compiles the
  same function with `jax.jit(f).lower(…).compile()`.
* Both have a process of their own. They take turns: in each of several rounds each runs for some
  milliseconds while the other stands still, in an order that is shuffled. Times are medians of all runs, a
  ratio is the median over rounds, each of which compares both as they were shortly after each other.
* A time is that of a call, from inputs in memory to the complete result. Both allocate results in each call
  and release the old ones.
* Results are compared with JAX's: integers must be equal, and no float may differ by {tolerance:g} or more of
  the largest one.
* Compiling is, for comb, the whole process of `comb build`, which reads the file and starts the
  linker; for JAX it is tracing, lowering and compiling, once its compiler has started. Each is done once.

"""

OWN_COLOUR, COMPILE_COLOUR = "#1c6e8c", "#b58a00"


class Row(NamedTuple):
    """A line of the table. Times in seconds; those of compiling are there even if nothing ran."""

    function: str
    what: str
    comb: Optional[float]
    jax: Optional[float]
    ratio: Optional[float]
    error: Optional[float]
    comb_compiling: Optional[float]
    jax_compiling: Optional[float]


def rows(results, threads):
    """The lines of a number of threads."""
    return [row(results, entry) for entry in figures.entries(results, "", threads)]


def row(results, entry):
    """The line of an entry."""
    own, other = (figures.by_peer(entry).get(side, {}) for side in (COMB, JAX))
    return Row(
        function=entry["program"],
        what=results["what"].get(entry["program"], ""),
        comb=figures.seconds(entry, COMB),
        jax=figures.seconds(entry, JAX),
        ratio=figures.paired_ratio(entry, COMB, JAX),
        error=own.get("error"),
        comb_compiling=own.get("compile_seconds"),
        jax_compiling=other.get("compile_seconds"),
    )


def compiling(lines):
    """What comb and JAX took to compile all that both compiled, in seconds."""
    both = [line for line in lines if None not in (line.comb_compiling, line.jax_compiling)]
    return sum(line.comb_compiling for line in both), sum(line.jax_compiling for line in both)


def summary(lines):
    """What the table comes to."""
    ratios = [line.ratio for line in lines if line.ratio is not None]
    level = sum(ratio <= LEVEL for ratio in ratios)
    own, other = compiling(lines)
    mean = tables.times(figures.geometric_mean(ratios)) or "–"
    return (
        f"comb / JAX: {mean}, the geometric mean of {len(ratios)} functions; {level} of them take at\n"
        f"most {LEVEL:g} times as long as with JAX. Compiling all took comb {own:.1f} s, and JAX"
        f" {other:.1f} s.\n"
    )


def table(lines):
    """A line for each function."""
    header = ["function", "comb ms", "JAX ms", "comb / JAX", "error"]
    header += ["comb compiles ms", "JAX compiles ms"]
    cells = [
        [
            line.function,
            tables.milliseconds(line.comb) or "no result",
            tables.milliseconds(line.jax) or "no result",
            tables.times(line.ratio),
            "" if line.error is None else f"{line.error:.0e}" if line.error else "0",
            tables.milliseconds(line.comb_compiling),
            tables.milliseconds(line.jax_compiling),
        ]
        for line in lines
    ]
    own, other = compiling(lines)
    mean = tables.times(figures.geometric_mean([line.ratio for line in lines]))
    total = [tables.milliseconds(own), tables.milliseconds(other)]
    cells.append(["*geometric mean; sums*", "", "", mean, "", *total])
    return tables.markdown(header, cells)


def threads_of(results):
    """The numbers of threads that there are measurements of, the most first."""
    return [threads for _, threads in figures.settings(results)]


def problems(results):
    """What failed or is wrong, a line each."""
    return [
        f"{entry['program']}, {measurement['peer']}, threads {entry['threads']}: {reason}"
        for entry in figures.in_order(results)
        for measurement in entry["measurements"]
        if (reason := tables.problem(measurement) or tables.absence(measurement))
    ]


def everything(results):
    """All tables, and what failed."""
    parts = []
    for threads in threads_of(results):
        lines = rows(results, threads)
        parts += [f"## threads: {threads}\n", summary(lines), table(lines)]
    failed = problems(results)
    if failed:
        parts += ["## Failed or wrong\n", "".join(f"* {text}\n" for text in failed)]
    return "\n".join(parts)


def write_page(results, book, tolerance):
    """Writes the page, its plots, and a copy of the results; gives the page's path."""
    images = book / "images"
    images.mkdir(parents=True, exist_ok=True)
    text = HEAD.format(name=NAME) + page.machine(results) + page.warning(results)
    text += METHOD.format(tolerance=tolerance)
    for threads in threads_of(results):
        image = f"images/{NAME}-{threads}.svg"
        lines = rows(results, threads)
        (book / image).write_text(picture(lines), encoding="utf-8")
        text += section(lines, threads, image)
    text += functions(results)
    return page.save(book, NAME, text, results)


def picture(lines):
    """Runs and compiling of comb, each against JAX's."""
    compiled = [figures.ratio(line.comb_compiling, line.jax_compiling) for line in lines]
    series = [
        Series("a call", OWN_COLOUR, CIRCLE, [line.ratio for line in lines]),
        Series("compiling", COMPILE_COLOUR, DIAMOND, compiled),
    ]
    title = "How many times as long as JAX (less is better)"
    return plot(title, [line.function for line in lines], series)


def section(lines, threads, image):
    """The plot and the table of a number of threads."""
    heading = f"{threads} threads" if threads > 1 else "One thread"
    alternative = "For each function: how many times as long as JAX"
    return f"## {heading}\n\n{summary(lines)}\n![{alternative}]({image})\n\n{table(lines)}\n"


def functions(results):
    """What each function computes, and what failed."""
    text = "## The functions\n\n| function | what it computes |\n|---|---|\n"
    text += "".join(f"| {name} | {what} |\n" for name, what in results["what"].items())
    failed = problems(results)
    if failed:
        text += "\n## What failed\n\n" + "".join(f"* {line}\n" for line in failed)
    return text
