"""Ops on each element."""

from .maker import Unfit
from .model import ELEMENTS, FLOATS, INTEGERS, SIGNED, Type, width

BITS = ("i1", *INTEGERS)

# Functions whose results are rounded, not exact.
ROUNDED_UNARY = [
    "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "rsqrt", "cbrt",
    "sine", "cosine", "tan", "tanh", "sqrt", "chlo.erf", "chlo.erfc", "chlo.sinh", "chlo.cosh",
    "chlo.asin", "chlo.acos", "chlo.atan", "chlo.asinh", "chlo.acosh", "chlo.atanh",
    "chlo.lgamma", "chlo.digamma", "chlo.erf_inv", "chlo.bessel_i1e",
]  # fmt: skip
ROUNDED_BINARY = ["power", "atan2", "chlo.zeta", "chlo.polygamma"]

EXACT_UNARY = {
    "abs": (*SIGNED, *FLOATS),
    "negate": (*INTEGERS, *FLOATS),
    "sign": (*SIGNED, *FLOATS),
    "not": BITS,
    "floor": FLOATS,
    "ceil": FLOATS,
    "round_nearest_even": FLOATS,
    "round_nearest_afz": FLOATS,
    "popcnt": INTEGERS,
    "count_leading_zeros": INTEGERS,
    "sqrt": ("f32", "f64"),
    "chlo.square": FLOATS,
}
EXACT_BINARY = {
    "add": ELEMENTS,
    "subtract": (*INTEGERS, *FLOATS),
    "multiply": ELEMENTS,
    "divide": (*INTEGERS, *FLOATS),
    "remainder": (*INTEGERS, *FLOATS),
    "maximum": ELEMENTS,
    "minimum": ELEMENTS,
    "and": BITS,
    "or": BITS,
    "xor": BITS,
    "shift_left": INTEGERS,
    "shift_right_arithmetic": INTEGERS,
    "shift_right_logical": INTEGERS,
    "power": INTEGERS,
    "chlo.next_after": FLOATS,
}
DIRECTIONS = ["EQ", "NE", "LT", "LE", "GT", "GE"]


def unary(maker):
    """An exact function of one element."""
    name = maker.rng.choice(list(EXACT_UNARY))
    value = maker.pick_of(EXACT_UNARY[name])
    maker.add(name, [value], [value.type])


def binary(maker):
    """An exact function of two elements."""
    name = maker.rng.choice(list(EXACT_BINARY))
    value = maker.pick_of(EXACT_BINARY[name])
    other = maker.of_type(value.type)
    if name in ("divide", "remainder") and value.type.element in INTEGERS:
        other = maybe_not_zero(maker, other)
    if maker.chance(0.5):
        value, other = other, value
        if name in ("divide", "remainder") and value.type.element in INTEGERS:
            other = maybe_not_zero(maker, other)
    maker.add(name, [value, other], [value.type])


def maybe_not_zero(maker, value):
    """In regions, division by 0 has nobody to say what it gives."""
    if maker.is_outermost:
        return value
    one = maker.scalar(value.type.element, 1)
    ones = maker.move("broadcast_in_dim", [one], value.type, {"broadcast_dimensions": "array<i64>"})
    return maker.add("or", [value, ones], [value.type])[0]


def rounded(maker):
    """A function that is not exact."""
    if maker.chance(0.8):
        name = maker.rng.choice(ROUNDED_UNARY)
        value = maker.pick_of(FLOATS)
        maker.add(name, [value], [value.type], exact=False)
        return
    name = maker.rng.choice(ROUNDED_BINARY)
    value = maker.pick_of(FLOATS)
    maker.add(name, [value, maker.of_type(value.type)], [value.type], exact=False)


def compare(maker):
    """A comparison, of floats in their total order, too."""
    value = maker.pick()
    other = maker.of_type(value.type)
    maker.add("compare", [value, other], [value.type.of("i1")], comparison(maker, [value, other]))


def comparison(maker, values, directions=tuple(DIRECTIONS), is_total=False):
    """The attributes of a comparison."""
    direction = maker.rng.choice(directions)
    attributes = {"comparison_direction": f"#stablehlo<comparison_direction {direction}>"}
    element = values[0].type.element
    if element not in FLOATS:
        kind = "SIGNED" if element in SIGNED else "UNSIGNED"
    elif is_total or (maker.is_outermost and all(v.plain for v in values) and maker.chance(0.3)):
        kind = "TOTALORDER"
    else:
        kind = "FLOAT"
    if kind == "TOTALORDER" or maker.chance(0.7):
        attributes["compare_type"] = f"#stablehlo<comparison_type {kind}>"
    return attributes


def compared(direction, element):
    """The attributes of a comparison of integers."""
    kind = "SIGNED" if element in SIGNED else "UNSIGNED"
    return {
        "comparison_direction": f"#stablehlo<comparison_direction {direction}>",
        "compare_type": f"#stablehlo<comparison_type {kind}>",
    }


def select(maker):
    """A choice, also by one flag for all."""
    value = maker.pick(exact=False)
    other = maker.of_type(value.type)
    flag = maker.of_type(Type((), "i1") if maker.chance(0.2) else value.type.of("i1"))
    chosen = [value, other] if maker.chance(0.5) else [other, value]
    exact, plain = (all(getattr(v, name) for v in chosen) for name in ("exact", "plain"))
    maker.add("select", [flag, *chosen], [value.type], exact=exact, plain=plain)


def clamp(maker):
    """A range that elements are moved into."""
    value = maker.pick_of((*INTEGERS, *FLOATS))
    bounds = [
        maker.of_type(Type((), value.type.element) if maker.chance(0.4) else value.type)
        for _ in range(2)
    ]
    maker.add("clamp", [bounds[0], value, bounds[1]], [value.type])


def convert(maker):
    """Elements of another type."""
    value = maker.pick()
    element = maker.element()
    if element == value.type.element:
        raise Unfit
    maker.converted(value, element)


def bitcast(maker):
    """The bits of elements as another type."""
    value = maker.pick(lambda value: value.plain and value.type.element != "i1")
    bits = width(value.type.element)
    same = [name for name in (*INTEGERS, *FLOATS) if width(name) == bits]
    element = maker.rng.choice(same)
    maker.add("bitcast_convert", [value], [value.type.of(element)], plain=True)


def is_finite(maker):
    """Whether numbers are finite."""
    value = maker.pick_of(FLOATS)
    maker.add("is_finite", [value], [value.type.of("i1")])


def reduce_precision(maker):
    """Floats rounded to fewer bits."""
    value = maker.pick_of(FLOATS)
    bits = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
    exponent, mantissa = bits[value.type.element]
    attributes = {
        "exponent_bits": f"{maker.rng.randint(2, exponent)} : i32",
        "mantissa_bits": f"{maker.rng.randint(1, mantissa)} : i32",
    }
    maker.add("reduce_precision", [value], [value.type], attributes)


ALL = {
    unary: 6,
    binary: 12,
    rounded: 2,
    compare: 3,
    select: 3,
    clamp: 1,
    convert: 3,
    bitcast: 1,
    is_finite: 0.5,
    reduce_precision: 0.5,
}
