"""The measure of errors notices what it must notice, and nothing else."""

import math
import unittest

import numpy as np
from suite.error import largest_error

ONES = np.ones(4)


class LargestError(unittest.TestCase):
    """Cases of `largest_error`."""

    def test_nothing_where_all_agrees(self):
        self.assertEqual(largest_error([ONES.astype(np.float32)], [ONES]), 0)

    def test_one_element(self):
        self.assertAlmostEqual(largest_error([np.array([1, 1, 1, 1.5])], [ONES]), 0.5)

    def test_a_number_near_zero_is_seen_beside_the_others(self):
        reference = np.array([1e-9, 1.0, -1.0])
        output = np.array([2e-9, 1.0, -1.0])
        self.assertLess(largest_error([output], [reference]), 1e-8)

    def test_a_large_number_counts_by_itself(self):
        reference, output = np.array([1.0, 1e6]), np.array([1.0, 1.1e6])
        self.assertAlmostEqual(largest_error([output], [reference]), 0.1)

    def test_not_a_number(self):
        output = np.array([1, 1, 1, np.nan])
        self.assertEqual(largest_error([output], [ONES]), math.inf)

    def test_infinity(self):
        output = np.array([1, 1, 1, np.inf])
        self.assertEqual(largest_error([output], [ONES]), math.inf)

    def test_all_zero(self):
        zeros = np.zeros(3)
        self.assertEqual(largest_error([zeros], [zeros]), 0)
        self.assertEqual(largest_error([np.array([0, 0, 0.1])], [zeros]), 0.1)

    def test_other_sizes(self):
        for output in np.ones(3), np.ones(5), np.ones(0):
            self.assertEqual(largest_error([output], [ONES]), math.inf)

    def test_shapes_do_not_matter(self):
        self.assertEqual(largest_error([ONES.reshape(2, 2)], [ONES]), 0)

    def test_another_number_of_outputs(self):
        self.assertEqual(largest_error([ONES], [ONES, ONES]), math.inf)

    def test_integers_must_be_equal(self):
        reference = np.array([1, 2, 3])
        self.assertEqual(largest_error([reference.astype(np.int32)], [reference]), 0)
        self.assertEqual(largest_error([np.array([1, 2, 4])], [reference]), math.inf)

    def test_padding_counts_only_where_there_is_none(self):
        padded, reference = np.array([1.0, 1, 7]), np.ones(2)
        count = np.array([2])
        self.assertEqual(largest_error([count, padded], [count, reference], counted=True), 0)
        self.assertEqual(largest_error([count, padded], [count, reference]), math.inf)
        wrong = np.array([3])
        self.assertEqual(largest_error([wrong, padded], [count, reference], counted=True), math.inf)

    def test_nothing_is_kept(self):
        self.assertEqual(largest_error([np.ones(0)], [np.ones(0)]), 0)

    def test_the_last_of_several_blocks(self):
        reference = np.ones((1 << 22) + 1)
        output = reference.copy()
        output[-1] = 2
        self.assertEqual(largest_error([output], [reference]), 1)
