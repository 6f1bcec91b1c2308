"""Tests of the benchmark's own logic, where a mistake would falsify results.

    python3 run.py

COMB names the command, target/release/comb by default. Prints `ok` or `FAIL` for each
test, as the other tests do. No test measures time.
"""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent

sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))


class Marks(unittest.TextTestResult):
    """A line for each test."""

    def mark(self, word, test):
        """The line."""
        print(f"{word} benchmark: {test.id()}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.mark("ok  ", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.mark("FAIL", test)

    def addError(self, test, err):
        super().addError(test, err)
        self.mark("FAIL", test)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.mark("FAIL", subtest)


def main():
    """Runs all tests."""
    tests = unittest.TestLoader().discover(str(HERE))
    runner = unittest.TextTestRunner(stream=sys.stdout, resultclass=Marks, verbosity=0)
    result = runner.run(tests)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)


main()
