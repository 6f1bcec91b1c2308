"""What workers find around them: threads, folders of compiled programs, StableHLO."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock

from harness import c_build, environments, machine, processor, stablehlo, surroundings
from harness.settings import Settings

SETTINGS = Settings("comb", pathlib.Path("/suite"), pathlib.Path("/cache"))


class Variables(unittest.TestCase):
    """The environment variables of a worker."""

    def test_the_number_of_threads_is_everybodys(self):
        for peer in ("c", "numba-fast", "torch"):
            found = surroundings.variables(peer, 3, SETTINGS, {"OMP_NUM_THREADS": "9"})
            counts = {found[name] for name in surroundings.THREAD_VARIABLES}
            self.assertEqual(counts, {"3"})

    def test_how_threads_are_bound_may_be_changed(self):
        self.assertEqual(surroundings.variables("c", 1, SETTINGS, {})["OMP_PLACES"], "cores")
        found = surroundings.variables("c", 1, SETTINGS, {"OMP_PLACES": "threads"})
        self.assertEqual(found["OMP_PLACES"], "threads")

    def test_what_variants_compile_is_kept_apart(self):
        folders = {
            surroundings.variables(peer, 1, SETTINGS, {})["NUMBA_CACHE_DIR"]
            for peer in ("numba", "numba-fast")
        }
        self.assertEqual(folders, {"/cache/build/compiled/numba", "/cache/build/compiled/numba-fast"})
        self.assertNotIn("NUMBA_CACHE_DIR", surroundings.variables("jax", 1, SETTINGS, {}))


class Processor(unittest.TestCase):
    """What peers compile for."""

    def test_nothing_is_said_of_the_processor_at_hand(self):
        self.assertIsNone(processor.problem("native"))
        found = surroundings.variables("jax", 1, SETTINGS, {"XLA_FLAGS": "--as_it_was"})
        self.assertEqual(found["XLA_FLAGS"], "--as_it_was")
        self.assertNotIn("NUMBA_CPU_NAME", found)

    def test_all_do_without_what_another_one_has_not(self):
        settings = SETTINGS._replace(cpu="x86-64-v3")
        found = surroundings.variables("jax", 1, settings, {"XLA_FLAGS": "--as_it_was"})
        self.assertEqual(found["XLA_FLAGS"], "--xla_cpu_max_isa=AVX2")
        self.assertEqual(found["NUMBA_CPU_NAME"], "x86-64-v3")
        self.assertIn("-march=x86-64-v3 ", found["BH_OPENMP_COMPILER_CMD"])
        self.assertEqual(machine.vectors("x86-64-v3"), "avx2")

    def test_one_with_avx512_needs_only_names(self):
        found = processor.variables("x86-64-v4")
        self.assertNotIn("XLA_FLAGS", found)
        self.assertEqual(found["NUMBA_CPU_NAME"], "x86-64-v4")

    def test_what_is_compiled_for_it_is_kept_apart(self):
        settings = SETTINGS._replace(cpu="x86-64-v3")
        found = surroundings.variables("numba", 1, settings, {})
        self.assertEqual(found["NUMBA_CACHE_DIR"], "/cache/build-x86-64-v3/compiled/numba")
        self.assertEqual(Settings.from_json(settings.to_json()), settings)

    def test_processors_that_cannot_be(self):
        self.assertRegex(processor.problem("nonesuch"), "knows no processor 'nonesuch'")
        self.assertRegex(processor.problem("x86-64-v2"), "'x86-64-v2' has no AVX2")
        here = c_build.vector_extensions("native")
        with mock.patch.object(
            c_build, "vector_extensions", lambda cpu: here if cpu == "native" else {*here, "avx9"}
        ):
            self.assertRegex(processor.problem("better"), "has no avx9, which 'better' has")


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
