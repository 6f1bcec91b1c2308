"""Sets everything up, then measures one program after another with all peers.

1. Environments are made, C is compiled, data are written. What cannot be had is left out.
2. For each number of threads the bandwidth is measured.
3. For each size and program the peers run side by side (interleave.py), and the results
   are written after each, so that a run that is ended leaves what it has.
"""

import json
import os
import pathlib
import subprocess
import sys

from harness import (
    bandwidth,
    c_build,
    environments,
    interleave,
    machine,
    stablehlo,
    store,
    surroundings,
)
from harness.process import Process
from harness.settings import Settings

HERE = pathlib.Path(__file__).resolve().parent
WORKER = HERE / "worker.py"

# A result whose error reaches this is wrong. (suite/program.py has it, too; but that needs
# NumPy, which need not be where this runs.)
TOLERANCE = 1e-3


class Benchmark:
    """Everything that was set up, and the results so far."""

    # The table that programs are in.
    table = "suite"

    def __init__(self, chosen, effort, path, say):
        self.chosen, self.effort, self.path, self.say = chosen, effort, path, say
        self.settings = Settings(chosen.comb, chosen.suite, chosen.cache, chosen.cpu)
        self.results = store.for_machine(path, machine.describe(chosen.comb, chosen.cpu))
        self.interpreters = {}
        self.left_out = {}

    def set_up(self):
        """Makes the environments, the C programs, and the data."""
        for name in sorted(environments.needed(self.chosen.peers)):
            self.set_up_environment(name)
        if "numpy" not in self.interpreters:
            sys.exit(f"error: NumPy cannot be installed: {self.left_out['numpy']}")
        for peer in self.chosen.peers:
            if peer in c_build.VARIANTS:
                self.set_up_c(peer)
        for name, reason in self.left_out.items():
            self.say(f"{name} is left out: {reason}")
        self.say("making inputs and references")
        described = self.make_data()
        self.catalogue, self.results["order"] = described["chosen"], described["order"]

    def set_up_environment(self, name):
        """Makes an environment, or notes why there is none."""
        self.say(f"environment {name}")
        try:
            self.interpreters[name] = environments.ensure(name, self.settings.environments)
            self.results["packages"][name] = environments.packages(name)
        except environments.EnvironmentMissing as reason:
            self.left_out[name] = str(reason)

    def set_up_c(self, variant):
        """Compiles a variant of C, or notes why it cannot be."""
        try:
            c_build.build_library(self.settings, variant)
        except (c_build.CompilerFailure, OSError) as reason:
            self.left_out[variant] = str(reason)

    def make_data(self):
        """Writes inputs and references; gives what make_data.py says of the programs."""
        script = str(HERE / "make_data.py")
        sizes, programs = ",".join(self.chosen.sizes), ",".join(self.chosen.programs or [])
        done = subprocess.run(
            [self.interpreters["numpy"], script, self.settings.to_json(), sizes, programs, self.table],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(done.returncode)
        return json.loads(done.stdout)

    def peers(self):
        """Those that are not left out."""
        return [
            peer
            for peer in self.chosen.peers
            if peer not in self.left_out and environments.environment_of(peer) in self.interpreters
        ]

    def run(self):
        """Measures everything that was chosen."""
        processors = sorted(os.sched_getaffinity(0))
        for threads in self.chosen.threads:
            os.sched_setaffinity(0, processors[-threads:])
            self.measure_bandwidth(threads)
            for size in self.chosen.sizes:
                for program in self.catalogue:
                    self.measure(program, size, threads)
        os.sched_setaffinity(0, processors)

    def measure_bandwidth(self, threads):
        """Adds a measurement of the bandwidth."""
        known = self.results["bandwidth"].get(str(threads), [])
        new = bandwidth.measure(self.settings, threads)
        self.results["bandwidth"][str(threads)] = bandwidth.best_of(known, new)

    def measure(self, program, size, threads):
        """All peers with one program, side by side."""
        name = program["name"]
        self.say(f"{name}, {size}, threads: {threads}")
        self.export_for_iree(name, size)

        def start(peer):
            interpreter = self.interpreters[environments.environment_of(peer)]
            command = [interpreter, WORKER, peer, name, size, self.settings.to_json()]
            environment = surroundings.variables(peer, threads, self.settings, os.environ)
            effort = self.effort
            return Process(command, environment, effort.patience, effort.longest)

        entry = {
            "program": name,
            "size": size,
            "threads": threads,
            "group": program["group"],
            "sizes": program["sizes"][size],
            "traffic": program["traffic"][size],
            "measurements": interleave.measure(
                self.peers(), start, self.effort, TOLERANCE, at_once=threads
            ),
        }
        store.put(self.results, entry)
        store.write(self.path, self.results)

    def export_for_iree(self, program, size):
        """Writes StableHLO with JAX; where there is none, the peer says so."""
        if "iree" in self.peers() and "jax" in self.interpreters:
            stablehlo.write(self.interpreters["jax"], self.settings, program, size)
