"""Exports the functions, then measures one after another with both sides, in turns."""

import json
import os
import pathlib
import subprocess
import sys

from harness import environments, interleave, machine, store, surroundings
from harness.process import Process
from harness.settings import Settings

HERE = pathlib.Path(__file__).resolve().parent

SIDES = ["comb-ilp", "jax"]
ENVIRONMENT = "jax"

# A result whose error reaches this is wrong.
TOLERANCE = 1e-5


class Benchmark:
    """Everything that was set up, and the results so far."""

    def __init__(self, chosen, effort, path, say):
        self.chosen, self.effort, self.path, self.say = chosen, effort, path, say
        self.settings = Settings(chosen.comb, chosen.cache / "exported", chosen.cache)
        self.results = store.for_machine(path, machine.describe(chosen.comb))
        self.interpreter, self.names = None, []

    def set_up(self):
        """Makes the environment, and has JAX export the functions."""
        self.say(f"environment {ENVIRONMENT}")
        try:
            self.interpreter = environments.ensure(ENVIRONMENT, self.settings.environments)
        except environments.EnvironmentMissing as reason:
            sys.exit(f"error: JAX cannot be installed: {reason}")
        self.results["packages"][ENVIRONMENT] = environments.packages(ENVIRONMENT)
        self.say("exporting functions")
        made = self.make()
        self.names = made["chosen"]
        self.results.update(order=list(made["what"]), what=made["what"])

    def make(self):
        """Writes artifacts, inputs and references; gives what make.py says of the functions."""
        command = [self.interpreter, HERE / "make.py", self.settings.to_json()]
        command += [",".join(self.chosen.functions)] if self.chosen.functions else []
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.returncode)
        return json.loads(done.stdout)

    def run(self):
        """Measures everything that was chosen."""
        processors = sorted(os.sched_getaffinity(0))
        for threads in self.chosen.threads:
            os.sched_setaffinity(0, processors[-threads:])
            for name in self.names:
                self.measure(name, threads)
        os.sched_setaffinity(0, processors)

    def measure(self, name, threads):
        """Both sides with one function."""
        self.say(f"{name}, threads: {threads}")
        effort = self.effort

        def start(side):
            command = [self.interpreter, HERE / "worker.py", side, name, self.settings.to_json()]
            environment = surroundings.variables(side, threads, self.settings, os.environ)
            return Process(command, environment, effort.patience, effort.longest)

        measurements = interleave.measure(SIDES, start, effort, TOLERANCE)
        entry = {"program": name, "size": "", "threads": threads, "measurements": measurements}
        store.put(self.results, entry)
        store.write(self.path, self.results)
