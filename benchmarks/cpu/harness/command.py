"""What the two commands that a runner has do: measuring, and making a page of what was measured."""

import argparse
import os
import pathlib
import sys

from harness import store
from harness.progress import show_progress
from harness.settings import NATIVE
from harness.surroundings import problem_of_threads

SIZES = ["small", "large"]


def parse_options(name, description, peers):
    """The command line of what measures a table of programs with some peers, which cannot be chosen: what `./x bench NAME` runs."""
    parser = argparse.ArgumentParser(prog=f"bench {name}", description=description)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--comb")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--suite", type=pathlib.Path)
    parser.add_argument("--book", type=pathlib.Path)
    parser.add_argument("--page", action="store_true")
    for option in ("programs", "sizes", "threads"):
        parser.add_argument(f"--{option}", type=lambda text: text.split(","))
    chosen = parser.parse_args()
    chosen.sizes = chosen.sizes or SIZES
    chosen.threads = chosen.threads or sorted({"1", str(os.cpu_count())})
    unknown = set(chosen.sizes) - set(SIZES)
    problem = f"no size is called '{unknown.pop()}'" if unknown else problem_of_threads(chosen.threads)
    if problem:
        parser.error(problem)
    chosen.threads = [int(number) for number in chosen.threads]
    chosen.peers, chosen.cpu = peers, NATIVE
    return chosen


def measure(benchmark, path, table_of, problems_of):
    """Measures, writes results to a file and tables beside it, and shows these and the problems,
    both made of the results; gives the exit code."""
    benchmark.set_up()
    benchmark.run()
    show_progress("")
    text = table_of(benchmark.results)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)
    print(f"Written to {path.parent}: {path.name}, {path.stem}.md.")
    problems = problems_of(benchmark.results)
    for line in problems:
        print(line, file=sys.stderr)
    return 1 if problems else 0


def write_page(path, command, write):
    """Makes a page of a file of results, which a command writes; gives the exit code."""
    results = store.read(path)
    if results is None:
        print(f"error: {path} is missing: measure first, with {command}", file=sys.stderr)
        return 1
    print(f"Written: {write(results)}")
    return 0
