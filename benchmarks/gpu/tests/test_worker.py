"""What a worker does for a request."""

import unittest

from gpu.worker import Worker, failed_in

SETTINGS = {
    "data": "",
    "seed": 1,
    "large": "small",
    "effort": {},
    "options": {"device": "cpu", "array_module": "numpy"},
}


class Checking(unittest.TestCase):
    """A check with NumPy in CuPy's place."""

    def test_totals_are_compiled_while_checking(self):
        worker, totals = Worker("cupy", SETTINGS), []
        total = worker.library.total
        worker.library.total = lambda outputs: totals.append(total(outputs))
        answer = worker.answer({"do": "check", "program": "prefixsum"})
        self.assertTrue(answer["right"])
        self.assertEqual(len(totals), 1)


class Ending(unittest.TestCase):
    """What is answered if the library ends the process."""

    def test_what_was_found_before_is_kept(self):
        small = {"small": {"seconds": 1}}
        self.assertEqual(failed_in(small, "large", "F"), {**small, "large": {"failure": "F"}})
        self.assertEqual(failed_in({"error": 0}, "large_failure", "F"), {"error": 0, "large_failure": "F"})
        self.assertEqual(failed_in({}, None, "F"), {"failure": "F"})

    def test_large_is_not_tried_after_small(self):
        failed = {"failure": "F"}
        self.assertEqual(failed_in({}, "small", "F"), {"small": failed, "large": failed})
