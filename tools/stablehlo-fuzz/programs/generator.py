"""A program from a number."""

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


def add_op(maker):
    """Adds an op of a random kind that there are values for."""
    kinds = PLAIN if maker.depth >= control.DEEPEST else {**PLAIN, **control.ALL}
    while True:
        kind = maker.rng.choices(list(kinds), list(kinds.values()))[0]
        try:
            if kind in control.ALL:
                kind(maker, add_op)
            else:
                kind(maker)
            return
        except Unfit:
            continue
