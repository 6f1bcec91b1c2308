"""Where everything is, and what is compiled for: handed from the runner to its worker processes
as JSON."""

import json
import pathlib
from typing import NamedTuple


NATIVE = "native"


class Settings(NamedTuple):
    """Folders, the command that is measured, and the processor that all compile for."""

    comb: str
    suite: pathlib.Path  # the programs of comb, NAME.mlir
    cache: pathlib.Path  # what is expensive to make: environments and data
    cpu: str = NATIVE  # as LLVM calls it

    @property
    def build(self):
        """Compiled programs, for each processor in a folder of its own."""
        return self.cache / ("build" if self.cpu == NATIVE else f"build-{self.cpu}")

    @property
    def data(self):
        """Inputs and references."""
        return self.cache / "data"

    @property
    def environments(self):
        """Python environments, one for each group of peers."""
        return self.cache / "environments"

    def to_json(self):
        """As text."""
        return json.dumps([str(field) for field in self])

    @classmethod
    def from_json(cls, text):
        """From text."""
        comb, suite, cache, cpu = json.loads(text)
        return cls(comb, pathlib.Path(suite), pathlib.Path(cache), cpu)
