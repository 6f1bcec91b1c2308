"""Measures functions of JAX, compiled by comb and by JAX: what `./x bench jax` runs.

    against_jax.py --output FOLDER --comb COMMAND --cache FOLDER
                   [--quick] [--functions X,Y] [--threads 1,2]
    against_jax.py --output FOLDER --book FOLDER --page

The first form makes JAX's environment in the cache, has JAX export the functions, measures, and
writes jax.json and jax.md to the output folder (jax-quick.json and jax-quick.md if quick). The
second makes a page of the book from jax.json, and measures nothing.

It needs nothing but Python's standard library; both sides run in JAX's environment. The exit code is
1 if a function failed, or a result was not JAX's.
"""

import argparse
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from exported import report  # noqa: E402
from exported.benchmark import TOLERANCE, Benchmark  # noqa: E402
from harness import command  # noqa: E402
from harness.interleave import Effort  # noqa: E402
from harness.progress import show_progress  # noqa: E402
from harness.surroundings import problem_of_threads  # noqa: E402

EFFORTS = {
    "full": Effort(rounds=7, budget=0.1, most=200, patience=90, longest=20),
    "quick": Effort(rounds=3, budget=0.02, most=20, patience=90, longest=20),
}


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench jax", description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--comb")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--book", type=pathlib.Path)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--quick", action="store_const", const="quick", default="full", dest="effort")
    for name in ("functions", "threads"):
        parser.add_argument(f"--{name}", type=lambda text: text.split(","))
    chosen = parser.parse_args()
    chosen.threads = chosen.threads or [str(os.cpu_count())]
    problem = problem_of_threads(chosen.threads)
    if problem:
        parser.error(problem)
    chosen.threads = [int(number) for number in chosen.threads]
    return chosen


def measure(chosen):
    """Measures, and writes results and tables; gives the exit code."""
    path = chosen.output / ("jax.json" if chosen.effort == "full" else "jax-quick.json")
    benchmark = Benchmark(chosen, EFFORTS[chosen.effort], path, show_progress)
    return command.measure(benchmark, path, report.everything, errors)


def errors(results):
    """What failed, as errors."""
    return [f"error: {line}" for line in report.problems(results)]


def write_page(chosen):
    """Makes the page from what was measured; gives the exit code."""
    path = chosen.output / "jax.json"

    def write(results):
        return report.write_page(results, chosen.book, TOLERANCE)

    return command.write_page(path, "./x bench jax", write)


def main():
    """Measures or writes the page."""
    chosen = parse_options()
    sys.exit(write_page(chosen) if chosen.page else measure(chosen))


if __name__ == "__main__":
    main()
