"""Measures comb and its peers on the CPU: what `./x bench cpu` runs.

    run.py --output FOLDER --comb COMMAND --cache FOLDER --suite FOLDER
           [--quick | --prepare] [--peers A,B] [--programs X,Y] [--sizes small,large] [--threads 1,2]
           [--cpu NAME]
    run.py --output FOLDER --book FOLDER --page [--cpu NAME]

The first form sets up environments, data and compiled programs in the cache, measures, and
writes cpu.json and cpu.md to the output folder (cpu-quick.json and cpu-quick.md if quick).
With --prepare every peer only compiles each program, runs it and is checked; what is compiled
is kept, so that measuring takes less time later. That writes cpu-prepare.json and .md.
With --cpu everybody compiles for another processor than the one at hand, which LLVM calls so; its
results are in cpu-for-NAME.json and .md.
The second makes a page of the book from cpu.json or cpu-for-NAME.json, and measures nothing.

It needs nothing but Python's standard library; peers run in environments of their own. The
exit code is 1 if a result was wrong.
"""

import argparse
import os
import pathlib
import sys

from harness import command, environments, processor
from harness.benchmark import Benchmark
from harness.interleave import Effort
from harness.progress import show_progress
from harness.settings import NATIVE
from harness.surroundings import problem_of_threads
from report import page, tables

OWN_PEERS = ["comb-unfused", "comb-greedy", "comb-ilp", "comb-ilp-unchecked", "comb-ilp-fast"]
QUICK_PEERS = [*OWN_PEERS, "limit", "c", "numpy"]
ALL_PEERS = [*OWN_PEERS, "limit", "c", "c-tuned", "c-plain", "numpy", "numba", "numba-fast", "jax"]
ALL_PEERS += ["iree", "torch", "torch-compile", "bohrium"]
SIZES = ["small", "large"]

# While preparing the machine may be busy with other things, so there is much patience.
EFFORTS = {
    "full": Effort(rounds=5, budget=0.06, most=1000, patience=90, longest=20, more_rounds=10),
    "quick": Effort(rounds=3, budget=0.02, most=20, patience=60, longest=5),
    "prepare": Effort(rounds=1, budget=0, most=1, patience=900, longest=300),
}


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench cpu", description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--comb")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--suite", type=pathlib.Path)
    parser.add_argument("--book", type=pathlib.Path)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--cpu", default=NATIVE)
    effort = parser.add_mutually_exclusive_group()
    effort.set_defaults(effort="full")
    for name in ("quick", "prepare"):
        effort.add_argument(f"--{name}", action="store_const", const=name, dest="effort")
    for name in ("peers", "programs", "sizes", "threads"):
        parser.add_argument(f"--{name}", type=lambda text: text.split(","))
    chosen = parser.parse_args()
    fill_in(chosen)
    problem = problem_of(chosen)
    if problem:
        parser.error(problem)
    chosen.threads = [int(number) for number in chosen.threads]
    return chosen


def fill_in(chosen):
    """What is measured if nothing else was said."""
    quick = chosen.effort == "quick"
    chosen.peers = chosen.peers or (QUICK_PEERS if quick else ALL_PEERS)
    chosen.sizes = chosen.sizes or (SIZES[:1] if quick else SIZES)
    chosen.threads = chosen.threads or [str(os.cpu_count())]


def problem_of(chosen):
    """What is wrong with the options, or None."""
    for peer in chosen.peers:
        if peer.split("-")[0] not in environments.ENVIRONMENT_OF:
            return f"no peer is called '{peer}'"
    for size in chosen.sizes:
        if size not in SIZES:
            return f"no size is called '{size}'; there are {' and '.join(SIZES)}"
    return problem_of_threads(chosen.threads) or processor.problem(chosen.cpu)


def results_path(chosen, effort):
    """The file of results that were measured with some effort."""
    effort = "" if effort == "full" else f"-{effort}"
    target = "" if chosen.cpu == NATIVE else f"-for-{chosen.cpu}"
    return chosen.output / f"cpu{effort}{target}.json"


def measure(chosen):
    """Measures, and writes results and tables; gives the exit code."""
    path = results_path(chosen, chosen.effort)
    benchmark = Benchmark(chosen, EFFORTS[chosen.effort], path, show_progress)
    return command.measure(benchmark, path, tables.everything, wrong)


def wrong(results):
    """The results that were wrong, as errors."""
    return [f"WRONG: {line}" for line in tables.wrong_results(results)]


def write_page(chosen):
    """Makes the page from what was measured; gives the exit code."""
    path = results_path(chosen, "full")
    return command.write_page(path, "./x bench cpu", lambda results: page.write(results, chosen.book))


def main():
    """Measures or writes the page."""
    chosen = parse_options()
    sys.exit(write_page(chosen) if chosen.page else measure(chosen))


main()
