"""A plot of ratios as SVG: a line for each program, a mark for each series.

The axis is logarithmic; a strong line stands at 1. What is right of the plot's end or left
of its beginning cannot be: the axis goes from a power of ten to a power of ten around all.
"""

import math
from typing import NamedTuple
from xml.sax.saxutils import escape

WIDTH, LINE = 760, 19
LEFT, RIGHT, TOP, BOTTOM = 150, 24, 64, 44
MARK_SIZE = 4.4

STYLE = """.ground{fill:#fcfcfa}text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;
font-size:12px;fill:#23262b}.grid{stroke:#dfe2e6}.one{stroke:#5a616c;stroke-width:1.5}
@media(prefers-color-scheme:dark){.ground{fill:#1b1e23}text{fill:#e6e8eb}.grid{stroke:#33383f}
.one{stroke:#98a0ac}}"""

# Outlines of unit size around the origin.
CIRCLE = "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0z"
DIAMOND = "M0 -1.2L1.2 0L0 1.2L-1.2 0z"
SQUARE = "M-.9 -.9H.9V.9H-.9z"


class Series(NamedTuple):
    """Marks of one kind: what they are called, and a ratio or None for each program."""

    name: str
    colour: str
    shape: str
    ratios: list


class Axis:
    """A logarithmic axis from a power of ten to a power of ten, 1 among them."""

    def __init__(self, values):
        self.low = math.floor(math.log10(min([1, *values])))
        self.high = max(math.ceil(math.log10(max([1, *values]))), self.low + 1)

    def at(self, value):
        """The place of a value."""
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return LEFT + part * (WIDTH - RIGHT - LEFT)

    def ticks(self):
        """The powers of ten."""
        return [10.0**exponent for exponent in range(self.low, self.high + 1)]


def mark(x, y, series):
    """A mark of a series."""
    return (
        f'<path d="{series.shape}" fill="{series.colour}" '
        f'transform="translate({x:.1f} {y:.1f}) scale({MARK_SIZE})"/>'
    )


def plot(title, programs, all_series):
    """The whole picture."""
    axis = Axis([ratio for series in all_series for ratio in series.ratios if ratio])
    height = TOP + LINE * len(programs) + BOTTOM
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">',
            f"<style>{STYLE}</style>",
            '<rect class="ground" width="100%" height="100%" rx="8"/>',
            f'<text x="{LEFT}" y="22">{escape(title)}</text>',
            *legend(all_series),
            *grid(axis, height),
            *(line_of(number, name) for number, name in enumerate(programs)),
            *marks(axis, all_series),
            "</svg>\n",
        ]
    )


def line_y(number):
    """Where the line of a program is."""
    return TOP + LINE * (number + 0.5)


def line_of(number, name):
    """The line of a program and its name."""
    y = line_y(number)
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>'
    )


def grid(axis, height):
    """A line and a number at each power of ten."""
    bottom = height - BOTTOM
    for value in axis.ticks():
        kind, x = "one" if value == 1 else "grid", axis.at(value)
        yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:g}</text>'


def legend(all_series):
    """A mark and a name for each series, side by side."""
    x = LEFT + 6
    for series in all_series:
        yield mark(x, 44, series)
        yield f'<text x="{x + 11}" y="48">{escape(series.name)}</text>'
        x += 34 + 6.6 * len(series.name)


def marks(axis, all_series):
    """All marks; the first series is drawn last, and so lies on top."""
    for series in reversed(all_series):
        for number, ratio in enumerate(series.ratios):
            if ratio:
                yield mark(axis.at(ratio), line_y(number), series)
