"""Kinds of inputs. Each is a function that makes the array from a random generator."""

import numpy as np


def normal(*shape, scale=1.0):
    """Normally distributed numbers."""
    return lambda random: (scale * random.standard_normal(shape)).astype(np.float32)


def between(low, high, *shape):
    """Numbers from a range."""
    return lambda random: random.uniform(low, high, shape).astype(np.float32)


def below(limit, *shape):
    """Integers from 0 on, less than the limit."""
    return lambda random: random.integers(0, limit, shape).astype(np.int32)


def key(seed):
    """The key of a stream of random numbers of JAX."""
    return lambda random: np.array([0, seed], np.uint32)
