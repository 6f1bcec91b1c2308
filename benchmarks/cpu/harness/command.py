"""What the two commands that a runner has do: measuring, and making a page of what was measured."""

import sys

from harness import store
from harness.progress import show_progress


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
