"""The folder of comb's libraries: its list, what is built twice, and how functions are called."""

import ctypes
import os
import pathlib
import tempfile
import types
import unittest

import numpy as np
from gpu import build, cases, kernels, libraries
from gpu.library import comb_library, missing

PATHS = {"comb": "comb/heat.so", "comb-greedy": "comb/heat.so", "comb-unfused": "comb-unfused/heat.so"}
PATHS["comb-bottom-up"] = "comb/heat.so"

HEADER = "/* @heat(g: tensor<?x?xf64>, n: index) -> (result: tensor<?xf64>, r.1: i1) */"


class List(unittest.TestCase):
    """libraries.json."""

    def test_what_is_written_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            libraries.write(pathlib.Path(folder), {"programs": {}, "comb": "1"})
            self.assertEqual(libraries.read(pathlib.Path(folder))["comb"], "1")

    def test_a_folder_without_a_list_says_what_to_do(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FileNotFoundError, "build.py"):
                libraries.read(pathlib.Path(folder))

    def test_the_first_peer_with_the_same_code_is_named(self):
        found = {"programs": {"heat": {"libraries": PATHS}}}
        owners = [libraries.same_code(found, "heat", peer) for peer in libraries.ALGORITHMS]
        self.assertEqual(owners, [None, "comb", "comb", None])

    def test_without_a_folder_comb_is_left_out(self):
        chosen = types.SimpleNamespace(comb=None, array_module="numpy")
        self.assertIn("--comb", missing("comb-unfused", chosen))
        self.assertIsNone(missing("cupy", chosen))


class Building(unittest.TestCase):
    """What build.py says of libraries."""

    def test_names_and_types_are_read_from_headers(self):
        parameters, results = build.signature(HEADER, "heat")
        self.assertEqual(parameters, {"g": "tensor<?x?xf64>", "n": "index"})
        self.assertEqual(results, {"result": "tensor<?xf64>", "r.1": "i1"})
        self.assertEqual(build.described("my-heat", "heat", HEADER)["entry"], "my_heat_entry_heat")

    def test_the_same_code_is_kept_once(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name, content in [("a", "1"), ("b", "1"), ("c", "2")]:
                (folder / name).write_text(content, encoding="utf-8")
            self.assertEqual(build.kept(folder, folder / "b", ["a"]), "a")
            self.assertEqual(build.kept(folder, folder / "c", ["a"]), "c")
            self.assertEqual(sorted(path.name for path in folder.iterdir()), ["a", "c"])


class Cases(unittest.TestCase):
    """Small checks."""

    def test_what_is_saved_is_loaded(self):
        case = cases.Case("f", [np.arange(3), np.array(2.5)], [np.zeros((2, 0), np.float32)], None)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.npz"
            cases.save(path, case)
            inputs, results = cases.load(path)
        np.testing.assert_array_equal(inputs[0], case.inputs[0])
        self.assertEqual((inputs[1].shape, results[0].shape), ((), (2, 0)))

    def test_floating_point_numbers_may_be_off_a_little(self):
        right = np.array([1, np.nan, 1000], np.float32)
        self.assertIsNone(cases.difference(right * np.float32(1.00005), right))
        self.assertIn("1 of 3", cases.difference(np.array([1.1, np.nan, 1000], np.float32), right))
        self.assertIn("shape", cases.difference(right[:2], right))

    def test_whole_numbers_may_not(self):
        right = np.array([1 << 60, 2])
        self.assertIn("at (0,)", cases.difference(right + [1, 0], right))

    def test_a_number_is_compared_with_an_array_without_dimensions(self):
        self.assertIsNone(kernels.differing([np.array([2.5])], [np.array(2.5)], None))


class Host:
    """In a library's place: the memory of the GPU is this process's."""

    def __init__(self):
        self.memory, self.freed = {}, []

    def allocate(self, count):
        place = ctypes.create_string_buffer(max(count, 1))
        self.memory[ctypes.addressof(place)] = place
        return ctypes.addressof(place)

    def write(self, target, source, count):
        ctypes.memmove(target, source, count)

    read = write

    def free(self, place):
        self.freed.append(place)

    def entry(self, _):
        """Gives its array transposed, in place, and its number plus one."""
        kind = comb_library.descriptor_type(2)

        def function(address):
            pointers = ctypes.cast(address, ctypes.POINTER(ctypes.c_void_p))
            given, result = (kind.from_address(pointers[position]) for position in (0, 2))
            result.allocated = result.aligned = given.aligned
            result.sizes[:], result.strides[:] = given.sizes[::-1], given.strides[::-1]
            number = ctypes.c_int64.from_address(pointers[1])
            ctypes.c_int64.from_address(pointers[3]).value = number.value + 1

        return function


class Calls(unittest.TestCase):
    """Descriptors of arrays, and who frees what."""

    ENTRY = {
        "entry": "f",
        "parameters": ["tensor<?x3xf32>", "index"],
        "results": ["tensor<3x?xf32>", "index"],
    }

    def test_results(self):
        host = Host()
        matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
        call = comb_library.Call(host, self.ENTRY, [matrix, 41])
        transposed, number = call.run().arrays()
        np.testing.assert_array_equal(transposed, matrix.T)
        np.testing.assert_array_equal(number, [42])
        call.run()
        self.assertEqual(len(host.freed), 1)
        call.release()
        self.assertEqual(len(host.freed), 3)

    def test_arguments_that_do_not_fit(self):
        with self.assertRaisesRegex(TypeError, "for tensor<"):
            comb_library.Call(Host(), self.ENTRY, [np.zeros((4, 3)), 1])
        with self.assertRaisesRegex(TypeError, "1 arguments for 2 parameters"):
            comb_library.Call(Host(), self.ENTRY, [1])

    def test_numbers_have_their_type(self):
        place = comb_library.number_of(comb_library.Type("f32"), 2.5)
        self.assertEqual(np.frombuffer(bytes(place), np.float32)[0], 2.5)


NEEDED = ("COMB", "COMB_CUDA_LIBRARY")


@unittest.skipUnless(all(os.path.exists(os.environ.get(name, "")) for name in NEEDED), "not built")
class Libraries(unittest.TestCase):
    """A library that COMB builds, with what COMB_CUDA_LIBRARY names in the driver's place."""

    def test_a_small_check_is_right(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            chosen = types.SimpleNamespace(comb=os.environ["COMB"], chip="sm_90", folder=folder)
            found = build.build_kernels(chosen, cases.EXAMPLES / "softmax.mlir")
            codes = {}
            for entry in found:
                self.assertIsNone(kernels.wrong(folder, entry, codes))
