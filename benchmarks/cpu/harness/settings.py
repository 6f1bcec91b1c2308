"""Where everything is: handed from the runner to its worker processes as JSON."""

import json
import pathlib
from typing import NamedTuple


class Settings(NamedTuple):
    """Folders, and the command that is measured."""

    comb: str
    suite: pathlib.Path  # the programs of comb, NAME.mlir
    cache: pathlib.Path  # what is expensive to make: environments and data

    @property
    def build(self):
        """Compiled programs."""
        return self.cache / "build"

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
        comb, suite, cache = json.loads(text)
        return cls(comb, pathlib.Path(suite), pathlib.Path(cache))
