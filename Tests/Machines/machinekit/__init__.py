# SPDX-License-Identifier: MIT
"""Public data of real machines, and what is right for each."""
