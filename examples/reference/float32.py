"""IEEE single-precision arithmetic in plain Python.

Python computes in double precision, whose 53 bits are more than twice the 24 of
single precision plus two. So rounding the double result of one +, -, *, / or
square root to single precision gives the correctly rounded single result
(Figueroa, "When is double rounding innocuous?", 1995).
"""

import math
import struct

SINGLE = struct.Struct("<f")


def f32(x):
    """The single-precision number nearest to x."""
    try:
        return SINGLE.unpack(SINGLE.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def add(x, y):
    """x + y, rounded once."""
    return f32(x + y)


def subtract(x, y):
    """x - y, rounded once."""
    return f32(x - y)


def multiply(x, y):
    """x y, rounded once."""
    return f32(x * y)


def root(x):
    """√x, rounded once."""
    return f32(math.sqrt(x))
