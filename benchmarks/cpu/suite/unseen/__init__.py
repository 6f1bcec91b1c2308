"""Programs that comb was not tuned for: they were written without a look at how it works."""

# The order of these imports is the order of the programs in tables.
from suite.unseen import columns  # noqa: I001
from suite.unseen import pixels, loops, operators, places, stencils

__all__ = ["columns", "loops", "operators", "pixels", "places", "stencils"]
