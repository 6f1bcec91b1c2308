"""Measures comb with programs that it was not tuned for, beside C: what `./x bench unseen` runs.

    against_c.py --output FOLDER --comb COMMAND --cache FOLDER --suite FOLDER
                 [--programs X,Y] [--sizes small,large] [--threads 1,2]
    against_c.py --output FOLDER --book FOLDER --page

The first form measures, and writes unseen.json and unseen.md to the output folder. The second makes a page of the
book from unseen.json, and measures nothing.

It needs nothing but Python's standard library; programs run in NumPy's environment. The exit code is 1 if a
result was wrong.
"""

import argparse
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from harness import command  # noqa: E402
from harness.benchmark import Benchmark  # noqa: E402
from harness.interleave import Effort  # noqa: E402
from harness.progress import show_progress  # noqa: E402
from harness.settings import NATIVE  # noqa: E402
from harness.surroundings import problem_of_threads  # noqa: E402
from report import unseen  # noqa: E402

EFFORT = Effort(rounds=7, budget=0.06, most=1000, patience=120, longest=20)
SIZES = ["small", "large"]


class Unseen(Benchmark):
    """The programs that comb was not tuned for."""

    table = "unseen"

    def measure_bandwidth(self, threads):
        """It is no matter here."""


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench unseen", description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--comb")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--suite", type=pathlib.Path)
    parser.add_argument("--book", type=pathlib.Path)
    parser.add_argument("--page", action="store_true")
    for name in ("programs", "sizes", "threads"):
        parser.add_argument(f"--{name}", type=lambda text: text.split(","))
    chosen = parser.parse_args()
    chosen.sizes = chosen.sizes or SIZES
    chosen.threads = chosen.threads or sorted({"1", str(os.cpu_count())})
    unknown = set(chosen.sizes) - set(SIZES)
    problem = f"no size is called '{unknown.pop()}'" if unknown else problem_of_threads(chosen.threads)
    if problem:
        parser.error(problem)
    chosen.threads = [int(number) for number in chosen.threads]
    chosen.peers, chosen.cpu = [unseen.OWN, unseen.C, unseen.NUMPY], NATIVE
    return chosen


def main():
    """Measures or writes the page; the exit code says whether a result was wrong."""
    chosen = parse_options()
    path = chosen.output / "unseen.json"
    if chosen.page:
        write = lambda results: unseen.write_page(results, chosen.book)  # noqa: E731
        sys.exit(command.write_page(path, "./x bench unseen", write))
    benchmark = Unseen(chosen, EFFORT, path, show_progress)
    sys.exit(command.measure(benchmark, path, unseen.everything, unseen.problems))


if __name__ == "__main__":
    main()
