# SPDX-License-Identifier: MIT
"""The end-to-end tests, each class a suite, for faults that no Swift test has found.

They run the program that is built with the faults. Their environment reaches it, and with it the number of the fault.
"""

import os
import sys
import unittest

import copied_package
import suites

BENCH = os.path.join("Tests", "Bench")
LONGEST_WAIT = 30  # seconds
LONGEST_CLASS = 120  # seconds that a class may take
# Folder of the sources → the modules, or classes of them, that test it. Others only repeat these tests.
MODULES = {
    "System": ("bus", "hooks", "requests", "starting"),
    "Configuration": ("calibrate", "editing", "hook_texts"),
    "SensorSources": ("sensors", "proxy.Auto", "lock_key"),
    "SensorSources/IIO": ("buffer", "gyroscope", "sensors", "daemon.Idling"),
    "SensorSources/Keys": ("lock_key",),
    "SensorSources/Logind": ("proxy.Sessions", "proxy.Sleep"),
    "SensorSources/Posture": ("posture",),
    "SensorSources/Proxy": ("proxy",),
    "SensorSources/Trace": ("record", "playing"),
    "DesktopBackends": ("rotation_messages", "wayland"),
    "DesktopBackends/SocketCompositors": ("sway",),
    "DesktopBackends/GNOME": ("gnome", "wayland.Mutter", "tablet_mode"),
    "DesktopBackends/Input": ("tablet_mode",),
    "DesktopBackends/KDE": ("kde", "simulated_kwin", "wayland.KWin"),
    "DesktopBackends/MPRIS": ("playing",),
    "DesktopBackends/SocketCompositors/Sway": ("sway", "wayland.Sway"),
    "DesktopBackends/Wayland": ("wayland", "stopped", "blanked"),
    "DesktopBackends/Wayland/Wlroots": ("wlroots", "wayland.Phoc", "wayland.Sway"),
    "DesktopBackends/X11": ("rotation_messages", "focus", "fullscreen", "panels", "silent_xserver"),
}


class Classes(suites.Suites):
    """The classes that may find some faults."""

    longest_wait = LONGEST_WAIT
    shortest_silence = 5 * LONGEST_WAIT

    def __init__(self, program, faults):
        self.variables = {"AUTOROTATE": program, "DESKTOPS": "all"}
        modules = dict.fromkeys(module for fault in faults for module in _modules_for(fault))
        identifiers = list(dict.fromkeys(identifier for module in modules for identifier in _tests_of(module)))
        names = dict.fromkeys(identifier.rpartition(".")[0] for identifier in identifiers)
        super().__init__(identifiers, [suites.Suite(name) for name in names])

    def run(self, chosen, variables, only=None, skipped=(), patience=1):
        return super().run(chosen, {**self.variables, **variables}, only, skipped, patience)

    def _command(self, chosen, only, skipped):
        left_out = {_identifier(test) for test in skipped}
        names = {suite.name for suite in chosen}
        tests = [_identifier(only)] if only else [
            each for each in self.identifiers if each.rpartition(".")[0] in names and each not in left_out]
        return [os.path.join(BENCH, "run-tests"), "--jobs", "1", *tests]

    def stages(self, region, fault):
        """One class after the other, the shortest first."""
        modules = tuple(f"test_{module}." for module in _modules_for(fault))
        near = [suite for suite in self.suites if f"{suite.name}.".startswith(modules)
                and region in suite.reached and suite.duration <= LONGEST_CLASS]
        return [[suite] for suite in sorted(near, key=lambda each: each.duration)]


def _modules_for(fault):
    """The modules of the nearest folder that has some."""
    folder = os.path.dirname(fault.path)
    while folder and folder not in MODULES:
        folder = os.path.dirname(folder)
    return MODULES.get(folder, ())


def _tests_of(module):
    """Their identifiers: test_module.Class.test_name. A class may be named behind the module."""
    place = os.path.join(copied_package.PROJECT, BENCH)
    if place not in sys.path:
        sys.path.append(place)
    return [test.id() for test in _each_test(unittest.defaultTestLoader.loadTestsFromName(f"test_{module}"))]


def _each_test(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from _each_test(part)
        else:
            yield part


def _identifier(shown):
    """The identifier of a test that a line of the output names: "module Class.test_name"."""
    return "test_" + shown.replace(" ", ".", 1)
