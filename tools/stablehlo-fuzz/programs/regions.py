"""Functions of scalars, as reductions, scatters and sorts have them."""

from . import data
from .elementwise import BITS, compared, comparison
from .maker import Maker
from .model import FLOATS, INTEGERS, SIGNED, Function, Type, Value

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
        add = called if maker.chance(0.1) else Maker.add
        results.append(add(inner, name, pair, [pair[0].type])[0])
    return inner.block(results)


def called(maker, name, operands, types):
    """An op in a function, and a call of that."""
    inner = Maker(maker.rng, maker, [Value(value.type) for value in operands], sees_outside=False)
    function = Function(maker.function_name(), inner.block(inner.add(name, inner.arguments, types)))
    return maker.add(
        "func.call", operands, types, {"callee": f"@{function.name}"}, functions=[function]
    )


def composing(maker, element):
    """A region that composes functions x * a + b: not the same in another order."""
    inner = Maker(maker.rng, maker, arguments([element] * 4), sees_outside=False)
    first, first_offset, second, second_offset = inner.arguments
    type = first.type
    factor = inner.add("multiply", [first, second], [type])[0]
    moved = inner.add("multiply", [first_offset, second], [type])[0]
    return inner.block([factor, inner.add("add", [moved, second_offset], [type])[0]])


def combining_wide(maker, element):
    """A region that takes the greater element by a comparison, or adds in another type."""
    inner = Maker(maker.rng, maker, arguments([element, element]), sees_outside=False)
    left, right = inner.arguments
    flag = inner.add("compare", [left, right], [Type((), "i1")], compared("GE", element))[0]
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
    """The region of a sort, by one of the arrays, and among equal integers by another one."""
    types = [value.type.element for value in values for _ in range(2)]
    inner = Maker(maker.rng, maker, arguments(types), sees_outside=False)
    pair = inner.arguments[2 * key : 2 * key + 2]
    flag = Type((), "i1")
    attributes = comparison(maker, pair, ("LT", "GT"), is_total)
    before = inner.add("compare", pair, [flag], attributes)[0]
    other = (key + 1) % len(values)
    are_integers = types[2 * key] in INTEGERS and types[2 * other] in INTEGERS
    if other != key and are_integers and maker.chance(0.4):
        rest = inner.arguments[2 * other : 2 * other + 2]
        same = inner.add("compare", pair, [flag], compared("EQ", types[2 * key]))[0]
        then = inner.add("compare", rest, [flag], comparison(maker, rest, ("LT", "GT")))[0]
        also = inner.add("and", [same, then], [flag])[0]
        before = inner.add("or", [before, also], [flag])[0]
    return inner.block([before])
