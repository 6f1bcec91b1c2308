"""Workers that hang or end are told and started again."""

import os
import sys
import unittest

from gpu.supervisor import Deadline, Stopped, Supervised

READY = "import sys, time; print('{\"packages\": {}}', flush=True)\n"
ECHO = READY + "for line in sys.stdin: print(line, end='', flush=True)\n"


class Workers(unittest.TestCase):
    """Small scripts in the worker's place."""

    def start(self, script):
        """A worker that runs a script."""
        worker = Supervised([sys.executable, "-c", script], dict(os.environ), None, 60)
        self.addCleanup(worker.end)
        return worker

    def test_answers_are_given(self):
        self.assertEqual(self.start(ECHO).ask({"do": "check"}, 60), {"do": "check"})

    def test_a_worker_that_hangs_is_stopped_and_started_again(self):
        worker = self.start(READY + "if 'hang' in input(): time.sleep(600)\nprint('{}', flush=True)")
        with self.assertRaisesRegex(Stopped, "took longer than 1 s"):
            worker.ask({"do": "hang"}, 1)
        self.assertEqual(worker.ask({"do": "check"}, 60), {})

    def test_the_end_of_a_worker_is_told(self):
        with self.assertRaisesRegex(Stopped, "ended with 3"):
            self.start(READY + "input(); sys.exit(3)").ask({"do": "check"}, 60)

    def test_a_worker_that_ends_with_its_answer_is_started_again(self):
        answer = "print('{\"failure\": \"F\", \"ends\": true}', flush=True)"
        worker = self.start(f"{READY}input()\n{answer}\nsys.stdin.read()")
        for _ in range(2):
            self.assertEqual(worker.ask({"do": "check"}, 60), {"failure": "F"})
            self.assertIsNone(worker.process)

    def test_a_worker_that_cannot_start_says_why(self):
        script = "print('{\"failure\": \"no GPU\"}', flush=True)"
        with self.assertRaisesRegex(Stopped, "cannot start: no GPU"):
            self.start(script).ask({"do": "check"}, 60)

    def test_a_deadline_has_parts(self):
        deadline = Deadline(100, clock=lambda: 0)
        self.assertEqual(deadline.part(0.25).left(), 25)
