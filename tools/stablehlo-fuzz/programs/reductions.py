"""Reductions, windows, products, sorts and scatters."""

from . import regions
from .maker import Maker, Unfit, fits_in, integer, numbers, pairs, plain_list
from .model import FLOATS, INTEGERS, Type
from .movement import dimension_numbers, placed_windows, some_axes

# What products may be summed as.
WIDER = {
    "i8": ["i8", "i16", "i32"],
    "i16": ["i16", "i32", "i64"],
    "ui8": ["ui8", "ui32"],
    "ui16": ["ui16", "ui32"],
}


def reduce(maker):
    """A reduction of one array, or of two together."""
    value = maker.pick()
    axes = some_axes(maker, value.type.rank) if value.type.rank else []
    maker.rng.shuffle(axes)
    kind = maker.rng.random()
    element = value.type.element
    if kind < 0.15:
        return with_places(maker, value, axes)
    kept = tuple(size for axis, size in enumerate(value.type.shape) if axis not in axes)
    terms = max(1, value.type.count // max(1, Type(kept, element).count))
    attributes = {"dimensions": numbers(axes)}
    if kind < 0.25 and element in INTEGERS:
        region = regions.combining_wide(maker, element)
        first = maker.scalar(element, regions.neutral("maximum", element))
        return maker.add(
            "reduce", [value, first], [Type(kept, element)], attributes, regions=[region]
        )
    if kind < 0.35 and element in INTEGERS:
        types = [Type(kept, element)] * 2
        operands, inner = functions_of(maker, value)
        return maker.add("reduce", operands, types, attributes, regions=inner)
    values = [value]
    if kind > 0.8:
        values.append(maker.of_type(value.type.of(maker.element())))
    names = [regions.combiner(maker, value.type.element) for value in values]
    elements = [value.type.element for value in values]
    firsts = first_numbers(maker, names, elements)
    return maker.add(
        "reduce",
        [*values, *firsts],
        [Type(kept, element) for element in elements],
        attributes,
        exact=all(map(regions.is_exact, names, elements)),
        regions=[regions.combining(maker, names, elements)],
        notes={"terms": terms + 1, "combiners": names},
    )


def functions_of(maker, value):
    """The operands and the region of a reduction that composes functions."""
    element = value.type.element
    firsts = [maker.scalar(element, 1), maker.scalar(element, 0)]
    region = regions.composing(maker, element)
    return [value, maker.of_type(value.type), *firsts], [region]


def first_numbers(maker, names, elements, is_neutral=False):
    """Initial values; only a single known op may have others than the neutral ones."""
    if len(names) == 1 and not is_neutral and maker.chance(0.4):
        return [maker.of_type(Type((), elements[0]))]
    pairs = zip(names, elements)
    return [maker.scalar(element, regions.neutral(name, element)) for name, element in pairs]


def with_places(maker, value, axes):
    """The greatest element of each row, and its place."""
    if value.type.element == "i1" or not axes:
        raise Unfit
    element = value.type.element
    index = maker.rng.choice(["i32", "i64"])
    axis = axes[0]
    places = maker.add("iota", [], [value.type.of(index)], {"iota_dimension": integer(axis)})[0]
    region = regions.greatest_and_place(maker, element, index)
    goes_up = any("GT" in op.attributes.get("comparison_direction", "") for op in region.ops[:1])
    worst = regions.neutral("maximum" if goes_up else "minimum", element)
    firsts = [maker.scalar(element, worst), maker.scalar(index, 0)]
    kept = tuple(size for other, size in enumerate(value.type.shape) if other != axis)
    return maker.add(
        "reduce",
        [value, places, *firsts],
        [Type(kept, element), Type(kept, index)],
        {"dimensions": numbers([axis])},
        regions=[region],
    )


class Windows:
    """How windows of given sizes move over dimensions of given sizes."""

    def __init__(self, maker, sizes, windows, is_simple=False):
        self.windows = windows
        pick = maker.rng.choice
        self.strides = [pick([1, 1, 2, 3]) for _ in sizes]
        self.bases = [1 if is_simple else pick([1, 1, 1, 2]) for _ in sizes]
        self.dilations = [1 if is_simple else pick([1, 1, 1, 2]) for _ in sizes]
        self.padding = [(pick([0, 0, 1, 2, -1]), pick([0, 0, 1, 2, -1])) for _ in sizes]
        if is_simple:
            self.padding = [(max(low, 0), max(high, 0)) for low, high in self.padding]
        self.counts = list(map(self.count, range(len(sizes)), sizes))

    def count(self, axis, size):
        """How many windows there are along a dimension."""
        low, high = self.padding[axis]
        spread = (size - 1) * self.bases[axis] + 1 if size else 0
        padded = low + spread + high
        reach = (self.windows[axis] - 1) * self.dilations[axis] + 1
        if padded < 0:
            raise Unfit
        if padded == 0 or reach > padded:
            return 0
        return (padded - reach) // self.strides[axis] + 1

    def attributes(self, maker, bases=None, dilations=None):
        """The attributes, under the names that an op has for them. What is as usual may be left
        out."""
        found = {
            "window_strides": (self.strides, 1, numbers),
            "padding": (self.padding, (0, 0), pairs),
        }
        if bases is not None:
            found[bases] = (self.bases, 1, numbers)
            found[dilations] = (self.dilations, 1, numbers)
        return {
            name: text(values)
            for name, (values, usual, text) in found.items()
            if any(value != usual for value in values) or maker.chance(0.7)
        }

    @classmethod
    def cumulative(cls, maker, shape):
        """Windows of a cumulative sum."""
        self = cls(maker, shape, [1] * len(shape))
        self.strides = self.bases = self.dilations = [1] * len(shape)
        axis = maker.rng.randrange(len(shape))
        self.windows[axis] = max(1, shape[axis])
        self.padding = [(0, 0)] * len(shape)
        back = (0, self.windows[axis] - 1)
        self.padding[axis] = back if maker.chance(0.5) else back[::-1]
        self.counts = list(map(self.count, range(len(shape)), shape))
        return self


def reduce_window(maker):
    """A reduction of windows; sometimes a cumulative one."""
    value = maker.pick(lambda value: value.type.rank > 0)
    shape = value.type.shape
    if maker.chance(0.3):
        windows = Windows.cumulative(maker, shape)
    else:
        sizes = [maker.rng.choice([1, 1, 2, 3]) for _ in shape]
        windows = Windows(maker, shape, sizes)
    terms = Type(tuple(windows.windows), "i1").count
    counts = fits_in(windows.counts)
    if terms * Type(counts, "i1").count > 3000:
        raise Unfit
    attributes = {
        "window_dimensions": numbers(windows.windows),
        **windows.attributes(maker, "base_dilations", "window_dilations"),
    }
    if value.type.element in INTEGERS and maker.chance(0.2):
        types = [Type(counts, value.type.element)] * 2
        operands, inner = functions_of(maker, value)
        return maker.add("reduce_window", operands, types, attributes, regions=inner)
    values = [value]
    if maker.chance(0.2):
        values.append(maker.of_type(value.type.of(maker.element())))
    elements = [value.type.element for value in values]
    names = [regions.combiner(maker, element) for element in elements]
    return maker.add(
        "reduce_window",
        [*values, *first_numbers(maker, names, elements, is_neutral=True)],
        [Type(counts, element) for element in elements],
        attributes,
        exact=all(map(regions.is_exact, names, elements)),
        regions=[regions.combining(maker, names, elements)],
        notes={"terms": terms + 1, "combiners": names},
    )


def select_and_scatter(maker):
    """What windows select is where numbers are added."""
    value = maker.pick_of((*INTEGERS, *FLOATS), fits=lambda value: value.type.rank > 0)
    element = value.type.element
    sizes = [maker.rng.choice([1, 2, 2, 3]) for _ in value.type.shape]
    windows = Windows(maker, value.type.shape, sizes, is_simple=True)
    source = maker.of_type(Type(fits_in(windows.counts), element))
    name = regions.combiner(maker, element)
    first = maker.scalar(element, regions.neutral(name, element))
    select = regions.order(maker, [value], 0, is_total=False)
    direction = maker.rng.choice(["GE", "LE"])
    select.ops[-1].attributes["comparison_direction"] = (
        f"#stablehlo<comparison_direction {direction}>"
    )
    if not maker.is_outermost and element in FLOATS:
        raise Unfit
    maker.add(
        "select_and_scatter",
        [value, source, first],
        [value.type],
        {
            "window_dimensions": numbers(windows.windows),
            **windows.attributes(maker),
        },
        exact=regions.is_exact(name, element),
        regions=[select, regions.combining(maker, [name], [element])],
        notes={"terms": 10, "combiners": [name]},
    )


def dot_general(maker):
    """A product of arrays, with batches, summed over several dimensions."""
    left = maker.pick()
    rank = left.type.rank
    axes = list(range(rank))
    maker.rng.shuffle(axes)
    batches = maker.rng.randint(0, min(2, rank))
    summed = maker.rng.randint(0, min(2, rank - batches))
    batch, contracted = axes[:batches], axes[batches : batches + summed]
    own = [maker.size(4) for _ in range(maker.rng.choice([0, 1, 1, 2]))]
    shape = [left.type.shape[axis] for axis in batch + contracted] + own
    places = list(range(len(shape)))
    maker.rng.shuffle(places)
    right = maker.of_type(Type(fits_in([shape[place] for place in places]), left.type.element))
    right_batch = [places.index(number) for number in range(batches)]
    right_contracted = [places.index(batches + number) for number in range(summed)]
    fields = {
        "lhs_batching_dimensions": plain_list(batch),
        "rhs_batching_dimensions": plain_list(right_batch),
        "lhs_contracting_dimensions": plain_list(contracted),
        "rhs_contracting_dimensions": plain_list(right_contracted),
    }
    texts = [f"{name} = {text}" for name, text in fields.items() if text != "[]"]
    free = [left.type.shape[axis] for axis in range(rank) if axis not in batch + contracted]
    others = [shape[place] for place in places if place >= batches + summed]
    result = [left.type.shape[axis] for axis in batch] + free + others
    terms = Type(tuple(left.type.shape[axis] for axis in contracted), "i1").count
    element = left.type.element
    maker.add(
        "dot_general",
        [left, right],
        [Type(fits_in(result), maker.rng.choice(WIDER.get(element, [element])))],
        {"dot_dimension_numbers": f"#stablehlo.dot<{', '.join(texts)}>", **precision(maker)},
        exact=element not in FLOATS,
        notes={"terms": terms + 1, "combiners": ["dot"]},
    )


def precision(maker):
    """How precise a product is to be, if anything is said of it."""
    if maker.chance(0.6):
        return {}
    names = ("DEFAULT", "HIGH", "HIGHEST")
    texts = (f"#stablehlo<precision {maker.rng.choice(names)}>" for _ in range(2))
    return {"precision_config": f"[{', '.join(texts)}]"}


def convolution(maker):
    """A convolution with all that it may have."""
    element = maker.element((*INTEGERS, *FLOATS))
    spatial = maker.rng.choice([0, 1, 1, 2, 2, 3])
    kind = maker.rng.choice(["plain", "features", "batches"])
    groups = maker.rng.randint(1, 3)
    feature_groups = groups if kind == "features" else 1
    batch_groups = groups if kind == "batches" else 1
    of_input = maker.rng.randint(1, 3)
    of_output = groups * maker.rng.randint(1, 2)
    batch = batch_groups * maker.rng.randint(1, 2)
    sizes = [maker.rng.randint(1, 6) for _ in range(spatial)]
    kernel_sizes = [maker.rng.randint(1, 3) for _ in range(spatial)]
    windows = Windows(maker, sizes, kernel_sizes)

    def laid_out(letters, numbers):
        order = list(range(len(letters)))
        maker.rng.shuffle(order)
        text = ", ".join(str(letters[place]) for place in order)
        return f"[{text}]", tuple(numbers[place] for place in order)

    names = list(range(spatial))
    left_text, left_shape = laid_out(["b", "f", *names], [batch, of_input * feature_groups, *sizes])
    right_text, right_shape = laid_out(["i", "o", *names], [of_input, of_output, *kernel_sizes])
    to_text, to_shape = laid_out(
        ["b", "f", *names], [batch // batch_groups, of_output, *windows.counts]
    )
    left = maker.of_type(Type(left_shape, element))
    right = maker.of_type(Type(right_shape, element))
    terms = of_input * Type(tuple(kernel_sizes), "i1").count
    attributes = {
        **windows.attributes(maker, "lhs_dilation", "rhs_dilation"),
        **precision(maker),
        "dimension_numbers": f"#stablehlo.conv<{left_text}x{right_text}->{to_text}>",
        "feature_group_count": integer(feature_groups),
        "batch_group_count": integer(batch_groups),
    }
    if spatial and maker.chance(0.4):
        flags = ", ".join(maker.rng.choice(["true", "false"]) for _ in range(spatial))
        attributes["window_reversal"] = f"array<i1: {flags}>"
    maker.add(
        "convolution",
        [left, right],
        [Type(fits_in(to_shape), element)],
        attributes,
        exact=element not in FLOATS,
        notes={"terms": terms + 1, "combiners": ["dot"]},
    )


def sort(maker):
    """Rows in order, several arrays by one of them."""
    value = maker.pick(lambda value: value.type.rank > 0)
    values = [value]
    for _ in range(maker.rng.choice([0, 0, 1, 2])):
        values.append(maker.of_type(value.type.of(maker.element())))
    key = maker.rng.randrange(len(values))
    by = values[key]
    is_total = by.type.element in FLOATS and by.plain and maker.chance(0.6)
    is_float = by.type.element in FLOATS and not is_total
    if by.type.element in FLOATS and not maker.is_outermost:
        raise Unfit
    axis = maker.rng.randrange(value.type.rank)
    dimension = axis - value.type.rank if maker.chance(0.2) else axis
    region = regions.order(maker, values, key, is_total)
    direction = "GT" if "GT" in region.ops[0].attributes["comparison_direction"] else "LT"
    notes = {"no_nan": key} if is_float else {}
    notes = {"is_total": (key, direction)} if is_total else notes
    maker.add(
        "sort",
        values,
        [value.type for value in values],
        {"dimension": integer(dimension), "is_stable": "true"},
        plain=all(value.plain for value in values),
        regions=[region],
        notes=notes,
    )


def copied(maker, value):
    """The same array in another place, which nobody else reads: the interpreter updates arrays
    that others still need."""
    if value.type.rank == 0:
        raise Unfit
    copy = maker.move("concatenate", [value], value.type, {"dimension": integer(0)})
    maker.pool.remove(copy)
    return copy


def scatter(maker):
    """Updates at computed places, combined with what is there."""
    value = maker.pick()
    shape = value.type.shape
    values = [value]
    if maker.chance(0.15):
        values.append(maker.of_type(value.type.of(maker.element())))
    if not maker.is_outermost:
        values = [copied(maker, value) for value in values]
    elements = [value.type.element for value in values]
    parts, indices, outer, update_shape, at = placed_windows(maker, shape)
    update_shape = fits_in(update_shape)
    updates = [maker.of_type(Type(update_shape, element)) for element in elements]
    fields = {
        "update_window_dims": plain_list(at),
        "inserted_window_dims": plain_list(parts["left_out"]),
        "input_batching_dims": plain_list(parts["batch"]),
        "scatter_indices_batching_dims": plain_list(parts["index_batch"]),
        "scatter_dims_to_operand_dims": plain_list(parts["map"]),
        "index_vector_dim": parts["vector"],
    }
    is_one = all(size == 1 for size in outer)
    flags = ["true" if is_one and maker.chance(0.5) else "false" for _ in range(2)]
    attributes = {
        "scatter_dimension_numbers": dimension_numbers("scatter", fields),
        "indices_are_sorted": flags[0],
        "unique_indices": flags[1],
    }
    if maker.chance(0.3):
        names, exact = [], True
        inner = Maker(maker.rng, maker, regions.arguments([*elements, *elements]), False)
        region = inner.block(inner.arguments[len(elements) :])
    else:
        names = [regions.combiner(maker, element) for element in elements]
        exact = all(map(regions.is_exact, names, elements))
        region = regions.combining(maker, names, elements)
    maker.add(
        "scatter",
        [*values, indices, *updates],
        [value.type for value in values],
        attributes,
        exact=exact,
        plain=not names and all(value.plain for value in [*values, *updates]),
        regions=[region],
        notes={"terms": Type(update_shape, "i1").count + 1, "combiners": names},
    )


def top_k(maker):
    """The greatest elements of rows, and their places."""
    value = maker.pick(
        lambda value: value.type.rank > 0 and (value.plain or value.type.element not in FLOATS)
    )
    if value.type.element == "i1" or not maker.is_outermost:
        raise Unfit
    count = maker.rng.randint(0, value.type.shape[-1])
    shape = (*value.type.shape[:-1], count)
    maker.add(
        "chlo.top_k",
        [value],
        [Type(shape, value.type.element), Type(shape, "i32")],
        {"k": integer(count)},
    )


ALL = {
    reduce: 6,
    reduce_window: 3,
    select_and_scatter: 1.5,
    dot_general: 3,
    convolution: 2,
    sort: 2.5,
    scatter: 6,
    top_k: 0.5,
}
