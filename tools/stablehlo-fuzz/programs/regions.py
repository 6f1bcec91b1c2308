"""Functions of scalars, as reductions, scatters and sorts have them."""

from . import data
from .elementwise import BITS, comparison
from .maker import Maker
from .model import FLOATS, INTEGERS, SIGNED, Type, Value

# What combines two elements, in any order and grouping.
COMBINERS = {
    "add": (*INTEGERS, *FLOATS, "i1"),
    "multiply": (*INTEGERS, *FLOATS, "i1"),
    "maximum": (*INTEGERS, *FLOATS, "i1"),
    "minimum": (*INTEGERS, *FLOATS, "i1"),
    "and": BITS,
    "or": BITS,
    "xor": BITS,
}


def combiner(maker, element):
    """The name of an op that combines elements of a type."""
    names = [name for name, elements in COMBINERS.items() if element in elements]
    return maker.rng.choice(names)


def is_exact(name, element):
    """Whether the order of combining is without meaning to the last bit."""
    return element not in FLOATS or name not in ("add", "multiply")


def neutral(name, element):
    """The number that changes nothing."""
    least, greatest = (-float("inf"), float("inf"))
    if element in INTEGERS:
        least, greatest = data.range_of(element)
    if element == "i1":
        least, greatest = False, True
    ones = -1 if element in SIGNED else greatest
    zero = -0.0 if element in FLOATS else 0
    return {
        "add": zero,
        "multiply": 1,
        "maximum": least,
        "minimum": greatest,
        "and": ones,
        "or": 0,
        "xor": 0,
    }[name]


def arguments(elements):
    """Arguments without dimensions."""
    return [Value(Type((), element)) for element in elements]


def combining(maker, names, elements):
    """A region that combines the elements of several arrays, each by its own op."""
    inner = Maker(maker.rng, maker, arguments([*elements, *elements]), sees_outside=False)
    results = []
    for index, name in enumerate(names):
        pair = [inner.arguments[index], inner.arguments[len(names) + index]]
        if maker.chance(0.3):
            pair.reverse()
        results.append(inner.add(name, pair, [pair[0].type])[0])
    return inner.block(results)


def combining_wide(maker, element):
    """A region that takes the greater element by a comparison, or adds in another type."""
    inner = Maker(maker.rng, maker, arguments([element, element]), sees_outside=False)
    left, right = inner.arguments
    kind = "SIGNED" if element in SIGNED else "UNSIGNED"
    attributes = {
        "comparison_direction": "#stablehlo<comparison_direction GE>",
        "compare_type": f"#stablehlo<comparison_type {kind}>",
    }
    flag = inner.add("compare", [left, right], [Type((), "i1")], attributes)[0]
    return inner.block(inner.add("select", [flag, left, right], [left.type]))


def greatest_and_place(maker, element, index):
    """The region of an argmax, as JAX writes it."""
    inner = Maker(maker.rng, maker, arguments([element, index, element, index]), False)
    left, left_place, right, right_place = inner.arguments
    flag = Type((), "i1")

    def compare(direction, one, other):
        attributes = {"comparison_direction": f"#stablehlo<comparison_direction {direction}>"}
        return inner.add("compare", [one, other], [flag], attributes)[0]

    better = compare(maker.rng.choice(["GT", "LT"]), left, right)
    if element in FLOATS:
        better = inner.add("or", [better, compare("NE", left, left)], [flag])[0]
    same = compare("EQ", left, right)
    before = compare("LT", left_place, right_place)
    first = inner.add("and", [same, before], [flag])[0]
    takes_place = inner.add("or", [better, first], [flag])[0]
    value = inner.add("select", [better, left, right], [left.type])[0]
    place = inner.add("select", [takes_place, left_place, right_place], [left_place.type])[0]
    return inner.block([value, place])


def order(maker, values, key, is_total):
    """The region of a sort, by one of the arrays."""
    types = [value.type.element for value in values for _ in range(2)]
    inner = Maker(maker.rng, maker, arguments(types), sees_outside=False)
    pair = inner.arguments[2 * key : 2 * key + 2]
    attributes = comparison(maker, pair, ("LT", "GT"), is_total)
    return inner.block(inner.add("compare", pair, [Type((), "i1")], attributes))
