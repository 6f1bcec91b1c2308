"""The process of one peer on the device.

    worker.py PEER SETTINGS

It says that it is ready, with the versions of its packages; then answers each line of JSON on
standard input by one on standard output, which is a dictionary:

    {"do": "check", "program": P}            right or not on small inputs; compiles for large ones
    {"do": "time", "program": P, "check": C, "simple": S}      times at both sizes, after a check if C
    {"do": "limits"}                         what the device can do at best

What fails is told in the answer, as "failure". After a failure of the device the process ends,
since CUDA has none that a process recovers from, and after one of comb, which does not return to its
caller; the answer then has "ends".
"""

import ctypes
import json
import os
import pathlib
import re
import sys
import time
import traceback

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path[0:1] = [str(BENCHMARKS), str(BENCHMARKS / "cpu")]

from gpu import inputs, library, limits, sizes, timing  # noqa: E402
from gpu.library.base import Options, Unsupported  # noqa: E402
from harness.worker import replies, reply  # noqa: E402
from suite import PROGRAMS, TOLERANCE  # noqa: E402
from suite.error import largest_error  # noqa: E402

# What a failure is quoted of.
QUOTED = 300

# Linux ends a process with its parent if it asks for that.
SET_PARENT_DEATH_SIGNAL, KILL = 1, 9


class Worker:
    """A loaded library, and what it is told of this run."""

    def __init__(self, peer, settings, channel=None):
        self.channel, self.so_far, self.part, self.start = channel, {}, None, time.perf_counter()
        self.data, self.seed = pathlib.Path(settings["data"]), settings["seed"]
        self.effort = timing.Effort(**settings["effort"])
        # To rehearse, small programs stand for large ones.
        self.sizes = {"small": "small", "large": settings["large"]}
        self.library = library.load(peer, Options(**settings["options"], fatal=self.fatal))

    def fatal(self, message):
        """Answers with what was found before an error that the process cannot survive, and ends it."""
        print("error:", message, file=sys.stderr, flush=True)
        answer = failed_in(self.so_far, self.part, message)
        reply(self.channel, {**answer, "took_seconds": time.perf_counter() - self.start, "ends": True})
        os._exit(1)

    def answer(self, request):
        """What a request asks for, with the reason if there is none."""
        self.so_far, self.part, self.start = {}, None, time.perf_counter()
        try:
            found = getattr(self, request.pop("do"))(**request)
        except Unsupported as reason:
            found = {"unsupported": str(reason)}
        except Exception as reason:  # a peer may fail in any way
            found = {"failure": failure(reason)}
        self.library_release()
        return {**found, "took_seconds": time.perf_counter() - self.start}

    def library_release(self):
        """Gives memory back; on a broken device that fails, too."""
        try:
            self.library.release()
        except Exception as reason:  # the answer matters more
            print("releasing memory:", failure(reason), file=sys.stderr, flush=True)

    def limits(self):
        return limits.measure(self.library, self.effort)

    def check(self, program):
        """The error on small inputs; what large ones and their totals need is compiled, and run once."""
        self.library.supports(program)
        self.so_far = found = self.error(program)
        self.part = "large_failure"
        try:
            prepared, outputs = self.prepared(program, self.sizes["large"])
            self.library.total(outputs)
        except Exception as reason:  # the small size counts all the same
            return {**found, "large_failure": failure(reason)}
        return {**found, **compiling(prepared)}

    def time(self, program, check, simple):
        """The times at both sizes."""
        self.library.supports(program)
        self.so_far = found = self.error(program, simple) if check else {}
        for kind, size in self.sizes.items():
            self.part = kind
            found[kind] = self.timed(program, size, simple)
        return found

    def timed(self, program, size, simple):
        """The times at one size."""
        try:
            prepared, outputs = self.prepared(program, size, simple)
            total = self.library.total(outputs)
            del outputs
            times = timing.measure(self.library, prepared.call, self.effort)
        except Exception as reason:  # the other size may do
            return {"failure": failure(reason)}
        return {**times, **compiling(prepared), "total": total}

    def error(self, program, simple=False):
        """How far results are from the reference, on new small inputs."""
        arrays = inputs.make(program, "small", self.seed)
        _, outputs = self.prepared(program, "small", simple, arrays)
        suite = PROGRAMS[program]
        reference = suite.reference("small", arrays)
        error = largest_error(self.library.fetch(outputs), reference, suite.counted)
        return {"error": min(error, 1e300), "right": error < TOLERANCE}

    def prepared(self, program, size, simple=False, arrays=None):
        """A program that has run once, and what it gave; whether that was compiled is measured."""
        if arrays is None:
            small = size == "small"
            make = inputs.make if small else inputs.read
            arrays = make(program, size, self.seed) if small else make(self.data, program)
        sizes_of_it = sizes.of(program, size)
        start = time.perf_counter()
        prepared = self.library.prepare(program, arrays, sizes_of_it, simple)
        outputs = prepared.call()
        self.library.synchronize(outputs)
        if prepared.compile_seconds is None:
            prepared = prepared._replace(compile_seconds=time.perf_counter() - start)
        return prepared, outputs


def failed_in(found, part, message):
    """An answer of which a part failed, or all of it."""
    if part is None:
        return {"failure": message}
    if part == "large_failure":
        return {**found, part: message}
    # Large comes after small, and is not tried then.
    return {"large": {"failure": message}, **found, part: {"failure": message}}


def compiling(prepared):
    """What is told of how a program was compiled."""
    found = {"compile_seconds": prepared.compile_seconds}
    return {**found, "remark": prepared.remark} if prepared.remark else found


def failure(reason):
    """An exception in a line; all of it goes to the log."""
    traceback.print_exc(file=sys.stderr)
    return " ".join(f"{type(reason).__name__}: {reason}".split())[:QUOTED]


def broken(answer):
    """Whether the device can no longer be used from this process."""
    text = json.dumps(answer)
    if re.search("out ?of ?memory", text, re.IGNORECASE):
        return False
    return bool(re.search("illegal|launch failure|unspecified|device-side|misaligned", text))


def main():
    """Answers until there are no more requests."""
    peer, settings = sys.argv[1:]
    channel = replies()
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, KILL)
    try:
        worker = Worker(peer, json.loads(settings), channel)
        reply(channel, {"packages": worker.library.packages()})
    except Exception as reason:  # an import may fail in any way
        reply(channel, {"failure": failure(reason)})
        sys.exit(1)
    for line in sys.stdin:
        answer = worker.answer(json.loads(line))
        if broken(answer):
            reply(channel, {**answer, "ends": True})
            break
        reply(channel, answer)


if __name__ == "__main__":
    main()
