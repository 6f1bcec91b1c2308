"""Reference values of examples/game-of-life.mlir, by sets of living cells."""

import itertools
import random

from case import Case, matrix


def generation(alive, height, width):
    """The cells alive after those given."""
    neighbours = {}
    for i, j in alive:
        for di, dj in itertools.product((-1, 0, 1), repeat=2):
            if (di, dj) != (0, 0):
                cell = ((i + di) % height, (j + dj) % width)
                neighbours[cell] = neighbours.get(cell, 0) + 1
    return {cell for cell, n in neighbours.items() if n == 3 or (n == 2 and cell in alive)}


def board(alive, height, width):
    """The cells as a matrix."""
    rows = [[int((i, j) in alive) for j in range(width)] for i in range(height)]
    return matrix("|i1", rows)


def cases():
    """A glider that goes around the torus, and boards at random."""
    glider = {(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)}
    generator = random.Random(9)
    cells = itertools.product(range(9), range(20))
    soup = {cell for cell in cells if generator.random() < 0.4}
    for start, height, width, generations in (
        (glider, 6, 7, 0),
        (glider, 6, 7, 30),
        (soup, 9, 20, 12),
    ):
        alive = start
        for _ in range(generations):
            alive = generation(alive, height, width)
        yield Case(
            "life",
            {"board": board(start, height, width), "generations": generations},
            {"result": board(alive, height, width)},
        )
