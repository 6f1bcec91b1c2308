"""Which page results go to, and what is written."""

import pathlib
import tempfile
import unittest

from report import page

MACHINE = {
    "processor": "a CPU",
    "cores": 2,
    "virtual": False,
    "caches": "L1 32K",
    "memory_gib": 8,
    "system": "a system",
    "c_compiler": "a compiler",
    "comb": "comb",
}


def results(vectors, cpu=None):
    """Results without any measurement, of a machine with such vectors, compiled for a processor."""
    return {
        "format": 1,
        "machine": {**MACHINE, "vectors": vectors, "compiled_for": cpu},
        "packages": {},
        "bandwidth": {},
        "order": [],
        "entries": [],
    }


class Page(unittest.TestCase):
    """The page of a kind of processor."""

    def written(self, vectors, cpu=None):
        """The files that are written, and the text of the page."""
        with tempfile.TemporaryDirectory() as folder:
            path = page.write(results(vectors, cpu), pathlib.Path(folder))
            files = sorted(file.name for file in pathlib.Path(folder).iterdir() if file.is_file())
            return files, path.read_text(encoding="utf-8")

    def test_processors_with_avx512_have_a_page(self):
        files, text = self.written("avx512f")
        self.assertEqual(files, ["benchmarks.json", "benchmarks.md"])
        self.assertIn("\n# Benchmarks\n", text)

    def test_others_have_another_one(self):
        for vectors in ("avx2", "sse2", None):
            files, text = self.written(vectors)
            self.assertEqual(
                files, ["benchmarks-without-avx512.json", "benchmarks-without-avx512.md"]
            )
            self.assertIn("as is benchmarks-without-avx512.json", text)

    def test_says_what_was_compiled_for(self):
        _, text = self.written("avx512f")
        self.assertIn("`./x bench cpu --threads 1,2` repeats it", text)
        _, text = self.written("avx2", cpu="znver3")
        self.assertIn("`./x bench cpu --threads 1,2 --cpu znver3` repeats it", text)
        self.assertIn("| compiled for | znver3 |", text)


if __name__ == "__main__":
    unittest.main()
