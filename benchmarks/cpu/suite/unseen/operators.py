"""Folds and scans whose operators are written by the user."""

import numpy as np

from suite.program import KIBI, MEBI, unseen

GROUP = "operators"
LETTERS = np.frombuffer(b"aaabcdeeefghiijklmnooopqrstuuvwxyz" + 8 * b" ", np.int8)


@unseen(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 16 * MEBI},
    inputs=lambda generator, n: {"x": generator.integers(0, 3, n, dtype=np.int32)},
    outputs=lambda n: [((1,), np.int32)],
)
def longestrun(x, n):
    """How many equal numbers follow each other at most."""
    begins = np.flatnonzero(np.diff(x, prepend=x[0] - 1, append=x[-1] + 1))
    return [np.array([np.diff(begins).max()])]


@unseen(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 16 * MEBI},
    inputs=lambda generator, n: {"x": generator.integers(-100, 100, n, dtype=np.int32)},
    outputs=lambda n: [((1,), np.int32)],
)
def maxsubarray(x, n):
    """The greatest sum of neighbours, of which there is at least one."""
    sums = np.concatenate([[0], np.cumsum(x)])
    return [np.array([(sums[1:] - np.minimum.accumulate(sums[:-1])).max()])]


@unseen(
    GROUP,
    {"n": 256 * KIBI},
    {"n": 64 * MEBI},
    inputs=lambda generator, n: {"text": LETTERS[generator.integers(0, LETTERS.size, n, dtype=np.int8)]},
    outputs=lambda n: [((2,), np.int64)],
)
def vowels(text, n):
    """How many letters are vowels, and how many words begin with one; words have spaces between them."""
    vowel = np.isin(text, np.frombuffer(b"aeiou", np.int8))
    after_space = np.concatenate([[True], text[:-1] == ord(" ")])
    return [np.array([vowel.sum(), (vowel & after_space).sum()])]
