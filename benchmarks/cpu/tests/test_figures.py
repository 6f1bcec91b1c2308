"""Ratios, the limit, and what counts."""

import unittest

from report import figures, tables


def measurement(peer, median, outcome="right", **more):
    """A measurement as interleave.py leaves it."""
    return {"peer": peer, "median": median, "outcome": outcome, "compile_seconds": 0.5, **more}


def entry(*measurements, program="heat", size="large", threads=2, traffic=None):
    """An entry of the results."""
    return {
        "program": program,
        "group": "group",
        "size": size,
        "threads": threads,
        "traffic": traffic,
        "measurements": list(measurements),
    }


BANDWIDTH = [{"access": "read", "best": 10.0}, {"access": "copy", "best": 20.0}]


class Figures(unittest.TestCase):
    """What is computed from an entry."""

    def test_ratio_is_own_over_c(self):
        row = figures.row(entry(measurement("comb-ilp", 3.0), measurement("c", 2.0)), [])
        self.assertEqual(row.to_c, 1.5)

    def test_ratios_are_of_turns_in_the_same_round(self):
        own = measurement("comb-ilp", 3.0, turns=[3.0, 3.0, 6.0, 6.0, 6.0])
        fast_at_last = measurement("c", 2.0, turns=[2.0, 2.0, 4.0, 4.0, 1.0])
        slow = measurement("jax", 6.0, turns=[6.0, 6.0, 12.0])
        row = figures.row(entry(own, fast_at_last, slow), [])
        self.assertEqual((row.to_c, row.to_rival), (1.5, 0.5))

    def test_the_fastest_rival(self):
        some = [measurement("jax", 4.0), measurement("numba-fast", 2.0), measurement("c", 1.0)]
        row = figures.row(entry(measurement("comb-ilp", 3.0), *some), [])
        self.assertEqual((row.rival, row.to_rival), ("numba-fast", 1.5))

    def test_only_rivals_that_were_measured_are_named(self):
        some = entry(*(measurement(peer, 1.0) for peer in ["torch-compile", "numba-fast", "numpy"]))
        self.assertEqual(figures.names_of_rivals([some]), ["Numba", "PyTorch"])

    def test_wrong_results_do_not_count(self):
        wrong = measurement("jax", 1.0, outcome="wrong", error=1.0)
        failed = {"peer": "torch", "outcome": "failed", "reason": "out of memory"}
        row = figures.row(entry(wrong, failed, measurement("numba", 2.0)), [])
        self.assertEqual((row.rival, row.rival_seconds), ("numba", 2.0))

    def test_comb_is_the_variant_that_fuses_best(self):
        unfused, greedy = measurement("comb-unfused", 1.0), measurement("comb-greedy", 2.0)
        self.assertEqual(figures.row(entry(unfused, greedy), []).own_peer, "comb-greedy")
        wrong = measurement("comb-greedy", 0.1, outcome="wrong", error=1.0)
        self.assertEqual(figures.row(entry(unfused, wrong), []).own, 1.0)

    def test_unchecked_belongs_to_the_same_variant(self):
        some = [measurement("comb-unfused", 2.0), measurement("comb-ilp-unchecked", 1.0)]
        self.assertIsNone(figures.row(entry(*some), []).unchecked)
        row = figures.row(entry(*some, measurement("comb-ilp", 3.0)), [])
        self.assertEqual(row.unchecked, 1.0)

    def test_nothing_right_at_all(self):
        row = figures.row(entry({"peer": "comb-ilp", "outcome": "failed", "reason": "?"}), [])
        self.assertIsNone(row.own)
        self.assertIn("no result", tables.comparison([row]))

    def test_limit_of_reading(self):
        self.assertEqual(figures.limit(entry(traffic=[100, 0]), BANDWIDTH), 10)

    def test_limit_of_reading_and_writing(self):
        self.assertEqual(figures.limit(entry(traffic=[100, 150]), BANDWIDTH), 12.5)

    def test_the_limit_is_what_was_measured_beside_the_others(self):
        some = entry(measurement("limit", 3.0), traffic=[100, 0])
        self.assertEqual(figures.limit(some, BANDWIDTH), 3.0)
        self.assertEqual(figures.limit(some, []), 3.0)

    def test_no_limit(self):
        self.assertIsNone(figures.limit(entry(), BANDWIDTH))
        self.assertIsNone(figures.limit(entry(size="small", traffic=[1, 1]), BANDWIDTH))

    def test_share_of_the_limit(self):
        row = figures.row(entry(measurement("comb-ilp", 40.0), traffic=[100, 0]), BANDWIDTH)
        self.assertEqual(row.share_of_limit, 0.25)

    def test_other_load(self):
        some = [measurement("c", 1.0, other_load=0.5), measurement("jax", 1.0, other_load=1.5)]
        self.assertEqual(figures.other_load({"entries": [entry(*some)]}), 1.0)
        self.assertIsNone(figures.other_load({"entries": [entry(measurement("c", 1.0))]}))

    def test_geometric_mean(self):
        self.assertAlmostEqual(figures.geometric_mean([0.5, None, 8.0]), 2.0)
        self.assertIsNone(figures.geometric_mean([None]))

    def test_sizes_and_threads_are_not_mixed(self):
        some = [entry(size="small"), entry(), entry(threads=1)]
        results = {"order": ["heat"], "entries": some, "bandwidth": {}}
        self.assertEqual(figures.settings(results), [("large", 2), ("large", 1), ("small", 2)])
        self.assertEqual(len(figures.rows(results, "large", 1)), 1)


    def test_greedy_algorithms_that_were_measured(self):
        plain = entry(measurement("comb-ilp", 1.0), measurement("comb-greedy", 1.0))
        misled = entry(measurement("comb-ilp", 1.0), measurement("comb-bottomup", 40.0))
        self.assertEqual(figures.misled([plain, misled]), [misled])
        self.assertIn("40000 (40 ×)", tables.greedy([misled]))

    def test_functions_that_may_be_off_have_a_table(self):
        some = entry(measurement("comb-ilp", 3.0), measurement("comb-ilp-fast", 2.0), measurement("c", 4.0))
        without = entry(measurement("comb-ilp", 3.0), {"peer": "comb-ilp-fast", "outcome": "unsupported"})
        self.assertEqual(figures.with_functions([some, without]), [some])
        self.assertIn("| heat | 3000 | 2000 | 4000 | 0.50 |  |  |", tables.fast([some]))

    def test_tuned_c_is_a_column_of_its_own(self):
        some = [measurement("comb-ilp", 3.0), measurement("c", 2.0), measurement("c-tuned", 1.0)]
        row = figures.row(entry(*some), [])
        self.assertEqual((row.to_c, row.to_tuned), (1.5, 3.0))


class Tables(unittest.TestCase):
    """What people read."""

    def test_cells(self):
        self.assertEqual(tables.cell(measurement("c", 0.0012345)), "1.23")
        self.assertEqual(tables.cell(measurement("c", 0.001, "wrong")), "1 WRONG")
        self.assertEqual(tables.cell({"outcome": "failed", "reason": "?"}), "failed")
        self.assertEqual(tables.cell({"outcome": "unsupported", "reason": "?"}), "–")
        self.assertEqual(tables.cell(None), "")

    def test_seconds_become_milliseconds(self):
        self.assertEqual(tables.milliseconds(1.2345), "1234")
        self.assertEqual(tables.milliseconds(0.0123456), "12.3")

    def test_problems_are_listed(self):
        wrong = measurement("jax", 1.0, outcome="wrong", error=0.5)
        failed = {"peer": "iree", "outcome": "failed", "reason": "no answer in 5 s"}
        missing = {"peer": "torch", "outcome": "unsupported", "reason": "not natural"}
        results = {"order": ["heat"], "entries": [entry(wrong, failed, missing)]}
        self.assertEqual(
            tables.problems(results),
            ["jax, heat (large): WRONG, error 0.5", "iree, heat (large): no answer in 5 s"],
        )
        self.assertEqual(tables.absences(results), ["torch, heat (large): not natural"])
        self.assertEqual(len(tables.wrong_results(results)), 1)

    def test_the_same_problem_is_listed_once(self):
        failed = {"peer": "iree", "outcome": "failed", "reason": "no stack"}
        other = {"peer": "iree", "outcome": "failed", "reason": "no memory"}
        some = [entry(failed), entry(failed, size="small"), entry(failed, threads=1)]
        some += [entry(failed, program="nn"), entry(other, program="nn", size="small")]
        self.assertEqual(
            tables.problems({"order": ["heat", "nn"], "entries": some}),
            ["iree, heat, nn (large): no stack", "iree, nn (small): no memory"],
        )

    def test_other_peers_are_comb_and_no_variant_of_it(self):
        peers = ["comb-unfused", "comb-ilp", "c", "torch-compile", "numpy"]
        table = tables.other_peers([entry(*(measurement(peer, 1.0) for peer in peers))])
        expected = "| program, ms | comb-ilp | c | torch-compile | numpy |"
        self.assertEqual(table.splitlines()[0], expected)

    def test_programs_are_in_the_order_of_the_suite(self):
        some = [entry(program="nn"), entry(program="heat")]
        results = {"order": ["heat", "nn"], "entries": some, "bandwidth": {}}
        programs = [row.program for row in figures.rows(results, "large", 2)]
        self.assertEqual(programs, ["heat", "nn"])
