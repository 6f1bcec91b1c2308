"""What a library has to do to be measured."""

from typing import Any, Callable, NamedTuple, Optional


# How the message of Unsupported begins where another peer has the same code; then that peer's name.
SAME_CODE = "the same code as"


class Unsupported(Exception):
    """The library does not have this program; the message says why."""


class Options(NamedTuple):
    """What libraries are told."""

    device: str = "gpu"  # or "cpu", to rehearse
    array_module: str = "cupy"  # or "numpy", to rehearse
    cache: str = ""  # a folder for what is compiled
    comb: str = ""  # the folder of comb's libraries
    fatal: Optional[Callable] = None  # gets the message of an error that a library cannot survive


class Prepared(NamedTuple):
    """A program that can be called; its inputs are on the device."""

    call: Callable  # gives outputs, perhaps before they are complete
    compile_seconds: Optional[float] = None  # None: what the first call took longer
    remark: Optional[str] = None  # what a reader must know, as that it is not compiled


class Library:
    """What all libraries have in common. Arrays are whatever the library calls so."""

    def packages(self):
        """Versions by name."""
        raise NotImplementedError

    def supports(self, name):
        """Raises Unsupported unless the library has a program of this name."""

    def prepare(self, name, arrays, sizes, simple=False):
        """Moves inputs to the device and makes a Prepared; `simple` does without a compiler that
        did not come to an end before."""
        raise NotImplementedError

    def synchronize(self, outputs):
        """Waits until everything is done, outputs (or None) included."""
        raise NotImplementedError

    def fetch(self, outputs):
        """The outputs as a list of NumPy arrays."""
        raise NotImplementedError

    def total(self, outputs):
        """The sum of the sizes of all numbers in the outputs, to compare peers with."""
        raise NotImplementedError

    def release(self):
        """Gives memory back that no array uses."""

    def start_events(self) -> Any:
        """Notes an event on the device; None if the library has none."""
        return None

    def stop_events(self, events) -> Any:
        """Notes another event, and gives both."""
        return events

    def elapsed(self, events):
        """Seconds between both events, once everything is done."""
        raise NotImplementedError
