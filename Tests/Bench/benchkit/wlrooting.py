# SPDX-License-Identifier: MIT
"""What a turn costs on a wlroots compositor: autorotate's, wlr-randr's, and the bare protocol's in C."""

import os
import re
import statistics
import subprocess
import time

from . import accelerometer, missing
from .building import PROJECT
from .children import wait_until
from .daemon import Daemon
from .session import Options, Session

ROUNDS = 8  # of each in turn, since the load of a machine comes and goes
TURNS = 12
SECONDS_BETWEEN = 0.2  # the compositor is at rest again
WORDS = ("left", "inverted", "right", "normal")
ANGLES = ("90", "180", "270", "normal")
PROTOCOLS = os.path.join(PROJECT, "Sources", "CWaylandProtocols")


def bare_flags():
    """What the C program needs besides libwayland."""
    return [f"{PROTOCOLS}/generated/wlr-output-management-unstable-v1-protocol.c", f"-I{PROTOCOLS}/include"]


def measure(directory, bare, signal_times):
    """Prints the figures. `bare` is the path of the C program, `signal_times` reads dbus-monitor's words."""
    missing.program("wlr-randr", "wlr-randr")
    place = os.path.join(directory, "w")
    os.mkdir(place)
    with Session(place, Options(server="phoc", sensor=accelerometer.Options())) as session:
        with Daemon(session, "--output", session.panel, "--wait") as daemon:
            rounds = [(_bare(session, bare), _ours(session, daemon, signal_times, number), _wlr_randr(session))
                      for number in range(ROUNDS)]
    floor, ours, theirs = map(statistics.median, zip(*rounds))
    ratios = [our / bare for bare, our, _their in rounds]
    print(f"a turn on phoc, the bare protocol in C: median {floor:.0f} microseconds\n"
          f"autorotate, from WillRotate to DidRotate: median {ours:.0f}, "
          f"{statistics.median(ratios):.2f} times that ({min(ratios):.2f} to {max(ratios):.2f} over the rounds)\n"
          f"wlr-randr, the process: median {theirs:.0f}, {theirs / floor:.2f} times that", flush=True)


def _bare(session, program):
    told = session.run(program, session.panel, TURNS, round(1000 * SECONDS_BETWEEN), timeout=120).stdout
    return float(re.search(r"median\D*([\d.]+)", told)[1])


def _ours(session, daemon, signal_times, number):
    monitor = session.children.start(
        f"monitor{number}", ["dbus-monitor", "--profile", "interface='org.autorotate.Autorotate1'"], session.env)
    path = os.path.join(session.directory, f"monitor{number}.out")
    wait_until(lambda: os.path.getsize(path) > 0, 5)
    for number in range(TURNS):
        daemon.ask("--lock", WORDS[number % 4])
        time.sleep(SECONDS_BETWEEN)
    daemon.ask("--unlock")
    session.children.stop(monitor)
    with open(path, encoding="utf-8") as file:
        times = list(signal_times(file.read()))
    return statistics.median(
        1e6 * (later - earlier) for (what, earlier), (then, later) in zip(times, times[1:])
        if (what, then) == ("WillRotate", "DidRotate"))


def _wlr_randr(session):
    times = []
    for number in range(TURNS):
        began = time.monotonic()
        subprocess.run(["wlr-randr", "--output", session.panel, "--transform", ANGLES[number % 4]],
                       env=session.env, check=True, stdout=subprocess.DEVNULL)
        times.append(1e6 * (time.monotonic() - began))
        time.sleep(SECONDS_BETWEEN)
    return statistics.median(times)
