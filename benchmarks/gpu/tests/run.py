"""Tests of the logic of the benchmark on a GPU, which need neither a GPU nor its libraries.

    python3 run.py
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = HERE.parent.parent

sys.dont_write_bytecode = True
sys.path[0:1] = [str(HERE), str(BENCHMARKS), str(BENCHMARKS / "cpu")]

from harness.marks import run_tests  # noqa: E402

run_tests(HERE)
