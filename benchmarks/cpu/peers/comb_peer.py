"""comb: the programs of examples/suite, as shared libraries that `comb build` makes.

Variants: `unfused`, `greedy`, `topdown`, `bottomup` or `ilp`; `unchecked`; `fast`, for
functions such as `exp` that may be off by some units in the last place; and `misled`, with the
loops that a greedy algorithm of a paper makes, by wishes. `no_x_y` is without the transformation `x-y`, and
`again` is the same once more. A library is called through its C
interface without copies. Its entry function takes the address of an array of pointers: to
a descriptor for each array, and to the value of each number; results are written to where
theirs point. The types are read from the comment above the entry in the library's header.

Memory of results belongs to the caller, who frees it with `comb_free`, or, where the
library does not have that function, with C's `free`.
"""

import ctypes
import pathlib
import re
import subprocess
import time

import numpy as np

from harness import c_build
from peers.interface import Prepared, Unsupported

FUSION = {
    "unfused": "off",
    "greedy": "greedy",
    "topdown": "greedy-top-down",
    "bottomup": "greedy-bottom-up",
    "ilp": "ilp",
    "misled": "ilp",
}

# What the name of a variant begins with that is without a transformation.
WITHOUT = "no_"

# Functions of the dialect `math` that are the same in both modes.
EXACT = {"absf", "absi", "ceil", "copysign", "floor", "fma", "round", "roundeven", "sqrt", "trunc"}

MISLED = pathlib.Path(__file__).resolve().parent.parent / "misled"

ELEMENTS = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f32": np.float32,
    "f64": np.float64,
}


def prepare(task):
    """Builds and loads the program."""
    name = task.program.name
    sources = MISLED if "misled" in task.variants else task.settings.suite
    source = sources / f"{name}.mlir"
    if not source.exists():
        raise Unsupported("no program")
    if "fast" in task.variants and not may_be_off(source.read_text(encoding="utf-8")):
        raise Unsupported("no function may be off, so it is the same without -fast")
    folder = task.settings.build / "-".join(["comb", *task.variants])
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"{name}.so"
    seconds = build(task.settings, source, library, task.variants)
    call = load(task.settings, library, name).call(task.arguments)

    def fetch(outputs):
        arrays = [output.array() for output in outputs]
        if task.program.counted and len(arrays) == 1:
            arrays.insert(0, np.array([arrays[0].size]))
        return [signed_as(array, dtype) for array, (_, dtype) in zip(arrays, task.outputs())]

    return Prepared(call.run, fetch, seconds)


def signed_as(array, dtype):
    """The same bits, as integers with or without a sign, as is said."""
    dtype = np.dtype(dtype)
    is_other = array.dtype.kind + dtype.kind in ("iu", "ui") and array.itemsize == dtype.itemsize
    return array.view(dtype) if is_other else array


def may_be_off(text):
    """Whether a program has functions that depend on `--math`."""
    code = re.sub(r"//.*", "", text)
    return bool(set(re.findall(r"\bmath\.(\w+)", code)) - EXACT)


def build(settings, source, library, variants):
    """Builds a library; the seconds it took."""
    options = ["--cpu", settings.cpu, *build_options(settings.comb, variants)]
    command = [settings.comb, "build", str(source), "-o", str(library), *options]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return time.perf_counter() - start


def build_options(comb, variants):
    """The options of `comb build` for the variants, by the words that this comb knows."""
    options = ["--unchecked"] if "unchecked" in variants else []
    options += ["--math", "fast"] if "fast" in variants else []
    disabled = [variant.removeprefix(WITHOUT) for variant in variants if variant.startswith(WITHOUT)]
    options += ["--disable", ",".join(disabled).replace("_", "-")] if disabled else []
    fusion = next(FUSION[variant] for variant in variants if variant in FUSION)
    shown = subprocess.run([comb, "build", "--help"], capture_output=True, text=True, check=True)
    known = [word for word in ("--algorithm", "--fusion") if word in shown.stdout]
    if known:
        return [*options, known[0], fusion]
    if fusion != "off":
        raise Unsupported("this comb cannot choose how to fuse")
    return options


def load(settings, library, name):
    """A function of a library that was built."""
    parameters, results = signature(library.with_suffix(".h").read_text(encoding="utf-8"), name)
    entry = f"{library.stem}_entry_{name}"
    return Function(library, entry, parameters, results, c_build.build_caller(settings))


class Type:
    """A type in a signature: an array's element type and rank, or a number's type."""

    def __init__(self, text):
        array = re.fullmatch(r"tensor<((?:[0-9?]+x)*)(\w+)>", text)
        self.text = text
        self.rank = array[1].count("x") if array else None
        element = re.sub(r"^[us](?=i\d)", "", array[2] if array else text)
        if element not in ELEMENTS:
            raise Unsupported(f"type {text}")
        self.dtype = np.dtype(ELEMENTS[element])

    def accepts(self, array):
        """Whether an array has this type; signs do not matter."""
        return array.ndim == self.rank and (
            array.dtype == self.dtype
            or array.dtype.kind in "iu"
            and self.dtype.kind == "i"
            and array.dtype.itemsize == self.dtype.itemsize
        )


def signature(header, name):
    """The types of parameters and results from a header's comment `@name(x: T) -> (y: U)`."""
    found = re.search(rf"/\* @{re.escape(name)}\((.*)\) -> (.*) \*/", header)
    if not found:
        raise RuntimeError(f"the header does not say what @{name} takes and gives")
    types = re.compile(r": ((?:tensor<[^>]*>)|\w+)")
    return tuple([Type(text) for text in types.findall(part)] for part in found.groups())


def descriptor_type(rank):
    """The C struct of an array of a rank."""

    class Descriptor(ctypes.Structure):
        """MLIR's ranked memref descriptor."""

        _fields_ = [
            ("allocated", ctypes.c_void_p),
            ("aligned", ctypes.c_void_p),
            ("offset", ctypes.c_int64),
            ("sizes", ctypes.c_int64 * rank),
            ("strides", ctypes.c_int64 * rank),
        ]

    return Descriptor


def describe(array):
    """The descriptor of a dense, row-major NumPy array."""
    if not array.flags.c_contiguous:
        raise ValueError("not dense and row-major")
    rank = array.ndim
    strides = [stride // array.itemsize for stride in array.strides]
    address = array.ctypes.data
    return descriptor_type(rank)(
        address,
        address,
        0,
        (ctypes.c_int64 * rank)(*array.shape),
        (ctypes.c_int64 * rank)(*strides),
    )


class Output:
    """A result: a number, or an array in memory of the library's."""

    def __init__(self, kind):
        self.kind = kind
        rank = kind.rank
        self.value = ctypes.c_int64() if rank is None else descriptor_type(rank)()

    def array(self):
        """A copy as NumPy array; a number becomes an array with one element."""
        if self.kind.rank is None:
            return np.frombuffer(bytes(self.value), self.kind.dtype, count=1)
        sizes = tuple(self.value.sizes)
        strides = tuple(stride * self.kind.dtype.itemsize for stride in self.value.strides)
        start = self.value.aligned + self.value.offset * self.kind.dtype.itemsize
        extent = sum((n - 1) * stride for n, stride in zip(sizes, strides)) if sizes else 0
        count = extent + self.kind.dtype.itemsize if 0 not in sizes else 0
        memory = (ctypes.c_char * count).from_address(start)
        return np.ndarray(sizes, self.kind.dtype, memory, strides=strides).copy()


class Function:
    """An entry of a library that `comb build` made, and what calls it (`c/caller/caller.c`)."""

    def __init__(self, path, entry, parameters, results, caller):
        library = ctypes.CDLL(str(path))
        self.entry = getattr(library, entry)
        self.parameters, self.results = parameters, results
        self.free = freeing_function(library)
        self.caller = ctypes.CDLL(str(caller))
        for function in (self.caller.run, self.caller.release):
            function.restype = None

    def call(self, values):
        """The function with its arguments, checked."""
        if len(values) != len(self.parameters):
            raise TypeError(f"{len(values)} arguments for {len(self.parameters)} parameters")
        return Call(self, [argument(*pair) for pair in zip(self.parameters, values)])


class CallInC(ctypes.Structure):
    """`struct call` of `c/caller/caller.c`."""

    _fields_ = [
        ("entry", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("arrays", ctypes.c_void_p),
        ("array_count", ctypes.c_long),
    ]


class Call:
    """A function with its arguments, laid out once, as C has them."""

    def __init__(self, function, arguments):
        self.arguments = arguments
        self.outputs = [Output(kind) for kind in function.results]
        results = [output.value for output in self.outputs]
        arrays = [output.value for output in self.outputs if output.kind.rank is not None]
        self.values, self.arrays = addresses([*self.arguments, *results]), addresses(arrays)
        self.in_c = ctypes.byref(
            CallInC(
                ctypes.cast(function.entry, ctypes.c_void_p),
                ctypes.cast(function.free, ctypes.c_void_p),
                ctypes.addressof(self.values),
                ctypes.addressof(self.arrays),
                len(arrays),
            )
        )
        self.run_in_c, self.release = function.caller.run, function.caller.release

    def run(self):
        """Calls the function. Frees the results of the call before."""
        self.run_in_c(self.in_c)
        return self.outputs

    def __del__(self):
        self.release(self.in_c)


def addresses(objects):
    """Where objects of ctypes are, which must live as long."""
    return (ctypes.c_void_p * len(objects))(*map(ctypes.addressof, objects))


def argument(kind, value):
    """The C value of an argument. Arrays must outlive it."""
    if kind.rank is None:
        return ctypes.c_int64(value)
    if not kind.accepts(value):
        raise TypeError(f"an array of {value.dtype} and rank {value.ndim} for {kind.text}")
    return describe(value)


def freeing_function(library):
    """The function that frees memory of results."""
    try:
        free = library.comb_free
    except AttributeError:
        free = ctypes.CDLL(None).free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    return free
