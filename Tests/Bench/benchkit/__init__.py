# SPDX-License-Identifier: MIT
"""A private X server with a panel that rotates, a touchscreen, a pen and a mock accelerometer."""
