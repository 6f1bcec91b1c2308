"""comb's libraries are called with what their headers say, without copies."""

import ctypes
import os
import pathlib
import tempfile
import types
import unittest

import numpy as np
from harness import c_build
from harness.settings import Settings
from peers import comb_peer
from peers.interface import Unsupported

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMB = os.environ.get("COMB", str(ROOT / "target/release/comb"))

# Arrays and numbers in both directions, and a result whose size only the call tells.
PROGRAM = """
func.func @mixed(%m: tensor<?x3xf32>, %c: tensor<?xi8>, %n: index)
    -> (tensor<3x?xf32>, f64, tensor<?xi8>, index) {
  %t = soac.transpose %m [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %half = arith.constant 2.5 : f64
  %zero = arith.constant 0 : i8
  %kept = soac.filter %c : (tensor<?xi8>) -> tensor<?xi8> (%e: i8) {
    %keep = arith.cmpi ne, %e, %zero : i8
    soac.yield %keep : i1
  }
  return %t, %half, %kept, %n : tensor<3x?xf32>, f64, tensor<?xi8>, index
}
"""


class Call(unittest.TestCase):
    """A real library."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        source = pathlib.Path(cls.folder.name) / "mixed.mlir"
        source.write_text(PROGRAM, encoding="utf-8")
        library = source.with_suffix(".so")
        settings = Settings(COMB, source.parent, source.parent)
        cls.seconds = comb_peer.build(settings, source, library, ["unfused"])
        header = library.with_suffix(".h").read_text(encoding="utf-8")
        types_of = comb_peer.signature(header, "mixed")
        caller = c_build.build_caller(settings)
        cls.function = comb_peer.Function(library, "mixed_entry_mixed", *types_of, caller)

    def call(self, matrix, chars, number):
        """The results as arrays."""
        call = self.function.call([matrix, chars, number])
        call.run()
        return [output.array() for output in call.run()]

    def test_results(self):
        matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
        chars = np.array([0, 7, 0, 255], np.uint8)
        transposed, number, kept, same = self.call(matrix, chars, 1 << 40)
        np.testing.assert_array_equal(transposed, matrix.T)
        np.testing.assert_array_equal(number, [2.5])
        np.testing.assert_array_equal(kept, np.array([7, -1], np.int8))
        np.testing.assert_array_equal(same, [1 << 40])

    def test_empty_results(self):
        transposed, _, kept, _ = self.call(np.zeros((0, 3), np.float32), np.zeros(0, np.int8), 0)
        self.assertEqual((transposed.shape, kept.shape), ((3, 0), (0,)))

    def test_arguments_that_do_not_fit(self):
        good = [np.zeros((2, 3), np.float32), np.zeros(2, np.int8), 1]
        wrong = {
            0: [np.zeros((2, 3)), np.zeros(6, np.float32)],
            1: [np.zeros(2, np.int16)],
        }
        for position, values in wrong.items():
            for value in values:
                arguments = [*good[:position], value, *good[position + 1 :]]
                with self.assertRaisesRegex(TypeError, "for tensor<"):
                    self.function.call(arguments)
        with self.assertRaisesRegex(TypeError, "2 arguments for 3 parameters"):
            self.function.call(good[:2])

    def test_what_is_not_dense_is_refused(self):
        with self.assertRaisesRegex(ValueError, "not dense"):
            self.function.call([np.zeros((3, 2), np.float32).T, np.zeros(2, np.int8), 1])

    def test_memory_of_results_is_freed_once(self):
        freed = []
        free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(freed.append)
        call = self.function.call([np.ones((2, 3), np.float32), np.ones(2, np.int8), 1])
        call.run()
        expected = [output.value.allocated for output in call.outputs if output.kind.rank]
        call.in_c._obj.free = ctypes.cast(free, ctypes.c_void_p)
        call.release(call.in_c)
        del call
        self.assertEqual([memory for memory in freed if memory], expected)


class Signature(unittest.TestCase):
    """Types in a header's comment."""

    def test_types(self):
        header = "/* @f(x: tensor<?x4xf32>, n: index) -> (result: tensor<f64>, r: i1) */"
        parameters, results = comb_peer.signature(header, "f")
        found = [(kind.rank, kind.dtype) for kind in parameters + results]
        expected = [(2, np.float32), (None, np.int64), (0, np.float64), (None, np.bool_)]
        self.assertEqual(found, [(rank, np.dtype(dtype)) for rank, dtype in expected])

    def test_another_function(self):
        with self.assertRaisesRegex(RuntimeError, "@g"):
            comb_peer.signature("/* @f(n: index) -> (r: index) */", "g")

    def test_types_without_a_counterpart(self):
        with self.assertRaisesRegex(Unsupported, "bf16"):
            comb_peer.Type("tensor<?xbf16>")

    def test_types_with_a_sign(self):
        for text, element in [("tensor<2xui32>", np.int32), ("si8", np.int8), ("ui64", np.int64)]:
            self.assertEqual(comb_peer.Type(text).dtype, np.dtype(element))

    def test_signs_do_not_matter_but_sizes_do(self):
        kind = comb_peer.Type("tensor<?xi32>")
        self.assertTrue(kind.accepts(np.zeros(1, np.uint32)))
        self.assertFalse(kind.accepts(np.zeros(1, np.int64)))
        self.assertFalse(kind.accepts(np.zeros(1, np.float32)))


class Variants(unittest.TestCase):
    """What a variant of the peer's name asks of `comb build`."""

    def test_options(self):
        options = comb_peer.build_options(COMB, ["ilp", "unchecked", "fast"])
        expected = ["--unchecked", "--math", "fast", "--algorithm", "ilp"]
        self.assertEqual(options, expected)
        self.assertEqual(comb_peer.build_options(COMB, ["unfused"]), ["--algorithm", "off"])

    def test_only_some_functions_may_be_off(self):
        self.assertTrue(comb_peer.may_be_off("%a = math.sqrt %x : f32\n%b = math.exp %a : f32"))
        self.assertFalse(comb_peer.may_be_off("// as math.exp\n%a = math.sqrt %x : f32"))


class Freeing(unittest.TestCase):
    """Who frees memory of results."""

    def test_the_library_if_it_can(self):
        own = ctypes.CDLL(None).free
        library = types.SimpleNamespace(comb_free=own)
        self.assertIs(comb_peer.freeing_function(library), own)

    def test_otherwise_c(self):
        found = comb_peer.freeing_function(types.SimpleNamespace())
        self.assertEqual(found.__name__, "free")
