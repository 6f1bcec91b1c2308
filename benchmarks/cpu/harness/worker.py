"""The process of one peer with one program and size.

    worker.py PEER PROGRAM SIZE SETTINGS

It prepares the program and says whether it is compiled now or in its first run; runs it, twice
as a rule, and says what all that took; then waits for commands: lines of JSON on standard input, each answered by a line on standard output.

    {"run": {"budget": SECONDS, "most": N}}    a turn: one run to warm up, then timed runs
    {"check": true}                            the error of the latest result

A timed run includes releasing the result before it, so that allocators are in a steady
state. What a peer itself prints goes to standard error. Runs on Python 3.7 as well.
"""

import importlib
import json
import os
import pathlib
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import load  # noqa: E402
from harness.settings import Settings  # noqa: E402
from peers.interface import Failed, Task, Unsupported  # noqa: E402
from suite import data, find  # noqa: E402
from suite.error import largest_error  # noqa: E402

# A run of so many seconds is not preceded by one to warm up: what a stop costs, some
# milliseconds, does not matter to it.
WARM_UP_LIMIT = 0.25

# The part of the machine's memory that a worker may use. Without a limit the system might end
# another process than the one that takes too much.
SHARE_OF_MEMORY = 2 / 3


class Worker:
    """A prepared program and its latest result."""

    def __init__(self, task, prepare, error_of):
        """`prepare` makes a Prepared of the task; `error_of` says how wrong arrays are."""
        # Peers may keep the addresses of the inputs only, so the task is kept here.
        self.task, self.error_of = task, error_of
        self.start = time.perf_counter()
        self.prepared = prepare(task)
        self.result = None

    @property
    def compiled(self):
        """Whether the first run has nothing more to compile."""
        return self.prepared.compile_seconds is not None

    def run_first(self):
        """The first run, and a second one unless that was long and compiled nothing."""
        self.seconds = self.run()
        self.first = time.perf_counter() - self.start
        if self.seconds < WARM_UP_LIMIT or not self.compiled:
            self.seconds = self.run()

    def run(self):
        """One execution; its seconds."""
        start = time.perf_counter()
        self.result = None
        self.result = self.prepared.run()
        return time.perf_counter() - start

    def readiness(self):
        """What preparing took, and a run. What a peer does not report as compiling is what
        the first run took longer than the second."""
        compiling = self.prepared.compile_seconds
        if compiling is None:
            compiling = max(0.0, self.first - self.seconds)
        keeps = self.prepared.keeps_at_end
        return {"compile_seconds": compiling, "seconds": self.seconds, "keeps_at_end": keeps}

    def turn(self, budget, most):
        """Runs until the budget is used up, at least once and at most so many times."""
        if self.seconds < WARM_UP_LIMIT:
            self.run()
        seconds = []
        with load.Watch() as watch:
            start = time.perf_counter()
            while not seconds or len(seconds) < most and time.perf_counter() - start < budget:
                seconds.append(self.run())
        self.seconds = seconds[-1]
        return {"seconds": seconds, "other_load": watch.other_load}

    def error(self):
        """How far the latest result is from the reference. Nothing is timed any more, so any
        processor will do."""
        os.sched_setaffinity(0, range(os.cpu_count()))
        return {"error": self.error_of(self.prepared.fetch(self.result))}


def replies():
    """Standard output for replies alone: whatever else is printed goes to standard error."""
    sys.stdout.flush()
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return channel


def reply(channel, message):
    """One line of JSON."""
    channel.write(json.dumps(message) + "\n")
    channel.flush()


def limit_memory():
    """Lets the allocation fail that takes too much; and if the system must end a process all
    the same, since all together took too much, it is this one."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    most = int(memory * SHARE_OF_MEMORY)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    pathlib.Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def serve(worker, channel):
    """Carries out commands until there are no more."""
    for line in sys.stdin:
        command = json.loads(line)
        answer = worker.turn(**command["run"]) if "run" in command else worker.error()
        reply(channel, answer)


def of_suite(peer, name, size, settings):
    """The worker of a peer with a program of the suite."""
    module, *variants = peer.split("-")
    program = find(name)
    inputs = data.read_inputs(settings.data, name, size)

    def error_of(outputs):
        references = data.read_references(settings.data, name, size)
        return largest_error(outputs, references, program.counted)

    prepare = importlib.import_module(f"peers.{module}_peer").prepare
    return Worker(Task(program, size, inputs, variants, settings), prepare, error_of)


def work(make):
    """Prepares the worker that `make` gives, then serves."""
    channel = replies()
    limit_memory()
    try:
        worker = make()
        reply(channel, {"compiled": worker.compiled})
        worker.run_first()
        reply(channel, worker.readiness())
        serve(worker, channel)
    except Unsupported as reason:
        reply(channel, {"unsupported": str(reason)})
    except Failed as reason:
        reply(channel, {"failure": str(reason)})
        sys.exit(1)
    except Exception as error:  # a peer may fail in any way
        reply(channel, {"failure": f"{type(error).__name__}: {error}"})
        sys.exit(1)


def main():
    """The worker that the command line names."""
    peer, name, size, settings = sys.argv[1:]
    work(lambda: of_suite(peer, name, size, Settings.from_json(settings)))


if __name__ == "__main__":
    main()
