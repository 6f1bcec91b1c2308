#!/usr/bin/env python3
"""Times programs from their parsed text to their first result: tables, and a page of the book.

    first_result.py --comb target/release/comb --output target/bench [--page docs/src]

Writes first-result.md and first-result.json. The suite's programs run with small inputs, and
so do generated ones with up to 300 combinators.
"""

import argparse
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from compiling import page  # noqa: E402
from compiling.measure import measure  # noqa: E402
from compiling.programs import programs  # noqa: E402

RUNS = 5


def main():
    """Measures all programs, one process at a time."""
    options = parse_options()
    optimizer = options.comb.with_name("comb-opt")
    results = {}
    for program in programs(options.suite):
        results[program.name] = measure(options.comb, optimizer, program, RUNS)
        print(page.table({program.name: results[program.name]}).splitlines()[-1], flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=1) + "\n"
    (options.output / "first-result.json").write_text(text, encoding="utf-8")
    (options.output / "first-result.md").write_text(page.table(results), encoding="utf-8")
    if options.page:
        text = page.page(results, RUNS, cpu())
        (options.page / "first-result.md").write_text(text, encoding="utf-8")


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--comb", type=pathlib.Path, required=True)
    parser.add_argument("--suite", type=pathlib.Path, default=HERE.parents[1] / "examples/suite")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--page", type=pathlib.Path)
    return parser.parse_args()


def cpu():
    """The processor's name, if it is known."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} processors" if names else None


if __name__ == "__main__":
    main()
