"""Reads and writes .npy files with the Python standard library alone.

An array is its dtype as NumPy writes it ('<f4', '|u1', …), its shape, and its
elements as a flat list in row-major order. Only little-endian numbers in
row-major order are supported.
"""

import array
import ast
import math
import sys
from typing import NamedTuple

MAGIC = b"\x93NUMPY"

# NumPy's dtype to the type code of the module `array`.
CODES = {
    "|b1": "B",
    "|i1": "b",
    "|u1": "B",
    "<i2": "h",
    "<u2": "H",
    "<i4": "i",
    "<u4": "I",
    "<i8": "q",
    "<u8": "Q",
    "<f4": "f",
    "<f8": "d",
}


class Array(NamedTuple):
    """An n-dimensional array."""

    dtype: str
    shape: tuple
    elements: list


def decode(content):
    """The array that the bytes of a .npy file hold."""
    if content[:6] != MAGIC:
        raise ValueError("not a .npy file")
    length_bytes = 2 if content[6] == 1 else 4
    start = 8 + length_bytes
    length = int.from_bytes(content[8:start], "little")
    header = ast.literal_eval(content[start : start + length].decode("latin1").strip())
    if header["fortran_order"]:
        raise ValueError("stored in Fortran order")
    dtype, shape = header["descr"], tuple(header["shape"])
    if dtype not in CODES:
        raise ValueError(f"elements of type {dtype} are not supported")
    elements = array.array(CODES[dtype])
    elements.frombytes(content[start + length :])
    if sys.byteorder == "big":
        elements.byteswap()
    if len(elements) != math.prod(shape):
        raise ValueError(f"{len(elements)} elements for shape {shape}")
    return Array(dtype, shape, elements.tolist())


def encode(value):
    """The bytes of a .npy file that holds the array."""
    if len(value.elements) != math.prod(value.shape):
        raise ValueError(f"{len(value.elements)} elements for shape {value.shape}")
    header = repr({"descr": value.dtype, "fortran_order": False, "shape": tuple(value.shape)})
    header = (header + " " * (-(len(header) + 11) % 64) + "\n").encode("latin1")
    elements = array.array(CODES[value.dtype], value.elements)
    if sys.byteorder == "big":
        elements.byteswap()
    return MAGIC + b"\x01\x00" + len(header).to_bytes(2, "little") + header + elements.tobytes()


def read(path):
    """The array in a file."""
    with open(path, "rb") as file:
        return decode(file.read())


def write(path, value):
    """Writes an array to a file."""
    content = encode(value)
    with open(path, "wb") as file:
        file.write(content)
