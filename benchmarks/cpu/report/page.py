"""The pages of the book on speed, and their plots, from the file of results.

There is a page for processors with AVX-512, and one for others, each with results of one machine.
"""

from harness import store
from report import figures, tables
from report.plot import CIRCLE, DIAMOND, SQUARE, Series, plot

HEAD = """<!-- Written by ./x bench cpu --page from what it measured, as is {name}.json; do not edit. -->

# {title}

How fast compiled programs are, next to C that was written and fused by hand, and to other compilers
and libraries for arrays. `{command}` repeats it on your machine, apart from
the [bad greedy algorithms](#greedy-algorithms-that-choose-badly), which `--peers` adds; the programs are in
`examples/suite`, and everything else in `benchmarks/cpu`. There is a page for processors
[with AVX-512](benchmarks.md), and one for those [without](benchmarks-without-avx512.md).

"""

# The name and the title of a page, by the widest vectors of the processor.
WITH_AVX512 = ("benchmarks", "Benchmarks")
WITHOUT_AVX512 = ("benchmarks-without-avx512", "Benchmarks without AVX-512")

METHOD = """## How it is measured

* Each program runs on the same inputs everywhere, and each result is compared with a reference that
  NumPy computes in double precision: a result that is off by a thousandth or more is wrong, and its
  time does not count.
* Every peer has a process of its own. They take turns: in each of several rounds each runs for a
  moment, in an order that is shuffled anew, while the others are stopped. So what else happens on the
  machine hits all alike. Times are medians over all rounds: five, or three for a peer that takes more
  than four times as long as the fastest, and longer than 60 ms; fifteen for those that take up to a
  tenth longer than the fastest, unless all of them are comb's. Ratios are medians, too, of the ratios in
  each round: from one round to the next a virtual machine may be twice as fast, so a ratio need not be
  that of the two times beside it. All have the same number of threads on the same processors.
* A time is that of one call, with the inputs in memory and compiled code at hand, until the result is
  complete. Compiling is a column of its own. C and Numba write to memory that is there; comb, NumPy,
  JAX, PyTorch and IREE allocate results and release them in each call, and that is in their times.
  Python calls comb and C by way of *ctypes*, once for each time; so 0.2 µs of a time are Python's.
* The C programs use fast-math, vectorised mathematical functions, OpenMP, and stores that go past the
  caches where that is faster. comb and Numba do not change the order of floating-point operations, or
  not as freely; *numba-fast* does.
* *Tuned C* is what an expert made of the same programs with a day for each, for these sizes and this kind
  of processor: several rows of a stencil in registers, sums that neighbours share, shorter polynomials for
  exponentials, records of 16 bits. It shows what is left to gain, with AVX-512: without, it may be slower
  than C. comb's functions are precise to a
  unit in the last place in these tables, and most of 32-bit numbers to half of one; those of C are not, and
  those of tuned C less so. A table at the end has comb's
  [with functions that may be off, too](#functions-that-may-be-off).
* The limit is what memory alone needs if every input is read once and every output written once in each
  iteration: a loop that moves as many bytes, and computes nothing, takes turns with the others. (Memory may
  be twice as fast at one time as at another, on a machine that others use, too.) nn and prefixsum may be
  faster than the limit, since their arrays stay in the caches in part. Where memory does not matter, it is
  what the operations need that take most of the time, if they are of one kind, in registers: additions in
  greedyBottomUpBad, divisions in leibniz, divisions and square roots in nbody, and products that are
  added up in attention and lud. With AVX-512, comb and tuned C compute some square roots by multiplications
  at the same time, and are faster than that limit.
* *comb* is the program fused by the exact solver, or, where there is no such result, the best of what
  there is. *greedy* is fused by a greedy algorithm, *unfused* not at all, and *unchecked* is *comb*
  without checks of indices and sizes, which must not be relied on.
* A process may use two thirds of the memory. Without fusion every array in between is stored, and where
  that takes more, there is no result. Whoever takes more than 20 seconds for a call is left out.

"""

# More processors than this doing something else make numbers doubtful.
QUIET = 0.1

OWN_COLOUR, RIVAL_COLOUR, UNFUSED_COLOUR = "#1c6e8c", "#c0392b", "#b58a00"


def write(results, book):
    """Writes the page of this kind of processor, the plots, and a copy of the results; gives
    the page's path."""
    page, title = page_of(results)
    images = book / "images"
    images.mkdir(parents=True, exist_ok=True)
    text = HEAD.format(name=page, title=title, command=command(results))
    text += machine(results) + warning(results) + METHOD
    for size, threads in figures.settings(results):
        name = f"{page}-{size}-{threads}"
        rows = figures.rows(results, size, threads)
        rivals = figures.names_of_rivals(figures.entries(results, size, threads))
        (images / f"{name}.svg").write_text(ratios_to_c(rows, rivals), encoding="utf-8")
        text += section(results, size, threads, f"images/{name}.svg")
    text += fast(results)
    text += greedy(results)
    text += gaps(results)
    return save(book, page, text, results)


def save(book, name, text, results):
    """Writes a page of the book, and a copy of the results beside it; gives the page's path."""
    path = book / f"{name}.md"
    path.write_text(text.rstrip() + "\n", encoding="utf-8")
    path.with_suffix(".json").write_text(store.as_text(results), encoding="utf-8")
    return path


def page_of(results):
    """The name and the title of the page for the processor that was measured."""
    has_avx512 = (results["machine"]["vectors"] or "").startswith("avx512")
    return WITH_AVX512 if has_avx512 else WITHOUT_AVX512


def command(results):
    """What repeats the measurements."""
    cpu = results["machine"].get("compiled_for")
    return "./x bench cpu --threads 1,2" + (f" --cpu {cpu}" if cpu else "")


def ratios_to_c(rows, rivals):
    """comb, comb without fusion, and the fastest of the rivals, each against C."""
    series = [
        Series("comb", OWN_COLOUR, CIRCLE, [row.to_c for row in rows]),
        Series(
            f"fastest of {', '.join(rivals)}",
            RIVAL_COLOUR,
            DIAMOND,
            [row.rival_to_c for row in rows],
        ),
        Series(
            "comb, unfused",
            UNFUSED_COLOUR,
            SQUARE,
            [row.unfused_to_c for row in rows],
        ),
    ]
    series = [one for one in series if any(one.ratios)]
    title = "How many times as long as C (less is better)"
    return plot(title, [row.program for row in rows], series)


def machine(results):
    """What it was measured on."""
    facts = results["machine"]
    packages = sorted({package for some in results["packages"].values() for package in some})
    virtual = ", a virtual machine" if facts["virtual"] else ""
    lines = [
        ("processor", f"{facts['processor']}, {facts['cores']} cores{virtual}"),
        ("vectors", facts["vectors"]),
        ("compiled for", facts.get("compiled_for") or "this processor"),
        ("data caches", facts["caches"]),
        ("memory", f"{facts['memory_gib']} GiB"),
        ("system", facts["system"]),
        ("C compiler", facts["c_compiler"]),
        ("comb", facts["comb"]),
        ("Python packages", ", ".join(package.replace("==", " ") for package in packages)),
    ]
    for threads, accesses in sorted(results["bandwidth"].items(), key=lambda pair: int(pair[0])):
        rates = ", ".join(f"{one['access']} {one['best'] / 1e9:.1f}" for one in accesses)
        lines.append((f"bandwidth in GB/s, threads: {threads}", rates))
    text = "".join(f"| {name} | {value} |\n" for name, value in lines)
    return f"| machine | |\n|---|---|\n{text}\n"


def warning(results):
    """What to know if the machine was not quiet."""
    load = figures.other_load(results)
    if load is None or load <= QUIET:
        return ""
    return (
        f"**The machine was not quiet**: on average {load:.1f} of its processors were busy with other\n"
        "things. Ratios are better than times, then, and both are only rough.\n\n"
    )


def setting(size, threads):
    """What a size and a number of threads are called."""
    what = {"large": "Large arrays", "small": "Small arrays, which stay in cache"}[size]
    return f"{what}: {threads} threads" if threads > 1 else f"{what}: one thread"


def section(results, size, threads, image):
    """The tables and the plot of a size and a number of threads."""
    rows = figures.rows(results, size, threads)
    entries = figures.entries(results, size, threads)
    parts = [
        f"## {setting(size, threads)}\n",
        f"![For each program: how many times as long as C]({image})\n",
        tables.comparison(rows),
        "Everybody's medians in milliseconds; – where a peer has no such program:\n",
        tables.other_peers(entries),
    ]
    return "\n".join(parts) + "\n"


def tables_by_setting(results, some_of, table):
    """A table of some entries for each size and number of threads that has any."""
    text = ""
    for size, threads in figures.settings(results):
        entries = some_of(figures.entries(results, size, threads))
        if entries:
            text += f"{setting(size, threads)}:\n\n{table(entries)}\n"
    return text


FAST = """## Functions that may be off

In the tables above comb's functions are precise to a unit in the last place, and most of 32-bit numbers to
half of one. C's may be off by up to four, as fast-math allows, and those of tuned C by more. Here
comb's may be off, too, with `--math fast` ([how far](math.md)). Other programs have no such functions.

"""


def fast(results):
    """comb with functions that may be off, where that was measured."""
    text = tables_by_setting(results, figures.with_functions, tables.fast)
    return FAST + text if text else ""


GREEDY = """## Greedy algorithms that choose badly

Two programs come from *Fusing Gathers with Integer Linear Programming* (van Balen et al., 2024), whose
authors found the optimum 20 and 1.5 times as fast as a greedy algorithm that fuses from the results
upwards, or from the inputs downwards. Milliseconds, and how many times as long as the optimum:

"""

FORCED = """
*Forced* has the loops of the paper's algorithm, by wishes (`benchmarks/cpu/misled`): comb computes the one
element that led it astray apart from the loops, and so there is nothing left to choose badly.

"""


def greedy(results):
    """comb fused by greedy algorithms, where all of them were measured."""
    text = tables_by_setting(results, figures.misled, tables.greedy)
    return GREEDY + text + FORCED.lstrip() if text else ""


def gaps(results):
    """Peers that failed, wrong results, and what peers do not have."""
    parts = {"What failed": tables.problems(results), "What is not there": tables.absences(results)}
    return "\n".join(
        f"## {heading}\n\n" + "".join(f"* {text}\n" for text in found)
        for heading, found in parts.items()
        if found
    )
