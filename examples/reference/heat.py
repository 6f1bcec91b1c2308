"""Reference values of examples/heat.mlir, every operation in f32."""

from case import Case, scalar, vector
from float32 import add, f32, multiply, subtract


def step(rod, diffusion):
    """u + d (left - 2 u + right), rounded as the program rounds."""
    new = list(rod)
    for i in range(1, len(rod) - 1):
        flow = add(subtract(rod[i - 1], multiply(2.0, rod[i])), rod[i + 1])
        new[i] = add(rod[i], multiply(diffusion, flow))
    return new


def cases():
    """A rod with one hot end; one stops at its limit, the other when it is still."""
    diffusion, tolerance = f32(0.25), f32(1e-3)
    for limit in (0, 10, 1000):
        rod = start = [1.0] + [0.0] * 18 + [0.5]
        steps = 0
        change = float("inf")
        while change > tolerance and steps < limit:
            new = step(rod, diffusion)
            change = max(abs(subtract(a, b)) for a, b in zip(rod, new))
            rod = new
            steps += 1
        yield Case(
            "heat",
            {
                "rod": vector("<f4", start),
                "diffusion": diffusion,
                "tolerance": tolerance,
                "limit": limit,
            },
            {"temperatures": vector("<f4", rod), "steps": scalar("<i8", steps)},
        )
