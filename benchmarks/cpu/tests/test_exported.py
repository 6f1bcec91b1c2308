"""Functions of JAX, compiled by comb: what is called, what is wrong, and what is written."""

import ast
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from exported import files, report, sides
from exported.benchmark import TOLERANCE
from exported.error import largest_error
from harness.settings import Settings

ROOT = pathlib.Path(__file__).resolve().parents[3]
RUNNER = ROOT / "benchmarks/cpu/against_jax.py"
COMB = os.environ.get("COMB", str(ROOT / "target/release/comb"))


class Functions(unittest.TestCase):
    """Their source, which needs JAX to run."""

    def test_each_says_what_it_does(self):
        source = pathlib.Path(files.HERE / "functions.py").read_text(encoding="utf-8")
        found = [
            node
            for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef) and node.decorator_list
        ]
        self.assertEqual(len(found), 25)
        for function in found:
            self.assertTrue(ast.get_docstring(function), function.name)


class Artifact(unittest.TestCase):
    """An artifact is built, called, and compared."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        place = pathlib.Path(folder.name)
        self.settings = Settings(COMB, place / "artifacts", place)
        code = (ROOT / "examples/jax/softmax.bc").read_bytes()
        x = np.random.default_rng(1).standard_normal((2048, 1000)).astype(np.float32)
        exponentials = np.exp(x.astype(np.float64))
        self.softmax = exponentials / exponentials.sum(1, keepdims=True)
        files.write(self.settings, "softmax", code, {"x": x}, [self.softmax])

    def test_comb_computes_what_the_reference_says(self):
        inputs = files.read_inputs(self.settings, "softmax")
        task = sides.Task("softmax", inputs, self.settings)
        prepared = sides.comb(task)
        prepared.run()
        outputs = prepared.fetch(prepared.run())
        self.assertEqual(outputs[0].shape, (2048, 1000))
        references = files.read_references(self.settings, "softmax")
        self.assertLess(largest_error(outputs, references), TOLERANCE)

    def test_it_is_made_again_if_it_is_not_complete(self):
        self.assertTrue(files.is_made(self.settings, "softmax"))
        (files.folder(self.settings, "softmax") / "contents.json").unlink()
        self.assertFalse(files.is_made(self.settings, "softmax"))


class Error(unittest.TestCase):
    """How far results are from references."""

    def error(self, output, reference, kind=np.float32):
        """The error of one array."""
        return largest_error([np.array(output, kind)], [np.array(reference, kind)])

    def test_floats_are_relative_to_the_largest(self):
        self.assertAlmostEqual(self.error([1, -100], [2, -100]), 0.01)
        self.assertEqual(self.error([0.5], [0]), 0.5)
        self.assertEqual(self.error([], []), 0)

    def test_integers_are_exact(self):
        self.assertEqual(self.error([1, 2], [1, 2], np.int32), 0)
        self.assertEqual(self.error([1, 3], [1, 2], np.int32), math.inf)
        self.assertEqual(self.error([True], [False], np.bool_), math.inf)

    def test_signs_of_integers_do_not_matter(self):
        output, reference = np.array([-1], np.int32), np.array([2**32 - 1], np.uint32)
        self.assertEqual(largest_error([output], [reference]), 0)

    def test_infinities_and_nans_are_where_they_are(self):
        values = [math.nan, math.inf, -math.inf, 1]
        self.assertEqual(self.error(values, values), 0)
        self.assertEqual(self.error([0, *values[1:]], values), math.inf)
        self.assertEqual(self.error([1, 2], [math.inf, 2]), math.inf)
        self.assertEqual(self.error([math.nan, 2], [1, 2]), math.inf)

    def test_shapes(self):
        self.assertEqual(self.error([[1, 2]], [1, 2]), math.inf)
        self.assertEqual(self.error([1, 2], [1]), math.inf)
        self.assertEqual(largest_error([], [np.zeros(1)]), math.inf)
        self.assertEqual(self.error([1], 1), 0)


MACHINE = {
    "processor": "a CPU",
    "cores": 2,
    "virtual": False,
    "vectors": "avx2",
    "caches": "L1 32K",
    "memory_gib": 8,
    "system": "a system",
    "c_compiler": "a compiler",
    "comb": "comb",
}


def measured(peer, seconds, compiling, error=0.0):
    """A measurement."""
    outcome = "right" if error < TOLERANCE else "wrong"
    times = {"median": seconds, "turns": [seconds, seconds], "compile_seconds": compiling}
    return {"peer": peer, "outcome": outcome, "error": error, **times}


def results(*entries):
    """Results with two threads: for each name, the measurements of both sides."""
    return {
        "format": 1,
        "machine": MACHINE,
        "packages": {"jax": ["jax==1"]},
        "bandwidth": {},
        "order": [name for name, *_ in entries],
        "what": {name: f"What {name} does." for name, *_ in entries},
        "entries": [
            {"program": name, "size": "", "threads": 2, "measurements": list(measurements)}
            for name, *measurements in entries
        ],
    }


FAST = ("fast", measured("comb-ilp", 1e-3, 0.25, 1e-7), measured("jax", 2e-3, 0.5))
SLOW = ("slow", measured("comb-ilp", 2e-3, 0.5), measured("jax", 1e-3, 1.0))
WRONG = ("wrong", measured("comb-ilp", 1e-3, 0.25, 0.5), measured("jax", 2e-3, 0.5))
FAILED = ("failed", {"peer": "comb-ilp", "outcome": "failed", "reason": "alas"}, SLOW[2])
MISSING = ("missing", {"peer": "comb-ilp", "outcome": "unsupported", "reason": "no"}, SLOW[2])


class Report(unittest.TestCase):
    """Tables and the page."""

    def test_ratios_and_sums(self):
        text = report.everything(results(FAST, SLOW))
        self.assertIn("| fast | 1 | 2 | 0.50 | 1e-07 | 250 | 500 |", text)
        self.assertIn("| slow | 2 | 1 | 2.00 | 0 | 500 | 1000 |", text)
        self.assertIn("| *geometric mean; sums* |  |  | 1.00 |  | 750 | 1500 |", text)
        self.assertIn("geometric mean of 2 functions; 1 of them take", text)
        self.assertIn("comb 0.8 s, and JAX 1.5 s", text)

    def test_what_is_wrong_or_failed_has_no_ratio(self):
        found = results(FAST, WRONG, FAILED, MISSING)
        text = report.everything(found)
        self.assertIn("| wrong | no result | 2 |  | 5e-01 | 250 | 500 |", text)
        self.assertIn("| failed | no result | 1 |  |  |  | 1000 |", text)
        self.assertIn("geometric mean of 1 functions; 1 of them take", text)
        self.assertEqual(
            report.problems(found),
            [
                "wrong, comb-ilp, threads 2: WRONG, error 0.5",
                "failed, comb-ilp, threads 2: alas",
                "missing, comb-ilp, threads 2: no",
            ],
        )

    def test_the_page_has_a_plot_and_the_results(self):
        with tempfile.TemporaryDirectory() as folder:
            book = pathlib.Path(folder)
            path = report.write_page(results(FAST, SLOW), book, TOLERANCE)
            text = path.read_text(encoding="utf-8")
            self.assertIn("![For each function: how many times as long as JAX](images/jax-2.svg)", text)
            self.assertIn("| slow | What slow does. |", text)
            self.assertIn("may differ by 1e-05 or more", text)
            self.assertIn(">fast</text>", (book / "images/jax-2.svg").read_text(encoding="utf-8"))
            self.assertTrue(json.loads((book / "jax.json").read_text(encoding="utf-8"))["entries"])


class Runner(unittest.TestCase):
    """The command."""

    def run_with(self, *options):
        """What it says and its exit code."""
        command = [sys.executable, str(RUNNER), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def test_a_page_needs_measurements(self):
        with tempfile.TemporaryDirectory() as folder:
            code, said = self.run_with("--output", folder, "--book", folder, "--page")
        self.assertEqual(code, 1)
        self.assertIn("measure first, with ./x bench jax", said)

    def test_threads_that_are_not_there(self):
        for number in ("0", "x", "9999"):
            code, said = self.run_with("--output", ".", "--threads", number)
            self.assertEqual(code, 2)
            self.assertIn(f"'{number}' threads", said)


if __name__ == "__main__":
    unittest.main()
