"""CUB, for the programs that it has an algorithm for. Arrays and times are CuPy's; outputs and
temporary memory are there before a call."""

import ctypes
import os
import pathlib
import subprocess

import cupy

from gpu.library import base, cupy_library
from suite import PROGRAMS

SOURCE = pathlib.Path(__file__).with_name("cub.cu")
NAMES = ("prefixsum", "segsum", "filter", "histogram")


class Library(cupy_library.Library):
    """CUB's algorithms, compiled by nvcc."""

    def __init__(self, options):
        super().__init__(options)
        self.code = ctypes.CDLL(str(compiled(pathlib.Path(options.cache))))

    def supports(self, name):
        if name not in NAMES:
            raise base.Unsupported("CUB has no algorithm for it")

    def packages(self):
        return {}

    def prepare(self, name, arrays, sizes, simple=False):
        inputs = [self.xp.asarray(array) for array in arrays.values()]
        outputs = [self.xp.empty(shape, kind) for shape, kind in PROGRAMS[name].outputs(**sizes)]
        pointers = [ctypes.c_void_p(array.data.ptr) for array in [*inputs, *outputs]]
        arguments = [*pointers, *(ctypes.c_int64(size) for size in sizes.values())]
        function, needed = getattr(self.code, name), ctypes.c_size_t()
        checked(function(None, ctypes.byref(needed), *arguments))
        temporary = self.xp.empty(max(needed.value, 1), "uint8")
        place = ctypes.c_void_p(temporary.data.ptr)

        def call():
            checked(function(place, ctypes.byref(needed), *arguments))
            return Outputs(outputs, (temporary, inputs))

        return base.Prepared(call, 0.0)

    def fetch(self, outputs):
        return super().fetch(tuple(outputs))

    def total(self, outputs):
        """What CUB did not write of the filter's output has no meaning."""
        arrays = list(outputs)
        if len(arrays) == 2:
            arrays[1] = arrays[1][: int(arrays[0][0])]
        return super().total(tuple(arrays))


class Outputs(list):
    """Outputs, and what must live as long as they do."""

    def __init__(self, arrays, kept):
        super().__init__(arrays)
        self.kept = kept


def checked(code):
    """Raises unless CUDA is content."""
    if code:
        raise RuntimeError(f"CUDA error {code}")


def compiled(folder):
    """The shared library, compiled for the GPU at hand unless it is there."""
    path = folder / "cub.so"
    if not path.exists():
        partial = folder / f"cub-{os.getpid()}.so"
        options = ["-O3", "-std=c++17", "--shared", "-Xcompiler", "-fPIC"]
        command = ["nvcc", f"-arch={architecture()}", *options, "-o", str(partial), str(SOURCE)]
        subprocess.run(command, check=True)
        partial.replace(path)
    return path


def architecture():
    """The GPU's, as nvcc calls it."""
    return f"sm_{cupy.cuda.Device().compute_capability}"
