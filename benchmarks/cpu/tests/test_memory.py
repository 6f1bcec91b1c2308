"""Programs that copy what they need not: comb agrees with NumPy, with and without short-circuiting, and copies as little
as is pinned here."""

import os
import pathlib
import tempfile
import unittest

import in_place
from harness.settings import Settings
from peers import comb_peer
from peers.interface import Task
from report import in_place as report
from suite import MEMORY, PROGRAMS, TOLERANCE, UNSEEN
from suite.error import largest_error

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMB = os.environ.get("COMB", str(ROOT / "target/release/comb"))
SOURCES = ROOT / "benchmarks/cpu/memory"

# Blocks, and copies but for branches. That of a parameter that is updated is needed. `parts` has a block in each step, and one for
# the plate that it is given, since nothing says that this is as large.
COUNTS = {
    "cells": (1, 1),
    "diagonal": (1, 1),
    "nearest": (2, 0),
    "nwblocks": (1, 0),
    "parts": (2, 1),
    "trailing": (1, 1),
    "tridiagonal": (2, 0),
}


class Programs(unittest.TestCase):
    """All of them, at their small size."""

    def test_names_are_those_of_no_other_program(self):
        self.assertEqual(set(), set(MEMORY) & {*PROGRAMS, *UNSEEN})

    def test_each_is_there(self):
        names = {path.stem for path in SOURCES.glob("*.mlir")}
        self.assertEqual(names, set(MEMORY))
        self.assertEqual(names, set(COUNTS))

    def test_comb_agrees_with_numpy(self):
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(COMB, SOURCES, pathlib.Path(folder))
            for name, program in MEMORY.items():
                inputs = program.inputs("small")
                references = program.reference("small", inputs)
                for peer in (report.OWN, report.WITHOUT):
                    with self.subTest(program=name, peer=peer):
                        variants = peer.split("-")[1:]
                        prepared = comb_peer.prepare(Task(program, "small", inputs, variants, settings))
                        outputs = prepared.fetch(prepared.run())
                        self.assertLess(largest_error(outputs, references, program.counted), TOLERANCE)

    def test_blocks_and_copies_are_as_few_as_they_were(self):
        for name, counts in COUNTS.items():
            with self.subTest(program=name):
                after = in_place.usage(COMB, SOURCES / f"{name}.mlir")["after"]
                self.assertEqual((len(after["blocks"]), report.copies(after)), counts)


class Tables(unittest.TestCase):
    """What is said of measurements."""

    def test_copies_in_branches_are_not_counted(self):
        usage = {"copies": [{"conditional": True}, {"conditional": False}]}
        self.assertEqual(report.copies(usage), 1)

    def test_compile_times_are_compared_by_their_medians(self):
        counted = {"compiled_with": [3, 1, 2], "compiled_without": [4, 4, 9]}
        self.assertEqual(report.compile_ratio(counted), 0.5)


if __name__ == "__main__":
    unittest.main()
