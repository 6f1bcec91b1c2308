"""What check.py makes of what it runs."""

import unittest

from gpu import check

FOUND = {
    "kernels": {"a-1": "ok", "b-1": "result 0: 1 of 2 elements"},
    "sanitizer": {"memcheck": {"errors": 0, "said": "0 errors, in 1 checks"}},
    "benchmark": {"exit_code": 0, "last_line": "1 right"},
}


class Check(unittest.TestCase):
    """Lines and verdicts."""

    def test_lines_of_small_checks(self):
        text = "ok   a-1\nsomething else\nFAIL b-1: result 0: off\n"
        self.assertEqual(check.outcomes(text), {"a-1": "ok", "b-1": "result 0: off"})

    def test_what_is_wrong_is_on_the_page(self):
        page = check.page(FOUND)
        self.assertIn("1 of 2 are right", page)
        self.assertIn("* **b-1**: result 0: 1 of 2 elements", page)

    def test_one_fault_is_enough(self):
        self.assertFalse(check.sound(FOUND))
        self.assertTrue(check.sound({**FOUND, "kernels": {"a-1": "ok"}}))
        races = {"racecheck": {"errors": 2, "said": ""}}
        self.assertFalse(check.sound({**FOUND, "kernels": {"a-1": "ok"}, "sanitizer": races}))
        self.assertFalse(check.sound({"kernels": {"a-1": "ok"}, "sanitizer": {}}))
