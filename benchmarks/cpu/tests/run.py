"""Tests of the benchmark's own logic, where a mistake would falsify results.

    python3 run.py

COMB names the command, target/release/comb by default. Prints `ok` or `FAIL` for each
test, as the other tests do. No test measures time.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))

from harness.marks import run_tests  # noqa: E402

run_tests(HERE)
