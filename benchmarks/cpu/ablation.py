"""Measures what each optional transformation is worth: what `./x bench ablation` runs.

    ablation.py --output FOLDER --comb COMMAND --cache FOLDER --suite FOLDER --book FOLDER
                [--programs X,Y] [--sizes small,large] [--threads 1,2]
    ablation.py --output FOLDER --book FOLDER --page

Small arrays are measured on the fewest of these threads, large ones on the most: on one and all, if nothing is said.
The first form measures, and writes ablation.json and ablation.md to the output folder. The second makes a
page of the book from ablation.json, and measures nothing.

It needs nothing but Python's standard library; programs run in NumPy's environment. The exit code is 1 if a
program failed without a transformation, or gave a wrong result.
"""

import argparse
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from ablation import report  # noqa: E402
from ablation.benchmark import USUAL, Ablation  # noqa: E402
from harness import command  # noqa: E402
from harness.interleave import Effort  # noqa: E402
from harness.progress import show_progress  # noqa: E402
from harness.settings import NATIVE  # noqa: E402
from harness.surroundings import problem_of_threads  # noqa: E402

EFFORT = Effort(rounds=9, budget=0.02, most=200, patience=120, longest=20)
SIZES = ["small", "large"]


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench ablation", description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--comb")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--suite", type=pathlib.Path)
    parser.add_argument("--book", required=True, type=pathlib.Path)
    parser.add_argument("--page", action="store_true")
    for name in ("programs", "sizes", "threads"):
        parser.add_argument(f"--{name}", type=lambda text: text.split(","))
    chosen = parser.parse_args()
    chosen.sizes = chosen.sizes or SIZES
    chosen.threads = chosen.threads or ["1", str(os.cpu_count())]
    unknown = set(chosen.sizes) - set(SIZES)
    problem = f"no size is called '{unknown.pop()}'" if unknown else problem_of_threads(chosen.threads)
    if problem:
        parser.error(problem)
    chosen.threads = [int(number) for number in chosen.threads]
    chosen.names = chosen.book / "transformations.md"
    chosen.peers, chosen.cpu = [USUAL], NATIVE
    return chosen


def measure(chosen):
    """Measures, and writes results and tables; gives the exit code."""
    path = chosen.output / "ablation.json"
    benchmark = Ablation(chosen, EFFORT, path, show_progress)
    return command.measure(benchmark, path, report.everything, report.problems)


def write_page(chosen):
    """Makes the page from what was measured; gives the exit code."""

    def write(results):
        return report.write_page(results, chosen.book)

    return command.write_page(chosen.output / "ablation.json", "./x bench ablation", write)


def main():
    """Measures or writes the page."""
    chosen = parse_options()
    sys.exit(write_page(chosen) if chosen.page else measure(chosen))


if __name__ == "__main__":
    main()
