# SPDX-License-Identifier: MIT
"""The required screen orientation, computed independently: from docs/decisions.md and the manual, not from the Swift code.

Only quiet points matter: nothing here takes time, and nothing is pending.
"""

import dataclasses

WORDS = ("normal", "left", "inverted", "right")
"""In the order of quarter turns, anticlockwise."""
HELD = {"normal": "normal", "left-up": "left", "bottom-up": "inverted", "right-up": "right"}
"""Device orientation → the screen orientation that is then upright."""
LANDSCAPE, PORTRAIT = {"normal", "inverted"}, {"left", "right"}
MASKS = {
    **{word: {word} for word in WORDS}, "natural": {"normal"}, "all": set(WORDS),
    "landscape": LANDSCAPE, "portrait": PORTRAIT, "all-but-upside-down": set(WORDS) - {"inverted"},
    "landscape-primary": {"normal"}, "landscape-secondary": {"inverted"},
    "portrait-primary": {"left"}, "portrait-secondary": {"right"}}
"""On a panel that is wider than high."""


def mask(words):
    return set().union(*(MASKS[word] for word in words))


@dataclasses.dataclass(frozen=True)
class Rule:
    """The contents of an application's file."""

    supported: tuple = ("all",)
    preferred: str = None
    auto_rotate: bool = True

    def text(self, application):
        lines = [f'match = ["{application}"]', f"supported = {list(self.supported)}".replace("'", '"')]
        if self.preferred:
            lines.append(f'preferred = "{self.preferred}"')
        if not self.auto_rotate:
            lines.append("auto-rotate = false")
        return "\n".join(lines) + "\n"


def quarter_turns(one, other):
    distance = abs(WORDS.index(one) - WORDS.index(other))
    return min(distance, 4 - distance)


class Model:
    """The user, the device and the applications, and their effects."""

    def __init__(self, rules):
        self.rules = rules
        self.held = "normal"  # in truth, whether the sensor is awake or not
        self.focus = None
        self.lit = True
        self.has_sensor = True
        self.shown = "normal"
        self.rotations = 0
        self.lock = None
        self.lock_ends_with = None  # the application whose loss of focus ends it
        self.restart_daemon()

    def restart_daemon(self):
        """A daemon that starts: it knows its saved lock, if that had no end, and the current orientation."""
        if self.lock_ends_with:
            self.lock = self.lock_ends_with = None
        self.hold = None
        self.chosen = None
        self.chosen_within = (None, frozenset())
        self.requests = {}  # number → words, in the order in which they were made
        self.reported = "unknown"  # the device orientation, as far as the sensor has reported since it woke
        self.upright = None  # the last upright device orientation, as far as was seen
        self.fallback = self.lock or self.shown
        self.update()

    # Effects

    @property
    def rule(self):
        return self.rules.get(self.focus) or Rule()

    def allowed(self):
        """The allowed orientations are narrowed down step by step; a step that would leave none is ignored."""
        found = set(WORDS)
        for words in (self.rule.supported, *self.requests.values()):
            found = found & mask(words) or found
        return found

    def restrictions(self):
        """Whose masks narrow the choice: the application with a rule, and all requests."""
        return (self.focus if self.focus in self.rules else None, frozenset(self.requests))

    def is_followed(self):
        """Whether a rotation of the device could rotate the screen; else the sensor sleeps."""
        return (self.lit and self.lock is None and self.hold is None and self.rule.auto_rotate
                and len(self.allowed()) > 1)

    def wanted(self):
        if self.lock:
            return self.lock
        if self.hold:
            return self.hold
        if self.chosen:
            return self.chosen
        if not self.rule.auto_rotate:
            return self.shown
        return HELD.get(self.reported, self.fallback)

    def decision(self):
        allowed, wanted = self.allowed(), self.wanted()
        if wanted in allowed:
            return wanted
        if self.shown in allowed:
            return self.shown
        if self.rule.preferred in allowed:
            return self.rule.preferred
        held = HELD.get(self.reported, self.fallback)
        return min(allowed, key=lambda word: (quarter_turns(held, word), quarter_turns("normal", word), WORDS.index(word)))

    def update(self):
        """Reads the sensor as far as possible, and rotates the screen."""
        self._drop_outdated_choice()
        if self.chosen and self.reported == "unknown" and self.is_followed():
            self._show()  # the user's choice does not wait for a sensor that wakes, and may end with its reading
        for _ in range(4):
            self._read_sensor()
            if not self.lit:
                return
            if not self._show():
                return
        raise AssertionError("the model does not settle on an orientation")

    def _show(self):
        """Returns whether the screen rotated."""
        before, self.shown = self.shown, self.decision()
        self.rotations += self.shown != before
        return self.shown != before

    def _drop_outdated_choice(self):
        """A choice within the orientations of a rule and requests ends with any of them."""
        application, requests = self.chosen_within
        if self.chosen and not (application in (None, self.focus) and requests <= set(self.requests)):
            self.chosen = None

    def _read_sensor(self):
        if not self.is_followed() or not self.has_sensor:
            self.reported = "unknown"
            return
        self.reported = self.held
        upright = HELD.get(self.held)
        if upright is None:
            return
        if self.upright not in (None, upright):
            self.chosen = None
        self.upright = upright
        if self.chosen is None:
            self.fallback = upright

    # Events

    def turn_device(self, held):
        self.held = held
        self.update()

    def rotate(self, word):
        """Returns whether it is done; an orientation that is not allowed is refused, and dropped."""
        if word not in self.allowed():
            return False
        self._choose(word)
        self.update()
        return True

    def _choose(self, word):
        """The user's choice. A choice for an application is not restored later."""
        if self.lock:
            self.lock = word
        elif self.hold:
            self.hold = word
        else:
            self.chosen = word
            self.chosen_within = self.restrictions()
            if self.chosen_within != (None, frozenset()):
                return
        self.fallback = word

    def set_lock(self, word, ends_with=None):
        """`word` is None for the current orientation."""
        self.lock_ends_with = ends_with
        self.lock = self.fallback = word or self.shown
        self.chosen = None
        self.update()

    def unlock(self):
        if self.lock is None:
            return
        self._end_lock()
        self.update()

    def _end_lock(self):
        self.lock = self.lock_ends_with = self.chosen = None

    def set_hold(self, is_on):
        if is_on == (self.hold is not None):
            return
        self.hold = self.shown if is_on else None
        self.fallback = self.hold or self.fallback
        self.chosen = None
        self.update()

    def request(self, number, words):
        self.requests[number] = words
        self.update()

    def release(self, number):
        del self.requests[number]
        self.update()

    def focus_on(self, application):
        if self.lock_ends_with not in (None, application):
            self._end_lock()
        self.focus = application
        self.update()

    def rotate_by_hand(self, word):
        """Another program rotates the panel: that counts as the user's choice."""
        self.shown = word
        self._choose(word)
        self.update()

    def blank(self, is_off):
        self.lit = not is_off
        self.update()

    def lose_sensor(self, is_lost):
        self.has_sensor = not is_lost
        self.update()

    def lose_bus(self):
        """Requests of its clients end."""
        self.requests = {}
        self.update()
