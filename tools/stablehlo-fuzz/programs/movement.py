"""Ops that move elements, and those that make arrays of nothing."""

from . import data
from .maker import fits_in, integer, numbers, plain_list
from .model import FLOATS, INTEGERS, Type


def constant(maker):
    """A constant array."""
    type = Type(maker.shape(), maker.element())
    maker.constant(type, data.array(maker.rng, type))


def iota(maker):
    """Numbers along a dimension."""
    shape = maker.shape(maker.rng.randint(1, 3))
    type = Type(shape, maker.element((*INTEGERS, *FLOATS)))
    axis = maker.rng.randrange(type.rank)
    maker.add("iota", [], [type], {"iota_dimension": integer(axis)})


def reshape(maker):
    """Other dimensions of as many elements."""
    value = maker.pick(exact=False)
    rest, shape = value.type.count, []
    if rest == 0:
        shape = list(value.type.shape)
        maker.rng.shuffle(shape)
    else:
        while rest > 1:
            divisors = [size for size in range(2, rest + 1) if rest % size == 0]
            size = maker.rng.choice(divisors)
            shape.append(size)
            rest //= size
        for _ in range(maker.rng.choice([0, 0, 1, 2])):
            shape.insert(maker.rng.randint(0, len(shape)), 1)
    if len(shape) > 6:
        shape = [value.type.count]
    maker.move("reshape", [value], Type(tuple(shape), value.type.element))


def transpose(maker):
    """Dimensions in another order."""
    value = maker.pick(lambda value: value.type.rank > 1, exact=False)
    order = list(range(value.type.rank))
    maker.rng.shuffle(order)
    type = Type(tuple(value.type.shape[axis] for axis in order), value.type.element)
    maker.move("transpose", [value], type, {"permutation": numbers(order)})


def reverse(maker):
    """Dimensions backwards."""
    value = maker.pick(lambda value: value.type.rank > 0, exact=False)
    axes = some_axes(maker, value.type.rank)
    maker.move("reverse", [value], value.type, {"dimensions": numbers(axes)})


def broadcast_in_dim(maker):
    """More dimensions; dimensions may change their order, and those of size 1 their size."""
    value = maker.pick(exact=False)
    rank = value.type.rank + maker.rng.randint(0, 2)
    axes = maker.rng.sample(range(rank), value.type.rank)
    shape = [maker.rng.randint(1, 4) for _ in range(rank)]
    for axis, size in zip(axes, value.type.shape):
        if size != 1 or maker.chance(0.5):
            shape[axis] = size
    type = Type(fits_in(shape), value.type.element)
    maker.move("broadcast_in_dim", [value], type, {"broadcast_dimensions": numbers(axes)})


def slice_(maker):
    """A part, with strides."""
    value = maker.pick(lambda value: value.type.rank > 0, exact=False)
    starts, limits, strides = [], [], []
    for size in value.type.shape:
        start = maker.rng.randint(0, max(0, size // 2))
        limit = maker.rng.randint(start, size) if maker.chance(0.5) else size
        starts.append(start)
        limits.append(limit)
        strides.append(maker.rng.choice([1, 1, 2, 3]))
    shape = tuple(
        -(-(limit - start) // stride) for start, limit, stride in zip(starts, limits, strides)
    )
    attributes = {
        "start_indices": numbers(starts),
        "limit_indices": numbers(limits),
        "strides": numbers(strides),
    }
    maker.move("slice", [value], Type(shape, value.type.element), attributes)


def concatenate(maker):
    """Arrays behind each other."""
    first = maker.pick(lambda value: value.type.rank > 0, exact=False)
    axis = maker.rng.randrange(first.type.rank)
    values = [first]
    for _ in range(maker.rng.randint(0, 2)):
        shape = list(first.type.shape)
        shape[axis] = maker.size(6) if maker.chance(0.5) else shape[axis]
        values.append(maker.of_type(Type(tuple(shape), first.type.element)))
    maker.rng.shuffle(values)
    shape = list(first.type.shape)
    shape[axis] = sum(value.type.shape[axis] for value in values)
    type = Type(fits_in(shape), first.type.element)
    maker.move("concatenate", values, type, {"dimension": integer(axis)})


def pad(maker):
    """Padding in front, behind and between, less than nothing too."""
    value = maker.pick(exact=False)
    low, high, between, shape = [], [], [], []
    for size in value.type.shape:
        inner = maker.rng.choice([0, 0, 1, 2])
        spread = size + max(size - 1, 0) * inner
        first = maker.rng.randint(-min(2, spread), 3)
        last = maker.rng.randint(max(-2, -spread - first), 3)
        low.append(first)
        high.append(last)
        between.append(inner)
        shape.append(spread + first + last)
    number = maker.of_type(Type((), value.type.element))
    attributes = {
        "edge_padding_low": numbers(low),
        "edge_padding_high": numbers(high),
        "interior_padding": numbers(between),
    }
    type = Type(fits_in(shape), value.type.element)
    maker.move("pad", [value, number], type, attributes)


def dynamic_slice(maker):
    """A part that begins somewhere, outside too."""
    value = maker.pick(exact=False)
    sizes = [maker.rng.randint(min(1, size), size) for size in value.type.shape]
    starts = starts_in(maker, value.type.shape, sizes)
    attributes = {"slice_sizes": numbers(sizes)}
    type = Type(tuple(sizes), value.type.element)
    # Starts are exact, and their plainness is nothing to the result.
    maker.add(
        "dynamic_slice", [value, *starts], [type], attributes, exact=value.exact, plain=value.plain
    )


def dynamic_update_slice(maker):
    """An array with a part that is another one."""
    value = maker.pick(exact=False)
    sizes = tuple(maker.rng.randint(min(1, size), size) for size in value.type.shape)
    update = maker.of_type(Type(sizes, value.type.element))
    starts = starts_in(maker, value.type.shape, sizes)
    maker.add(
        "dynamic_update_slice",
        [value, update, *starts],
        [value.type],
        exact=value.exact,
        plain=value.plain and update.plain,
    )


def starts_in(maker, shape, sizes):
    """Where a part begins, a number for each dimension."""
    type = Type((), maker.index_element())
    starts = []
    found = [value for value in maker.pool if value.type == type and value.exact]
    computed = 0.2 if maker.is_outermost or not found else 0.6
    for size, part in zip(shape, sizes):
        if maker.chance(computed):
            starts.append(maker.of_type(type))
        else:
            starts.append(maker.indices(type, 0, size - part))
    return starts


def placed_windows(maker, shape):
    """Windows of an array of some shape: their parts, the indices, the sizes of what there is a
    window for, the shape of all windows, and which of its dimensions are those of a window."""
    parts = window_parts(maker, shape)
    indices = indices_for(maker, shape, parts)
    outer = [size for axis, size in enumerate(indices.type.shape) if axis != parts["vector"]]
    sizes = [parts["sizes"][axis] for axis in parts["windows"]]
    return parts, indices, outer, *merged(maker, outer, sizes)


def gather(maker):
    """Windows at computed places."""
    value = maker.pick(exact=False)
    parts, indices, outer, shape, offsets = placed_windows(maker, value.type.shape)
    fields = {
        "offset_dims": plain_list(offsets),
        "collapsed_slice_dims": plain_list(parts["left_out"]),
        "operand_batching_dims": plain_list(parts["batch"]),
        "start_indices_batching_dims": plain_list(parts["index_batch"]),
        "start_index_map": plain_list(parts["map"]),
        "index_vector_dim": parts["vector"],
    }
    attributes = {
        "dimension_numbers": dimension_numbers("gather", fields),
        "slice_sizes": numbers(parts["sizes"]),
        "indices_are_sorted": "true" if len(outer) == 0 and maker.chance(0.5) else "false",
    }
    type = Type(fits_in(shape), value.type.element)
    maker.add("gather", [value, indices], [type], attributes, exact=value.exact, plain=value.plain)


def dimension_numbers(kind, fields):
    """The attribute of a gather or a scatter."""
    texts = [f"{name} = {text}" for name, text in fields.items() if text != "[]"]
    return f"#stablehlo.{kind}<{', '.join(texts)}>"


def window_parts(maker, shape):
    """How windows lie in an array: which dimensions are batches, which are left out, which
    windows have; of what sizes windows are; which are indexed."""
    axes = list(range(len(shape)))
    one = [axis for axis in axes if shape[axis] > 0]
    batch = sorted(maker.rng.sample(one, maker.rng.choice([0, 0, 1, 2])) if len(one) > 2 else [])
    rest = [axis for axis in axes if axis not in batch]
    left_out = sorted(axis for axis in rest if axis in one and maker.chance(0.4))
    windows = [axis for axis in rest if axis not in left_out]
    sizes = [1] * len(shape)
    for axis in windows:
        whole = maker.chance(0.4)
        sizes[axis] = shape[axis] if whole else maker.rng.randint(min(1, shape[axis]), shape[axis])
    indexed = [axis for axis in rest if maker.chance(0.7)]
    maker.rng.shuffle(indexed)
    if maker.chance(0.4):
        indexed.sort()
    return {
        "batch": batch,
        "left_out": left_out,
        "windows": windows,
        "sizes": sizes,
        "map": indexed,
    }


def indices_for(maker, shape, parts):
    """The indices; adds to `parts` how they are laid out."""
    count = len(parts["map"])
    outer = [shape[axis] for axis in parts["batch"]]
    order = list(range(len(outer)))
    for _ in range(maker.rng.choice([0, 1, 1, 2])):
        outer.append(maker.size(5))
    places = list(range(len(outer)))
    maker.rng.shuffle(places)
    mixed = [outer[place] for place in places]
    batch_at = [places.index(number) for number in order]
    is_implicit = count == 1 and maker.chance(0.3)
    vector = len(mixed) if is_implicit else maker.rng.randint(0, len(mixed))
    if not is_implicit:
        mixed.insert(vector, count)
        batch_at = [axis + (axis >= vector) for axis in batch_at]
    parts["vector"], parts["index_batch"] = vector, batch_at
    type = Type(fits_in(mixed), maker.index_element())
    room = max([shape[axis] - parts["sizes"][axis] for axis in parts["map"]], default=0)
    if maker.chance(0.35):
        return maker.of_type(type)
    return maker.indices(type, 0, room)


def merged(maker, outer, windows):
    """The shape of a gather's result, and where the dimensions of windows are in it."""
    rank = len(outer) + len(windows)
    at = sorted(maker.rng.sample(range(rank), len(windows)))
    if maker.chance(0.4):
        at = list(range(len(outer), rank))
    outer, windows = iter(outer), iter(windows)
    return [next(windows if axis in at else outer) for axis in range(rank)], at


def optimization_barrier(maker):
    """Nothing."""
    values = [maker.pick(exact=False) for _ in range(maker.rng.randint(1, 2))]
    exact = all(value.exact for value in values)
    plain = all(value.plain for value in values)
    maker.add(
        "optimization_barrier", values, [value.type for value in values], exact=exact, plain=plain
    )


def some_axes(maker, rank):
    """At least one dimension."""
    return sorted(maker.rng.sample(range(rank), maker.rng.randint(1, rank)))


ALL = {
    constant: 0.5,
    iota: 1,
    reshape: 3,
    transpose: 3,
    reverse: 2,
    broadcast_in_dim: 4,
    slice_: 3,
    concatenate: 3,
    pad: 3,
    dynamic_slice: 2,
    dynamic_update_slice: 2,
    gather: 5,
    optimization_barrier: 0.3,
}
