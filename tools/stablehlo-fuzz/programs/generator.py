"""A program from a number."""

import itertools
import random

from . import control, elementwise, movement, reductions
from .maker import Maker, Unfit
from .model import Program, Type

PLAIN = {**elementwise.ALL, **movement.ALL, **reductions.ALL}
FEWEST, MOST, LONGEST = 5, 15, 40


def generate(seed):
    """The program of a number."""
    rng = random.Random(seed)
    maker = Maker(rng)
    maker.kinds = some_kinds(rng)
    new_shape = maker.long_shape if rng.random() < 0.15 else maker.shape
    for _ in range(rng.randint(1, 3)):
        maker.fresh(Type(new_shape(), maker.element()))
    for _ in range(rng.randint(FEWEST, LONGEST if rng.random() < 0.1 else MOST)):
        add_op(maker)
    used = {id(value) for op in maker.ops for value in op.uses()}
    values = [value for op in maker.ops for value in op.results]
    outputs = [value for value in values if id(value) not in used or rng.random() < 0.1]
    if rng.random() < 0.1:
        outputs.append(rng.choice([*maker.arguments, *outputs]))
    block = maker.block(outputs)
    needed = {id(value) for value in block.free()}
    needed |= {id(value) for op in block.ops for value in op.uses()} | set(map(id, outputs))
    inputs = [
        (value, array) for value, array in zip(maker.arguments, maker.arrays) if id(value) in needed
    ]
    return Program(
        seed, [value for value, _ in inputs], [array for _, array in inputs], block.ops, outputs
    )


def some_kinds(rng):
    """How often each kind of op is in a program: never, seldom, as usual, or often."""
    usual = {**PLAIN, **control.ALL}
    return {kind: weight * rng.choice([0, 0.3, 1, 1, 4]) for kind, weight in usual.items()}


def add_op(maker):
    """Adds an op of a random kind that there are values for."""
    for attempt in itertools.count():
        # What the program keeps to may fit nothing.
        weights = maker.root.kinds if attempt < 50 else {**PLAIN, **control.ALL}
        kind = maker.rng.choices(list(weights), list(weights.values()))[0]
        try:
            if kind not in control.ALL:
                kind(maker)
            else:
                kind(maker, add_op)
            return
        except Unfit:
            continue
