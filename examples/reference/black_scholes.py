"""Reference values of examples/black-scholes.mlir, with Python's erf."""

import math
import random

from case import Case, vector


def normal_distribution(x):
    """Φ."""
    return (1 + math.erf(x / math.sqrt(2))) / 2


def call_price(spot, strike, years, rate, volatility):
    """A European call option."""
    deviation = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    discounted = strike * math.exp(-rate * years)
    return spot * normal_distribution(d1) - discounted * normal_distribution(d1 - deviation)


def cases():
    """Random options; puts by the parity of puts and calls."""
    generator = random.Random(8)
    rate, volatility = 0.02, 0.3
    for count in (0, 1, 500):
        spots = [generator.uniform(5, 30) for _ in range(count)]
        strikes = [generator.uniform(1, 100) for _ in range(count)]
        years = [generator.uniform(0.25, 10) for _ in range(count)]
        options = list(zip(spots, strikes, years))
        calls = [call_price(*option, rate, volatility) for option in options]
        puts = [c - s + k * math.exp(-rate * t) for c, (s, k, t) in zip(calls, options)]
        yield Case(
            "black_scholes",
            {
                "spot": vector("<f8", spots),
                "strike": vector("<f8", strikes),
                "years": vector("<f8", years),
                "rate": rate,
                "volatility": volatility,
            },
            {"call": vector("<f8", calls), "put": vector("<f8", puts)},
            tolerance=1e-12,
        )
