"""What becomes of answers."""

import unittest

from gpu import libraries, report, results

RIGHT = {"error": 1e-7, "right": True, "compile_seconds": 2.0}
TIMES = {"seconds": 1e-3, "event_seconds": None, "latency_seconds": 2e-3, "total": 5.0}


def line(stage, answer, peer="cupy", program="heat"):
    """A line of answers."""
    return {"stage": stage, "peer": peer, "program": program, "answer": answer}


def only_entry(*lines):
    """The entry of one peer and one program."""
    (entry,) = results.collect({}, lines, ["cupy"], ["heat"])["entries"]
    return entry


def whole(*lines, peers=("cupy", "jax")):
    """All results."""
    head = {
        "date": "2026-01-01",
        "machine": {"gpu": {}, "cuda": None, "processor": "P", "cores": 2, "python": "3"},
        "seconds": 1.0,
        "short": False,
        "peers": list(peers),
        "order": ["heat", "nbody"],
        "traffic": {"heat": 10**9, "nbody": None},
    }
    return results.collect(head, lines, head["peers"], head["order"])


class Results(unittest.TestCase):
    """Outcomes."""

    def test_what_was_not_asked_was_not_run(self):
        self.assertEqual(results.outcome(only_entry()), "not run: no time was left")

    def test_what_was_checked_and_timed_is_right(self):
        entry = only_entry(line("check", RIGHT), line("time", {"large": TIMES, "small": TIMES}))
        self.assertEqual(results.outcome(entry), "right")

    def test_what_fails_while_it_is_checked_may_be_checked_later(self):
        later = {"large": TIMES, "small": TIMES, "error": 1e-7, "right": True}
        entry = only_entry(line("check", {"failure": "slow"}), line("time", later))
        self.assertEqual(results.outcome(entry), "right")

    def test_wrong_results_are_wrong(self):
        wrong = {"error": 0.5, "right": False}
        entry = only_entry(line("check", wrong), line("time", {"large": TIMES, "small": TIMES}))
        self.assertEqual(results.outcome(entry), "wrong: error 5.0e-01")

    def test_failures_are_told(self):
        self.assertEqual(results.outcome(only_entry(line("time", {"failure": "F"}))), "failed: F")
        entry = only_entry(line("check", RIGHT), line("time", {"large": {"failure": "F"}}))
        self.assertEqual(results.outcome(entry), "failed: F")
        self.assertEqual(results.outcome(only_entry(line("check", {"unsupported": "U"}))), "none: U")

    def test_totals_that_differ_are_told(self):
        other = {**TIMES, "total": 6.0}
        lines = [line("time", {"large": TIMES}, peer) for peer in ("cupy", "cub")]
        lines.append(line("time", {"large": other}, "jax"))
        found = results.collect({}, lines, ["cupy", "jax", "cub"], ["heat"])
        self.assertEqual(results.differing(found), ["heat, jax: total 6, others 5"])


class Report(unittest.TestCase):
    """The page, even of results that lack parts."""

    def test_shares_are_of_the_bandwidth_of_a_copy(self):
        limits = {"stage": "limits", "peer": "cupy", "program": None}
        limits["answer"] = {"copy_bytes_per_second": 2e12, "array_bytes": 1 << 30}
        times = line("time", {"large": TIMES, "small": TIMES})
        page = report.page(whole(limits, line("check", RIGHT), times))
        self.assertIn("| heat | 0.5 | 50% | – |", page)
        self.assertIn("* copy of arrays of 1024 MiB: 2000 GB/s", page)

    def test_the_fastest_of_those_that_are_right_is_named(self):
        limits = {"stage": "limits", "peer": "cupy", "program": None}
        limits["answer"] = {"copy_bytes_per_second": 2e12, "array_bytes": 1 << 30}
        lines = [limits, line("check", RIGHT), line("time", {"large": TIMES})]
        faster = {"large": {**TIMES, "seconds": 5e-4}}
        lines += [line("check", RIGHT, "jax"), line("time", faster, "jax")]
        self.assertIn("| heat | jax | 0.5 | 100% | cupy | 1 |", report.page(whole(*lines)))
        lines.append(line("check", {"error": 0.5, "right": False}, "jax"))
        self.assertIn("| heat | cupy | 1 | 50% | – | – |", report.page(whole(*lines)))

    def test_comb_comes_first_with_its_ratios(self):
        same = {"unsupported": "the same code as comb"}
        slower = {"large": {**TIMES, "seconds": 4e-3}}
        lines = [line("check", RIGHT), line("time", {"large": {**TIMES, "seconds": 2e-3}})]
        lines += [line("check", RIGHT, "comb"), line("time", {"large": TIMES}, "comb")]
        lines += [line("check", same, "comb-greedy"), line("check", same, "comb-bottom-up")]
        lines += [line("check", RIGHT, "comb-unfused"), line("time", slower, "comb-unfused")]
        page = report.page(whole(*lines, peers=[*libraries.ALGORITHMS, "cupy"]))
        self.assertIn("| heat | 1 | – | cupy | 2 | 0.5 | 1 | 1 | 4 |", page)
        self.assertIn("| geometric mean |  |  |  |  | 0.5 | 1 | 1 | 4 |", page)
        self.assertLess(page.index("## comb"), page.index("## The device"))

    def test_faults_of_comb_come_before_its_table(self):
        wrong = {"error": 0.5, "right": False}
        lines = [line("check", wrong, "comb"), line("time", {"large": TIMES}, "comb")]
        page = report.page(whole(*lines, peers=["comb", "cupy"]))
        fault = page.index("* heat, comb: wrong: error 5.0e-01")
        self.assertLess(fault, page.index("| program | comb, ms"))
        self.assertIn("| heat | 1 (wrong) | – | – | – | – |", page)

    def test_what_is_missing_is_told(self):
        page = report.page(whole())
        self.assertIn("* heat, jax: not run: no time was left", page)
        self.assertIn("| heat | 1000 | not run | not run |", page)
