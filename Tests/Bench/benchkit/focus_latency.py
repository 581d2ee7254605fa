# SPDX-License-Identifier: MIT
"""The cost of following the focus: from a change of the active window to the rotated screen, and at rest."""

import os
import statistics
import time

from . import accelerometer, processes
from .child_processes import let_pass
from .daemon import ACCELERATIONS, Daemon
from .rotation_events import RotationSignals
from .session import Options, Session
from .windows import Windows

SECONDS_OF_FOCUS_DELAY = 0.15  # the daemon's delay by design
ROTATIONS = 40
SECONDS_OF_REST = 0.25  # until the X server is at rest
CHANGES = 2000
TITLES = 5000
SECONDS_BETWEEN = 0.002  # each one wakes the daemon
RULE = 'match = ["player"]\nsupported = ["landscape"]\n'


def measure(directory, bare_rotation):
    """Prints the figures. `bare_rotation(session)` measures the bare RandR sequence, in microseconds."""
    place = os.path.join(directory, "f")
    os.makedirs(os.path.join(place, "config/autorotate/apps"))
    with open(os.path.join(place, "config/autorotate/apps/player.toml"), "w", encoding="utf-8") as file:
        file.write(RULE)
    with Session(place, Options(sensor=accelerometer.Options())) as session:
        session.accelerate(*ACCELERATIONS["left"])
        with Windows(session.env) as windows:
            with Daemon(session) as daemon:
                daemon.until_shown("left")
                daemon.follower.terminate()  # each change would be sent to it, too
                for name in ("Xterm", "Other", "Player"):
                    windows.open(name.lower(), name)
                rotations = _rotation_times(session, windows)
                daemon.ask("--lock")  # and the sensor sleeps
                _resting(daemon, windows)
            bare = bare_rotation(session)
    begun, ended = (statistics.median(each) for each in zip(*rotations))
    print(f"focus change to rotated screen: {len(rotations)} times, beyond the {1000 * SECONDS_OF_FOCUS_DELAY:.0f} ms "
          f"that it settles: begun after a median of {begun:.0f}, done after {ended:.0f} microseconds: "
          f"{ended / bare:.2f} times the bare sequence")


def _rotation_times(session, windows):
    """Microseconds from each change to the beginning and the end of its rotation, without the delay by design."""
    signals, times = RotationSignals(session), []
    for number in range(ROTATIONS):
        changed = time.time() + SECONDS_OF_FOCUS_DELAY
        windows.send("pretend", ("player", "xterm")[number % 2])
        times.append([1e6 * (when - changed) for when in signals.await_next(number)])
        let_pass(SECONDS_OF_REST)
    signals.stop()
    return times


def _resting(daemon, windows):
    names = ("xterm", "other")
    _cost("a change of focus that rotates nothing", daemon, CHANGES,
          lambda number: windows.send("pretend", names[number % 2]))
    _cost("a change of the active window's title", daemon, TITLES,
          lambda number: windows.send("title", names[1], number))


def _cost(what, daemon, count, act):
    let_pass(1)
    spent = _nanoseconds(daemon.process.pid)
    for number in range(count):
        act(number)
        let_pass(SECONDS_BETWEEN)
    let_pass(1)
    spent = _nanoseconds(daemon.process.pid) - spent
    print(f"{what}: {spent / count / 1000:.1f} microseconds of the processor", flush=True)


def _nanoseconds(process):
    """The processor time of the process, all its threads together."""
    return sum(int(words.split()[0]) for words in processes.tasks(process, "schedstat"))
