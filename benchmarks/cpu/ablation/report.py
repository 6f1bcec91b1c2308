"""The tables of what was measured, and the page of the book with them and a verdict.

A ratio is how many times as long a program takes without a transformation: the median over the rounds, in
each of which both have turns. It is *clear* if it is farther from 1 than the program is from itself in three
of four rounds, and three of four rounds at least say the same.
"""

import math
import statistics
from typing import NamedTuple

from ablation.benchmark import AGAIN, USUAL, transformation_of
from report import figures, page, tables

NAME = "ablation"

# From so many times on, a transformation helps; below its inverse, it costs.
WORTH = 1.05

HEAD = """<!-- Written by ./x bench ablation --page from what it measured, as is ablation.json; do not edit. -->

# What transformations are worth

How many times as long programs of the suite take without each of the [optional
transformations](transformations.md): above 1, it helps. `./x bench ablation` repeats it on your machine.

"""

METHOD = """## How it is measured

* Each program is compiled as usual, and without each transformation. Where the optimised LLVM IR is the same,
  nothing is measured.
* All others have processes of their own, and take turns in each of nine rounds, in an order that is shuffled,
  while the others are stopped. A ratio is the median over the rounds. In each round, a program
  takes part twice as usual; how far it is from itself in three of four rounds is the noise, the column *itself*.
* A ratio in **bold** is clear: farther from 1 than the noise, and at least three of four rounds say so. One with
  a `~` is within the noise.
* Small arrays are measured on one thread: what they do on several says more of the system than of the code, if
  others use the machine.
* Only one transformation is off at a time. Where two do for each other, neither seems to be worth much; and what is worth
  nothing on this machine may be worth something on another one, as `expand-narrow-masks` is without AVX-512.
* Programs here are those that comb was tuned with.

"""


class Effect(NamedTuple):
    """What a program takes without a transformation, as many times as with it."""

    transformation: str
    program: str
    size: str
    threads: int
    ratio: float
    is_clear: bool

    @property
    def helps(self):
        """Whether the transformation helps, by a twentieth at least."""
        return self.is_clear and self.ratio >= WORTH

    @property
    def costs(self):
        """Whether the program is faster without it, by as much."""
        return self.is_clear and self.ratio <= 1 / WORTH

    @property
    def setting(self):
        """The program, its size and the number of threads."""
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        return f"{self.program} ({self.size}{threads})"


def ratios(entry, peer):
    """How many times as long as usual a peer takes, in each round of both; None if one has no right result."""
    own, usual = figures.turns(entry, peer), figures.turns(entry, USUAL)
    return None if own is None or usual is None else [a / b for a, b in zip(own, usual)]


def distance(ratio):
    """How many times one is the other, whichever is more."""
    return max(ratio, 1 / ratio)


def noise_of(again):
    """How far a program is from itself in three of four rounds."""
    distances = sorted(map(distance, again))
    return distances[math.ceil(3 * len(distances) / 4) - 1]


def is_clear(rounds, noise):
    """Whether ratios of rounds say something, where a program is so far from itself."""
    middle = statistics.median(rounds)
    same = sum((one > 1) == (middle > 1) for one in rounds)
    return distance(middle) > noise and 4 * same >= 3 * len(rounds)


def effects_of(entry):
    """What each transformation does to a program."""
    again = ratios(entry, AGAIN)
    if again is None:
        return []
    noise, found = noise_of(again), []
    for measurement in entry["measurements"]:
        transformation = transformation_of(measurement["peer"])
        rounds = ratios(entry, measurement["peer"]) if transformation else None
        if rounds:
            ratio = statistics.median(rounds)
            setting = entry["program"], entry["size"], entry["threads"]
            found.append(Effect(transformation, *setting, ratio, is_clear(rounds, noise)))
    return found


def effects(results):
    """All effects, in the order of programs."""
    return [effect for entry in figures.in_order(results) for effect in effects_of(entry)]


class Worth(NamedTuple):
    """What there is to say of a transformation."""

    name: str
    effects: list

    def programs(self, which):
        """The programs with an effect for which something holds, each with the farthest."""
        found = {}
        for effect in self.effects:
            if which(effect):
                best = found.get(effect.program)
                is_farther = not best or abs(effect.ratio - 1) > abs(best.ratio - 1)
                found[effect.program] = effect if is_farther else best
        return list(found.values())

    @property
    def helped(self):
        """Programs that it helps."""
        return self.programs(lambda effect: effect.helps)

    @property
    def hurt(self):
        """Programs that are faster without it."""
        return self.programs(lambda effect: effect.costs)

    @property
    def changed(self):
        """How many programs it changes the code of."""
        return len({effect.program for effect in self.effects})


def worths(results):
    """All transformations."""
    found = effects(results)
    return [
        Worth(name, [effect for effect in found if effect.transformation == name])
        for name in results["transformations"]
    ]


def verdict(results):
    """Which transformations help two programs, one, or none."""
    all_of_them = worths(results)
    groups = [
        ("At least two programs take 5 % longer without", lambda one: len(one.helped) > 1),
        ("One program takes 5 % longer without", lambda one: len(one.helped) == 1),
        ("No program takes 5 % longer, though the code of some is another, without",
         lambda one: not one.helped and one.changed),
        ("The code of no program is another without", lambda one: not one.changed),
    ]
    lines = []
    for what, belongs in groups:
        names = [f"`{one.name}`" for one in all_of_them if belongs(one)]
        lines.append(f"* **{what}** {', '.join(names) or 'any of them'} ({len(names)}).\n")
    hurting = [f"`{one.name}` ({listed(one.hurt)})" for one in all_of_them if one.hurt]
    lines.append(f"* **Some program is 5 % faster without** {', '.join(hurting) or 'none of them'}.\n")
    return "".join(lines)


def listed(found):
    """Effects as words, the largest first."""
    found = sorted(found, key=lambda effect: -abs(effect.ratio - 1))
    return ", ".join(f"{effect.setting} {effect.ratio:.2f}" for effect in found)


def summary(results):
    """A line for each transformation."""
    header = ["without", "programs with other code", "longer by 5 % or more", "faster by 5 % or more"]
    lines = [
        [f"`{one.name}`", str(one.changed), listed(one.helped), listed(one.hurt)]
        for one in worths(results)
    ]
    return tables.markdown(header, lines)


def shown(effect):
    """A ratio, and whether it is clear."""
    return f"**{effect.ratio:.2f}**" if effect.is_clear else f"~{effect.ratio:.2f}"


def details(results):
    """A line for each program, with all ratios."""
    lines = []
    for entry in figures.in_order(results):
        again = ratios(entry, AGAIN)
        noise = f"{noise_of(again):.2f}" if again else ""
        usual = tables.milliseconds(figures.seconds(entry, USUAL))
        found = [f"`{effect.transformation}` {shown(effect)}" for effect in effects_of(entry)]
        setting = f"{entry['program']}, {entry['size']}, {entry['threads']}"
        lines.append([setting, usual, noise, ", ".join(found)])
    header = ["program, size, threads", "ms", "itself", "how many times as long without"]
    return tables.markdown(header, lines)


def everything(results):
    """All tables."""
    return f"{verdict(results)}\n{summary(results)}\n{details(results)}"


def failures(results):
    """What failed or was wrong, as text."""
    found = []
    for entry in figures.in_order(results):
        for measurement in entry["measurements"]:
            if measurement["outcome"] != "right":
                reason = measurement.get("reason", "a wrong result")
                without = transformation_of(measurement["peer"])
                variant = f"without {without}" if without else measurement["peer"]
                found.append(f"{entry['program']}, {entry['size']}, {variant}: {reason}")
    return found


def problems(results):
    """The same as errors."""
    return [f"error: {text}" for text in failures(results)]


def gaps(results):
    """What has no figure, and why."""
    lines = [f"* {text}\n" for text in failures(results)]
    return "## What has no figure\n\n" + "".join(lines) if lines else ""


def write_page(results, book):
    """Writes the page, and a copy of the results; gives the page's path."""
    text = HEAD + page.machine(results) + page.warning(results)
    text += f"## Verdict\n\n{verdict(results)}\n"
    text += f"## By transformation\n\n{summary(results)}\n"
    text += METHOD
    text += f"## By program\n\n{details(results)}\n{gaps(results)}"
    return page.save(book, NAME, text, results)
