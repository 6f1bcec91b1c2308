"""The limit: there is one for every large program but those bound by operations of many kinds."""

import ctypes
import pathlib
import tempfile
import unittest

from harness import c_build
from harness.settings import Settings
from peers import limit_peer
from peers.interface import Task, Unsupported
from suite import PROGRAMS


class Limit(unittest.TestCase):
    """All programs, and the functions that they name."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.settings = Settings("comb", pathlib.Path(folder.name), pathlib.Path(folder.name))

    def task(self, name, size, **sizes):
        """A program, with other sizes if there are any."""
        program = PROGRAMS[name]
        program = program._replace(sizes={size: sizes or program.sizes[size]})
        return Task(program, size, {}, [], self.settings)

    def test_a_program_is_bound_by_memory_or_by_operations(self):
        bound_by_neither = []
        for name, program in PROGRAMS.items():
            sizes = program.sizes["large"]
            if program.traffic(**sizes) is None and program.arithmetic is None:
                bound_by_neither.append(name)
            else:
                self.assertNotEqual(program.traffic(**sizes) is None, program.arithmetic is None)
        self.assertEqual(bound_by_neither, ["mcpi"])

    def test_all_kinds_of_operations_are_there(self):
        library = ctypes.CDLL(str(c_build.build_limits(self.settings)))
        for program in PROGRAMS.values():
            if program.arithmetic is not None:
                kind, count = program.arithmetic(**program.sizes["large"])
                self.assertTrue(hasattr(library, kind), kind)
                self.assertGreater(count, 0)

    def test_it_runs(self):
        limit_peer.prepare(self.task("nbody", "large", n=64)).run()
        limit_peer.prepare(self.task("heat", "large", n=64, it=1)).run()

    def test_no_limit(self):
        with self.assertRaisesRegex(Unsupported, "large arrays"):
            limit_peer.prepare(self.task("nbody", "small"))
        with self.assertRaisesRegex(Unsupported, "many kinds"):
            limit_peer.prepare(self.task("mcpi", "large"))
