# SPDX-License-Identifier: MIT
"""Recordings with truth: files `*.csv.gz` at 50 Hz with

- `# groups: 0=NAME,1=NAME,...`: names of the last column's numbers (hand_pose, hand_tap, walk_hand, ...);
- `#rec NAME ...` before each recording;
- rows of whole numbers: milliseconds; x, y, z in 0.01 m/s², in the frame of docs/traces.md; strict truth; strict truth regardless
  of duration; lenient truth, likewise; flags; group; with a gyroscope gx, gy, gz in 0.001 rad/s.

Strict truth changes 8° past the diagonal, lenient truth 1°. Truth: 0 normal, 1 left-up, 2 bottom-up, 3 right-up, -1 undefined,
-2 ambiguous. Flags: 1 flat, 2 past the diagonal by 15° or more.
"""

import glob
import gzip
import os

RATE = 50  # samples a second of the files
SECOND = RATE
CODES = {"normal": 0, "left-up": 1, "bottom-up": 2, "right-up": 3}
UNDEFINED, AMBIGUOUS = -1, -2
FLAT, FIRM = 1, 2
START = 1_000_000_000  # nanoseconds; traces do not begin at zero

# Groups in which the user looks at the screen; and those that are reported separately, since the user does not.
REAL = ("hand_translate", "hand_tap", "hand_pose", "walk_hand", "vehicle")
SYNTHETIC = ("syn_still", "syn_touch", "syn_walk", "syn_vehicle")
SPINNING = ("hand_rotate", "hand_shake")
STOWED = ("walk_swing", "walk_pocket", "run", "pocket_sit")


class Trace:
    """One recording: samples, and for each the truth."""

    def __init__(self, name=""):
        self.name = name
        self.times = []  # nanoseconds
        self.accelerations = []  # m/s²
        self.rates = []  # rad/s; None where there is none
        self.strict, self.strict_now = [], []
        self.lenient, self.lenient_now = [], []
        self.flags, self.groups = [], []

    def add(self, milliseconds, acceleration, rate, truths, flags, group):
        self.times.append(START + milliseconds * 1_000_000)
        self.accelerations.append(acceleration)
        self.rates.append(rate)
        for values, truth in zip((self.strict, self.strict_now, self.lenient, self.lenient_now), truths):
            values.append(truth)
        self.flags.append(flags)
        self.groups.append(group)

    def add_row(self, row, names):
        fields = row.strip().split(",")
        if len(fields) not in (10, 13):
            raise ValueError(f"{len(fields)} fields")
        milliseconds, x, y, z, *truths, flags, group = map(int, fields[:10])
        rate = tuple(int(field) / 1000 for field in fields[10:] if field.strip())
        self.add(milliseconds, (x / 100, y / 100, z / 100), rate if len(rate) == 3 else None, truths,
                 flags, names[group])

    def finish(self):
        """Whether a rotation in the last second lasts is unknown: the truth is undefined there."""
        begin = max(0, len(self.strict) - SECOND)
        for truth in (self.strict, self.lenient):
            truth[begin:] = [UNDEFINED] * (len(truth) - begin)
        return self

    def text(self, phase, step, rates=None):
        """Every `step`-th sample as `trace-classifier --nanoseconds` reads it.

        `rates` are a gyroscope's, one for each sample of the recording; without them there is none."""
        if rates is None:
            return "".join(f"{time} {x:.2f} {y:.2f} {z:.2f}\n" for time, (x, y, z)
                           in zip(self.times[phase::step], self.accelerations[phase::step]))
        return "".join(f"{time} {x:.2f} {y:.2f} {z:.2f} {written(rate)}\n" for time, (x, y, z), rate in zip(
            self.times[phase::step], self.accelerations[phase::step], rates[phase::step]))


def written(rate):
    return "- - -" if rate is None else "{:.3f} {:.3f} {:.3f}".format(*rate)


def traces_of(path):
    """The recordings in a file, in order."""
    names, trace = {}, None
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("# groups:"):
                pairs = (pair.split("=") for pair in line.removeprefix("# groups:").strip().split(","))
                names = {int(code): name for code, name in pairs}
            elif line.startswith("#rec "):
                if trace:
                    yield trace.finish()
                trace = Trace(line.split()[1])
            elif not line.startswith("#"):
                try:
                    trace.add_row(line, names)
                except (AttributeError, KeyError, ValueError) as fault:
                    raise SystemExit(f"classifier: {path}:{number}: not a row of docs/traces.md: {fault}")
    if trace:
        yield trace.finish()


def files_of(paths):
    for path in paths:
        found = sorted(glob.glob(os.path.join(path, "*.csv.gz"))) if os.path.isdir(path) else [path]
        if not found:
            raise SystemExit(f"classifier: there are no *.csv.gz in {path}; docs/traces.md says where to get some")
        yield from found
