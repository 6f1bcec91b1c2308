"""Calls the functions of lit-tests/tools/library.mlir as they are, from Python."""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])


def array_type(element, rank):
    class Array(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.POINTER(element)),
            ("aligned", ctypes.POINTER(element)),
            ("offset", ctypes.c_int64),
            ("sizes", ctypes.c_int64 * rank),
            ("strides", ctypes.c_int64 * rank),
        ]

    return Array


Floats = array_type(ctypes.c_float, 1)
Bytes = array_type(ctypes.c_uint8, 1)


def array(kind, element, values, offset=0):
    data = (element * len(values))(*values)
    pointer = ctypes.cast(data, ctypes.POINTER(element))
    return kind(pointer, pointer, offset, (len(values) - offset,), (1,)), data


def elements(result):
    start = result.offset
    found = [result.aligned[start + index] for index in range(result.sizes[0])]
    library.comb_free(ctypes.cast(result.allocated, ctypes.c_void_p))
    return found


library.comb_free.argtypes = [ctypes.c_void_p]

library.library_scale.argtypes = [ctypes.POINTER(Floats), ctypes.c_float, ctypes.POINTER(Floats)]
library.library_scale.restype = None
xs, kept = array(Floats, ctypes.c_float, [9, 1, 2, 3], offset=1)
result = Floats()
library.library_scale(ctypes.byref(xs), 2.5, ctypes.byref(result))
print(elements(result), list(kept))

for name, kind, values in [
    ("i1", ctypes.c_bool, [True, False]),
    ("i8", ctypes.c_int8, [-3, 127]),
    ("u8", ctypes.c_uint8, [200, 3]),
    ("i16", ctypes.c_int16, [-30000]),
    ("i64", ctypes.c_int64, [-(2**63)]),
    ("f16", ctypes.c_uint16, [0xBC00]),
    ("f64", ctypes.c_double, [0.1]),
]:
    function = getattr(library, f"library_{name}")
    function.argtypes, function.restype = [kind], kind
    print(name, [function(value) for value in values])

library.library_invert.argtypes = [ctypes.POINTER(Bytes), ctypes.POINTER(Bytes)]
data, kept = array(Bytes, ctypes.c_uint8, [200, 0])
result = Bytes()
library.library_invert(ctypes.byref(data), ctypes.byref(result))
print(elements(result))

library.library_nothing.restype = None
library.library_nothing()

quotient, remainder = ctypes.c_int32(), ctypes.c_int32()
library.library_divide.restype = None
library.library_divide(ctypes.c_int32(17), ctypes.c_int32(5), ctypes.byref(quotient), ctypes.byref(remainder))
print(quotient.value, remainder.value)
