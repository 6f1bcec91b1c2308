"""What a worker does for a request."""

import unittest

from gpu.worker import Worker

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
