# SPDX-License-Identifier: MIT
"""The classifiers that are compared, and the decisions of each on a recording."""

import dataclasses
import os
import subprocess

from .faults import FAULTS
from .traces import CODES, RATE, START

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The phase of polling is random: each rule is run from several first samples.
PHASES = {50: (0,), 25: (0, 1), 10: range(5)}
PACED_PHASES = range(3)


@dataclasses.dataclass
class Rule:
    """A classifier: `arguments` for trace-classifier, and how it takes its samples."""

    title: str
    reads: str  # a second
    arguments: tuple = ()
    step: int = 1  # of the samples of the file, take every STEPth
    phases: tuple = (0,)  # begin with these samples
    gyroscope: str = "none"  # "none", "good" or a key of FAULTS
    caution: float = None


def peers():
    return [
        Rule("iio-sensor-proxy (0.7 s)", "1.4", ("--rule", "iio-sensor-proxy"), phases=range(0, 35, 5)),
        Rule("iio-sensor-proxy (10 Hz)", "10", ("--rule", "iio-sensor-proxy-10hz"), phases=range(5)),
        Rule("rot8 (0.5 s)", "2", ("--rule", "rot8"), phases=range(0, 25, 5)),
        Rule("ChromeOS (10 Hz)", "10", ("--rule", "chromeos"), phases=range(5)),
        Rule("Android (15 Hz)", "15", ("--rule", "android"), phases=range(3)),
    ]


def paced(title, gyroscope):
    return Rule(title, "3 to 17", ("--rule", "autorotate-paced"), phases=PACED_PHASES, gyroscope=gyroscope)


def at_rate(title, rate, gyroscope):
    step = RATE // rate
    return Rule(title, str(rate), step=step, phases=PHASES.get(rate, range(step)), gyroscope=gyroscope)


def ours(rates):
    rows = []
    for words, gyroscope in (("without", "none"), ("gyroscope", "good")):
        rows.append(paced(f"{words}, as it reads", gyroscope))
        rows += [at_rate(f"{words}, {rate} Hz", rate, gyroscope) for rate in rates]
    return rows


def frontier(cautions):
    return [Rule(f"{words}, caution {caution:g}", "50", ("--rule", f"autorotate@{caution:g}"),
                 gyroscope=gyroscope, caution=caution)
            for words, gyroscope in (("without", "none"), ("gyroscope", "good")) for caution in cautions]


def faulty():
    """Two rules for each gyroscope: at 50 Hz, and as the daemon reads."""
    ways = [("without", "none"), ("good", "good")] + [(name, name) for name in FAULTS]
    return [rule for way in ways for rule in (at_rate(way[0], 50, way[1]), paced(*way))]


def text_for(rule, trace, phase):
    if rule.gyroscope == "none" or not any(trace.rates):
        return trace.text(phase, rule.step)
    rates = trace.rates if rule.gyroscope == "good" else FAULTS[rule.gyroscope](trace.rates)
    return trace.text(phase, rule.step, rates)


def decisions(program, rule, trace, phase):
    """(seconds, code) of each change by the rule."""
    command = [program, "-", "--nanoseconds", *rule.arguments]
    output = subprocess.run(command, input=text_for(rule, trace, phase).encode(), stdout=subprocess.PIPE,
                            check=True).stdout
    words = (line.split() for line in output.decode().splitlines())
    return [((int(time) - START) / 1e9, CODES[word]) for time, word in words]


def newest_program():
    built = [os.path.join(PROJECT, ".build", kind, "trace-classifier") for kind in ("debug", "release")]
    built = [path for path in built if os.access(path, os.X_OK)]
    if not built:
        raise SystemExit("trace-classifier is not built (run: make bench-classifier)")
    return max(built, key=os.path.getmtime)
