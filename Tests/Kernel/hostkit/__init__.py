# SPDX-License-Identifier: MIT
"""The host's side of the tests on a real kernel."""
