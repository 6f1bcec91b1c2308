"""What a program of the suite is, and the table of all of them.

A program is a NumPy function with sizes and seeded inputs. The function works for any
floating-point type: on the inputs it is the peer `numpy`, on double-precision copies of
them it gives the reference. Peers written elsewhere find everything else here: the
order of inputs and sizes, the shapes and types of outputs.
"""

import zlib
from typing import Callable, NamedTuple, Optional

import numpy as np

# A result whose error (see error.py) reaches this is wrong.
TOLERANCE = 1e-3

KIBI, MEBI = 1 << 10, 1 << 20


class Program(NamedTuple):
    """A program. All functions but the first take the sizes as keyword arguments."""

    name: str
    group: str
    # By "small" and "large": names and values of the integer arguments, in order.
    sizes: dict
    # Arrays by name, in order, from a random generator.
    make_inputs: Callable
    # (shape, type) of each output.
    outputs: Callable
    # The bytes that must be read from memory and written to it if every input is read once
    # and every output written once in each iteration; None if computing takes the time.
    traffic: Callable
    # If computing takes the time, and operations of one kind most of it: the kind, as a function of
    # c/limit/arithmetic.c is called, and how many there are.
    arithmetic: Optional[Callable]
    # The NumPy function: inputs, then sizes; gives a list of outputs.
    compute: Callable
    # Whether output 0 is the number of elements of output 1, whose rest is padding.
    counted: bool

    def inputs(self, size):
        """The same inputs every time, by name."""
        generator = np.random.default_rng(zlib.crc32(f"{self.name}/{size}".encode()))
        arrays = self.make_inputs(generator, **self.sizes[size])
        return {name: np.ascontiguousarray(array) for name, array in arrays.items()}

    def reference(self, size, inputs):
        """The outputs, computed in double precision."""
        doubled = {name: in_double(array) for name, array in inputs.items()}
        return self.compute(**doubled, **self.sizes[size])


# By name, in the order in which tables show them.
PROGRAMS = {}

# Those that comb was not tuned for.
UNSEEN = {}

# Those that copy what they need not.
MEMORY = {}


def program(group, small, large, inputs, outputs, traffic, arithmetic=None, counted=False, table=None):
    """Enters the decorated NumPy function into a table, that of the suite if no other is named."""
    table = PROGRAMS if table is None else table

    def enter(compute):
        name = compute.__name__
        sizes = {"small": small, "large": large}
        limits = (traffic, arithmetic)
        table[name] = Program(name, group, sizes, inputs, outputs, *limits, compute, counted)
        return compute

    return enter


def unseen(group, small, large, inputs, outputs, counted=False):
    """Enters the decorated NumPy function into the table of programs that comb was not tuned for."""
    traffic = bound_by_computing
    return program(group, small, large, inputs, outputs, traffic, counted=counted, table=UNSEEN)


def find(name):
    """The program of a name, in any table."""
    return next(table[name] for table in (PROGRAMS, UNSEEN, MEMORY) if name in table)


def in_double(array):
    """Single precision becomes double precision; integers stay."""
    return array.astype(np.float64) if array.dtype == np.float32 else array


def uniform(generator, *shape, dtype=np.float32):
    """Numbers from 0 to 1."""
    return generator.random(shape, dtype=dtype)


def no_inputs(generator, **sizes):
    """The inputs of a program without inputs."""
    return {}


def bound_by_computing(**sizes):
    """The traffic of a program whose memory traffic does not matter."""
    return None
