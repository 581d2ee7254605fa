# SPDX-License-Identifier: MIT
"""A plot of the frontier: wrong rotations an hour over delay."""

import math
from xml.sax.saxutils import escape

from .scores import union
from .traces import REAL, SYNTHETIC

WIDTH, HEIGHT = 1000, 480
TOP, BOTTOM = 70, 420
LOWEST, HIGHEST = 0.3, 300
EARLIEST = -0.1
TICKS = (0.3, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
COLOURS = {"none": "#9a5b13", "good": "#1f5fa8"}
STYLE = """text { font: 12px "DejaVu Sans", Verdana, sans-serif; fill: #333333; }
.title { font-size: 15px; font-weight: bold; } .light { fill: #777777; font-size: 11px; }
.grid { stroke: #dededa; } .end { text-anchor: end; } .middle { text-anchor: middle; }"""


class Panel:
    def __init__(self, name, part, left, right, longest):
        self.name, self.part, self.left, self.right, self.longest = name, part, left, right, longest

    def x(self, delay):
        share = (min(max(delay, EARLIEST), self.longest) - EARLIEST) / (self.longest - EARLIEST)
        return self.left + (self.right - self.left) * share

    def point(self, sums):
        both = union(sums, REAL + SYNTHETIC)
        return self.x(both.delay(self.part)), y(both.spurious_per_hour())


def y(wrong):
    share = math.log(min(max(wrong, LOWEST), HIGHEST) / LOWEST) / math.log(HIGHEST / LOWEST)
    return BOTTOM - (BOTTOM - TOP) * share


def text(x, height, words, kind="", colour=None):
    fill = f' style="fill: {colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{height:.1f}" class="{kind}"{fill}>{escape(words)}</text>'


def line(x, y1, x2, y2):
    return f'<line x1="{x:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="grid"/>'


def frame(panel):
    for wrong in TICKS:
        yield line(panel.left, y(wrong), panel.right, y(wrong))
        yield text(panel.left - 6, y(wrong) + 4, f"{wrong:g}", "end")
    for tenth in range(round(EARLIEST * 10), round(panel.longest * 10) + 1):
        x = panel.x(tenth / 10)
        yield line(x, TOP, x, BOTTOM)
        yield text(x, BOTTOM + 18, f"{tenth / 10:.1f}".replace("-", "−"), "middle")
    yield text((panel.left + panel.right) / 2, BOTTOM + 40, panel.name, "middle")


def course(panel, rules, scores, gyroscope):
    """autorotate's classifier from much caution to little."""
    rows = [(rule.caution, panel.point(sums)) for rule, sums in zip(rules, scores)
            if rule.caution is not None and rule.gyroscope == gyroscope]
    points = " ".join(f"{x:.1f},{height:.1f}" for _, (x, height) in rows)
    colour = COLOURS[gyroscope]
    yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for caution, (x, height) in rows:
        size = 5.5 if caution == 1 else 3
        yield f'<circle cx="{x:.1f}" cy="{height:.1f}" r="{size}" fill="{colour}"/>'
        side = ("end", -8, 13) if gyroscope == "good" else ("", 7, -5)
        yield text(x + side[1], height + side[2], f"{caution:g}", f"light {side[0]}", colour)


def peer_points(panel, rules, scores):
    for rule, sums in zip(rules, scores):
        x, height = panel.point(sums)
        yield f'<rect x="{x - 4:.1f}" y="{height - 4:.1f}" width="8" height="8" fill="#b03030"/>'
        is_far = x + 8 + 7 * len(rule.title) > panel.right + 5
        if is_far:
            yield text(x - 8, height + 14, rule.title, "end")
        else:
            yield text(x + 8, height - 6, rule.title)


def drawing(peers, peer_scores, rules, scores):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
             f'viewBox="0 0 {WIDTH} {HEIGHT}">', f"<style>{STYLE}</style>",
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
             text(20, 26, "Wrong rotations an hour of use, over the delay of the right ones", "title")]
    parts += [text(20, 48, "autorotate with a gyroscope", "", COLOURS["good"]),
              text(220, 48, "without", "", COLOURS["none"]), text(290, 48, "its peers", "", "#b03030"),
              text(370, 48, "beside the points: caution; the large one, 1, is the default", "light")]
    for panel in (Panel("median delay, s", 0.5, 50, 485, 0.5), Panel("delay in 95 of 100, s", 0.95, 545, 980, 0.9)):
        parts += frame(panel)
        for gyroscope in ("none", "good"):
            parts += course(panel, rules, scores, gyroscope)
        parts += peer_points(panel, peers, peer_scores)
    return "\n".join(parts + ["</svg>", ""])
