"""What workers find around them: threads, folders of compiled programs, StableHLO."""

import os
import pathlib
import tempfile
import unittest

from harness import environments, stablehlo, surroundings

BUILD = pathlib.Path("/cache/build")


class Variables(unittest.TestCase):
    """The environment variables of a worker."""

    def test_the_number_of_threads_is_everybodys(self):
        for peer in ("c", "numba-fast", "torch"):
            found = surroundings.variables(peer, 3, BUILD, {"OMP_NUM_THREADS": "9"})
            counts = {found[name] for name in surroundings.THREAD_VARIABLES}
            self.assertEqual(counts, {"3"})

    def test_how_threads_are_bound_may_be_changed(self):
        self.assertEqual(surroundings.variables("c", 1, BUILD, {})["OMP_PLACES"], "cores")
        found = surroundings.variables("c", 1, BUILD, {"OMP_PLACES": "threads"})
        self.assertEqual(found["OMP_PLACES"], "threads")

    def test_what_variants_compile_is_kept_apart(self):
        folders = {
            surroundings.variables(peer, 1, BUILD, {})["NUMBA_CACHE_DIR"]
            for peer in ("numba", "numba-fast")
        }
        self.assertEqual(folders, {f"{BUILD}/compiled/numba", f"{BUILD}/compiled/numba-fast"})
        self.assertNotIn("NUMBA_CACHE_DIR", surroundings.variables("jax", 1, BUILD, {}))


class Needed(unittest.TestCase):
    """The environments that are made."""

    def test_iree_needs_jax_though_it_is_not_measured(self):
        self.assertEqual(environments.needed(["iree", "c"]), {"numpy", "iree", "jax"})
        self.assertEqual(environments.needed(["torch-compile"]), {"numpy", "torch"})


class StableHlo(unittest.TestCase):
    """When a program is written again."""

    def test_if_it_is_missing_or_older_than_its_source(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder) / "a.py", pathlib.Path(folder) / "a.mlir"
            source.touch()
            self.assertFalse(stablehlo.is_fresh(target, [source]))
            target.touch()
            os.utime(source, (1, 1))
            self.assertTrue(stablehlo.is_fresh(target, [source]))
            os.utime(target, (0, 0))
            self.assertFalse(stablehlo.is_fresh(target, [source]))

    def test_all_sources_exist(self):
        for source in stablehlo.SOURCES:
            self.assertTrue(source.exists(), source)
