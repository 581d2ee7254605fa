# SPDX-License-Identifier: MIT
"""Attempts to break a running autorotate: one module for each kind of attack."""
