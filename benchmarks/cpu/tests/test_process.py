"""Workers stand still between their turns, and their ends are told."""

import os
import pathlib
import sys
import tempfile
import time
import unittest
from unittest import mock

from harness import process

COMPILED = "print('{\"compiled\": true}', flush=True)\n"
READY = COMPILED + "print('{\"seconds\": 1}', flush=True)\n"
KEEPING = COMPILED + "print('{\"keeps_at_end\": true}', flush=True)\n"
ECHO = READY + "for line in sys.stdin: print(line, end='', flush=True)\n"


def state_of(number):
    """The letter of a process's state in /proc."""
    text = pathlib.Path(f"/proc/{number}/stat").read_text(encoding="ascii")
    return text.rpartition(")")[2].split()[0]


def wait_for(what):
    """Waits until something holds, but not forever."""
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.01)


class Workers(unittest.TestCase):
    """Small scripts in the worker's place."""

    def start(self, script, patience=60, longest=60):
        """A process that runs a script."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "worker.py"
        path.write_text("import sys\n" + script, encoding="utf-8")
        command = [sys.executable, path]
        worker = process.Process(command, dict(os.environ), patience, longest)
        self.addCleanup(worker.end)
        return worker

    def test_it_stands_still_between_its_turns(self):
        worker = self.start(ECHO)
        wait_for(lambda: state_of(worker.process.pid) == "T")
        self.assertEqual(worker.ask({"run": 1}), {"run": 1})
        wait_for(lambda: state_of(worker.process.pid) == "T")

    def test_it_ends_though_it_stands_still(self):
        worker = self.start(ECHO)
        worker.end()
        self.assertIsNotNone(worker.process.returncode)

    def test_it_ends_by_itself_if_it_keeps_something(self):
        with tempfile.NamedTemporaryFile() as kept:
            script = f"sys.stdin.read(); open({kept.name!r}, 'w').write('compiled')"
            worker = self.start(KEEPING + script)
            worker.end()
            self.assertEqual(pathlib.Path(kept.name).read_text(encoding="ascii"), "compiled")
            self.assertEqual(worker.process.returncode, 0)

    def test_it_is_ended_if_it_does_not_end(self):
        with mock.patch.object(process, "FAREWELL", 0.1):
            worker = self.start(KEEPING + "import time; time.sleep(60)")
            worker.end()
        self.assertEqual(worker.process.returncode, -9)

    def test_the_system_has_killed_it(self):
        with self.assertRaisesRegex(process.WorkerFailure, "killed by the system.*memory"):
            self.start("import os; os.kill(os.getpid(), 9)")

    def test_last_words(self):
        with self.assertRaisesRegex(process.WorkerFailure, "code 3: alas"):
            self.start("sys.stderr.write('well\\nalas\\n'); sys.exit(3)")

    def test_no_answer(self):
        with self.assertRaisesRegex(process.WorkerFailure, "no answer in 0.2 s"):
            self.start("import time; time.sleep(60)", patience=0.2)

    def test_a_first_run_that_takes_too_long(self):
        with self.assertRaisesRegex(process.WorkerFailure, "a run takes longer than 0.2 s"):
            self.start(COMPILED + "import time; time.sleep(60)", longest=0.2)

    def test_a_first_run_that_compiles_may_take_longer(self):
        script = READY.replace("true", "false").replace("\n", "\nimport time; time.sleep(1)\n", 1)
        worker = self.start(script, longest=0.2)
        self.assertEqual(worker.readiness, {"seconds": 1})

    def test_unsupported(self):
        with self.assertRaisesRegex(process.WorkerUnsupported, "no such"):
            self.start('print(\'{"unsupported": "no such"}\')')

    def test_no_paths_of_the_machine_are_shown(self):
        shown = process.shown("error: 'panicked' at /home/me/a.b/c-1/lib.rs:3:4\nmore")
        self.assertEqual(shown, "error: 'panicked' at lib.rs:3:4")
        self.assertEqual(process.shown("1/2 of tools/x failed"), "1/2 of tools/x failed")
        self.assertEqual(process.shown(""), "")

    def test_failure(self):
        with self.assertRaisesRegex(process.WorkerFailure, "out of memory"):
            self.start('print(\'{"failure": "out of memory"}\')')
