"""What examples/check.py runs: a function of an example, its inputs, and what
it must give. Also, short ways to write arrays down."""

from typing import NamedTuple

from float32 import f32
from npy import Array


class Case(NamedTuple):
    """One run of an example. Inputs are arrays, paths of .npy files (from the
    repository's root), or numbers. Without a tolerance all bits must agree."""

    entry: str
    inputs: dict
    results: dict
    tolerance: float | None = None


def vector(dtype, elements):
    """An array of rank 1."""
    return Array(dtype, (len(elements),), list(elements))


def matrix(dtype, rows, columns=None):
    """An array of rank 2 from its rows; `columns` if there may be no row."""
    width = len(rows[0]) if columns is None else columns
    return Array(dtype, (len(rows), width), [element for row in rows for element in row])


def scalar(dtype, element):
    """An array of rank 0."""
    return Array(dtype, (), [element])


def uniform(random, count, low=0.0, high=1.0):
    """Single-precision numbers between low and high."""
    return [f32(random.uniform(low, high)) for _ in range(count)]
