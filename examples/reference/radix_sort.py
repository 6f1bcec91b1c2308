"""Reference values of examples/radix-sort.mlir, by Python's stable sort."""

import random

from case import Case, vector


def cases():
    """Keys with and without equal ones."""
    generator = random.Random(13)
    for count, bound in ((0, 1), (1, 5), (300, 20), (500, 2**31)):
        keys = [generator.randrange(bound) for _ in range(count)]
        order = sorted(range(count), key=keys.__getitem__)
        yield Case(
            "sort",
            {"keys": vector("<i4", keys)},
            {
                "sorted": vector("<i4", [keys[i] for i in order]),
                "permutation": vector("<i8", order),
            },
        )
