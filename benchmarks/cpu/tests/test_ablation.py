"""What transformations are worth: which programs are measured, and what is said of ratios."""

import os
import pathlib
import unittest

from ablation import benchmark, report
from harness import store

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMB = os.environ.get("COMB", str(ROOT / "target/release/comb"))
USUAL, AGAIN = benchmark.USUAL, benchmark.AGAIN


def measurement(peer, turns):
    """What a peer took in each round."""
    return {"peer": peer, "outcome": "right", "median": sorted(turns)[len(turns) // 2], "turns": turns}


def entry(program, size="large", usual=(1.0, 1.0, 1.0, 1.0), again=(1.0, 1.0, 1.0, 1.0), **without):
    """A program with other code without some transformations."""
    peers = {USUAL: usual, AGAIN: again}
    peers |= {benchmark.WITHOUT + name: turns for name, turns in without.items()}
    measurements = [measurement(peer, list(turns)) for peer, turns in peers.items()]
    return {"program": program, "size": size, "threads": 1, "measurements": measurements}


def results(*entries):
    """A file of results."""
    names = ["packing", "rows-ahead", "jam", "touches"]
    return {**store.empty({}), "transformations": names, "entries": list(entries)}


class Names(unittest.TestCase):
    """Transformations in the names of peers, and on the page."""

    def test_a_peer_says_what_it_is_without(self):
        peer = benchmark.peer_without("rows-ahead")
        self.assertEqual(peer, "comb-ilp-no_rows_ahead")
        self.assertEqual(benchmark.transformation_of(peer), "rows-ahead")
        self.assertIsNone(benchmark.transformation_of(USUAL))
        self.assertIsNone(benchmark.transformation_of(AGAIN))

    def test_the_page_lists_them(self):
        names = benchmark.names(ROOT / "docs/src/transformations.md")
        self.assertIn("rows-ahead", names)
        self.assertGreater(len(names), 40)


class Code(unittest.TestCase):
    """Which transformations are measured, and how."""

    def test_small_arrays_are_measured_on_one_thread(self):
        self.assertEqual(benchmark.threads_for("small", [1, 2]), 1)
        self.assertEqual(benchmark.threads_for("large", [1, 2]), 2)
        self.assertEqual(benchmark.threads_for("large", [1]), 1)

    def test_only_what_changes_the_code(self):
        source = ROOT / "examples/suite/leibniz.mlir"
        found = benchmark.changing(COMB, source, ["packing", "vectors", "digits"])
        self.assertEqual(found, ["vectors"])


class Effects(unittest.TestCase):
    """What is said of ratios."""

    def test_ratios_are_of_each_round(self):
        one = entry("heat", usual=(1.0, 2.0, 4.0, 1.0), again=(1.0, 2.0, 4.0, 1.0), jam=(1.5, 3.0, 6.0, 1.5))
        [effect] = report.effects_of(one)
        self.assertEqual((effect.transformation, effect.ratio), ("jam", 1.5))
        self.assertTrue(effect.is_clear and effect.helps and not effect.costs)

    def test_what_is_within_the_noise_is_not_clear(self):
        noisy = entry("heat", again=(1.2, 1.2, 1.2, 1.2), jam=(1.1, 1.1, 1.1, 1.1), packing=(0.5,) * 4)
        effects = {effect.transformation: effect for effect in report.effects_of(noisy)}
        self.assertFalse(effects["jam"].is_clear)
        self.assertTrue(effects["packing"].costs)

    def test_what_half_of_the_rounds_say_is_not_clear(self):
        torn = entry("heat", jam=(1.5, 1.5, 0.9, 0.9))
        self.assertFalse(report.effects_of(torn)[0].is_clear)

    def test_the_verdict_counts_programs_and_not_sizes(self):
        slower, same = (1.5,) * 4, (1.01,) * 4
        found = results(
            entry("heat", jam=slower, packing=slower, rows_ahead=same),
            entry("heat", "small", jam=slower),
            entry("lbm", jam=same, packing=slower),
        )
        text = report.verdict(found)
        self.assertIn("At least two programs take 5 % longer without** `packing` (1)", text)
        self.assertIn("One program takes 5 % longer without** `jam` (1)", text)
        self.assertIn("the code of some is another, without** `rows-ahead` (1)", text)
        self.assertIn("The code of no program is another without** `touches` (1)", text)

    def test_wrong_results_are_problems(self):
        bad = entry("heat", jam=(1.0,) * 4)
        bad["measurements"][-1].update(outcome="wrong")
        found = results(bad)
        self.assertEqual(report.effects(found), [])
        [problem] = report.problems(found)
        self.assertEqual(problem, "error: heat, large, without jam: a wrong result")
        self.assertIn("heat, large, without jam", report.gaps(found))
