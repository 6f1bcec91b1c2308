"""Where ops are added: the values there are, and values of a wanted type made of them."""

from . import data
from .model import ELEMENTS, FLOATS, INTEGERS, SIGNED, Block, Op, Type, Value

# No array has more elements; most new ones have far fewer.
MOST_ELEMENTS = 2500
USUAL_ELEMENTS = 600


class Unfit(Exception):
    """There is nothing that an op could be of; another one is tried."""


class Maker:
    """A block that grows. Blocks in regions see what is outside, functions do not."""

    def __init__(self, rng, outer=None, arguments=(), sees_outside=True):
        self.rng = rng
        self.outer = outer
        self.ops = []
        self.arguments = list(arguments)
        self.pool = list(self.arguments)
        if outer is not None and sees_outside:
            self.pool = [value for value in outer.pool if value.exact] + self.pool
        self.sees_inputs = outer is None or (sees_outside and outer.sees_inputs)
        self.root = outer.root if outer is not None else self
        if outer is None:
            self.arrays = []
            self.function_count = 0
            self.functions = []
            # Programs keep to few types and sizes, so that more of their values fit together.
            self.elements = rng.sample(ELEMENTS, rng.randint(1, 3)) if self.chance(0.7) else []
            self.sizes = []
            self.sizes = [self.size(20) for _ in range(rng.randint(1, 3))]
            self.sizes = self.sizes if self.chance(0.7) else []

    @property
    def depth(self):
        """How many regions and functions this is in."""
        return 0 if self.outer is None else self.outer.depth + 1

    @property
    def is_outermost(self):
        """Whether the numbers that values have will be looked at."""
        return self.outer is None

    # Adding ops.

    def add(self, name, operands, types, attributes=None, *, exact=True, plain=None, **rest):
        """Adds an op; gives its results. What is not exact, or not StableHLO's own, is only
        allowed outermost, where the reference knows about it."""
        if not self.is_outermost and (not exact or name.startswith("chlo.")):
            raise Unfit
        results = []
        for type in types:
            known = plain if plain is not None else type.element not in FLOATS
            results.append(Value(type, exact, known and exact))
        name = name if "." in name else f"stablehlo.{name}"
        self.ops.append(Op(name, list(operands), results, attributes or {}, **rest))
        self.pool += results
        return results

    def move(self, name, operands, type, attributes=None, **rest):
        """Adds an op whose result has elements of the operands."""
        exact = all(value.exact for value in operands)
        plain = all(value.plain for value in operands)
        return self.add(name, operands, [type], attributes, exact=exact, plain=plain, **rest)[0]

    def block(self, results):
        """What was added, without what nothing needs."""
        needed = set(map(id, results))
        kept = []
        for op in reversed(self.ops):
            if any(id(value) in needed for value in op.results):
                kept.append(op)
                needed.update(map(id, op.uses()))
        return Block(self.arguments, kept[::-1], results)

    # Values there are.

    def pick(self, fits=lambda value: True, exact=True):
        """One of the values there are, sooner a new one; or an array, so that there is one."""
        found = [value for value in self.pool if fits(value) and (value.exact or not exact)]
        if not found:
            raise Unfit
        weights = [1 + 3 * index / len(found) for index in range(len(found))]
        return self.rng.choices(found, weights)[0]

    def pick_of(self, elements, exact=True, fits=lambda value: True):
        """A value whose elements are of one of the types; a new one if there is none."""
        try:
            return self.pick(lambda value: value.type.element in elements and fits(value), exact)
        except Unfit:
            value = self.fresh(Type(self.shape(), self.rng.choice(list(elements))))
            if fits(value):
                return value
            raise

    def of_type(self, type):
        """An exact value of a type."""
        same = [value for value in self.pool if value.type == type and value.exact]
        if same and self.rng.random() < 0.75:
            return self.rng.choice(same)
        shaped = [value for value in self.pool if value.type.shape == type.shape and value.exact]
        if shaped and self.rng.random() < 0.6:
            return self.converted(self.rng.choice(shaped), type.element)
        if type.rank > 0 and self.rng.random() < 0.5:
            return self.broadcast_to(type)
        return self.fresh(type)

    def converted(self, value, element):
        """A value with its elements converted."""
        if value.type.element == element:
            return value
        return self.add("convert", [value], [value.type.of(element)])[0]

    def broadcast_to(self, type):
        """A value of the type that repeats one of fewer dimensions."""
        axes = sorted(self.rng.sample(range(type.rank), self.rng.randint(0, type.rank - 1)))
        inner = Type(tuple(type.shape[axis] for axis in axes), type.element)
        found = [value for value in self.pool if value.type == inner and value.exact]
        value = self.rng.choice(found) if found else self.fresh(inner)
        return self.move("broadcast_in_dim", [value], type, {"broadcast_dimensions": numbers(axes)})

    # New values.

    def fresh(self, type, kind=None):
        """An input, or a constant."""
        if self.sees_inputs and type.count > 1 and self.rng.random() < 0.8:
            return self.input(type, data.array(self.rng, type, kind))
        return self.constant(type, data.array(self.rng, type, kind))

    def input(self, type, array):
        """A parameter of the program."""
        value = Value(type, plain=True)
        self.root.arguments.append(value)
        self.root.arrays.append(array)
        maker = self
        while maker is not None:
            maker.pool.append(value)
            maker = maker.outer
        return value

    def constant(self, type, array):
        """A constant."""
        attributes = {"value": data.literal(array, type)}
        return self.add("constant", [], [type], attributes, plain=True)[0]

    def scalar(self, element, number):
        """A constant without dimensions."""
        type = Type((), element)
        return self.constant(type, data.from_numbers([number], type))

    def indices(self, type, least, greatest):
        """Integers mostly from a range, and some beyond it."""
        low, high = data.range_of(type.element)
        beyond = self.rng.choice([0, 0, 1, 3])

        def one():
            if beyond and self.rng.random() < 0.1:
                return self.rng.choice([low, high, low + 1, high - 1])
            number = self.rng.randint(least - beyond, max(least - beyond, greatest + beyond))
            return min(max(number, low), high)

        array = data.from_numbers([one() for _ in range(type.count)], type)
        if self.sees_inputs and self.rng.random() < 0.7:
            return self.input(type, array)
        return self.constant(type, array)

    # Decisions.

    def shape(self, rank=None, most=USUAL_ELEMENTS):
        """A shape."""
        rank = self.rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4]) if rank is None else rank
        shape, count = [], 1
        for _ in range(rank):
            size = self.size(max(1, most // max(count, 1)))
            shape.append(size)
            count *= size
        return tuple(shape)

    def size(self, most=USUAL_ELEMENTS):
        """The size of a dimension."""
        if self.root.sizes and self.rng.random() < 0.75:
            return min(self.rng.choice(self.root.sizes), most)
        kind = self.rng.random()
        if kind < 0.03:
            size = 0
        elif kind < 0.15:
            size = 1
        elif kind < 0.9:
            size = self.rng.randint(2, 6)
        elif self.rng.random() < 0.8:
            size = self.rng.choice([8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 70])
        else:
            size = self.rng.randint(71, 400)
        return min(size, most)

    def long_shape(self):
        """A shape with a long dimension, so that loops have whole chunks and vectors."""
        shape = [self.rng.randint(200, MOST_ELEMENTS)]
        if self.chance(0.4):
            shape.insert(self.rng.randint(0, 1), self.rng.randint(1, MOST_ELEMENTS // shape[0]))
        return tuple(shape)

    def element(self, elements=ELEMENTS):
        """A type of elements, sooner a usual one."""
        own = [name for name in elements if name in self.root.elements]
        if own and self.rng.random() < 0.85:
            return self.rng.choice(own)
        usual = [name for name in elements if name in ("i32", "f32", "f64", "i1", "i64", "ui8")]
        return self.rng.choice(usual if usual and self.rng.random() < 0.6 else list(elements))

    def index_element(self):
        """A type of indices. In regions the interpreter would take unsigned ones for signed."""
        return self.rng.choice(["i32", "i32", "i64", *(INTEGERS if self.outer is None else SIGNED)])

    def chance(self, probability):
        """True so often."""
        return self.rng.random() < probability

    def function_name(self):
        """The name of a new function."""
        self.root.function_count += 1
        return f"f{self.root.function_count}"


def fits_in(shape):
    """Raises Unfit if an array of the shape would be too large; gives the shape."""
    if Type(tuple(shape), "i1").count > MOST_ELEMENTS:
        raise Unfit
    return tuple(shape)


def numbers(values):
    """A list of numbers as an attribute."""
    text = ", ".join(str(int(value)) for value in values)
    return f"array<i64: {text}>" if text else "array<i64>"


def plain_list(values):
    """A list of numbers as a field of an attribute."""
    return "[" + ", ".join(str(value) for value in values) + "]"


def integer(value):
    """A number as an attribute."""
    return f"{value} : i64"


def pairs(values):
    """Pairs of numbers as an attribute."""
    type = f"tensor<{len(values)}x2xi64>"
    if not values:
        return f"dense<> : {type}"
    text = ", ".join(f"[{low}, {high}]" for low, high in values)
    return f"dense<[{text}]> : {type}"
