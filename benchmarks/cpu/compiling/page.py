"""The table of what was measured, and the page of the book with it."""

from compiling.measure import PARTS, WHOLE

HEAD = """<!-- Written by ./x bench compile; do not edit. -->

# Time to first result

How long `comb run` takes from a program that is parsed to the end of its first run, with nothing
[kept](tools.md#comb-run) from before. `./x bench compile` repeats it on your machine.

"""

METHOD = """
Times are in milliseconds, medians of {runs} processes each{cpu}. Combinators are
counted as written, when functions are inlined. Programs *generated-N* are made of N combinators, each
of which reads what one or two before it compute; the others are those of
[the benchmarks](benchmarks.md). Inputs are small, so that the first run takes no time worth mentioning.

| part | what happens |
|---|---|
| fusion | the program is prepared, and it is decided which combinators share loops |
| loops | clusters become loops on memory |
| lowering | loops become the LLVM dialect |
| translation | the LLVM dialect becomes LLVM IR |
| optimization | LLVM IR is optimised |
| generation | instructions are generated |
| linking | instructions are put into memory |
"""


def table(results):
    """A line for each program, by the number of combinators."""
    header = ["program", "combinators", *PARTS, "first result"]
    lines = [
        "| " + " | ".join(header) + " |",
        "|---|" + "---:|" * (len(header) - 1),
    ]
    for name, result in sorted(results.items(), key=lambda item: item[1]["combinators"]):
        times = [f"{result[part]:.1f}" for part in PARTS]
        cells = [name, result["combinators"], *times, f"**{result[WHOLE]:.0f}**"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def page(results, runs, cpu):
    """The page."""
    return HEAD + table(results) + METHOD.format(runs=runs, cpu=f", on {cpu}" if cpu else "")
