# SPDX-License-Identifier: MIT
"""Draws the device around its panel's scanout. For make-animation."""

import dataclasses
import math

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 640, 400  # of the panel
BEZEL = 36
PAPER, INK, BODY, EDGE, ENGRAVING = "#f6f5f2", "#2b2f33", "#2a2d31", "#4a4f55", "#9aa1a8"
MARGIN, CAPTION, SCALE = 12, 56, 0.6
BRIGHT, SHARE = ("#ffb020", "#ff7a3d", "#f4ecc8"), 200
SIDE = math.ceil(math.hypot(WIDTH + 2 * BEZEL, HEIGHT + 2 * BEZEL)) + 2 * MARGIN
"""The side of the square in which the device rotates."""


@dataclasses.dataclass(frozen=True)
class Frame:
    """One image of the animation."""

    degrees: float  # of the device, clockwise
    glass: Image.Image
    caption: str
    finger: tuple = None  # its place on the glass
    milliseconds: int = 90


def text_font(size, bold=False):
    return ImageFont.truetype(f"/usr/share/fonts/truetype/dejavu/DejaVuSans{'-Bold' if bold else ''}.ttf", size)


def device(glass, place):
    """The upright device, with a finger at `place`; it is rotated as a whole afterwards."""
    width, height = WIDTH + 2 * BEZEL, HEIGHT + 2 * BEZEL
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle([0, 0, width - 1, height - 1], 30, fill=BODY, outline=EDGE, width=3)
    image.paste(glass, (BEZEL, BEZEL))
    draw.ellipse([width / 2 - 5, BEZEL / 2 - 5, width / 2 + 5, BEZEL / 2 + 5], fill="#0d0f11", outline="#5a6068", width=2)
    draw.text((width / 2, height - BEZEL / 2), "autorotate", ENGRAVING, text_font(16, bold=True), anchor="mm")
    return finger(image, place[0] + BEZEL, place[1] + BEZEL) if place else image


def finger(image, x, y):
    layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    for radius, colour in ((36, (255, 255, 255, 50)), (24, (255, 255, 255, 60))):
        draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=colour)
    draw.ellipse([x - 36, y - 36, x + 36, y + 36], outline=(255, 255, 255, 235), width=4)
    return Image.alpha_composite(image, layer)


def page(frame):
    """The device in the hand, with the caption below."""
    paper = Image.new("RGBA", (SIDE, SIDE + CAPTION), PAPER)
    image = device(frame.glass, frame.finger).rotate(-frame.degrees, resample=Image.BICUBIC, expand=True)
    paper.alpha_composite(image, ((SIDE - image.width) // 2, (SIDE - image.height) // 2))
    ImageDraw.Draw(paper).text((SIDE / 2, SIDE + CAPTION / 2 - 8), frame.caption, INK, text_font(30), anchor="mm")
    size = (round(paper.width * SCALE), round(paper.height * SCALE))
    return paper.convert("RGB").resize(size, Image.LANCZOS)


def palette(pages):
    """One for all, so that unmoved parts keep their colours. The small bright places need a share of their own."""
    strip = Image.new("RGB", (pages[0].width, pages[0].height * len(pages) + SHARE * len(BRIGHT)))
    for number, colour in enumerate(BRIGHT):
        strip.paste(colour, (0, strip.height - SHARE * (number + 1), strip.width, strip.height - SHARE * number))
    for number, each in enumerate(pages):
        strip.paste(each, (0, number * each.height))
    return strip.quantize(128)
