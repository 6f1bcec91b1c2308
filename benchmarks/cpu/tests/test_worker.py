"""What a worker may use."""

import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent

SCRIPT = """
import os, sys
sys.path.insert(0, sys.argv[1])
from harness import worker
worker.limit_memory()
memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
bytearray(int(memory * float(sys.argv[2])))
"""


class Memory(unittest.TestCase):
    """Arrays of a part of the memory, which nobody touches."""

    def allocate(self, share):
        """What is said on standard error."""
        command = [sys.executable, "-c", SCRIPT, str(HERE.parent), str(share)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    def test_there_is_enough(self):
        self.assertEqual(self.allocate(0.1), "")

    def test_nobody_may_have_nearly_all(self):
        self.assertIn("MemoryError", self.allocate(0.7))
