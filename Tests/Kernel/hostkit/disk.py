# SPDX-License-Identifier: MIT
"""The disk space that images and states need, so that a shortage is reported before they are made."""

import os
import shutil
import tempfile

GIB = 1 << 30
IMAGE, STATE, DISK = 1.7 * GIB, 0.6 * GIB, 0.1 * GIB
"""Measured, with a margin: an image, a state of a machine, and the work disks of the scenarios."""
MAKING = 4 * GIB
"""For the packages of one image, while it is made, where temporary files are."""


def need(build, images, works):
    """By directory: bytes that are not there yet."""
    states = {images[work.image()].state_of(work) for work in works} | {image.booted() for image in images.values()}
    missing = [image for image in images.values() if not image.is_there()]
    lasting = (IMAGE * len(missing) + STATE * sum(not os.path.exists(path) for path in states)
               + DISK * len(works))
    return {build: lasting, tempfile.gettempdir(): MAKING if missing else 0}


def shortage(needed, log):
    """A sentence about the directory with too little space; None if there is enough. Prints what is needed."""
    by_disk = {}
    for directory, size in needed.items():
        by_disk.setdefault(os.stat(directory).st_dev, []).append((directory, size))
    for parts in by_disk.values():
        size, directory = sum(size for _, size in parts), parts[0][0]
        free = shutil.disk_usage(directory).free
        if size > free:
            return f"{_text(size)} are needed on the disk of {directory}, and {_text(free)} are free"
        if size:
            log(f"needs up to {_text(size)} more on the disk of {directory}; {_text(free)} are free")
    return None


def _text(size):
    return f"{size / GIB:.1f} GiB"
