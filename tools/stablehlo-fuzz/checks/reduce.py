"""Makes a failing program smaller: fewer outputs, values given instead of computed, smaller
sizes."""

import copy
import re

from programs.model import Block, Op, Program, all_ops

from .compiled import FILES
from .referee import check


class Reducer:
    """Tries smaller programs that fail in the same mode."""

    def __init__(self, comb, reference, folder, modes, mode):
        self.comb, self.reference, self.folder = comb, reference, folder
        # The first mode says what is right if nobody else does.
        self.modes = {mode: modes[mode]}
        self.tries = 0

    def fails(self, program):
        """What is wrong with a program, with what is right."""
        self.tries += 1
        answers, _ = self.reference.answers(program)
        if answers is None:
            return None
        forms = self.reference.forms(program) if set(FILES) & set(self.modes) else {}
        return check(self.comb, program, answers, self.folder, self.modes, forms)

    def smaller(self, program):
        """The smallest program that was found to fail."""
        while True:
            smaller = self.step(program)
            if smaller is None:
                return program
            program = smaller

    def step(self, program):
        for candidate in candidates(program, self.reference):
            if self.tries > 400:
                return None
            if self.fails(candidate):
                return candidate
        return None


def candidates(program, reference):
    """Programs that are a little smaller, the most first."""
    if len(program.outputs) > 1:
        for output in program.outputs:
            yield trimmed(program, [output])
    answers, _ = reference.answers(program)
    if answers is not None:
        yield from given_instead(program, answers)
    yield from with_inner_ops_left_out(program)
    yield from with_smaller_sizes(program)


def trimmed(program, outputs, ops=None, inputs=None, arrays=None):
    """A program with other outputs, without what they do not need."""
    ops = program.ops if ops is None else ops
    inputs = program.inputs if inputs is None else inputs
    arrays = program.arrays if arrays is None else arrays
    needed, kept = set(map(id, outputs)), []
    for op in reversed(ops):
        if any(id(value) in needed for value in op.results):
            kept.append(op)
            needed.update(map(id, op.uses()))
    used = [pair for pair in zip(inputs, arrays) if id(pair[0]) in needed]
    return Program(
        program.seed,
        [value for value, _ in used],
        [array for _, array in used],
        kept[::-1],
        outputs,
    )


def given_instead(program, answers):
    """Programs where an op's results are inputs; and where one result of several is not
    computed."""
    values = [value for op in program.ops for value in op.results]
    arrays = {id(value): answer.array for value, answer in zip(values, answers)}
    outputs = set(map(id, program.outputs))
    for index in reversed(range(len(program.ops))):
        op = program.ops[index]
        if op.name == "stablehlo.constant" or any(id(value) in outputs for value in op.results):
            continue
        yield trimmed(
            program,
            program.outputs,
            program.ops[:index] + program.ops[index + 1 :],
            program.inputs + op.results,
            program.arrays + [arrays[id(value)] for value in op.results],
        )


def with_inner_ops_left_out(program):
    """Programs where a region or a function gives an argument, or another value, instead of what
    it computes."""
    count = sum(len(region.ops) for region in inner_blocks(program))
    for number in range(count):
        other = copy.deepcopy(program)
        left = number
        for block in inner_blocks(other):
            if left < len(block.ops):
                if leave_out(block, left):
                    yield other
                break
            left -= len(block.ops)


# Ops whose regions may compute anything; those of the others have to be monoids or orders.
FREE = {"while", "if", "case", "call", "composite"}


def inner_blocks(program):
    """The blocks of loops, branches and functions."""
    for op in all_ops(Block([], program.ops, [])):
        if op.short in FREE:
            yield from op.regions
            yield from (function.block for function in op.functions)


def leave_out(block, index):
    """Has other values of the types stand for an op's results; says whether there are any."""
    op = block.ops[index]
    before = [*block.arguments, *(value for op in block.ops[:index] for value in op.results)]
    replaced = {}
    for value in op.results:
        same = [other for other in before if other.type == value.type]
        if not same:
            return False
        replaced[id(value)] = same[-1]
    del block.ops[index]
    replace(block, replaced)
    return True


def replace(block, replaced):
    """Puts values in the place of others."""
    block.results = [replaced.get(id(value), value) for value in block.results]
    for op in block.ops:
        op.operands = [replaced.get(id(value), value) for value in op.operands]
        for region in op.regions:
            replace(region, replaced)


def with_smaller_sizes(program):
    """Programs where a size is another one wherever it is, in attributes or not. Most are no
    programs, which the reference says."""
    sizes = {size for value in program.inputs for size in value.type.shape if size > 1}
    for size in sorted(sizes, reverse=True):
        for smaller in sorted({1, size // 2, size - 1} - {0, size}):
            for also in (True, False):
                yield resized(program, size, smaller, also)


def resized(program, size, smaller, in_attributes):
    other = copy.deepcopy(program)
    values = {id(value): value for value in [*other.inputs, *other.outputs]}
    for op in all_ops(other):
        for value in [*op.operands, *op.results]:
            values[id(value)] = value
        for block in [*op.regions, *(function.block for function in op.functions)]:
            values.update((id(value), value) for value in [*block.arguments, *block.results])
        if op.name == "stablehlo.constant":
            continue
        if in_attributes:
            resize_attributes(op, size, smaller)
    given = {id(value) for value in other.inputs}
    for value in values.values():
        shape = tuple(smaller if own == size else own for own in value.type.shape)
        if id(value) not in given:
            value.type = type(value.type)(shape, value.type.element)
    other.arrays = [
        array[tuple(slice(smaller if own == size else own) for own in array.shape)]
        for array in other.arrays
    ]
    for value, array in zip(other.inputs, other.arrays):
        value.type = type(value.type)(array.shape, value.type.element)
    return other


def resize_attributes(op: Op, size, smaller):
    for name, text in op.attributes.items():
        if text.startswith("array<i64: "):
            op.attributes[name] = re.sub(rf"\b(?<!<i){size}\b", str(smaller), text)
