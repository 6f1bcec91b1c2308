"""Programs that comb was not tuned for: comb and C agree with NumPy, and pages say what was measured."""

import os
import pathlib
import tempfile
import unittest

from harness import c_build
from harness.settings import Settings
from peers import c_peer, comb_peer
from peers.interface import Task
from report import unseen
from suite import PROGRAMS, TOLERANCE, UNSEEN
from suite.error import largest_error

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMB = os.environ.get("COMB", str(ROOT / "target/release/comb"))
SOURCES = ROOT / "benchmarks/cpu/unseen"


class Programs(unittest.TestCase):
    """All of them, at their small size."""

    def test_names_are_those_of_no_other_program(self):
        self.assertEqual(set(), set(PROGRAMS) & set(UNSEEN))

    def test_each_is_there_in_both_languages(self):
        for ending in ("mlir", "c"):
            names = {path.stem for path in SOURCES.glob(f"*.{ending}")}
            self.assertEqual(names, set(UNSEEN), ending)

    def test_comb_and_c_agree_with_numpy(self):
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(COMB, SOURCES, pathlib.Path(folder))
            c_build.build_library(settings, "c-unseen")
            for name, program in UNSEEN.items():
                inputs = program.inputs("small")
                references = program.reference("small", inputs)
                for peer, variant in ((comb_peer, "ilp"), (c_peer, "unseen")):
                    with self.subTest(program=name, peer=peer.__name__):
                        task = Task(program, "small", inputs, [variant], settings)
                        prepared = peer.prepare(task)
                        outputs = prepared.fetch(prepared.run())
                        error = largest_error(outputs, references, program.counted)
                        self.assertLess(error, TOLERANCE)


def measured(peer, seconds, outcome="right"):
    """A measurement of one round."""
    return {"peer": peer, "outcome": outcome, "median": seconds, "turns": [seconds]}


class Page(unittest.TestCase):
    """What is said of measurements."""

    def test_a_summary_counts_what_is_slow_and_leaves_out_what_is_wrong(self):
        entries = [
            {"program": "a", "group": "g", "measurements": [measured(unseen.OWN, 2e-3), measured(unseen.C, 1e-3)]},
            {"program": "b", "group": "g", "measurements": [measured(unseen.OWN, 1e-3), measured(unseen.C, 2e-3)]},
            {
                "program": "c",
                "group": "g",
                "measurements": [measured(unseen.OWN, 9e-3, "wrong"), measured(unseen.C, 1e-3)],
            },
        ]
        said = unseen.summary(entries)
        self.assertIn("comb takes 1.00 times as long as C (geometric mean of 2 programs)", said)
        self.assertIn("1 take more than 1.25 times as long, the slowest 2.00", said)


if __name__ == "__main__":
    unittest.main()
