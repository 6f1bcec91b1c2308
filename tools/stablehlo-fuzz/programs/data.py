"""Numbers for inputs and constants: small ones, the edges of types, NaN and infinities.

Arrays of bf16 are kept as the 16 bits of each number, which NumPy has no type for.
"""

import numpy as np

from .model import FLOATS, UNSIGNED, width

DTYPES = {
    "i1": np.dtype(bool),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(np.uint16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
DTYPES.update({f"i{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)})
DTYPES.update({f"ui{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)})

# A bf16 has 8 bits of f32's exponent and 7 of its fraction.
EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
GREATEST = {"f16": 65504.0, "bf16": 3.3895e38, "f32": 3.4028e38, "f64": 1.7976e308}
# Near 0, functions may be off by so much.
TINY = {"f16": 1e-4, "bf16": 1e-30, "f32": 1e-30, "f64": 1e-290}
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf]


def range_of(element):
    """The least and the greatest integer of a type."""
    bits = width(element)
    if element in UNSIGNED:
        return 0, 2**bits - 1
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def array(rng, type, kind=None):
    """An array of a kind: `small` numbers, numbers at the `edges` of the type, `whole` range."""
    kind = kind or rng.choice(["small", "small", "small", "edges", "whole"])
    numbers = [number(rng, type.element, kind) for _ in range(type.count)]
    return from_numbers(numbers, type)


def number(rng, element, kind):
    if element == "i1":
        return rng.random() < 0.5
    if element in FLOATS:
        return floating(rng, element, kind)
    least, greatest = range_of(element)
    if kind == "edges" and rng.random() < 0.4:
        return rng.choice([least, least + 1, greatest - 1, greatest, 0])
    if kind == "whole":
        return rng.randint(least, greatest)
    return rng.randint(max(least, -5), 9)


def floating(rng, element, kind):
    if kind == "edges" and rng.random() < 0.4:
        return rng.choice([*SPECIAL, GREATEST[element], 2.0 ** -(width(element) - 2)])
    if kind == "whole":
        return rng.gauss(0, 1) * 10.0 ** rng.randint(-4, 3)
    return rng.choice([rng.randint(-5, 9), rng.randint(-20, 20) / 4, rng.uniform(-2, 2)])


def from_numbers(numbers, type):
    """An array of Python's numbers, rounded to the type."""
    if type.element == "bf16":
        return to_bf16(np.array(numbers, np.float32)).reshape(type.shape)
    with np.errstate(over="ignore"):
        return np.array(numbers, DTYPES[type.element]).reshape(type.shape)


def to_bf16(numbers):
    """The bits of floats, rounded to nearest even."""
    bits = np.asarray(numbers, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(numbers), np.uint16(0x7FC0), rounded).astype(np.uint16)


def floats(array, element):
    """An array of floats as f64."""
    if element == "bf16":
        return (array.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    with np.errstate(invalid="ignore"):
        return array.astype(np.float64)


def literal(array, type):
    """The text of a constant."""
    if type.count == 0:
        return f"dense<> : {type}"
    if type.element == "i1":
        texts = ["true" if bit else "false" for bit in array.reshape(-1)]
    elif type.element in FLOATS:
        bits = np.ascontiguousarray(array).view(f"uint{width(type.element)}").reshape(-1)
        texts = [f"0x{int(number):0{width(type.element) // 4}X}" for number in bits]
    else:
        texts = [str(int(number)) for number in array.reshape(-1)]
    if len(set(texts)) == 1:
        return f"dense<{texts[0]}> : {type}"
    return f"dense<{nested(texts, type.shape)}> : {type}"


def nested(texts, shape):
    if not shape:
        return texts[0]
    step = len(texts) // shape[0]
    parts = (
        nested(texts[step * index : step * (index + 1)], shape[1:]) for index in range(shape[0])
    )
    return "[" + ", ".join(parts) + "]"
