"""The suite itself: inputs are the same every time, and C agrees with the references."""

import pathlib
import tempfile
import unittest

import numpy as np
from harness import c_build
from harness.settings import Settings
from peers import c_peer
from peers.interface import Task, Unsupported
from suite import PROGRAMS, TOLERANCE, data
from suite.error import largest_error


class Suite(unittest.TestCase):
    """All programs at their small size."""

    def test_inputs_are_the_same_every_time(self):
        for name, program in PROGRAMS.items():
            with self.subTest(program=name):
                first, second = program.inputs("small"), program.inputs("small")
                self.assertEqual(list(first), list(second))
                for key, array in first.items():
                    np.testing.assert_array_equal(array, second[key])

    def test_outputs_are_as_promised(self):
        for name, program in PROGRAMS.items():
            with self.subTest(program=name):
                outputs = program.reference("small", program.inputs("small"))
                promised = program.outputs(**program.sizes["small"])
                self.assertEqual(len(outputs), len(promised))
                if not program.counted:
                    shapes = [output.shape for output in outputs]
                    self.assertEqual(shapes, [shape for shape, _ in promised])

    def test_files_hold_what_was_made(self):
        with tempfile.TemporaryDirectory() as folder:
            data.make(folder, "simple2", "small")
            stored = data.read_inputs(folder, "simple2", "small")
            made = PROGRAMS["simple2"].inputs("small")
            self.assertEqual(list(stored), list(made))
            for key, array in stored.items():
                np.testing.assert_array_equal(array, made[key])
                self.assertEqual(array.ctypes.data % data.ALIGNMENT, 0)

    def test_c_agrees_with_the_references(self):
        self.check_c()

    def test_c_agrees_where_it_does_as_with_large_arrays(self):
        self.check_c("-DSTREAMING_BYTES=0", "-DBUCKET_BITS=10")

    def check_c(self, *options):
        """Compiles C and compares all programs."""
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings("comb", pathlib.Path(folder), pathlib.Path(folder))
            for variant in ["c", "c-tuned"]:
                c_build.build_library(settings, variant, options)
                for name, program in PROGRAMS.items():
                    if c_build.source(variant, name).exists():
                        with self.subTest(program=name, variant=variant):
                            error = error_of_c(program, variant, settings)
                            self.assertLess(error, TOLERANCE)

    def test_programs_that_are_not_tuned_are_left_out(self):
        settings = Settings("comb", pathlib.Path(), pathlib.Path())
        program = PROGRAMS["leibniz"]
        with self.assertRaises(Unsupported):
            c_peer.prepare(Task(program, "small", {}, ["tuned"], settings))


def error_of_c(program, variant, settings):
    """How far a C program is from the reference."""
    inputs = program.inputs("small")
    task = Task(program, "small", inputs, variant.split("-")[1:], settings)
    prepared = c_peer.prepare(task)
    outputs = prepared.fetch(prepared.run())
    return largest_error(outputs, program.reference("small", inputs), program.counted)
