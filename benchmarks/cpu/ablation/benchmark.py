"""Measures each program without each of the transformations that change its code.

1. The program is compiled to LLVM IR as usual, and without each transformation. Those without which the
   code is the same are worth nothing there, and are not measured.
2. The others take turns with the program as usual, which takes part twice: how far it differs from itself
   is noise.

Small arrays are measured on the fewest threads that were chosen, large ones on the most.
"""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from harness.benchmark import Benchmark

USUAL, AGAIN = "comb-ilp", "comb-ilp-again"
WITHOUT = "comb-ilp-no_"


def peer_without(transformation):
    """The name of the peer without a transformation."""
    return WITHOUT + transformation.replace("-", "_")


def transformation_of(peer):
    """The transformation that a peer is without; None if it has all."""
    return peer.removeprefix(WITHOUT).replace("_", "-") if peer.startswith(WITHOUT) else None


def names(page):
    """All transformations, from the page of the book that lists them."""
    return re.findall(r"^\| `([a-z-]+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE)


def code(comb, source, disabled):
    """A program as optimised LLVM IR, without some transformations."""
    options = ["--disable", ",".join(disabled)] if disabled else []
    command = [comb, "build", str(source), "--emit", "llvm", "-o", "-", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def changing(comb, source, transformations):
    """The transformations without which a program's code is another."""
    usual = code(comb, source, [])

    def changes(transformation):
        return code(comb, source, [transformation]) != usual

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        changed = list(pool.map(changes, transformations))
    return [one for one, is_changed in zip(transformations, changed) if is_changed]


def threads_for(size, numbers):
    """On how many of these threads arrays are measured."""
    return min(numbers) if size == "small" else max(numbers)


class Ablation(Benchmark):
    """Everything that was set up, and the results so far."""

    def __init__(self, chosen, effort, path, say):
        super().__init__(chosen, effort, path, say)
        self.transformations = names(chosen.names)
        self.results["transformations"] = self.transformations
        self.variants = {}

    def peers(self):
        """Those of the program at hand."""
        return self.chosen.peers

    def measure_bandwidth(self, threads):
        """It does not matter here."""

    def measure(self, program, size, threads):
        """One program without each of its transformations, side by side."""
        if threads != threads_for(size, self.chosen.threads):
            return
        name = program["name"]
        if name not in self.variants:
            self.say(f"{name}: what changes its code")
            source = self.settings.suite / f"{name}.mlir"
            found = changing(self.settings.comb, source, self.transformations)
            self.variants[name] = [peer_without(one) for one in found]
        self.chosen.peers = [USUAL, AGAIN, *self.variants[name]]
        super().measure(program, size, threads)
