"""The programs in CuPy, with NumPy in its place, agree with the references."""

import unittest

import numpy as np
from gpu import inputs
from gpu.library import array_modules
from suite import PROGRAMS, TOLERANCE
from suite.error import largest_error


class Programs(unittest.TestCase):
    """All programs on small inputs."""

    def test_there_is_each_program(self):
        self.assertEqual(list(array_modules.table(array_modules.Module(np))), list(PROGRAMS))

    def test_parts_are_fused_once_and_have_names(self):
        names = []

        def fuse(function, name):
            names.append(name)
            return function

        programs = array_modules.table(array_modules.Module(np, fuse), fused=True)
        for _ in range(2):
            programs["leibniz"](1024)
        self.assertEqual(names, ["term"])
        self.assertNotIn("lud", programs)

    def test_results_are_right(self):
        programs = array_modules.table(array_modules.Module(np))
        for name, program in PROGRAMS.items():
            with self.subTest(program=name):
                arrays = inputs.make(name, "small", seed=1)
                outputs = programs[name](*arrays.values(), *program.sizes["small"].values())
                outputs = outputs if isinstance(outputs, tuple) else (outputs,)
                reference = program.reference("small", arrays)
                self.assertLess(largest_error(outputs, reference, program.counted), TOLERANCE)
