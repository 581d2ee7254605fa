# SPDX-License-Identifier: MIT
"""A user who does what `autorotate calibrate` asks."""

from .child_processes import Failed, let_pass

G = 9.81
PANEL = ((0, -G, 0), (G, 0, 0), (0, G, 0), (0, 0, G))
"""The device orientations it asks for, in the panel's frame: upright, left edge up, upside down, flat."""
SECONDS_BETWEEN_ATTEMPTS = 0.5


def read_until(process, words):
    printed = ""
    for line in process.stdout:
        printed += line
        if words in line:
            return printed
    raise Failed(f"it did not print {words!r} but: {printed}")


def press_enter(process):
    process.stdin.write("\n")
    process.stdin.flush()


def lead(process, accelerate, orientations=PANEL):
    """Does what is asked: Enter for the first orientation, the others by stillness alone. Returns its last output."""
    read_until(process, "1/4")
    accelerate(*orientations[0])
    while True:
        let_pass(SECONDS_BETWEEN_ATTEMPTS)
        press_enter(process)
        if "measured" in process.stdout.readline():
            break
    for number, hold in enumerate(orientations[1:], 2):
        read_until(process, f"{number}/4")
        accelerate(*hold)
        read_until(process, "measured: ")
    return process.stdout.read()
