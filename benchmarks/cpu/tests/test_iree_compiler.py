"""What IREE compiled is kept, and so is why it could not."""

import pathlib
import tempfile
import unittest
from unittest import mock

from peers import iree_compiler
from peers.interface import Failed

# Compilers: the source is the first argument, the target the third. They note their calls.
NOTING = 'echo call >> "$0.calls"\n'
GOOD = NOTING + 'cp "$1" "$3"\n'
NEEDS_LESS_FUSION = NOTING + 'case "$*" in *aggressive-fusion=false) cp "$1" "$3";; *) '
NEEDS_LESS_FUSION += 'echo "a.mlir:1:2: error: no stack" >&2; exit 1;; esac\n'
BAD = NOTING + 'echo "a.mlir:1:2: error: no $5" >&2; exit 1\n'
ENDLESS = NOTING + "while :; do :; done\n"


class Compiled(unittest.TestCase):
    """Scripts in the compiler's place."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.compiler = pathlib.Path(folder.name) / "compiler"
        self.source = pathlib.Path(folder.name) / "heat.small.mlir"
        self.source.write_text("program", encoding="ascii")

    def write_compiler(self, script):
        """Makes the script the compiler."""
        self.compiler.write_text("#!/bin/sh\n" + script, encoding="ascii")
        self.compiler.chmod(0o755)

    def compiled(self, options=("-O3",)):
        """What it compiled."""
        return iree_compiler.compiled(self.compiler, self.source, list(options))

    def calls(self):
        """How often the compiler ran."""
        return len(pathlib.Path(f"{self.compiler}.calls").read_text("ascii").splitlines())

    def test_it_compiles_once(self):
        self.write_compiler(GOOD)
        self.assertEqual(self.compiled()[0].read_text("ascii"), "program")
        self.assertEqual(self.compiled(), self.compiled())
        self.assertEqual(self.calls(), 1)

    def test_it_compiles_again_what_has_changed(self):
        self.write_compiler(GOOD)
        targets = {self.compiled()[0], self.compiled(["-O2"])[0]}
        self.source.write_text("another", encoding="ascii")
        targets.add(self.compiled()[0])
        self.assertEqual((len(targets), self.calls()), (3, 3))

    def test_it_may_fuse_less(self):
        self.write_compiler(NEEDS_LESS_FUSION)
        self.assertEqual(self.compiled()[0].read_text("ascii"), "program")
        self.assertEqual(self.calls(), 2)

    def test_why_it_failed_is_kept(self):
        self.write_compiler(BAD)
        for _ in range(2):
            with self.assertRaisesRegex(Failed, "^the compiler: error: no $"):
                self.compiled([])
        self.assertEqual(self.calls(), 2)

    def test_it_may_not_compute_forever(self):
        self.write_compiler(ENDLESS)
        with mock.patch.object(iree_compiler, "COMPILER_LIMIT", 1):
            with self.assertRaisesRegex(Failed, "no result after 1 s"):
                self.compiled()
        self.assertEqual(self.calls(), 1)
