"""What a peer is: a module with `prepare(task)`, which gives a `Prepared`.

A peer's full name may have variants behind dashes: `numba-fast` is the module `numba` with
the variant `fast`.
"""

from typing import Any, Callable, NamedTuple, Optional


class Task(NamedTuple):
    """What to prepare."""

    program: Any  # suite.program.Program
    size: str
    inputs: dict  # arrays by name, in order
    variants: list  # of the peer's name
    settings: Any  # harness.settings.Settings

    @property
    def sizes(self):
        """The integer arguments by name, in order."""
        return self.program.sizes[self.size]

    @property
    def arguments(self):
        """Inputs, then integer arguments."""
        return [*self.inputs.values(), *self.sizes.values()]

    def outputs(self):
        """(shape, type) of each output."""
        return self.program.outputs(**self.sizes)


class Prepared(NamedTuple):
    """A program, compiled, with its inputs where they are needed."""

    run: Callable  # one execution; returns when the result is complete
    fetch: Callable  # what `run` gave, as a list of NumPy arrays
    compile_seconds: Optional[float] = None  # None: first run less second
    keeps_at_end: bool = False  # whether it writes what it compiled when its process ends


class Failed(Exception):
    """The peer should have this program, but cannot prepare it; the message says why."""


class Unsupported(Exception):
    """The peer does not have this program; the message says why."""
