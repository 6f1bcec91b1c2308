"""Loops, branches and calls."""

from .elementwise import compared
from .maker import Maker, Unfit
from .model import INTEGERS, Function, Type, Value

# So many regions may be in each other.
DEEPEST = 2


def grow(maker, add_op, count):
    """Adds some ops to a region."""
    for _ in range(count):
        add_op(maker)


def finish(maker, types):
    """Values of the types, sooner what was computed last."""
    results = []
    for type in types:
        found = [value for value in maker.pool if value.type == type and value.exact]
        results.append(found[-1] if found and maker.chance(0.7) else maker.of_type(type))
    return results


def needs_room(maker):
    """Raises Unfit if regions are deep enough."""
    if maker.depth >= DEEPEST:
        raise Unfit


def carried_values(maker):
    """What a loop goes round with."""
    return [maker.pick() for _ in range(maker.rng.choice([1, 1, 2, 3]))]


def counted(maker, add_op):
    """A loop that counts, up or down, to a constant or a number from outside."""
    needs_room(maker)
    carried = carried_values(maker)
    element = maker.rng.choice(["i32", "i32", "i64", *INTEGERS])
    rounds, step = maker.rng.randint(0, 5), maker.rng.choice([1, 1, 1, 2, 3])
    goes_down = maker.chance(0.15)
    begin = maker.rng.randint(0, 3) + (rounds * step if goes_down else 0)
    end = begin - rounds * step if goes_down else begin + rounds * step
    scalar = Type((), element)
    first = maker.scalar(element, begin)
    last = maker.scalar(element, end)
    if maker.chance(0.4):
        last = maker.add("optimization_barrier", [last], [scalar])[0]
    direction = maker.rng.choice(["GT", "NE"] if goes_down else ["LT", "LT", "LT", "NE"])
    at = maker.rng.randint(0, len(carried))
    operands = [*carried[:at], first, *carried[at:]]
    types = [value.type for value in operands]

    condition = Maker(maker.rng, maker, [Value(type) for type in types])
    pair, attributes = [condition.arguments[at], last], compared(direction, element)
    if maker.chance(0.2):
        mirrored = {"LT": "GT", "GT": "LT", "NE": "NE"}[direction]
        pair, attributes = pair[::-1], compared(mirrored, element)
    condition_block = condition.block(condition.add("compare", pair, [Type((), "i1")], attributes))

    body = Maker(maker.rng, maker, [Value(type) for type in types])
    grow(body, add_op, maker.rng.randint(1, 4))
    by = body.scalar(element, step)
    name = "subtract" if goes_down else "add"
    counter = body.add(name, [body.arguments[at], by], [scalar])[0]
    results = finish(body, types)
    results[at] = counter
    maker.add("while", operands, types, regions=[condition_block, body.block(results)], plain=False)


def searching(maker, add_op):
    """A loop that ends when a number has grown enough, or something in the arrays says so."""
    needs_room(maker)
    carried = carried_values(maker)
    scalar = Type((), "i32")
    operands = [maker.scalar("i32", maker.rng.randint(1, 3)), *carried]
    types = [value.type for value in operands]

    condition = Maker(maker.rng, maker, [Value(type) for type in types])
    limit = condition.scalar("i32", maker.rng.randint(0, 40))
    goes_on = condition.add(
        "compare", [condition.arguments[0], limit], [Type((), "i1")], compared("LT", "i32")
    )[0]
    if maker.chance(0.6):
        other = condition.of_type(Type((), "i1"))
        goes_on = condition.add("and", [goes_on, other], [Type((), "i1")])[0]

    body = Maker(maker.rng, maker, [Value(type) for type in types])
    grow(body, add_op, maker.rng.randint(1, 4))
    twice = body.add("add", [body.arguments[0], body.arguments[0]], [scalar])[0]
    results = finish(body, types)
    results[0] = twice
    regions = [condition.block([goes_on]), body.block(results)]
    maker.add("while", operands, types, regions=regions, plain=False)


def branches(maker, add_op, count):
    types = [maker.pick().type for _ in range(maker.rng.choice([1, 1, 2]))]
    regions = []
    for _ in range(count):
        inner = Maker(maker.rng, maker)
        grow(inner, add_op, maker.rng.randint(0, 4))
        regions.append(inner.block(finish(inner, types)))
    return types, regions


def if_(maker, add_op):
    """A branch."""
    needs_room(maker)
    types, regions = branches(maker, add_op, 2)
    maker.add("if", [maker.of_type(Type((), "i1"))], types, regions=regions, plain=False)


def case(maker, add_op):
    """Several branches, chosen by a number that may be none of them."""
    needs_room(maker)
    count = maker.rng.randint(1, 4)
    types, regions = branches(maker, add_op, count)
    scalar = Type((), "i32")
    index = maker.of_type(scalar) if maker.chance(0.4) else maker.indices(scalar, 0, count - 1)
    maker.add("case", [index], types, regions=regions, plain=False)


def call(maker, add_op):
    """A call of a function, as such or as a composite; of a new one, or of one there is."""
    if maker.is_outermost and maker.functions and maker.chance(0.4):
        function = maker.rng.choice(maker.functions)
        operands = [maker.of_type(value.type) for value in function.block.arguments]
    else:
        needs_room(maker)
        operands = carried_values(maker)
        function = new_function(maker, add_op, [value.type for value in operands])
    name, attributes = "func.call", {"callee": f"@{function.name}"}
    if maker.chance(0.3):
        name = "composite"
        attributes = {"name": '"fuzz.function"', "decomposition": f"@{function.name}"}
    types = [value.type for value in function.block.results]
    maker.add(name, operands, types, attributes, functions=[function], plain=False)


def new_function(maker, add_op, types):
    """A function of some arrays."""
    inner = Maker(maker.rng, maker, [Value(type) for type in types], False)
    grow(inner, add_op, maker.rng.randint(1, 4))
    results = [inner.pick() for _ in range(maker.rng.choice([1, 1, 2]))]
    function = Function(maker.function_name(), inner.block(results))
    maker.root.functions.append(function)
    return function


ALL = {counted: 2, searching: 1, if_: 1.5, case: 1, call: 1.5}
