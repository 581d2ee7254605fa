# SPDX-License-Identifier: MIT
"""Panels that are mounted sideways, and the correct result for each device orientation.

The table holds facts of the kernel's drivers/gpu/drm/drm_panel_orientation_quirks.c: the machine, the size of its
panel, and the side of the panel that is up while the casing is upright. That file has this notice:

    SPDX-License-Identifier: MIT
    Copyright (C) 2017 Hans de Goede <hdegoede@redhat.com>

Rows of one machine (generic and proper DMI strings) are one here.
"""

import os

from . import answers, corpus

RIGHT, LEFT = "right", "left"
PANELS = [
    ("Acer One 10 S1003", 800, 1280, RIGHT), ("Anbernic Win600", 720, 1280, RIGHT), ("Asus T100HA", 800, 1280, LEFT),
    ("Asus T101HA", 800, 1280, RIGHT), ("Asus T103HAF", 800, 1280, RIGHT), ("AYA NEO 2021", 800, 1280, RIGHT),
    ("AYA NEO AIR", 1080, 1920, LEFT), ("AYA NEO NEXT", 800, 1280, RIGHT), ("Chuwi HiBook", 1200, 1920, RIGHT),
    ("Chuwi Hi10 Pro", 1200, 1920, RIGHT), ("GPD MicroPC", 720, 1280, RIGHT), ("GPD Win Max", 800, 1280, RIGHT),
    ("GPD Pocket", 1200, 1920, RIGHT), ("GPD Pocket 2", 1200, 1920, RIGHT), ("GPD Win", 720, 1280, RIGHT),
    ("GPD Win 2", 720, 1280, RIGHT), ("GPD Win 3", 720, 1280, RIGHT), ("I.T.Works TW891", 800, 1280, RIGHT),
    ("KD Kurio Smart C15200", 800, 1280, RIGHT), ("Lenovo Ideapad Miix 310", 800, 1280, RIGHT),
    ("Lenovo Ideapad Miix 320", 800, 1280, RIGHT), ("Lenovo Ideapad D330-10IGM HD", 800, 1280, RIGHT),
    ("Lenovo Ideapad D330-10IGM FHD", 1200, 1920, RIGHT), ("Lenovo Yoga Book X90F/X91F/X91L", 1200, 1920, RIGHT),
    ("Lenovo Yoga Tablet 2 830", 1200, 1920, RIGHT), ("OneGX1 Pro", 1200, 1920, RIGHT),
    ("OneXPlayer", 1600, 2560, LEFT), ("Samsung Galaxy Book 10.6", 1280, 1920, RIGHT),
    ("Valve Steam Deck", 800, 1280, RIGHT), ("VIOS LTH17", 800, 1280, RIGHT)]

EDGES = ("top", "right", "bottom", "left")
"""Clockwise."""
WORD = {"top": "normal", "right": "right-up", "bottom": "bottom-up", "left": "left-up"}
"""iio-sensor-proxy's, by the edge of the panel that is up: the head of 60-sensor.hwdb requires the panel's frame."""
ORIENTATION = {"top": "normal", "right": "right", "bottom": "inverted", "left": "left"}
"""By the edge of the casing that is up."""
QUARTERS = {"top": "0", "right": "3", "bottom": "2", "left": "1"}
"""Quarter turns anticlockwise that an upright screen needs, whatever the mount (Mutter's meta_orientation_to_transform)."""


def expected(width, height, mount):
    """[shape of the casing, then for each word: word, orientation, turns]."""
    found = ["portrait" if (width > height) == (mount in (RIGHT, LEFT)) else "landscape"]
    for index, edge in enumerate(EDGES):
        casing = EDGES[(index - EDGES.index(mount)) % 4]
        found += [WORD[edge], ORIENTATION[casing], QUARTERS[edge]]
    return found


class Panels:
    """The corpus."""

    title = "the kernel's table of panels that are built in sideways"

    def __init__(self, room, _is_light):
        self.place = os.path.join(room, "panels")

    def tally(self):
        rows = [f"{name}\t{width}\t{height}\t{mount}\n" for name, width, height, mount in PANELS]
        corpus.write(os.path.join(self.place, "questions"), "".join(rows))
        found = answers.ask(self.place, "panels")
        tally = corpus.Tally(self.title)
        for name, width, height, mount in PANELS:
            tally.count(name, found.get(name), expected(width, height, mount))
        return tally
