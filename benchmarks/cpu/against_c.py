"""Measures comb with programs that it was not tuned for, beside C: what `./x bench unseen` runs.

    against_c.py --output FOLDER --comb COMMAND --cache FOLDER --suite FOLDER
                 [--programs X,Y] [--sizes small,large] [--threads 1,2]
    against_c.py --output FOLDER --book FOLDER --page

The first form measures, and writes unseen.json and unseen.md to the output folder. The second makes a page of the
book from unseen.json, and measures nothing.

It needs nothing but Python's standard library; programs run in NumPy's environment. The exit code is 1 if a
result was wrong.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from harness import command  # noqa: E402
from harness.benchmark import Benchmark  # noqa: E402
from harness.interleave import Effort  # noqa: E402
from harness.progress import show_progress  # noqa: E402
from report import unseen  # noqa: E402

EFFORT = Effort(rounds=7, budget=0.06, most=1000, patience=120, longest=20)


class Unseen(Benchmark):
    """The programs that comb was not tuned for."""

    table = "unseen"

    def measure_bandwidth(self, threads):
        """It is no matter here."""


def main():
    """Measures or writes the page; the exit code says whether a result was wrong."""
    chosen = command.parse_options("unseen", __doc__.splitlines()[0], [unseen.OWN, unseen.C, unseen.NUMPY])
    path = chosen.output / "unseen.json"
    if chosen.page:
        write = lambda results: unseen.write_page(results, chosen.book)  # noqa: E731
        sys.exit(command.write_page(path, "./x bench unseen", write))
    benchmark = Unseen(chosen, EFFORT, path, show_progress)
    sys.exit(command.measure(benchmark, path, unseen.everything, unseen.problems))


if __name__ == "__main__":
    main()
