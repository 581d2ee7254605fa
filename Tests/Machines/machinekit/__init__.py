# SPDX-License-Identifier: MIT
"""Public data of real machines, and the correct results for each."""
