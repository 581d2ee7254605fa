# SPDX-License-Identifier: MIT
"""Errors of the machine itself."""


class Broken(Exception):
    """The machine does not behave as a machine should."""
