"""How far results are from references.

The error of a number x with the reference r is |x - r| / max(|r|, root mean square of
all r): relative, but a number near zero among larger ones may be off by as much as they.
Integers must be equal. What is missing, of another size, or not a number has an infinite
error. Cost: linear, a block at a time so that what is made on the way stays in cache.
"""

import math

import numpy as np

BLOCK = 1 << 16


def largest_error(outputs, references, counted=False):
    """The largest error of all outputs; with `counted`, output 1 may have padding."""
    if len(outputs) != len(references):
        return math.inf
    errors = []
    for number, (output, reference) in enumerate(zip(outputs, references)):
        output, reference = np.asarray(output).ravel(), np.asarray(reference).ravel()
        if counted and number == 1:
            output = output[: reference.size]
        errors.append(error_of(output, reference))
    return max(errors)


def error_of(output, reference):
    """The largest error in one output."""
    if output.size != reference.size:
        return math.inf
    if reference.size == 0:
        return 0.0
    if reference.dtype.kind in "iub":
        return 0.0 if np.array_equal(output, reference) else math.inf
    typical = math.sqrt(np.dot(reference, reference) / reference.size) or 1.0
    errors = (
        block_error(output[at : at + BLOCK], reference[at : at + BLOCK], typical)
        for at in range(0, reference.size, BLOCK)
    )
    return max(errors)


def block_error(output, reference, typical):
    """The largest error in a block."""
    output = output.astype(np.float64)
    errors = np.abs(output - reference) / np.maximum(np.abs(reference), typical)
    largest = float(np.max(errors))
    return math.inf if math.isnan(largest) else largest
