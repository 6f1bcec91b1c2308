"""Reference values of examples/nbody.mlir."""

import math
import random

from case import Case, vector

SOFTENING = 0.01


def acceleration(body, bodies):
    """The pull of all bodies on one of them."""
    pulls = []
    for x, y, _, _, mass in bodies:
        dx, dy = x - body[0], y - body[1]
        cube = (dx * dx + dy * dy + SOFTENING) ** 1.5
        pulls.append((mass * dx / cube, mass * dy / cube))
    return math.fsum(x for x, _ in pulls), math.fsum(y for _, y in pulls)


def step(bodies, dt):
    """All bodies after a time dt."""
    moved = []
    for body in bodies:
        x, y, vx, vy, mass = body
        ax, ay = acceleration(body, bodies)
        vx, vy = vx + ax * dt, vy + ay * dt
        moved.append((x + vx * dt, y + vy * dt, vx, vy, mass))
    return moved


def cases():
    """One body, which moves straight on, and a cloud."""
    generator = random.Random(10)
    for count, steps in ((1, 5), (20, 8)):
        start = [
            tuple(generator.uniform(-1, 1) for _ in range(4)) + (generator.random(),)
            for _ in range(count)
        ]
        bodies = start
        for _ in range(steps):
            bodies = step(bodies, 0.01)
        before, after = list(zip(*start)), list(zip(*bodies))
        inputs = zip(("x", "y", "vx", "vy", "mass"), before)
        results = zip(("x", "y", "vx", "vy"), after)
        yield Case(
            "nbody",
            {name: vector("<f8", values) for name, values in inputs} | {"dt": 0.01, "steps": steps},
            {name: vector("<f8", values) for name, values in results},
            tolerance=1e-12,
        )
