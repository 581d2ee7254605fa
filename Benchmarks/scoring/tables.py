# SPDX-License-Identifier: MIT
"""Prints the tables."""

from . import synthetic_motion, bootstrap
from .scores import union
from .traces import RATE, REAL, SPINNING, STOWED, SYNTHETIC

USE = REAL + SYNTHETIC


def print_table(rules, scores):
    print(f"{'':25}{'reads':>8}  {'wrong rotations an hour':^39}  {'delay, s':^13} {'real alone':^13}{'missed, %':>11}"
          f"{'wrong, %':>13}")
    print(f"{'':25}{'a second':>8}{'all use':>9}{'real':>8}{'synth.':>8}{'spun':>8}{'stowed':>8}"
          f"{'median':>8}{'95 %':>6}{'median':>8}{'95 %':>6}{'of all use':>11}{'real / synth.':>14}")
    for rule, sums in zip(rules, scores):
        real, synthetic, both = union(sums, REAL), union(sums, SYNTHETIC), union(sums, USE)
        print(f"{rule.title:25}{rule.reads:>8}{both.spurious_per_hour():9.1f}{real.spurious_per_hour():8.1f}"
              f"{synthetic.spurious_per_hour():8.1f}{union(sums, SPINNING).spurious_per_hour():8.0f}"
              f"{union(sums, STOWED).spurious_per_hour():8.1f}{both.delay(0.5):8.2f}{both.delay(0.95):6.2f}"
              f"{real.delay(0.5):8.2f}{real.delay(0.95):6.2f}{both.missed_percent():11.2f}"
              f"{real.wrong_percent():8.1f} /{synthetic.wrong_percent():4.1f}")


def print_frontier(rules, scores):
    print(f"\n{'at 50 Hz':25}{'wrong rotations an hour':>24}{'median':>8}{'95 %':>6}{'missed, %':>11}")
    for rule, sums in zip(rules, scores):
        if rule.caution is not None:
            both = union(sums, USE)
            print(f"{rule.title:25}{both.spurious_per_hour():24.1f}{both.delay(0.5):8.2f}{both.delay(0.95):6.2f}"
                  f"{both.missed_percent():11.2f}")


def columns_to_beat(sums):
    both = union(sums, USE)
    return (both.spurious_per_hour(), both.delay(0.5), both.delay(0.95)), both.missed_percent()


def print_dominance(rules, scores, peers):
    """For each peer, the caution that beats it: fewer wrong rotations, and no later in either column."""
    shown = list(zip(rules, map(columns_to_beat, scores)))
    for peer, ((spurious, median, late), missed) in shown[:peers]:
        ways = {rule.gyroscope: rule.title for rule, ((ours, *delays), our_missed) in reversed(shown)
                if rule.caution is not None and ours < spurious
                and delays[0] <= median + 1e-9 and delays[1] <= late + 1e-9 and our_missed <= missed}
        winners = " and ".join(f"'{ways[gyroscope]}'" for gyroscope in ("none", "good") if gyroscope in ways)
        print(f"{peer.title}: first beaten on every column by {winners or 'none of these'}")


def print_sets(rules, scores):
    for name in sorted({name for sums in scores for name in sums}):
        print(f"\n{name}: {scores[0][name].samples / len(rules[0].phases) / RATE / 3600:.2f} hours, "
              f"{scores[0][name].rotations() // len(rules[0].phases)} rotations")
        for rule, sums in zip(rules, scores):
            part = sums[name]
            print(f"  {rule.title:25}{part.spurious_per_hour():8.1f} wrong rotations an hour, delay "
                  f"{part.delay(0.5):5.2f} / {part.delay(0.95):5.2f} s, missed {part.missed_percent():.1f} %")


def print_intervals(rules, scores_of_traces, number):
    print(f"\nin 95 of 100 of {number} samples of the recordings")
    print(f"{'':25}{'wrong rotations an hour':>24}{'median':>16}{'95 %':>16}")
    for index, rule in enumerate(rules):
        spurious, median, late = bootstrap.intervals([scores[index] for scores in scores_of_traces], number)
        print(f"{rule.title:25}{'{:.1f} to {:.1f}'.format(*spurious):>24}"
              f"{'{:.2f} to {:.2f}'.format(*median):>16}{'{:.2f} to {:.2f}'.format(*late):>16}")


def print_shaken(rules, scores):
    """Missed rotations and delays for each way of shaking."""
    groups = [synthetic_motion.shaking_group(*way) for way in synthetic_motion.SHAKING]
    kinds = ("sine 1", "sine 2", "noise")
    columns = {kind: [name for name in groups if name.startswith(kind)] for kind in kinds}
    rotations = union(scores[0], groups).rotations() // len(rules[0].phases)
    print(f"\nwhile everything shakes ({rotations} rotations): missed, %; delay in the median and in 95 %, s")
    print(f"{'':25}{'all':^20}" + "".join(f"{kind + ('' if kind == 'noise' else ' m/s²'):^20}" for kind in kinds))
    for rule, sums in zip(rules, scores):
        parts = (union(sums, names) for names in [groups, *columns.values()])
        print(f"{rule.title:25}" + "".join(
            f"{part.missed_percent():7.2f}{part.delay(0.5):6.2f}{part.delay(0.95):5.2f}  " for part in parts))


def print_faults(rules, scores):
    print("\ngyroscopes that are wrong: wrong rotations an hour; delay in the median and in 95 %, s; missed, %; "
          "wrong rotations an hour stowed")
    print(f"{'':22}{'at 50 Hz':^32}   {'as it reads':^32}")
    cells = []
    for sums in scores:
        both, stowed = union(sums, USE), union(sums, STOWED)
        cells.append(f"{both.spurious_per_hour():6.1f}{both.delay(0.5):7.2f}{both.delay(0.95):6.2f}"
                     f"{both.missed_percent():6.2f}{stowed.spurious_per_hour():7.1f}")
    for rule, often, seldom in zip(rules[::2], cells[::2], cells[1::2]):
        print(f"{rule.title:22}{often}   {seldom}")


def print_errors(rules, scores, reads):
    print("\na sensor that is off: missed rotations; delay in the median and in 95 %, s; reads a second at rest")
    print(f"{'':22}" + "".join(f"{rule.title:^24}" for rule in rules) + f"{'at rest':>8}")
    for title, _, _ in synthetic_motion.ERRORS:
        cells = (f"{sums[title].missed:8}{sums[title].delay(0.5):7.2f}{sums[title].delay(0.95):6.2f}   "
                 for sums in scores)
        print(f"{title:22}" + "".join(cells) + f"{reads[title]:8.1f}")
