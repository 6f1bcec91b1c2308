"""The tables of programs that comb was not tuned for, and the page of the book with them."""

from report import figures, page, tables

OWN, C, NUMPY = "comb-ilp", "c-unseen", "numpy"
NAME = "unseen"

# A program that takes more times as long as C is worth a look.
SLOW = 1.25

HEAD = """<!-- Written by ./x bench unseen --page from what it measured, as is unseen.json; do not edit. -->

# Programs that comb was not tuned for

The [benchmarks](benchmarks.md) are what comb was tuned with. These programs were written without a look at how it
works, each beside C as one would write it by hand, and a NumPy function that says what is right. `./x bench unseen`
repeats it on your machine; they are in `benchmarks/cpu/unseen`.

"""

METHOD = """## How it is measured

* A time is that of a call, from inputs in memory to the complete result, compiled for this processor; C has
  fast-math, and writes to memory that is there.
* All have a process of their own, and take turns in each of seven rounds, in an order that is shuffled,
  while the others are stopped. A ratio is the median over the rounds.
* Results are compared with NumPy's: integers must be equal, and floating-point numbers may be off by a thousandth.
  A program that was wrong has no number.

"""


def ratio(entry, peer):
    """How many times as long as C a peer takes; None if one has no right result."""
    return figures.paired_ratio(entry, peer, C)


def table(entries):
    """The programs of a size and a number of threads."""
    header = ["program", "kind", "comb ms", "C ms", "comb / C", "NumPy / C"]
    lines = [
        [
            entry["program"],
            entry["group"],
            tables.milliseconds(figures.seconds(entry, OWN)),
            tables.milliseconds(figures.seconds(entry, C)),
            tables.times(ratio(entry, OWN)),
            tables.times(ratio(entry, NUMPY)),
        ]
        for entry in entries
    ]
    return tables.markdown(header, lines)


def summary(entries):
    """What all programs of a table say together."""
    known = [value for value in (ratio(entry, OWN) for entry in entries) if value is not None]
    if not known:
        return "Nothing was right.\n"
    mean, slow = figures.geometric_mean(known), sum(value > SLOW for value in known)
    return (
        f"comb takes {mean:.2f} times as long as C (geometric mean of {len(known)} programs); "
        f"{slow} take more than {SLOW} times as long, the slowest {max(known):.2f}.\n"
    )


def everything(results):
    """All tables."""
    parts = []
    for size, threads in figures.settings(results):
        entries = figures.entries(results, size, threads)
        title = page.setting(size, threads)
        parts.append(f"## {title}\n\n{summary(entries)}\n{table(entries)}\n")
    return "\n".join(parts)


def problems(results):
    """The results that were wrong, as errors."""
    return [f"WRONG: {line}" for line in tables.wrong_results(results)]


def write_page(results, book):
    """Writes the page and the results beside it; gives where."""
    text = HEAD + page.machine(results) + "\n" + METHOD + everything(results)
    return page.save(book, NAME, text, results)
