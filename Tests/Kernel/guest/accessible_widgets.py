# SPDX-License-Identifier: MIT
"""Finds widgets by their names, as a screen reader does: by AT-SPI, in all programs, among those that are shown and can be touched.

usage: accessible_widgets.py    for each line of the input, a name: prints [left, top, width, height, is checked], or null

It stays between the lines, since its start takes seconds under emulation, and a button is shown for five.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")

from gi.repository import Atspi, GLib  # noqa: E402  pylint: disable=wrong-import-position

ROLES = [Atspi.Role.MENU, Atspi.Role.BUTTON, Atspi.Role.TOGGLE_BUTTON]
ANY, ALL = Atspi.CollectionMatchType.ANY, Atspi.CollectionMatchType.ALL


def shown():
    states = Atspi.StateSet.new([Atspi.StateType.SHOWING])
    rule = Atspi.MatchRule.new(states, ALL, {}, ALL, ROLES, ANY, [], ALL, False)
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        stage = desktop.get_child_at_index(index).get_child_at_index(0)
        yield from stage.get_collection_iface().get_matches(rule, Atspi.CollectionSortOrder.CANONICAL, 0, True)


def name_of(widget):
    """Its own, or that of its label."""
    labels = [] if widget.get_name() else [each.get_target(0) for each in widget.get_relation_set()
                                           if each.get_relation_type() == Atspi.RelationType.LABELLED_BY]
    return labels[0].get_name() if labels else widget.get_name()


def described(widget):
    place = widget.get_extents(Atspi.CoordType.SCREEN)
    return [place.x, place.y, place.width, place.height, widget.get_state_set().contains(Atspi.StateType.CHECKED)]


def found(name):
    """The last in the tree: the newest, and of two within each other the inner one. None while a program starts or its widgets
    change. Each question takes some 20 ms under emulation, and there may be a keyboard on the screen."""
    try:
        return next((described(each) for each in reversed(list(shown())) if name_of(each) == name), None)
    except (AttributeError, GLib.Error):
        return None


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(found(line.rstrip("\n"))), flush=True)
