"""Ops that StableHLO's interpreter does not know, or is wrong or undefined about."""

import jax
import numpy as np

from programs import data
from programs.model import FLOATS, INTEGERS

from .comparison import in_order

jax.config.update("jax_enable_x64", True)

# Functions of f64, for all types.
FUNCTIONS = {
    "erf": jax.lax.erf,
    "erfc": jax.lax.erfc,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "lgamma": jax.lax.lgamma,
    "digamma": jax.lax.digamma,
    "erf_inv": jax.lax.erf_inv,
    "bessel_i1e": jax.lax.bessel_i1e,
    "zeta": jax.lax.zeta,
    "polygamma": jax.lax.polygamma,
}


def compute(op, arrays):
    """What an op gives; None if that is the interpreter's."""
    element = op.operands[0].type.element if op.operands else None
    if op.short in ("divide", "remainder") and element in INTEGERS:
        return [divide(op.short, *arrays)]
    if op.short == "dot_general" and 0 in [array.size for array in arrays]:
        type = op.results[0].type
        return [np.zeros(type.shape, data.DTYPES[type.element])]
    if "TOTALORDER" in op.attributes.get("compare_type", ""):
        return [compare_in_order(op, [in_order(array, element) for array in arrays])]
    if op.short == "sort" and op.notes.get("is_total"):
        return sort_in_order(op, arrays)
    if not op.name.startswith("chlo."):
        return None
    if op.short == "top_k":
        return top_k(op, arrays[0])
    if op.short == "next_after":
        return [next_after(element, *arrays)]
    numbers = [data.floats(array, element) for array in arrays]
    if op.short == "square":
        return [rounded(numbers[0] * numbers[0], op.results[0].type)]
    return [rounded(np.asarray(FUNCTIONS[op.short](*numbers)), op.results[0].type)]


def rounded(numbers, type):
    """Numbers as the type has them."""
    if type.element == "bf16":
        return data.to_bf16(numbers.astype(np.float32)).reshape(type.shape)
    return numbers.astype(data.DTYPES[type.element]).reshape(type.shape)


def divide(name, dividend, divisor):
    """Division towards zero. By 0, all bits are set, and the remainder is the dividend."""
    results = []
    least = np.iinfo(dividend.dtype).min
    greatest = np.iinfo(dividend.dtype).max
    for left, right in zip(dividend.reshape(-1).tolist(), divisor.reshape(-1).tolist()):
        if right == 0:
            quotient, rest = (-1 if least < 0 else greatest), left
        else:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            rest = left - quotient * right
            quotient = least if quotient > greatest else quotient
        results.append(quotient if name == "divide" else rest)
    return np.array(results, dividend.dtype).reshape(dividend.shape)


def compare_in_order(op, places):
    """A comparison in the total order of floats."""
    direction = op.attributes["comparison_direction"].rstrip(">").split()[-1]
    functions = {
        "EQ": np.equal,
        "NE": np.not_equal,
        "LT": np.less,
        "LE": np.less_equal,
        "GT": np.greater,
        "GE": np.greater_equal,
    }
    return functions[direction](*places)


def sort_in_order(op, arrays):
    """Rows in the total order of one array's floats."""
    key, direction = op.notes["is_total"]
    axis = int(op.attributes["dimension"].split()[0])
    keys = in_order(arrays[key], op.operands[key].type.element)
    keys = ~keys if direction == "GT" else keys
    places = np.argsort(keys, axis=axis, kind="stable")
    return [np.take_along_axis(array, places, axis=axis) for array in arrays]


def top_k(op, array):
    """The greatest first, of equal ones the first."""
    type = op.results[0].type
    keys = in_order(array, type.element)
    # Not of the other sign, which the least integer does not have.
    places = np.argsort(~keys, axis=-1, kind="stable")[..., : type.shape[-1]]
    return [np.take_along_axis(array, places, axis=-1), places.astype(np.int32)]


def next_after(element, array, towards):
    """The next number in the direction of another one."""
    if element != "bf16":
        return np.nextafter(array, towards)
    numbers, others = data.floats(array, element), data.floats(towards, element)
    bits = array.view(np.int16).astype(np.int64)
    away = (np.abs(others) > np.abs(numbers)) & ((numbers < 0) == (others < 0))
    moved = np.where(away, bits + 1, bits - 1)
    from_zero = np.where(np.signbit(others), 0x8001, 0x0001)
    moved = np.where(numbers == 0, from_zero, moved)
    moved = np.where(numbers == others, towards.astype(np.int64), moved)
    moved = np.where(np.isnan(numbers) | np.isnan(others), 0x7FC0, moved)
    return moved.astype(np.uint16).reshape(array.shape)


def is_determined(op, arrays):
    """Whether the specification says what an op gives for these numbers: NaN has no place in an
    order that is no total one."""
    key = op.notes.get("no_nan")
    if op.short == "sort" and key is not None:
        return not has_nan(op.operands[key], arrays[key])
    if op.short == "select_and_scatter":
        return not has_nan(op.operands[0], arrays[0])
    return True


def has_nan(value, array):
    if value.type.element not in FLOATS:
        return False
    return bool(np.isnan(data.floats(array, value.type.element)).any())
