"""Whether two arrays are as much alike as they have to be."""

import numpy as np

from programs import data
from programs.model import FLOATS


def in_order(array, element):
    """Integers in the total order of the elements."""
    if element not in FLOATS:
        return array
    bits = array.view(f"int{array.dtype.itemsize * 8}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def differs(array, other, element, relative=0.0, absolute=0.0):
    """Where arrays differ. All NaNs are one; without room, zeros have signs."""
    if element not in FLOATS:
        return array != other
    left, right = data.floats(array, element), data.floats(other, element)
    with np.errstate(all="ignore"):
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        if relative == 0 and absolute == 0:
            return ~same | ((left == 0) & (np.signbit(left) != np.signbit(right)))
        close = np.abs(left - right) <= absolute + relative * np.abs(right)
        if absolute == np.inf:
            close = np.ones_like(close)
        greatest = data.GREATEST[element]
        # What is too large by a rounding is infinite.
        overflows = (np.abs(left) > 0.99 * greatest) & (np.abs(right) > 0.99 * greatest)
        overflows &= np.signbit(left) == np.signbit(right)
    return ~(same | close | (overflows & (relative > 0)))


def describe(name, array, expected, element, where):
    """A line about what is wrong."""
    at = tuple(int(axis[0]) for axis in np.nonzero(where)) if where.shape else ()
    got, wanted = (
        data.floats(numbers, element) if element in FLOATS else numbers
        for numbers in (array, expected)
    )
    count = int(np.count_nonzero(where))
    return f"{name}: {count} of {where.size} are wrong, at {list(at)} {got[at]}, not {wanted[at]}"
