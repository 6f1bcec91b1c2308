"""Results that were not measured together are never mixed."""

import pathlib
import tempfile
import unittest

from harness import bandwidth, store


def entry(program, *peers):
    """An entry with measurements of these peers."""
    measurements = [{"peer": peer} for peer in peers]
    return {"program": program, "size": "large", "threads": 2, "measurements": measurements}


class Store(unittest.TestCase):
    """Reading, writing, replacing."""

    def test_an_entry_is_replaced_as_a_whole(self):
        results = store.empty({"cores": 2})
        store.put(results, entry("heat", "c", "jax"))
        store.put(results, entry("nn", "c"))
        store.put(results, entry("heat", "c"))
        self.assertEqual(results["entries"], [entry("nn", "c"), entry("heat", "c")])

    def test_results_of_another_machine_are_dropped(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results" / "cpu.json"
            results = store.empty({"cores": 2})
            store.put(results, entry("heat", "c"))
            store.write(path, results)
            self.assertEqual(store.for_machine(path, {"cores": 2}), results)
            self.assertEqual(store.for_machine(path, {"cores": 4})["entries"], [])

    def test_no_file(self):
        self.assertIsNone(store.read(pathlib.Path("/nonexistent/cpu.json")))

    def test_the_best_bandwidth_is_kept(self):
        old = [{"access": "read", "best": 2}, {"access": "copy", "best": 5}]
        new = [{"access": "read", "best": 3}, {"access": "copy", "best": 4}]
        best = {one["access"]: one["best"] for one in bandwidth.best_of(old, new)}
        self.assertEqual(best, {"read": 3, "copy": 5})
