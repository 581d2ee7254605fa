#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A window with keys that light up under a finger. For make-animation.

usage: keypad.py FILE     FILE is rewritten at each change, as JSON: typed, and each key's place on the screen
"""

import json
import os
import sys
import tkinter
from tkinter import font

KEYS = "123456789*0#"
COLUMNS = 3
GAP = 10
GROUND, IDLE, LIT, INK, LIT_INK = "#1f2933", "#3b4a59", "#ffb020", "#e8edf2", "#1f2933"


class Keypad:
    """Keys in rows below a line that shows the typed text."""

    def __init__(self, path):
        self.path = path
        self.typed = ""
        self.pressed = None
        self.places = {}
        self.window = tkinter.Tk(className="Keypad")
        self.window.title("keypad")
        self.canvas = tkinter.Canvas(self.window, background=GROUND, highlightthickness=0, width=200, height=260)
        self.canvas.pack(fill="both", expand=True)
        self.canvas.bind("<Configure>", lambda _event: self.draw())
        self.canvas.bind("<ButtonPress-1>", self.press)
        self.canvas.bind("<ButtonRelease-1>", self.release)

    def press(self, event):
        self.pressed = next((key for key, (x, y, w, h) in self.places.items()
                             if x <= event.x < x + w and y <= event.y < y + h), None)
        self.typed += self.pressed or ""
        self.draw()

    def release(self, _event):
        self.pressed = None
        self.draw()

    def draw(self):
        self.canvas.delete("all")
        width, height = self.canvas.winfo_width(), self.canvas.winfo_height()
        rows = len(KEYS) // COLUMNS
        w, h = (width - GAP) / COLUMNS, (height - GAP) / (rows + 1)
        self.write(self.typed, width / 2, (GAP + h) / 2, h * 0.55, LIT)
        for number, key in enumerate(KEYS):
            row, column = divmod(number, COLUMNS)
            self.places[key] = (GAP + column * w, GAP + (row + 1) * h, w - GAP, h - GAP)
            self.draw_key(key, key == self.pressed)
        self.canvas.update_idletasks()
        self.canvas.winfo_rgb(IDLE)  # its answer comes when everything was drawn
        self.print_state()

    def draw_key(self, key, is_lit):
        x, y, w, h = self.places[key]
        self.canvas.create_rectangle(x, y, x + w, y + h, fill=LIT if is_lit else IDLE, width=0)
        self.write(key, x + w / 2, y + h / 2, min(w, h) * 0.5, LIT_INK if is_lit else INK)

    def write(self, text, x, y, size, colour):
        face = font.Font(family="DejaVu Sans", size=-max(8, int(size)))
        self.canvas.create_text(x, y, text=text, font=face, fill=colour)

    def print_state(self):
        left, top = self.canvas.winfo_rootx(), self.canvas.winfo_rooty()
        keys = {key: (left + x + w / 2, top + y + h / 2) for key, (x, y, w, h) in self.places.items()}
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump({"typed": self.typed, "lit": self.pressed, "keys": keys}, file)
        os.replace(self.path + ".new", self.path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    Keypad(sys.argv[1]).window.mainloop()
