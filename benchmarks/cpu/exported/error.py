"""How far results are from JAX's.

The error of an array of floats is the largest difference, over the largest finite magnitude that
JAX's has. Integers must be equal; infinities must be, too, and NaNs where JAX's are. What is
missing or of another shape has an infinite error.
"""

import math

import numpy as np


def largest_error(outputs, references):
    """The largest error of all outputs."""
    if len(outputs) != len(references):
        return math.inf
    return max(map(error_of, outputs, references))


def error_of(output, reference):
    """The error of one output. A number is an array with one element."""
    if output.size != reference.size or (output.size > 1 and output.shape != reference.shape):
        return math.inf
    output = output.reshape(reference.shape)
    if reference.dtype.kind in "iub":
        return 0.0 if np.array_equal(output, reference.astype(output.dtype)) else math.inf
    return error_of_floats(output.astype(np.float64), reference.astype(np.float64))


def error_of_floats(output, reference):
    """The error of one output that has the reference's shape."""
    finite = np.isfinite(reference)
    if not np.array_equal(output[~finite], reference[~finite], equal_nan=True):
        return math.inf
    differences = np.abs(output[finite] - reference[finite])
    if differences.size == 0:
        return 0.0
    largest = float(np.max(np.abs(reference[finite]))) or 1.0
    error = float(np.max(differences)) / largest
    return math.inf if math.isnan(error) else error
