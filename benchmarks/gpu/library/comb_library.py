"""comb: libraries of the folder that build.py makes, called through ctypes alone.

Arrays are descriptors whose pointers are the GPU's; a library's own functions copy them, free them, and
read the GPU's clock. Inputs are copied once. A call begins its work and returns; it frees the results of
the call before, in the time that is measured, as the others' results are garbage by then.

After a run-time error comb does not return to its caller. Its message goes to `fatal` of the options,
which ends the process.
"""

import ctypes
import os
import pathlib
import sys

import numpy as np

from gpu import libraries
from gpu.library import base
from peers.comb_peer import Type, addresses, descriptor_type, signed_as
from suite import PROGRAMS

NVIDIA = 0

HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)

# The functions of a library that are called here: what they give and take.
FUNCTIONS = {
    "comb_set_error_handler": (None, [HANDLER, ctypes.c_void_p]),
    "comb_device_open": (None, [ctypes.c_int64]),
    "comb_device_allocate": (ctypes.c_void_p, [ctypes.c_uint64]),
    "comb_device_write": (None, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64]),
    "comb_device_read": (None, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64]),
    "comb_device_synchronize": (None, []),
    "comb_device_start_clock": (None, []),
    "comb_device_stop_clock": (ctypes.c_double, []),
    "comb_free": (None, [ctypes.c_void_p]),
}


class Library(base.Library):
    """The libraries of one way to fuse; `peer` says which."""

    def __init__(self, options, peer="comb"):
        self.folder, self.peer = pathlib.Path(options.comb), peer
        self.list = libraries.read(self.folder)
        self.fatal = options.fatal or end
        self.codes, self.code, self.calls = {}, None, []
        # Without a GPU the process ends here, and says why.
        self.load(next(iter(self.list["programs"].values()))["libraries"]["comb"])

    def packages(self):
        return {"comb": f"{self.list['comb']} ({self.list['commit']}) for {self.list['chip']}"}

    def supports(self, name):
        if name not in self.list["programs"]:
            raise RuntimeError(self.list["failures"].get(name, "not in the folder of comb's libraries"))
        owner = libraries.same_code(self.list, name, self.peer)
        if owner:
            raise base.Unsupported(f"{base.SAME_CODE} {owner}")

    def load(self, path):
        """A library of the folder, which stays loaded; it is the one in use."""
        if path not in self.codes:
            self.codes[path] = Code(self.folder / path, self.fatal)
        self.code = self.codes[path]
        return self.code

    def prepare(self, name, arrays, sizes, simple=False):
        entry = self.list["programs"][name]
        code = self.load(entry["libraries"][self.peer])
        call = Call(code, entry, [*arrays.values(), *sizes.values()])
        call.kinds = [np.dtype(kind) for _, kind in PROGRAMS[name].outputs(**sizes)]
        call.counted = PROGRAMS[name].counted
        self.calls.append(call)
        return base.Prepared(call.run)

    def synchronize(self, outputs):
        self.code.synchronize()

    def fetch(self, outputs):
        arrays = outputs.arrays()
        if outputs.counted:
            arrays.insert(0, np.array([arrays[0].size]))
        return [signed_as(array, kind) for array, kind in zip(arrays, outputs.kinds)]

    def total(self, outputs):
        """Added up by the CPU."""
        return sum(float(np.abs(array).sum(dtype=np.float64)) for array in self.fetch(outputs))

    def release(self):
        for call in self.calls:
            call.release()
        self.calls = []

    def start_events(self):
        self.code.start_clock()
        return True

    def stop_events(self, events):
        """Milliseconds; waits, which is what comes next anyway."""
        return self.code.stop_clock()

    def elapsed(self, events):
        return events / 1000


class Code:
    """A loaded library, with the GPU open."""

    def __init__(self, path, fatal):
        self.library = ctypes.CDLL(str(path))
        for name, (result, parameters) in FUNCTIONS.items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, parameters
            setattr(self, name.removeprefix("comb_").removeprefix("device_"), function)
        self.handler = HANDLER(lambda message, _: fatal(message.decode("utf-8", "replace")))
        self.set_error_handler(self.handler, None)
        self.open(NVIDIA)

    def entry(self, name):
        """A function that takes the address of an array of pointers to arguments and results."""
        function = getattr(self.library, name)
        function.restype, function.argtypes = None, [ctypes.c_void_p]
        return function


class Call:
    """A function with its arguments on the GPU, and with its results."""

    counted, kinds = False, ()

    def __init__(self, code, entry, values):
        parameters = [Type(text) for text in entry["parameters"]]
        if len(parameters) != len(values):
            raise TypeError(f"{len(values)} arguments for {len(parameters)} parameters")
        self.code, self.entry, self.inputs = code, code.entry(entry["entry"]), []
        self.results = [Type(text) for text in entry["results"]]
        self.arguments = [self.argument(*pair) for pair in zip(parameters, values)]
        self.outputs = [empty(kind) for kind in self.results]
        self.pointers = addresses([*self.arguments, *self.outputs])
        self.address = ctypes.addressof(self.pointers)
        self.owned = [output for output, kind in zip(self.outputs, self.results) if kind.rank is not None]

    def argument(self, kind, value):
        """The C value of an argument."""
        if kind.rank is None:
            return number_of(kind, value)
        if not kind.accepts(value):
            raise TypeError(f"an array of {value.dtype} and rank {value.ndim} for {kind.text}")
        value = np.ascontiguousarray(value).reshape(value.shape)
        place = self.code.allocate(value.nbytes)
        self.inputs.append(place)
        self.code.write(place, value.ctypes.data, value.nbytes)
        return described(value, place)

    def run(self):
        """Calls the function."""
        self.free_results()
        self.entry(self.address)
        return self

    def arrays(self):
        """Copies of the results; a number becomes an array with one element."""
        return [self.array(*pair) for pair in zip(self.results, self.outputs)]

    def array(self, kind, output):
        """A result as NumPy array."""
        if kind.rank is None:
            return np.frombuffer(bytes(output), kind.dtype, count=1)
        sizes, width = tuple(output.sizes), kind.dtype.itemsize
        strides = tuple(stride * width for stride in output.strides)
        count = 0 if 0 in sizes else width + sum((n - 1) * stride for n, stride in zip(sizes, strides))
        memory = np.empty(count, np.uint8)
        if count:
            self.code.read(memory.ctypes.data, output.aligned + output.offset * width, count)
        return np.ndarray(sizes, kind.dtype, memory, strides=strides)

    def free_results(self):
        """Frees what the latest call gave."""
        for output in self.owned:
            if output.allocated:
                self.code.free(output.allocated)
                output.allocated = None

    def release(self):
        """Frees all memory."""
        self.free_results()
        for place in self.inputs:
            self.code.free(place)
        self.inputs = []


def empty(kind):
    """Where a result is written."""
    return ctypes.c_int64() if kind.rank is None else descriptor_type(kind.rank)()


def number_of(kind, value):
    """A number in C."""
    place = ctypes.c_int64()
    data = np.array(value).astype(kind.dtype).tobytes()
    ctypes.memmove(ctypes.addressof(place), data, len(data))
    return place


def described(array, place):
    """The descriptor of a dense array whose copy is at a place of the GPU."""
    strides = [stride // array.itemsize for stride in array.strides]
    return descriptor_type(array.ndim)(place, place, 0, tuple(array.shape), tuple(strides))


def end(message):
    """Prints the message of a run-time error, and ends the process."""
    print(f"error: {message}", file=sys.stderr, flush=True)
    os._exit(1)
