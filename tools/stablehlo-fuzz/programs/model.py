"""What programs are made of, and their text in generic form.

A value knows more than its type, so that the generator only makes programs whose results are
one answer:

* `exact`: every correct compiler gives these bits, but for the bits of NaN. Values that are not
  (functions such as exp, sums of floats) are moved and returned, and never computed with: a
  comparison would make much of a difference in the last place.
* `plain`: the bits of NaN are known, too, since no arithmetic gave it.
"""

import dataclasses
import itertools

SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("ui8", "ui16", "ui32", "ui64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("f16", "bf16", "f32", "f64")
ELEMENTS = ("i1", *INTEGERS, *FLOATS)


def width(element):
    """The number of bits of an element type."""
    return int(element.lstrip("bfiu"))


@dataclasses.dataclass(frozen=True)
class Type:
    """An array's shape and the type of its elements."""

    shape: tuple
    element: str

    def __str__(self):
        return "tensor<" + "".join(f"{size}x" for size in self.shape) + self.element + ">"

    @property
    def rank(self):
        """The number of dimensions."""
        return len(self.shape)

    @property
    def count(self):
        """The number of elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    def of(self, element):
        """The same shape of other elements."""
        return Type(self.shape, element)


@dataclasses.dataclass(eq=False)
class Value:
    """What an op gives, or a block takes."""

    type: Type
    exact: bool = True
    plain: bool = False


@dataclasses.dataclass
class Block:
    """Ops in order, and what they give in the end."""

    arguments: list
    ops: list
    results: list

    def free(self):
        """The values from outside that it uses, each once, in order."""
        own = set(map(id, self.arguments))
        found = {}
        for op in self.ops:
            for value in op.uses():
                if id(value) not in own:
                    found.setdefault(id(value), value)
            own.update(map(id, op.results))
        for value in self.results:
            if id(value) not in own:
                found.setdefault(id(value), value)
        return list(found.values())


@dataclasses.dataclass
class Op:
    """An op; `functions` are those that it names. `notes` are for who computes what it gives."""

    name: str
    operands: list
    results: list
    attributes: dict = dataclasses.field(default_factory=dict)
    regions: list = dataclasses.field(default_factory=list)
    functions: list = dataclasses.field(default_factory=list)
    notes: dict = dataclasses.field(default_factory=dict)

    def uses(self):
        """The operands, and what regions use from outside."""
        found = {id(value): value for value in self.operands}
        for region in self.regions:
            found.update((id(value), value) for value in region.free())
        return list(found.values())

    @property
    def short(self):
        """The name without the dialect."""
        return self.name.split(".", 1)[1]


@dataclasses.dataclass
class Function:
    """A private function."""

    name: str
    block: Block


@dataclasses.dataclass
class Program:
    """A function of arrays, with the arrays."""

    seed: int
    inputs: list
    arrays: list
    ops: list
    outputs: list

    def text(self):
        """The module."""
        return module(Block(self.inputs, self.ops, self.outputs))


def module(block):
    """A module whose main function is the block, with the functions that it needs."""
    functions = {}
    for op in all_ops(block):
        functions.update((function.name, function) for function in op.functions)
    lines = ["module {"]
    lines += function_lines("public @main", block)
    for name, function in functions.items():
        lines += function_lines(f"private @{name}", function.block)
    return "\n".join([*lines, "}", ""])


def all_ops(block):
    """The ops in a block, those in regions and called functions, too."""
    for op in block.ops:
        yield op
        for inner in [*op.regions, *(function.block for function in op.functions)]:
            yield from all_ops(inner)


def function_lines(header, block):
    names = Names()
    parameters = ", ".join(
        f"{names.give(value, f'arg{index}')}: {value.type}"
        for index, value in enumerate(block.arguments)
    )
    results = ", ".join(str(value.type) for value in block.results)
    yield f"  func.func {header}({parameters}) -> ({results}) {{"
    yield from block_lines(block, names, "    ", "func.return")
    yield "  }"


class Names:
    """The names of values in a function."""

    def __init__(self):
        self.names = {}
        self.numbers = itertools.count()

    def give(self, value, name=None):
        """Names a value."""
        self.names[id(value)] = f"%{name or next(self.numbers)}"
        return self.names[id(value)]

    def __getitem__(self, value):
        return self.names[id(value)]


def block_lines(block, names, indent, terminator):
    for op in block.ops:
        yield from op_lines(op, names, indent)
    operands = ", ".join(names[value] for value in block.results)
    types = ", ".join(str(value.type) for value in block.results)
    yield f'{indent}"{terminator}"({operands}) : ({types}) -> ()'


def op_lines(op, names, indent):
    operands = ", ".join(names[value] for value in op.operands)
    properties = ", ".join(f"{name} = {text}" for name, text in op.attributes.items())
    properties = f" <{{{properties}}}>" if properties else ""
    regions = []
    for region in op.regions:
        arguments = ", ".join(f"{names.give(value)}: {value.type}" for value in region.arguments)
        inner = [f"{indent}^bb0({arguments}):"] if region.arguments else []
        inner += block_lines(region, names, indent + "  ", "stablehlo.return")
        regions.append("{\n" + "\n".join(inner) + f"\n{indent}}}")
    regions = f" ({', '.join(regions)})" if regions else ""
    given = ", ".join(str(value.type) for value in op.operands)
    gives = ", ".join(str(value.type) for value in op.results)
    results = ", ".join(names.give(value) for value in op.results)
    line = f'{indent}{results} = "{op.name}"({operands}){properties}{regions}'
    yield f"{line} : ({given}) -> ({gives})"
