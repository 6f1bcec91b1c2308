"""The functions, with their inputs. What the first line of each says is in the tables."""

import inspect
from typing import Any, Callable, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from exported.inputs import below, between, key, normal

SEED = 3
MILLION = 1 << 20


class Function(NamedTuple):
    """A function and what makes its inputs, by the names of its parameters."""

    call: Callable
    kinds: dict

    @property
    def what(self):
        """What it computes."""
        return self.call.__doc__.splitlines()[0]

    def inputs(self):
        """The inputs by name, the same each time."""
        random = np.random.default_rng(SEED)
        return {name: kind(random) for name, kind in self.kinds.items()}

    def lowered(self, inputs) -> Any:
        """The function as StableHLO, for inputs of these shapes."""
        return self.jitted().lower(*inputs)

    def exported(self, inputs):
        """The function as a portable artifact, for inputs of these shapes."""
        return jax.export.export(self.jitted())(*inputs).mlir_module_serialized

    def jitted(self):
        """The function, to be compiled as a whole."""
        return jax.jit(self.call)


FUNCTIONS = {}


def of(*kinds):
    """Adds a function of such inputs."""

    def add(call):
        names = inspect.signature(call).parameters
        FUNCTIONS[call.__name__] = Function(call, dict(zip(names, kinds, strict=True)))
        return call

    return add


@of(normal(2048, 1024))
def softmax(x):
    """Softmax of 2048 rows of 1024 numbers."""
    return jax.nn.softmax(x, axis=1)


@of(normal(2048, 1024), normal(1024), normal(1024))
def layernorm(x, gain, bias):
    """Rows of 1024 numbers brought to mean 0 and variance 1, then scaled and shifted."""
    mean = x.mean(1, keepdims=True)
    variance = ((x - mean) ** 2).mean(1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * gain + bias


@of(between(25, 75, MILLION), between(25, 75, MILLION), between(0.5, 1.5, MILLION))
def black_scholes(spot, strike, years):
    """Prices of 2^20 European call options."""
    rate, volatility = 0.05, 0.2
    spread = volatility * jnp.sqrt(years)
    d1 = (jnp.log(spot / strike) + (rate + volatility * volatility / 2) * years) / spread
    cdf = jax.scipy.stats.norm.cdf
    return spot * cdf(d1) - strike * jnp.exp(-rate * years) * cdf(d1 - spread)


@of(normal(8, 512, 64), normal(8, 512, 64), normal(8, 512, 64))
def attention(q, k, v):
    """Attention of 8 heads over 512 places, 64 numbers each."""
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / 8
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v)


@of(normal(MILLION))
def compact(x):
    """The positive ones of 2^20 numbers moved to the front, and how many they are."""
    chosen = x > 0
    place = jnp.cumsum(chosen.astype(jnp.int32)) - 1
    place = jnp.where(chosen, place, x.shape[0])
    return jnp.zeros_like(x).at[place].set(x, mode="drop"), chosen.sum()


@of(normal(MILLION))
def cumsum(x):
    """Prefix sums of 2^20 numbers."""
    return jnp.cumsum(x)


@of(normal(1024, 1024))
def cumsum_rows(x):
    """Prefix sums of squares, along 1024 rows of 1024 numbers."""
    return jnp.cumsum(x * x, 1) / 2


@of(normal(MILLION), below(1000, MILLION))
def segment_sum(x, segment):
    """2^20 numbers added up in 1000 segments, in no order."""
    return jax.ops.segment_sum(x, segment, num_segments=1000)


@of(below(256, MILLION))
def histogram(x):
    """How often each of 256 numbers is among 2^20."""
    return jnp.bincount(x, length=256)


@of(normal(10000, 64), below(10000, 4096, 8))
def take_embedding(table, words):
    """Sums of 8 of 10000 rows of 64 numbers, 4096 times."""
    return jnp.take(table, words, axis=0).sum(1)


@of(normal(1024, 1024))
def stencil_fori(u):
    """50 rounds of means of 4 neighbours, inside a grid of 1024 by 1024."""

    def body(_, u):
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        return u.at[1:-1, 1:-1].set(0.25 * around)

    return lax.fori_loop(0, 50, body, u)


@of(normal(2000, 3))
def nbody(place):
    """Forces between 2000 bodies."""
    way = place[:, None, :] - place[None, :, :]
    square = (way * way).sum(-1) + 0.01
    return (way * (square**-1.5)[..., None]).sum(1)


@of(normal(2048, 2048))
def game_of_life(x):
    """A generation of Life on a torus of 2048 by 2048, by rolls."""
    alive = (x > 0).astype(jnp.int32)
    steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    around = sum(jnp.roll(alive, step, (0, 1)) for step in steps)
    return ((around == 3) | ((alive == 1) & (around == 2))).astype(jnp.int32)


@of(normal(200000, 2), normal(16, 2))
def kmeans(points, centres):
    """A step of k-means: 200000 points in the plane, 16 centres."""
    distances = ((points[:, None] - centres[None]) ** 2).sum(-1)
    nearest = distances.argmin(1)
    sums = jax.ops.segment_sum(points, nearest, 16)
    counts = jax.ops.segment_sum(jnp.ones(points.shape[0], np.float32), nearest, 16)
    return sums / jnp.maximum(counts, 1)[:, None]


@of(normal(1024, 256), normal(256, 256), normal(256))
def mlp_grad(x, weights, bias):
    """Gradients of a layer with tanh: 1024 inputs, 256 by 256 weights."""
    return jax.grad(lambda w, b: jnp.tanh(x @ w + b).sum(), argnums=(0, 1))(weights, bias)


@of(normal(512, 512), normal(512, 512))
def matmul(a, b):
    """The product of matrices of 512 by 512."""
    return a @ b


@of(normal(4, 16, 64, 64), normal(32, 16, 3, 3))
def conv2d(images, kernels):
    """Convolution of 4 images of 64 by 64 with 3 by 3 kernels, 16 channels to 32."""
    return lax.conv_general_dilated(images, kernels, (1, 1), "SAME")


@of(normal(1000, 64), normal(64, 64, scale=0.1), normal(64, 64, scale=0.1))
def scan_rnn(xs, w, u):
    """1000 steps of a recurrent network with 64 cells."""

    def step(h, x):
        h = jnp.tanh(h @ w + x @ u)
        return h, h

    return lax.scan(step, jnp.zeros(64, np.float32), xs)


@of(normal(1 << 18))
def assoc_scan(x):
    """A linear recurrence over 2^18 numbers, as an associative scan."""
    factor = jnp.abs(x) * 0.1
    return lax.associative_scan(lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (factor, x))


@of(key(42))
def rng_normal(key):
    """2^20 normally distributed random numbers."""
    return jax.random.normal(key, (MILLION,))


@of(normal(1 << 22))
def reduce_all(x):
    """Sum, maximum and mean of squares of 2^22 numbers."""
    return x.sum(), x.max(), (x * x).mean()


@of(normal(MILLION), normal(MILLION))
def elementwise_chain(x, y):
    """An expression with exp and sin of 2^20 numbers."""
    return jnp.exp(-x * x) * jnp.sin(y) + x


@of(normal(2048, 2048), normal(2048, 2048))
def transpose_add(x, y):
    """Sums of columns of a matrix of 2048 by 2048 and another one's transpose."""
    return (x.T + y).sum(0)


@of(normal(2000, 8), normal(2000, 8))
def dist_argmin(x, y):
    """The nearest of 2000 points to each of 2000 others, in 8 dimensions."""
    return jnp.argmin(((x[:, None] - y[None]) ** 2).sum(-1), 1)


@of(normal(1_000_000))
def sort(x):
    """A million numbers sorted."""
    return jnp.sort(x)
