# SPDX-License-Identifier: MIT
"""The kernel's log of suspends, and the length of its freezes of tasks."""

import re
import subprocess

LINE = re.compile(r"^\[\s*([\d.]+)\] (?:PM: )?(suspend debug: Waiting|Restarting tasks)", re.MULTILINE)

DELAY = "/sys/module/suspend/parameters/pm_test_delay"


def lengthen_freezes(factor):
    """The kernel counts these seconds in a loop that an emulated processor may execute hundreds of times too fast."""
    with open(DELAY, encoding="ascii") as file:
        delay = int(file.read())
    with open(DELAY, "w", encoding="ascii") as file:
        file.write(str(round(delay * factor)))


def _text():
    return subprocess.run(["dmesg"], capture_output=True, text=True, check=True).stdout


def freezes():
    """For each suspend that has ended, how many seconds all tasks were frozen."""
    found, began = [], None
    for moment, words in LINE.findall(_text()):
        if words.startswith("suspend"):
            began = float(moment)
        elif began is not None:
            found.append(float(moment) - began)
            began = None
    return found


def last_words():
    return "; ".join(_text().splitlines()[-12:])
