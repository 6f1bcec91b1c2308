"""Results that were not measured together are never mixed."""

import json
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

    def test_results_of_another_machine_are_kept_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results" / "cpu.json"
            results = store.empty({"cores": 2})
            store.put(results, entry("heat", "c"))
            store.write(path, results)
            self.assertEqual(store.for_machine(path, {"cores": 2}), results)
            newer = {"cores": 2, "system": "newer"}
            self.assertEqual(store.for_machine(path, newer), {**results, "machine": newer})
            self.assertEqual(store.for_machine(path, {"cores": 4})["entries"], [])
            self.assertEqual(store.read(path.with_suffix(".other.json")), results)

    def test_text_holds_everything_to_four_digits(self):
        results = store.empty({"cores": 2})
        self.assertEqual(json.loads(store.as_text(results)), results)
        store.put(results, {**entry("heat", "c"), "traffic": [1234567, 0.1234567]})
        store.put(results, entry("nn", "jax"))
        read = json.loads(store.as_text(results))
        self.assertEqual(read["entries"][0]["traffic"], [1234567, 0.1235])
        self.assertEqual(read["entries"][1], results["entries"][1])

    def test_no_file(self):
        self.assertIsNone(store.read(pathlib.Path("/nonexistent/cpu.json")))

    def test_the_best_bandwidth_is_kept(self):
        old = [{"access": "read", "best": 2}, {"access": "copy", "best": 5}]
        new = [{"access": "read", "best": 3}, {"access": "copy", "best": 4}]
        best = {one["access"]: one["best"] for one in bandwidth.best_of(old, new)}
        self.assertEqual(best, {"read": 3, "copy": 5})
