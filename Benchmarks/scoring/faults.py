# SPDX-License-Identifier: MIT
"""Wrong gyroscopes. Each converts the rates of a good one, and returns as many."""

import math

from .traces import RATE

LATE = RATE // 5  # samples
END = round(math.radians(250), 3)  # rad/s


def each(change):
    return lambda rates: [rate and change(*rate) for rate in rates]


def at_most(end):
    return each(lambda *rate: tuple(max(-end, min(end, axis)) for axis in rate))


def held_back(samples):
    return lambda rates: ([None] * samples + rates)[:len(rates)]


def early(rates):
    return rates[LATE:] + [None] * min(LATE, len(rates))


def with_gaps(rates):
    """Half a second of every two is missing."""
    return [None if index % (2 * RATE) < RATE // 2 else rate for index, rate in enumerate(rates)]


def seldom(rates):
    """At a quarter of the rate; in every second period of ten seconds at an eighth."""
    return [rate if index % (4 if index // (10 * RATE) % 2 else 8) == 0 else None
            for index, rate in enumerate(rates)]


FAULTS = {
    # A trace contains no NaN; impossible rates are handled alike.
    "not a number": each(lambda x, y, z: (1000, 1000, 1000)),
    "zeros": each(lambda x, y, z: (0, 0, 0)),
    "full scale": each(lambda x, y, z: (34.9, 34.9, 34.9)),
    "a range of 250°/s": at_most(END),
    "30 % too much": each(lambda x, y, z: (1.3 * x, 1.3 * y, 1.3 * z)),
    "halved": each(lambda x, y, z: (x / 2, y / 2, z / 2)),
    "doubled": each(lambda x, y, z: (2 * x, 2 * y, 2 * z)),
    "reversed": each(lambda x, y, z: (-x, -y, -z)),
    "x and y exchanged": each(lambda x, y, z: (y, x, z)),
    "another frame": each(lambda x, y, z: (y, z, x)),
    "bias of 0.2 rad/s": each(lambda x, y, z: (x + 0.2, y + 0.2, z + 0.2)),
    "200 ms late": held_back(LATE),
    "200 ms early": early,
    "gaps": with_gaps,
    "a rate that changes": seldom,
}
