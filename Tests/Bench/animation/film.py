#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A fullscreen video, which is drawn: a ball that jumps along a road. For make-animation.

usage: film.py
"""

import math
import sys
import time
import tkinter

FRAMES_A_SECOND = 20
SECONDS = 6.0  # of the whole video
NIGHT, ROAD, BALL, MOON, DONE, LEFT = "#14182b", "#2b3a5c", "#ff7a3d", "#f4ecc8", "#ffffff", "#4a5270"


class Film:
    def __init__(self):
        self.window = tkinter.Tk(className="Film")
        self.window.attributes("-fullscreen", True)
        self.canvas = tkinter.Canvas(self.window, background=NIGHT, highlightthickness=0)
        self.canvas.pack(fill="both", expand=True)
        self.began = time.monotonic()
        self.draw()

    def draw(self):
        part = (time.monotonic() - self.began) / SECONDS % 1
        width, height = self.canvas.winfo_width(), self.canvas.winfo_height()
        self.canvas.delete("all")
        self.canvas.create_oval(width * 0.72, height * 0.14, width * 0.82, height * 0.14 + width * 0.1, fill=MOON, width=0)
        self.canvas.create_rectangle(0, height * 0.78, width, height, fill=ROAD, width=0)
        x, radius = width * (0.1 + 0.8 * part), width * 0.045
        y = height * 0.78 - radius - abs(math.sin(part * 6 * math.pi)) * height * 0.42
        self.canvas.create_oval(x - radius, y - radius, x + radius, y + radius, fill=BALL, width=0)
        self.canvas.create_line(width * 0.06, height * 0.92, width * 0.94, height * 0.92, fill=LEFT, width=6)
        self.canvas.create_line(width * 0.06, height * 0.92, width * (0.06 + 0.88 * part), height * 0.92, fill=DONE, width=6)
        self.window.after(1000 // FRAMES_A_SECOND, self.draw)


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(__doc__.strip())
    Film().window.mainloop()
