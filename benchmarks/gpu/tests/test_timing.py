"""How many calls are timed, and what is divided by what."""

import unittest

from gpu import timing


class Events:
    """A library whose clock is a number; a call takes two seconds, events say three."""

    def __init__(self):
        self.now = 0.0

    def call(self):
        self.now += 2
        return "outputs"

    def clock(self):
        return self.now

    def synchronize(self, outputs):
        pass

    def start_events(self):
        return self.now

    def stop_events(self, events):
        return self.now - events

    def elapsed(self, events):
        return events * 1.5


class Timing(unittest.TestCase):
    """Plans and medians."""

    def test_short_calls_are_many_in_a_batch(self):
        effort = timing.Effort(rounds=9, batch_seconds=0.01, most_calls=100, total_seconds=0.5)
        self.assertEqual(timing.plan(1e-3, effort), (10, 9))
        self.assertEqual(timing.plan(1e-9, effort)[0], 100)

    def test_long_calls_are_few(self):
        effort = timing.Effort(rounds=9, batch_seconds=0.01, most_calls=100, total_seconds=0.5)
        self.assertEqual(timing.plan(0.1, effort), (1, 5))
        self.assertEqual(timing.plan(10, effort), (1, 3))

    def test_times_are_of_a_call(self):
        library = Events()
        effort = timing.Effort(batch_seconds=8, total_seconds=100, slow_seconds=3)
        times = timing.measure(library, library.call, effort, library.clock)
        self.assertEqual((times["calls"], times["seconds"], times["event_seconds"]), (4, 2, 3))

    def test_a_slow_call_is_timed_once(self):
        library = Events()
        times = timing.measure(library, library.call, timing.Effort(slow_seconds=2), library.clock)
        self.assertEqual((times["calls"], times["rounds"], times["seconds"], library.now), (1, 1, 2, 2))
