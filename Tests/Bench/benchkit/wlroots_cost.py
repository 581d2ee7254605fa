# SPDX-License-Identifier: MIT
"""The cost of a rotation on a wlroots compositor: autorotate's, wlr-randr's, and the bare protocol's in C.

For autorotate, libwayland itself traces when the first request was made, and when the answer was read that completes
the rotation. The bare program measures its own time, also tracing everything that it reads and writes.
"""

import os
import re
import statistics
import subprocess
import time

from . import accelerometer, requirements
from .c_programs import PROJECT
from .child_processes import Failed, let_pass, wait_until
from .daemon import ACCELERATIONS, Daemon
from .session import Options, Session

ROUNDS = 6  # of each in turn, since the load of a machine varies
ROTATIONS = 8
SECONDS_BETWEEN = 0.2  # the compositor is at rest again
WORDS = ("left", "inverted", "right", "normal")
ANGLES = ("90", "180", "270", "normal")
PROTOCOLS = os.path.join(PROJECT, "Sources", "CWaylandProtocols")


def bare_flags():
    """The flags that the C program needs besides libwayland."""
    return [f"{PROTOCOLS}/generated/wlr-output-management-unstable-v1-protocol.c", f"-I{PROTOCOLS}/include"]


def measure(directory, bare):
    """Prints the figures. `bare` is the path of the C program."""
    requirements.program("wlr-randr", "wlr-randr")
    place = os.path.join(directory, "w")
    os.mkdir(place)
    with Session(place, Options(server="phoc", sensor=accelerometer.Options())) as session:
        session.env["WAYLAND_DEBUG"] = "client"
        with Daemon(session, "--output", session.panel) as daemon:
            daemon.ask("--lock")
            rounds = [(_bare(session, bare, number), _autorotate(session, daemon), _wlr_randr(session))
                      for number in range(ROUNDS)]
    floor, autorotate, wlr_randr_time = map(statistics.median, zip(*rounds))
    ratios = [our / bare for bare, our, _their in rounds]
    print(f"a rotation on phoc, the bare protocol in C: median {floor:.0f} microseconds\n"
          f"autorotate: median {autorotate:.0f}, {statistics.median(ratios):.2f} times that "
          f"({min(ratios):.2f} to {max(ratios):.2f} over the rounds)\n"
          f"wlr-randr, the process: median {wlr_randr_time:.0f}, {wlr_randr_time / floor:.2f} times that", flush=True)


def _rotation_times(trace):
    """Microseconds from the request that starts each rotation to the answer that completes it."""
    times, began, is_made = [], 0.0, False
    for milliseconds, what in re.findall(
            r"^\[ *([\d.]+)\] .*?(wl_display@1\.sync|create_configuration|\.succeeded|wl_callback@\d+\.done)", trace, re.M):
        if what.endswith(".sync") and not is_made:
            began = float(milliseconds)
        elif what == ".succeeded":
            is_made = True
        elif what.endswith(".done") and is_made:
            times.append(1000 * (float(milliseconds) - began))
            is_made = False
    return times


def _bare(session, program, number):
    name = f"bare{number}"
    words = map(str, (program, session.panel, ROTATIONS, round(1000 * SECONDS_BETWEEN)))
    if session.start(name, list(words)).wait(120) != 0:
        raise Failed(session.children.last_words(name))
    with open(os.path.join(session.directory, name + ".out"), encoding="utf-8") as file:
        return float(re.search(r"median\D*([\d.]+)", file.read())[1])


def _autorotate(session, daemon):
    daemon.ask("--unlock")
    before, shown = len(daemon.printed()), len(daemon.rotations())
    for number in range(ROTATIONS):
        session.accelerate(*ACCELERATIONS[WORDS[number % 4]])
        wait_until(lambda: len(daemon.rotations()) > shown + number, "the next rotation")
        let_pass(SECONDS_BETWEEN)
    daemon.ask("--lock")  # or it would undo the others' rotations
    return statistics.median(_rotation_times(daemon.printed()[before:]))


def _wlr_randr(session):
    env = {name: value for name, value in session.env.items() if name != "WAYLAND_DEBUG"}
    times = []
    for number in range(ROTATIONS):
        began = time.monotonic()
        subprocess.run(["wlr-randr", "--output", session.panel, "--transform", ANGLES[number % 4]],
                       env=env, check=True, stdout=subprocess.DEVNULL)
        times.append(1e6 * (time.monotonic() - began))
        let_pass(SECONDS_BETWEEN)
    return statistics.median(times)
