"""Measures what it is worth that arrays are computed where they go: what `./x bench memory` runs.

    in_place.py --output FOLDER --comb COMMAND --cache FOLDER --suite FOLDER
                [--programs X,Y] [--sizes small,large] [--threads 1,2]
    in_place.py --output FOLDER --book FOLDER --page

The first form measures programs with that and without, counts their blocks of memory and their copies, and times the
compiler; it writes memory-measured.json and .md to the output folder. The second makes a page of the book of these, and measures
nothing.

It needs nothing but Python's standard library; programs run in NumPy's environment. The exit code is 1 if a
result was wrong.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from harness import command, store  # noqa: E402
from harness.benchmark import Benchmark  # noqa: E402
from harness.interleave import Effort  # noqa: E402
from harness.progress import show_progress  # noqa: E402
from report import in_place  # noqa: E402

EFFORT = Effort(rounds=7, budget=0.06, most=1000, patience=120, longest=20)
COMPILED = 7


class InPlace(Benchmark):
    """Programs that copy what they need not."""

    table = "memory"

    def measure_bandwidth(self, threads):
        """It is no matter here."""

    def run(self):
        """Measures, and counts."""
        super().run()
        counted = self.results.setdefault("memory", {})
        for program in self.catalogue:
            name = program["name"]
            self.say(f"{name}: memory, compile time")
            source = self.settings.suite / f"{name}.mlir"
            counted[name] = {"usage": usage(self.settings.comb, source), **compile_times(self.settings, source)}
        store.write(self.path, self.results)


def usage(comb, source):
    """What `comb explain --memory` says of the program's function."""
    options = ["explain", "--memory", "--format", "json", "--function", source.stem, str(source)]
    done = subprocess.run([comb, *options], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[0]


def compile_times(settings, source):
    """Seconds of `comb build`, with that and without, in turns."""
    times = {"with": [], "without": []}
    for _ in range(COMPILED):
        for name, options in (("with", []), ("without", ["--disable", ",".join(in_place.DISABLED)])):
            target = settings.build / f"{source.stem}-compiled.so"
            line = [settings.comb, "build", str(source), "-o", str(target), *options]
            start = time.perf_counter()
            subprocess.run(line, capture_output=True, check=True, env={**os.environ, "COMB_CACHE": "off"})
            times[name].append(time.perf_counter() - start)
    return {"compiled_" + name: seconds for name, seconds in times.items()}


def main():
    """Measures or writes the page; the exit code says whether a result was wrong."""
    chosen = command.parse_options("memory", __doc__.splitlines()[0], [in_place.OWN, in_place.WITHOUT, in_place.NUMPY])
    path = chosen.output / f"{in_place.NAME}.json"
    if chosen.page:
        write = lambda results: in_place.write_page(results, chosen.book)  # noqa: E731
        sys.exit(command.write_page(path, "./x bench memory", write))
    benchmark = InPlace(chosen, EFFORT, path, show_progress)
    sys.exit(command.measure(benchmark, path, in_place.everything, in_place.problems))


if __name__ == "__main__":
    main()
