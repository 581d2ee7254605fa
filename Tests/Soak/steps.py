# SPDX-License-Identifier: MIT
"""The sequence of steps, from a seed. It depends on the model alone, so that a seed always gives the same sequence."""

import random

from model import HELD, MASKS, WORDS, Rule

RULES = {
    "player": Rule(supported=("landscape",)), "reader": Rule(supported=("portrait",), preferred="right"),
    "sketch": Rule(auto_rotate=False), "comic": Rule(supported=("all-but-upside-down",))}
APPLICATIONS = ("xterm", *RULES)
ROTATIONS_PER_SENSOR_ROTATION = 50
SHARE_REFUSED = 0.05  # of all --rotate, at most: some of them are allowed by chance
MOST_REQUESTS = 4
WEIGHTS = {
    "rotate": 100, "lock": 22, "lock-shown": 2, "lock-while": 1, "unlock": 2, "hold": 1, "go-on": 3, "request": 12, "release": 14,
    "leave": 1, "focus": 2, "device": 1, "by-hand": 0.4, "plug": 0.25, "dark": 0.25}
IN_THE_DARK = {"lock": 3, "unlock": 1, "device": 4, "request": 1, "release": 1, "light": 4}
ACCELERATIONS = (*HELD, "face-up")
ORIENTATION_OF = {word: held for held, word in HELD.items()}


class Script:
    """Draws the next step: a verb and its arguments."""

    def __init__(self, seed, model, rotations, has_restarts=True, left_out=()):
        self.random = random.Random(seed)
        self.model = model
        self.left_out = left_out
        self.sensor_rotations = 0
        self.key = 0
        self.is_plugged = True
        self.due = self._restarts(rotations) if has_restarts else []

    def _restarts(self, rotations):
        """(rotation, step), the latest first. All in the first half: the second is one life, which must not grow."""
        plan = []
        for verb, count in (("restart", 12), ("kill", 6), ("restart-bus", 2), ("restart-proxy", 4)):
            plan += [(self.random.randrange(1, max(2, rotations // 2)), (verb,)) for _ in range(count)]
        return sorted(plan, reverse=True)

    def next(self):
        model = self.model
        if not model.lit:
            return self._drawn(IN_THE_DARK)
        if self.due and self.due[-1][0] <= model.rotations:
            return self._before_a_restart() or self.due.pop()[1]
        if model.rotations >= ROTATIONS_PER_SENSOR_ROTATION * (self.sensor_rotations + 1):
            return self._steps_to_a_rotation_by_the_sensor()
        return self._drawn(WEIGHTS)

    def _before_a_restart(self):
        """A new daemon cannot know some things, which are left out: the focused window, for 150 ms, in which the device may be
        quicker; and the place of a neighbour that is switched off. It comes back where the compositor kept it."""
        if not self.is_plugged:
            return self._plug()
        return ("focus", "xterm") if self.model.focus != "xterm" else None

    def _steps_to_a_rotation_by_the_sensor(self):
        model = self.model
        if model.lock:
            return ("unlock",)
        if model.hold:
            return ("go-on",)
        if not model.rule.auto_rotate:
            return ("focus", "xterm")
        if len(model.allowed()) < 2:
            return ("release", self.random.choice(list(model.requests)))
        others = sorted(model.allowed() - {model.shown, HELD.get(model.held)})
        if not others:
            return ("device", "face-up" if model.held != "face-up" else ORIENTATION_OF[model.shown])
        self.sensor_rotations += 1
        return ("device", ORIENTATION_OF[self.random.choice(others)])

    def _drawn(self, weights):
        while True:
            verb = self.random.choices(list(weights), list(weights.values()))[0]
            step = None if verb in self.left_out else getattr(self, "_" + verb.replace("-", "_"))()
            if step:
                return step

    # One method a verb; None where it makes no sense now.

    def _rotate(self):
        is_any = self.random.random() < SHARE_REFUSED and "refused" not in self.left_out
        others = sorted((set(WORDS) if is_any else self.model.allowed()) - {self.model.shown})
        return ("rotate", self.random.choice(others)) if others else None

    def _lock(self):
        return ("lock", self.random.choice(WORDS))

    def _lock_shown(self):
        return ("lock", None)

    def _lock_while(self):
        return ("lock-while", self.random.choice(WORDS), self.model.focus)

    def _unlock(self):
        return ("unlock",) if self.model.lock else None

    def _hold(self):
        return ("hold",) if not self.model.hold else None

    def _go_on(self):
        return ("go-on",) if self.model.hold else None

    def _request(self):
        if len(self.model.requests) >= MOST_REQUESTS:
            return None
        self.key += 1
        words = self.random.sample(sorted(MASKS), self.random.choice((1, 1, 1, 2)))
        return ("request", self.key, tuple(words))

    def _release(self):
        return ("release", self.random.choice(list(self.model.requests))) if self.model.requests else None

    def _leave(self):
        """A program makes a request, and leaves the bus without releasing it."""
        words = self.random.choice(sorted(MASKS))
        self.key += 1
        return ("leave", self.key, (words,))

    def _focus(self):
        return ("focus", self.random.choice([each for each in APPLICATIONS if each != self.model.focus]))

    def _device(self):
        return ("device", self.random.choice([each for each in ACCELERATIONS if each != self.model.held]))

    def _by_hand(self):
        others = sorted(self.model.allowed() - {self.model.shown})
        return ("by-hand", self.random.choice(others)) if others else None

    def _plug(self):
        self.is_plugged = not self.is_plugged
        return ("plug" if self.is_plugged else "unplug",)

    def _dark(self):
        return ("dark",)

    def _light(self):
        return ("light",)


def apply(model, step):
    """Applies a step to the model. Returns False if it has to be refused."""
    verb, *rest = step
    if verb == "rotate":
        return model.rotate(*rest)
    acts = {
        "lock": model.set_lock, "lock-while": model.set_lock, "unlock": model.unlock, "hold": lambda: model.set_hold(True),
        "go-on": lambda: model.set_hold(False), "request": model.request, "release": model.release,
        "focus": model.focus_on, "device": model.turn_device, "by-hand": model.rotate_by_hand,
        "plug": model.update, "unplug": model.update, "dark": lambda: model.blank(True),
        "light": lambda: model.blank(False), "leave": lambda key, words: _come_and_go(model, key, words),
        "restart": model.restart_daemon, "kill": model.restart_daemon, "restart-bus": model.lose_bus,
        "restart-proxy": lambda: (model.lose_sensor(True), model.lose_sensor(False))}
    acts[verb](*rest)
    return True


def _come_and_go(model, key, words):
    model.request(key, words)
    model.release(key)


