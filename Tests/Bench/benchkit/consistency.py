# SPDX-License-Identifier: MIT
"""The state that an X server must have in a screen orientation: a model that is independent of the program."""

PANEL = "eDP-1"
ON_PANEL = ("Bench Touchscreen", "Bench Pen")
ELSEWHERE = ("Bench Mouse", "Bench Touchpad")
IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
# a b c d e f of facts of the Coordinate Transformation Matrix, before the panel's place on the screen
MATRICES = {
    "normal": (1, 0, 0, 0, 1, 0), "left": (0, -1, 1, 1, 0, 0),
    "right": (0, 1, 0, -1, 0, 1), "inverted": (-1, 0, 1, 0, -1, 1)}


def expected_matrix(outputs):
    """The matrix that maps the panel's glass to the panel's area on the screen."""
    lit = [each for each in outputs if each["w"]]
    width = max(each["x"] + each["w"] for each in lit)
    height = max(each["y"] + each["h"] for each in lit)
    panel = next(each for each in lit if each["name"] == PANEL)
    a, b, c, d, e, f = MATRICES[panel["rotation"]]
    sx, sy = panel["w"] / width, panel["h"] / height
    return [a * sx, b * sx, c * sx + panel["x"] / width,
            d * sy, e * sy, f * sy + panel["y"] / height, 0, 0, 1]


def disagreements(bench, orientation):
    """Sentences on what differs on the server from the state required for this orientation; none if all is correct."""
    outputs = bench.outputs()
    panel = next(each for each in outputs if each["name"] == PANEL)
    if panel["rotation"] != orientation or not panel["w"]:
        return [f"the server shows {panel}"]
    found = [f"the neighbour is {each}" for each in outputs if each["name"] != PANEL and each["w"] and (
        each["rotation"], each["x"], each["y"]) != ("normal", panel["x"] + panel["w"], 0)]
    matrices = bench.matrices()
    wanted = {**dict.fromkeys(ON_PANEL, expected_matrix(outputs)), **dict.fromkeys(ELSEWHERE, IDENTITY)}
    for name, matrix in wanted.items():
        if any(abs(one - other) > 1e-4 for one, other in zip(matrices[name], matrix)):
            found.append(f"{name} has the matrix {matrices[name]} in place of {matrix}")
    return found
