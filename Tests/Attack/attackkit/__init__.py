# SPDX-License-Identifier: MIT
"""What tries to break a running autorotate: one module for each kind of attack."""
