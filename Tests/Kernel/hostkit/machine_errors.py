# SPDX-License-Identifier: MIT
"""What goes wrong with the machine itself."""


class Broken(Exception):
    """The machine does not do what a machine does."""
