# SPDX-License-Identifier: MIT
"""The module and class of each desktop. Only that of the scenario is loaded, so that a change of another one keeps
the saved state of this one valid."""

import importlib

PLACES = {"x11": ("x11", "X11"), "sway": ("sway", "Sway"), "gnome": ("gnome", "Gnome"), "cinnamon": ("gnome", "Cinnamon"),
          "kwin": ("kwin", "KWin"), "labwc": ("wlroots", "Labwc"), "hyprland": ("wlroots", "Hyprland"), "lightdm": ("lightdm", "LightDM"),
          "greetd": ("greetd", "Greetd"), "cage": ("greetd", "Cage")}


def named(name):
    module, kind = PLACES[name]
    return getattr(importlib.import_module(module), kind)
