"""Peers take turns, and one that fails does not take the others along."""

import threading
import unittest

from harness.interleave import Effort, measure, summary_of
from harness.process import WorkerFailure, WorkerUnsupported

EFFORT = Effort(rounds=4, budget=0.1, most=5, patience=1, longest=30)
TOLERANCE = 1e-3


class FakeProcess:
    """A worker that says what it is told to say, and writes down who had a turn."""

    def __init__(self, peer, log, seconds=0.5, error=0.0, dies_in=None):
        self.peer, self.log, self.seconds = peer, log, seconds
        self.error, self.dies_in, self.ended = error, dies_in, False
        self.readiness = {"compile_seconds": 1.5, "seconds": seconds}

    def ask(self, command):
        """The answer to a command."""
        if "check" in command:
            return {"error": self.error}
        self.log.append(self.peer)
        if self.dies_in == self.log.count(self.peer):
            raise WorkerFailure("ended with code 1")
        return {"seconds": [self.seconds, self.seconds * 3], "other_load": 0.25}

    def end(self):
        """Ends the fake."""
        self.ended = True


def run(effort=EFFORT, **peers):
    """Measurements by peer, and the peers in the order of their turns."""
    log, processes = [], []

    def start(peer):
        if isinstance(peers[peer], Exception):
            raise peers[peer]
        processes.append(FakeProcess(peer, log, **peers[peer]))
        return processes[-1]

    found = {one["peer"]: one for one in measure(list(peers), start, effort, TOLERANCE)}
    assert all(process.ended for process in processes)
    return found, log


class Interleave(unittest.TestCase):
    """Cases of `measure`."""

    def test_everybody_has_a_turn_in_each_round(self):
        _, log = run(a={}, b={}, c={})
        rounds = [sorted(log[at : at + 3]) for at in range(0, len(log), 3)]
        self.assertEqual(rounds, EFFORT.rounds * [["a", "b", "c"]])

    def test_nobody_is_slow_beside_the_limit(self):
        found, _ = run(limit={"seconds": 0.01}, a={})
        self.assertEqual(len(found["a"]["turns"]), EFFORT.rounds)

    def test_the_order_changes(self):
        _, log = run(a={}, b={}, c={})
        self.assertGreater(len({tuple(log[at : at + 3]) for at in range(0, len(log), 3)}), 1)

    def test_comb_prepares_alone(self):
        active, most = [], {}
        lock = threading.Lock()
        together = threading.Barrier(2)

        def start(peer):
            with lock:
                active.append(peer)
            if not peer.startswith("comb-"):
                together.wait(20)
            with lock:
                most[peer] = max(most.get(peer, 0), len(active))
            if not peer.startswith("comb-"):
                together.wait(20)
            with lock:
                active.remove(peer)
            return FakeProcess(peer, [])

        measure(["c", "comb-ilp", "jax", "comb-greedy"], start, EFFORT, TOLERANCE, at_once=2)
        self.assertEqual(most, {"comb-ilp": 1, "comb-greedy": 1, "c": 2, "jax": 2})

    def test_what_is_noted(self):
        found, _ = run(a={"seconds": 0.25})
        self.assertEqual(found["a"]["outcome"], "right")
        self.assertEqual(found["a"]["compile_seconds"], 1.5)
        self.assertEqual((found["a"]["median"], found["a"]["minimum"]), (0.5, 0.25))
        self.assertEqual(found["a"]["other_load"], 0.25)

    def test_a_wrong_result(self):
        found, _ = run(a={"error": TOLERANCE}, b={"error": TOLERANCE / 2})
        self.assertEqual((found["a"]["outcome"], found["b"]["outcome"]), ("wrong", "right"))

    def test_a_failure_leaves_the_others(self):
        found, log = run(
            a={"dies_in": 2}, b={}, c=WorkerFailure("no"), d=WorkerUnsupported("never")
        )
        self.assertEqual(
            (found["a"]["outcome"], found["a"]["reason"]), ("failed", "ended with code 1")
        )
        self.assertEqual((found["c"]["outcome"], found["c"]["reason"]), ("failed", "no"))
        self.assertEqual(found["d"]["outcome"], "unsupported")
        self.assertEqual((log.count("a"), log.count("b")), (2, EFFORT.rounds))
        self.assertEqual(found["b"]["outcome"], "right")

    def test_peers_much_slower_than_the_fastest_have_fewer_turns(self):
        _, log = run(a={"seconds": 1.0}, b={"seconds": 1.25}, c={"seconds": 9.0})
        self.assertEqual([log.count(peer) for peer in "abc"], [EFFORT.rounds, EFFORT.rounds, 3])

    def test_runs_shorter_than_a_turn_are_never_slow(self):
        _, log = run(a={"seconds": 0.001}, b={"seconds": EFFORT.budget / 4})
        self.assertEqual(log.count("b"), EFFORT.rounds)

    def test_a_peer_that_takes_too_long_is_out(self):
        found, log = run(a={"seconds": 31.0}, b={})
        self.assertEqual(
            (found["a"]["outcome"], found["a"]["reason"]),
            ("failed", "a run takes longer than 30 s"),
        )
        self.assertEqual((log.count("a"), log.count("b")), (0, EFFORT.rounds))

    def test_close_peers_have_more_turns(self):
        effort = EFFORT._replace(more_rounds=5)
        near, far = {"seconds": 1.02}, {"seconds": 1.2}
        _, log = run(effort, c={"seconds": 1.0}, jax=near, torch=far, limit={"seconds": 0.1})
        counts = [log.count(peer) for peer in ("c", "jax", "torch", "limit")]
        self.assertEqual(counts, [9, 9, EFFORT.rounds, 9])

    def test_who_is_far_ahead_or_only_near_its_like_has_no_more_turns(self):
        effort = EFFORT._replace(more_rounds=5)
        ahead = {"comb-ilp": {"seconds": 1.0}, "comb-greedy": {"seconds": 1.01}}
        for peers in (ahead, {"c": {"seconds": 1.0}}):
            _, log = run(effort, **peers, jax={"seconds": 1.2})
            self.assertEqual([log.count(peer) for peer in peers], [EFFORT.rounds] * len(peers))

    def test_who_fails_is_never_close(self):
        effort = EFFORT._replace(more_rounds=5)
        _, log = run(effort, a={"dies_in": 2}, b={"dies_in": 6}, c={}, d=WorkerFailure("no"))
        self.assertEqual([log.count(peer) for peer in "abcd"], [2, 6, 9, 0])

    def test_median_of_all_runs(self):
        found = summary_of([[1.0, 2.0, 9.0], [4.0, 5.0]])
        self.assertEqual((found["median"], found["minimum"], found["runs"]), (4.0, 1.0, 5))
        self.assertEqual(found["turns"], [2.0, 4.5])
