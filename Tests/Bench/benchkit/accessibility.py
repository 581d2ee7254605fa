#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a screen reader sees of a program and does to it, by AT-SPI: a helper on the bench's own bus.

As a program: reads lines of JSON, [what, argument...], and answers each with a line of JSON.
As a module: `Reader(session, application)`.
"""

import json
import os
import subprocess
import sys

# The helper


class Agent:
    """The tree of one application. Each question reads it again, since objects found before may be gone."""

    def __init__(self, atspi, application):
        self.atspi = atspi
        self.application = application

    def _root(self):
        desktop = self.atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child and child.get_name() == self.application:
                return child
        return None

    def _walk(self, node):
        if node is None:
            return
        yield node
        for index in range(node.get_child_count()):
            yield from self._walk(node.get_child_at_index(index))

    def _each(self, role, name):
        for node in self._walk(self._root()):
            if node.get_role_name() == role and node.get_name() == name:
                yield node

    def visible(self, name):
        """[x, y, width, height, is checked] of the last button of this name or label on the screen; None if there is none."""
        roles, states = self.atspi.Role, self.atspi.StateSet.new([self.atspi.StateType.SHOWING])
        every, one = self.atspi.CollectionMatchType.ALL, self.atspi.CollectionMatchType.ANY
        rule = self.atspi.MatchRule.new(
            states, every, {}, every, [roles.MENU, roles.PUSH_BUTTON, roles.TOGGLE_BUTTON], one, [], every, False)
        root = self._root()
        stage = root and root.get_child_at_index(0)
        if stage is None:
            return None
        for node in reversed(stage.get_collection_iface().get_matches(rule, self.atspi.CollectionSortOrder.CANONICAL, 0, True)):
            if name in (node.get_name(), self._label(node)):
                box = node.get_component_iface().get_extents(self.atspi.CoordType.WINDOW)
                checked = node.get_state_set().contains(self.atspi.StateType.CHECKED)
                return [box.x, box.y, box.width, box.height, checked]
        return None

    def _label(self, node):
        labels = [each.get_target(0) for each in node.get_relation_set()
                  if each.get_relation_type() == self.atspi.RelationType.LABELLED_BY]
        return labels[0].get_name() if labels else None

    def tree(self):
        """[[role, name, states]] of everything, including pages that are not visible: GTK 4.8 does not report which is."""
        states = {"sensitive": self.atspi.StateType.SENSITIVE, "checked": self.atspi.StateType.CHECKED,
                  "focusable": self.atspi.StateType.FOCUSABLE, "pressed": self.atspi.StateType.PRESSED,
                  "selected": self.atspi.StateType.SELECTED, "focused": self.atspi.StateType.FOCUSED,
                  "visible": self.atspi.StateType.VISIBLE}
        return [[node.get_role_name(), node.get_name(), [word for word, state in states.items() if present.contains(state)]]
                for node in self._walk(self._root()) for present in [node.get_state_set()]]

    def names(self, role):
        return [node.get_name() for node in self._walk(self._root()) if node.get_role_name() == role]

    def press(self, role, name):
        """Acts like a tap. False if there is nothing of this kind and name."""
        for node in self._each(role, name):
            action = node.get_action_iface()
            return bool(action and action.get_n_actions() and action.do_action(0))
        return False

    def enter(self, name, text):
        """Replaces the contents of a field to type in. False if there is no such field."""
        return any(node.get_editable_text_iface().set_text_contents(text) for node in self._each("text", name))

    def text(self, name):
        """The contents of a field to type in."""
        fields = [node.get_text_iface() for node in self._each("text", name)]
        return fields[0].get_text(0, fields[0].get_character_count()) if fields else None

    def place(self, role, name):
        """[x, y, width, height] within its window."""
        return next(iter(self.places(role, name)), None)

    def places(self, role, name):
        """Those of all with this kind and name, in the order of the tree."""
        boxes = [node.get_component_iface().get_extents(self.atspi.CoordType.WINDOW)
                 for node in self._each(role, name)]
        return [[box.x, box.y, box.width, box.height] for box in boxes]


def serve(application):
    import gi  # pylint: disable=import-outside-toplevel
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib  # pylint: disable=import-outside-toplevel
    Atspi.init()
    agent = Agent(Atspi, application)
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        try:
            answer = getattr(agent, what)(*arguments)
        except GLib.Error:  # the tree changed while it was read
            answer = None
        print(json.dumps(answer), flush=True)


# The module


class Reader:
    """Reads an application's window and operates it. Ends with `end`."""

    def __init__(self, session, application):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-W", "ignore::DeprecationWarning", os.path.abspath(__file__), application], env=session.env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, *words):
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or "null")

    def tree(self):
        return self.ask("tree") or []

    def visible(self, name):
        return self.ask("visible", name)

    def press(self, role, name):
        return self.ask("press", role, name)

    def states(self, role, name):
        """The states of the first of this role and name; None if there is none."""
        return next((states for *what, states in self.tree() if what == [role, name]), None)

    def names(self, role):
        return self.ask("names", role) or []


if __name__ == "__main__":
    serve(sys.argv[1])
