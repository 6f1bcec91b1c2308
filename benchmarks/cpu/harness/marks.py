"""Runs tests as the other tests of the project run: a line for each."""

import sys
import unittest


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


def run_tests(folder):
    """Runs all tests in a folder, and ends the process."""
    tests = unittest.TestLoader().discover(str(folder))
    runner = unittest.TextTestRunner(stream=sys.stdout, resultclass=Marks, verbosity=0)
    result = runner.run(tests)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
